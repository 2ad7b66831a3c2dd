"""All settings, read from the environment; nonsense stops the start with a sentence."""

import logging
import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.core.management.utils import get_random_secret_key
from django.utils.csp import CSP

from interview.accounts import sso_settings
from interview.databases import database, sqlite
from interview.environment import flag, networks, number, one_of, secret, text

BASE_DIR = Path(__file__).resolve().parent.parent


def without_traceback(record: logging.LogRecord) -> bool:
    """For a log filter: keeps the line, drops the stack of who noticed it."""
    record.exc_info = None
    return True


def refused_without_traceback(record: logging.LogRecord) -> bool:
    """The same for a missing right alone; what broke keeps its stack."""
    if record.exc_info and isinstance(record.exc_info[1], PermissionDenied):
        return without_traceback(record)
    return True


def session_key() -> str:
    """The key of this data folder, made at the first start and kept.

    A shared installation has a key of its own: all of its machines must share it.
    """
    if IS_SHARED:
        raise ImproperlyConfigured(NO_KEY)
    path = DATA_DIR / "secret_key"
    if path.exists():
        return path.read_text(encoding="utf-8")
    key = get_random_secret_key()
    if DATA_DIR.is_dir():
        path.touch(mode=0o600)
        path.write_text(key, encoding="utf-8")
    return key


def hosts() -> list[str]:
    """Naming them is what stops a rebound DNS name from reaching a local server."""
    named = [host.strip() for host in text("ALLOWED_HOSTS").split(",") if host.strip()]
    if IS_SHARED and not named:
        raise ImproperlyConfigured(
            "A shared installation needs ALLOWED_HOSTS: the names by which people "
            "reach it, such as prefill.example.org."
        )
    return [*named, "localhost", "127.0.0.1", "[::1]"]


SHORTEST_KEY = 32
NO_KEY = (
    "A shared installation needs a secret key of its own: make one with `python3 -c "
    "'import secrets; print(secrets.token_urlsafe(50))' > secret_key`, and set "
    "SECRET_KEY_FILE to that file."
)
PREFILL_MODE = one_of("PREFILL_MODE", "local", "shared")
IS_SHARED = PREFILL_MODE == "shared"
DATA_DIR = Path(text("PREFILL_DATA", str(BASE_DIR / "var"))).absolute()
DEBUG = flag("PREFILL_DEBUG")
SECRET_KEY = secret("SECRET_KEY", session_key)
if IS_SHARED and len(SECRET_KEY) < SHORTEST_KEY:
    raise ImproperlyConfigured(f"SECRET_KEY is too short. {NO_KEY}")
ALLOWED_HOSTS = hosts()
PREFILL_PROXIES = networks("PREFILL_PROXIES")
PREFILL_METRICS_TOKEN = secret("PREFILL_METRICS_TOKEN")
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
LAB_BUDGET_SECONDS = number("LAB_BUDGET_SECONDS", 3_600 * IS_SHARED, 0, 86_400)
LAB_COOLDOWN_SECONDS = number("LAB_COOLDOWN_SECONDS", 10 * IS_SHARED, 0, 3_600)
LAB_MAX_IMPORT_MB = number("LAB_MAX_IMPORT_MB", 20, 1, 1_000)
LAB_MAX_WATCHERS = number("LAB_MAX_WATCHERS", 1_000, 1, 100_000)
LAB_MAX_SEATS = number("LAB_MAX_SEATS", 50, 2, 10_000)

BANK_KEEP_DAYS = number("BANK_KEEP_DAYS", 180, 1, 36_500)

STUDY_MAX_IMPORT_MB = number("STUDY_MAX_IMPORT_MB", 100, 1, 1_000)

OIDC_URL = text("OIDC_URL").rstrip("/")
OIDC_NAME = text("OIDC_NAME", "your organization")
OIDC_CLIENT_ID = text("OIDC_CLIENT_ID")
OIDC_ROLE = one_of("OIDC_ROLE", "candidate", "interviewer")
OIDC_DOMAINS = sso_settings.domains(text("OIDC_DOMAINS"))
if OIDC_URL and (problem := sso_settings.wrong(OIDC_URL, OIDC_CLIENT_ID, PREFILL_MODE)):
    raise ImproperlyConfigured(problem)

INSTALLED_APPS = [
    "interview.web",
    "interview.accounts",
    "interview.study",
    "interview.lab",
    "interview.bank",
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
    "interview.web.permissions_policy.PermissionsPolicyMiddleware",
    "interview.accounts.unlisted.UnlistedMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "interview.accounts.middleware.PersonMiddleware",
    "interview.accounts.middleware.SignInRequiredMiddleware",
    "interview.accounts.middleware.TimeZoneMiddleware",
    "interview.accounts.middleware.AttemptsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "interview.web.not_allowed.NotAllowedMiddleware",
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
                "interview.accounts.context.me",
                "interview.web.context.site",
                "interview.lab.context.endpoint",
            ],
        },
    }
]

if OIDC_URL:
    INSTALLED_APPS += sso_settings.APPS
    MIDDLEWARE += [sso_settings.MIDDLEWARE]
    globals().update(
        sso_settings.of_allauth(
            OIDC_URL, OIDC_NAME, OIDC_CLIENT_ID, secret("OIDC_CLIENT_SECRET")
        )
    )

# A pack of cards as files, and the one too many that its page can still tell.
DATA_UPLOAD_MAX_NUMBER_FILES = 501

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "accounts:sign_in"
LOGIN_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in {
        "UserAttributeSimilarityValidator": {"user_attributes": ["name"]},
        "MinimumLengthValidator": {"min_length": 10},
        "CommonPasswordValidator": {},
        "NumericPasswordValidator": {},
    }.items()
]
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
    # blob: is what somebody recorded in this browser.
    "media-src": [CSP.SELF, "blob:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
PERMISSIONS_POLICY = "microphone=(self), camera=(), geolocation=()"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = HTTPS
# Whoever watches the server asks it directly, without TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Other names of the same domain may have no TLS, and browsers do not forget for a year.
HSTS = one_of("PREFILL_HSTS", "host", "subdomains", "preload")
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and HSTS != "host"
SECURE_HSTS_PRELOAD = HTTPS and HSTS == "preload"
# Whether the other names of the domain have TLS is for PREFILL_HSTS to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "prefill_session"
CSRF_COOKIE_NAME = "prefill_csrf"
CSRF_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
# Namespaces whose pages nobody else keeps or finds.
UNLISTED = {"room", "sso", "bank", "candidate"}
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

LOG_FORMAT = one_of("PREFILL_LOG", "line", "json")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
        "json": {"()": "interview.logs.JsonLines"},
    },
    "filters": {
        "mask_keys": {"()": "interview.accounts.masking.MaskKeys"},
        "line_alone": {
            "()": "django.utils.log.CallbackFilter",
            "callback": without_traceback,
        },
        "refused_alone": {
            "()": "django.utils.log.CallbackFilter",
            "callback": refused_without_traceback,
        },
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["mask_keys"],
        }
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "interview": {"level": "INFO"},
        "django.request": {"filters": ["refused_alone"]},
        # Whoever probes the server with other hosts' names, or with bodies of any
        # size, must not fill the log.
        "django.security.DisallowedHost": {"filters": ["line_alone"]},
        "django.security.RequestDataTooBig": {"filters": ["line_alone"]},
    },
}
