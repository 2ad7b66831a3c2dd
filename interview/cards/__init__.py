"""Markdown content as values: cards, manual, experiments, facts, results.

It knows neither Django nor URLs; pages hand in how to link and how to draw.
"""
