"""Interviews: candidate, panel, day, links."""
