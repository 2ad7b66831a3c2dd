"""The log as JSON, for a collector: one object on one line per event."""

import json
import logging
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """A traceback is a field of its event, never lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)
