"""What one run asks for, how it stands, and whose turn it is."""
