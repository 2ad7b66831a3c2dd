"""Kits: what is asked, in which order, for how long."""
