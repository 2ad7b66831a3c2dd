"""What somebody keeps to cards, and the search over it."""
