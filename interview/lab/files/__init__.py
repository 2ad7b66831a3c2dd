"""Runs as files: exports, and results of other tools brought in."""
