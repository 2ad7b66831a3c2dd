"""From what a person or a program typed to a queued run."""
