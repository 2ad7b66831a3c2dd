"""Nanoseconds to the milliseconds that reports hold."""


def ms(ns: float | None) -> float | None:
    """With all digits of the nanosecond; None stays None."""
    return None if ns is None else round(ns / 1e6, 6)
