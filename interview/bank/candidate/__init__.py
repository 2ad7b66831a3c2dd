"""What the candidate sees: the brief, and the question that is asked now."""
