"""Measure a token stream from an OpenAI-compatible server, strictly.

A tool of its own (`python -m interview.measure`); it knows no Django and no page.
"""
