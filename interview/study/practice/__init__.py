"""Practice: one question after the other, graded by the one who answered."""
