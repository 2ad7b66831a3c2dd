"""What a page must know of the OpenID provider: its name, when there is one."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def sso_name() -> str:
    return settings.OIDC_NAME if settings.OIDC_URL else ""
