"""Everything that an installation keeps, in one file that both databases can read."""
