"""What somebody can answer, and what is missing for a day."""
