"""Predictions, claims and verdicts: an experiment from reading to history."""
