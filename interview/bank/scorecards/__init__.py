"""Scorecards that are in: submission, revision, debrief, exports."""
