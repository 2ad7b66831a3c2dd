"""What an interviewer marked, as a rating: no Django, no person."""
