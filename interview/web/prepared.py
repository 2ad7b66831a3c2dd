"""Whether the database is there, and has the tables of this Prefill."""

from pathlib import Path

from django.core.management.base import CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

REMEDY = "Run `manage.py prepare` with the same settings, or start `manage.py up`."


def require_prepared() -> None:
    """For commands that read or write tables; raises CommandError, and makes no file
    where there is none."""
    try:
        lacks = missing()
    except OperationalError as error:
        raise CommandError(no_answer(error)) from error
    if lacks:
        raise CommandError(f"{lacks} {REMEDY}")


def missing() -> str:
    """What stands between the database and this Prefill, as a sentence; "" if nothing.

    Raises OperationalError when the database does not answer.
    """
    if not is_there():
        return f"There is no database {place()}."
    executor = MigrationExecutor(connection)
    if not executor.loader.applied_migrations:
        return f"The database {place()} has no tables of Prefill."
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return f"The database {place()} is one of an older Prefill."
    return ""


def is_there() -> bool:
    """Whether SQLite has its file, which a look would make; a server tells itself."""
    if connection.vendor != "sqlite":
        return True
    name = str(connection.settings_dict["NAME"])
    return name.startswith("file:") or Path(name).is_file()


def place() -> str:
    """Which database it is, without its password."""
    told = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(told["NAME"])
    port = f":{told['PORT']}" if told["PORT"] else ""
    return f"{told['NAME']} on {told['HOST'] or 'this machine'}{port}"


def no_answer(error: OperationalError) -> str:
    return f"The database does not answer: {error}".strip()
