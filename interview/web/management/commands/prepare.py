import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from interview.cards.check import check
from interview.cards.problem import Severity
from interview.data_folder import check_writable
from interview.web.prepared import no_answer

COPIES_KEPT = 3
NOBODY = (
    "Nobody can sign in yet. `manage.py invite --role owner`, with the same settings, "
    "prints a link that makes the first owner."
)


class Command(BaseCommand):
    help = (
        "Bring database and static files up to date; copies SQLite before it changes."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        check_writable(settings.DATA_DIR)
        try:
            self.migrate()
        except OperationalError as error:
            raise CommandError(no_answer(error)) from error
        call_command("collectstatic", interactive=False, verbosity=0)
        self.check_content()
        owners = get_user_model().objects.owners_who_sign_in()
        if settings.IS_SHARED and not owners.exists():
            self.stdout.write(NOBODY)

    def migrate(self) -> None:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if not plan:
            return
        path = Path(str(connection.settings_dict["NAME"]))
        if connection.vendor == "sqlite" and executor.loader.applied_migrations:
            self.stdout.write(f"Copied the database to {copy(path)}")
        call_command("migrate", interactive=False, verbosity=0)

    def check_content(self) -> None:
        """Name what is broken; the site starts without it."""
        roots = [settings.CONTENT_ROOT, *settings.CONTENT_PATHS]
        for problem in check([root for root in roots if root.is_dir()]):
            if problem.rule.severity is Severity.ERROR:
                self.stderr.write(str(problem))


def copy(path: Path) -> Path:
    """A consistent copy of a live SQLite file beside it; the last three are kept."""
    folder = settings.DATA_DIR / "before-migrations"
    folder.mkdir(mode=0o700, exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    target = folder / f"{path.stem}-{stamp}{path.suffix}"
    with sqlite3.connect(path) as source, sqlite3.connect(target) as backup:
        source.backup(backup)
    shutil.copymode(path, target)
    for old in sorted(folder.glob(f"{path.stem}-*"))[:-COPIES_KEPT]:
        old.unlink()
    return target
