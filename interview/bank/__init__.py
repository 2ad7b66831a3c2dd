"""The interviewer's side: the bank of questions, kits, interviews, scorecards."""
