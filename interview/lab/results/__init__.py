"""A report as its pages show it, load by load, and what its numbers are worth."""
