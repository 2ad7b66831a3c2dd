"""An instant of the database as POSIX time, for pages that read thousands."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BigIntegerField, Func
from django.db.models.sql.compiler import SQLCompiler


class Milliseconds(Func):
    """A whole number: both databases make it faster than Python a datetime."""

    output_field = BigIntegerField()
    arity = 1

    def get_db_converters(self, connection: BaseDatabaseWrapper) -> list[Any]:
        """None: both databases give int, and a call for each would be felt."""
        return []

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        # SQLite reads milliseconds, and a day number as a double is 0.04 of one off.
        # round() would cost more than all the rest.
        milliseconds = "(julianday(%(expressions)s) - 2440587.5) * 86400000.0"
        context["template"] = f"CAST({milliseconds} + 0.5 AS INTEGER)"
        return self.as_sql(compiler, connection, **context)

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        # EXTRACT would make a numeric, which takes longer to make and to cast; a float
        # takes longer to read than a whole number.
        context["template"] = "(date_part('epoch', %(expressions)s) * 1000)::bigint"
        return self.as_sql(compiler, connection, **context)
