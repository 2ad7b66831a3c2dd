"""The product's settings, with one address more: what a request says of its sender."""

from interview.settings import *  # noqa: F403

ROOT_URLCONF = "tests.deploy_urls"
