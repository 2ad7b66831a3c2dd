"""Calibration: a panel rates the same answers apart."""
