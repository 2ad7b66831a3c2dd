"""What every test shares: the choice of tests by database and by browser."""

import django.test
import pytest
from django.conf import settings as configured

DATABASE_FIXTURES = {"db", "transactional_db", "live_site"}


def pytest_addoption(parser):
    parser.addoption(
        "--database-only",
        action="store_true",
        help="only the tests that touch the database",
    )


def pytest_configure():
    # The test database is a file there.
    configured.DATA_DIR.mkdir(parents=True, exist_ok=True)


def pytest_collection_modifyitems(config, items):
    if config.getoption("--database-only"):
        chosen = [item for item in items if touches_database(item)]
        config.hook.pytest_deselected(items=[i for i in items if i not in chosen])
        items[:] = chosen


def touches_database(item):
    cls = getattr(item, "cls", None)
    return bool(
        item.get_closest_marker("django_db")
        or (cls and issubclass(cls, django.test.TransactionTestCase))
        or DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
    )


@pytest.fixture(autouse=True)
def uncollected_static_files(settings):
    """Hashed names need a collected folder, which a test run does not make."""
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        }
    }
    settings.SERVESTATIC_AUTOREFRESH = settings.SERVESTATIC_USE_FINDERS = True
