"""The bank of questions: every card an interviewer may see, and how it fared."""
