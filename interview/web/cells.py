"""Cells of CSV files that a spreadsheet opens."""

from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(cell: Any) -> Any:
    """Text that a spreadsheet would run as a formula gets an apostrophe first."""
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS):
        return f"'{cell}"
    return cell
