"""Log lines without the keys that addresses hold: invitations, passwords, rooms."""

import logging
import re

KEY = re.compile(r"(/(?:invitations|password|join|candidate)/)[^/\s?\"']+")


def masked(text: str) -> str:
    return KEY.sub(r"\1…", text)


class MaskKeys(logging.Filter):
    """For a handler, because filters of a logger do not see its children's lines."""

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if (safe := masked(said)) != said:
            record.msg, record.args = safe, None
        return True
