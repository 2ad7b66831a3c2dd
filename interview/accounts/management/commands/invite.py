from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from interview.accounts.invitations import Invitation
from interview.accounts.names import check_name, tidy
from interview.accounts.user import Role, User
from interview.web.prepared import require_prepared

DEFAULT_PORT = 8765


class Command(BaseCommand):
    help = (
        "Print a link that makes a person of this installation, or renews a password. "
        "It works once, for seven days."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("name", nargs="?", default="", help="whom it is for; may be left out")
        add("--role", choices=Role.values, help="what the person may do (candidate)")
        add("--password-for", metavar="NAME", help="a new password for this person")
        add("--url", default="", help="where people reach the site: https://…")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PREFILL_MODE != "shared":
            raise CommandError(
                "This installation is local and has no sign-in. "
                "Set PREFILL_MODE=shared, then invite people."
            )
        require_prepared()
        if whose := options["password_for"]:
            name, (made, token) = "accounts:password", self.new_password(whose)
        else:
            name, (made, token) = "accounts:invitation", self.invitation(**options)
        base = options["url"].rstrip("/") or base_url()
        self.stdout.write(base + reverse(name, args=[token]))
        until = f"{made.expires_at:%d %B %Y, %H:%M} UTC"
        self.stderr.write(f"({made}; the link works once, until {until})")

    def invitation(self, **options: Any) -> tuple[Invitation, str]:
        name, role = tidy(options["name"]), options["role"]
        if not (name or role):
            raise CommandError(
                "Say whom you invite: a name, or --role owner, interviewer or "
                "candidate. A person who is here gets a link by --password-for NAME."
            )
        try:
            check_name(name)
        except ValidationError as wrong:
            raise CommandError(" ".join(wrong.messages)) from wrong
        role = role or Role.CANDIDATE
        return Invitation.objects.invite(role, timezone.now(), name=name)

    def new_password(self, name: str) -> tuple[Invitation, str]:
        try:
            person = User.objects.get_by_natural_key(name)
        except User.DoesNotExist as error:
            raise CommandError(f"Nobody here is called {name!r}.") from error
        if not person.is_active:
            raise CommandError(f"{person} is deactivated: an owner can change that.")
        return Invitation.objects.renew_password(person, timezone.now())


def base_url() -> str:
    """By the settings: the first host that the site answers to."""
    scheme = "https" if settings.HTTPS else "http"
    named = [host for host in settings.ALLOWED_HOSTS if host.strip("*.")]
    host = named[0].lstrip(".") if named else "localhost"
    return f"{scheme}://{host}" + ("" if settings.HTTPS else f":{DEFAULT_PORT}")
