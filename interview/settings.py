"""All settings, read from the environment; nonsense stops the start with a sentence."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from django.utils.csp import CSP

BASE_DIR = Path(__file__).resolve().parent.parent


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def number(name: str, default: int, low: int, high: int) -> int:
    raw = text(name, str(default))
    if not raw.isdecimal() or not low <= int(raw) <= high:
        raise ImproperlyConfigured(
            f"{name} is {raw!r}: set a whole number from {low} to {high}."
        )
    return int(raw)


def flag(name: str, default: bool = False) -> bool:
    raw = text(name, "1" if default else "0").lower()
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} is {raw!r}: set 1 or 0.")


def one_of(name: str, *choices: str) -> str:
    raw = text(name, choices[0])
    if raw not in choices:
        raise ImproperlyConfigured(f"{name} is {raw!r}: set {' or '.join(choices)}.")
    return raw


def secret(name: str, default: Callable[[], str] = str) -> str:
    """The secret in $NAME, or in the file that $NAME_FILE names."""
    if not (path := text(f"{name}_FILE")):
        return text(name) or default()
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}_FILE: cannot read {path}: {error}."
        ) from error


def database(url: str) -> dict[str, Any]:
    """Django's database settings for postgres://user:password@host:port/name."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        raise ImproperlyConfigured(
            "DATABASE_URL must look like postgresql://user:password@host:5432/name; "
            "leave it unset for SQLite."
        )
    query = dict(item.partition("=")[::2] for item in parts.query.split("&") if item)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(query.pop("host", "")) or parts.hostname or "",
        "PORT": str(parts.port or ""),
        # A kept connection per thread would grow with every thread of the server.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {"pool": {"min_size": 1, "max_size": 8, "timeout": 10}} | query,
    }


def sqlite(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
        },
        # In-memory test databases lock whole tables between threads.
        "TEST": {"NAME": path.with_name("test.sqlite3")},
    }


def without_traceback(record: logging.LogRecord) -> bool:
    """For a log filter: keeps the line, drops the stack of who noticed it."""
    record.exc_info = None
    return True


def session_key() -> str:
    """The key of this data folder, made at the first start and kept."""
    path = DATA_DIR / "secret_key"
    if path.exists():
        return path.read_text(encoding="utf-8")
    key = get_random_secret_key()
    if DATA_DIR.is_dir():
        path.touch(mode=0o600)
        path.write_text(key, encoding="utf-8")
    return key


PREFILL_MODE = one_of("PREFILL_MODE", "local", "shared")
if PREFILL_MODE == "shared":
    raise ImproperlyConfigured(
        "PREFILL_MODE=shared needs a sign-in, which this version does not have yet. "
        "Run it locally: leave PREFILL_MODE unset."
    )

DATA_DIR = Path(text("PREFILL_DATA", str(BASE_DIR / "var"))).absolute()
DEBUG = flag("PREFILL_DEBUG")
SECRET_KEY = secret("SECRET_KEY", session_key)
# Naming the hosts is what stops a rebound DNS name from reaching a local server.
ALLOWED_HOSTS = text("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",")
HTTPS = flag("PREFILL_HTTPS")

DATABASE_URL = secret("DATABASE_URL")
DATABASES = {
    "default": database(DATABASE_URL)
    if DATABASE_URL
    else sqlite(DATA_DIR / "prefill.sqlite3")
}

CONTENT_ROOT = BASE_DIR / "content"
CONTENT_PATHS = [
    Path(path)
    for path in text("CONTENT_PATHS", str(DATA_DIR / "content")).split(os.pathsep)
]

LAB_URL = text("LAB_URL")
LAB_MODEL = text("LAB_MODEL")
LAB_API_KEY = secret("LAB_API_KEY")
# Nothing is assumed of a machine that is not ours to know.
LAB_HARDWARE = text("LAB_HARDWARE", "" if LAB_URL else "DGX Spark")
LAB_EXTRA_BODY = text("LAB_EXTRA_BODY", "{}")
LAB_MAX_USERS = number("LAB_MAX_USERS", 64, 1, 256)
LAB_MAX_PROMPT_TOKENS = number("LAB_MAX_PROMPT_TOKENS", 4096, 1, 1_000_000)
LAB_MAX_TOKENS = number("LAB_MAX_TOKENS", 512, 1, 100_000)
LAB_MAX_SECONDS = number("LAB_MAX_SECONDS", 300, 1, 86_400)
LAB_MAX_RUN_SECONDS = number("LAB_MAX_RUN_SECONDS", 1_800, 1, 86_400)
LAB_KEEP_DAYS = number("LAB_KEEP_DAYS", 90, 1, 36_500)
LAB_MAX_QUEUED_PER_PERSON = number("LAB_MAX_QUEUED_PER_PERSON", 3, 1, 1_000)
LAB_MAX_WATCHERS = number("LAB_MAX_WATCHERS", 200, 1, 100_000)

INSTALLED_APPS = [
    "interview.web",
    "interview.accounts",
    "interview.study",
    "interview.lab",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "interview.accounts.middleware.LocalOwnerMiddleware",
    "interview.accounts.middleware.SignInRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "interview.urls"
ASGI_APPLICATION = "interview.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "interview.web.context.site",
                "interview.lab.context.endpoint",
            ],
        },
    }
]

AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False
LANGUAGE_CODE = "en"

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "interview.web.static.ModuleManifestStorage"},
}

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "prefill_session"
CSRF_COOKIE_NAME = "prefill_csrf"
CSRF_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}
    },
    "filters": {
        "line_alone": {
            "()": "django.utils.log.CallbackFilter",
            "callback": without_traceback,
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "interview": {"level": "INFO"},
        # Whoever probes the server with other hosts' names must not fill the log.
        "django.security.DisallowedHost": {"filters": ["line_alone"]},
    },
}
