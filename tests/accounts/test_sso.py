"""Signing in through an OpenID provider, against a running site with the extra `sso`.

allauth belongs to the settings of a whole process, so the site is one of its own.
"""

import contextlib
import html
import json
import os
import re
import subprocess
import sys
from itertools import islice
from urllib.parse import parse_qs, urlsplit

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from interview.accounts import sso_settings
from interview.accounts.sso_person import names, refusal
from tests.accounts.oidc_provider import CLIENT_ID, CLIENT_SECRET, running_provider
from tests.live_site import ROOT, eventually, free_port, listens, own_database

BEGIN, CALLBACK = "/sign-in/oidc/", "/sign-in/oidc/callback/"


class Site:
    """The web process alone, in shared mode, with what `environment` adds."""

    def __init__(self, folder, **environment):
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("LAB_", "PREFILL_", "OIDC_", "DATABASE_URL"))
        }
        self.environment = kept | {
            "PREFILL_MODE": "shared",
            "PREFILL_DATA": str(folder),
            "SECRET_KEY": "k" * 50,
            "ALLOWED_HOSTS": "127.0.0.1",
            **environment,
        }
        self.url = f"http://127.0.0.1:{free_port()}"
        self.log = folder / "log"

    def manage(self, *arguments):
        command = [sys.executable, "manage.py", *arguments]
        said = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        assert said.returncode == 0, said.stderr
        return said.stdout

    def tell(self, code):
        """What `code` prints as JSON, in a process of the site."""
        setup = "import json; from interview.accounts.models import *; "
        return json.loads(self.manage("shell", "--no-imports", "-c", setup + code))

    @contextlib.contextmanager
    def running(self):
        self.manage("migrate", "-v0")
        self.manage("collectstatic", "--noinput", "-v0")
        command = [sys.executable, "-m", "interview.serve", "--stop-on-eof"]
        command += ["--port", self.url.rpartition(":")[2]]
        with self.log.open("w") as log:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stderr=log,
            )
        try:
            eventually(lambda: listens(f"{self.url}/sign-in/"), 120, self.log.read_text)
            yield self
        finally:
            process.stdin.close()
            process.wait(15)


@pytest.fixture(scope="module")
def running():
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(running):
    running.reset()
    return running


@pytest.fixture(scope="module")
def site(live_site):
    return live_site


@pytest.fixture(scope="module")
def live_site(running, tmp_path_factory):
    """By this name it is known as what must work on both databases."""
    with own_database(os.environ.get("DATABASE_URL", "")) as url:
        site = Site(
            tmp_path_factory.mktemp("sso"),
            DATABASE_URL=url,
            OIDC_URL=running.url,
            OIDC_NAME="the Team",
            OIDC_CLIENT_ID=CLIENT_ID,
            OIDC_CLIENT_SECRET=CLIENT_SECRET,
            OIDC_ROLE="interviewer",
            OIDC_DOMAINS="team.example, other.example",
        )
        with site.running():
            yield site


@pytest.fixture
def person(provider):
    """A fresh subject, so that no test meets the person of another."""
    person.count += 1
    subject = f"subject-{person.count}"
    return {
        "sub": subject,
        "name": f"Person {person.count}",
        "email": f"{subject}@team.example",
        "email_verified": True,
    }


person.count = 0


class Visitor:
    """A browser, by hand: every step of the flow can be looked at and bent."""

    def __init__(self, site, provider, claims):
        self.client = httpx.Client(base_url=site.url)
        self.provider, self.claims = provider, claims

    def begin(self, **posted):
        """The page between the button and the provider."""
        page = self.client.get("/sign-in/").text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
        sent = {"csrfmiddlewaretoken": token, **posted}
        return self.client.post(BEGIN, data=sent)

    def answer(self, **posted):
        """The address to which the provider sends the browser back."""
        self.provider.claims = self.claims
        return httpx.get(onward(self.begin(**posted))).headers["Location"]

    def sign_in(self, **posted):
        return self.client.get(self.answer(**posted))

    @property
    def name(self):
        """Who the site says is here; None when it is nobody."""
        page = self.client.get("/account/")
        if page.status_code != 200:
            return None
        return html.unescape(re.search(r'name="name" value="([^"]*)"', page.text)[1])


def onward(page):
    assert page.status_code == 200, sentence_of(page)
    found = re.search(r'http-equiv="refresh" content="0; *url=([^"]+)"', page.text)
    return html.unescape(found[1])


@pytest.fixture
def visit(site, provider):
    """Opens a browser of somebody with these claims."""
    with contextlib.ExitStack() as stack:

        def opened(claims):
            visitor = Visitor(site, provider, claims)
            stack.enter_context(visitor.client)
            return visitor

        yield opened


@pytest.fixture
def visitor(visit, person):
    return visit(person)


def test_a_person_comes_in_from_the_provider(visitor, person):
    response = visitor.sign_in()
    assert (response.status_code, response.headers["Location"]) == (302, "/")
    assert visitor.name == person["name"]


def test_the_request_to_the_provider_has_all_that_protects_it(visitor, provider):
    where = urlsplit(onward(visitor.begin()))
    asked = {name: values[0] for name, values in parse_qs(where.query).items()}
    assert f"{where.scheme}://{where.netloc}{where.path}" == provider.url + "/authorize"
    assert asked["response_type"] == "code"
    assert asked["client_id"] == CLIENT_ID
    assert asked["redirect_uri"].endswith(CALLBACK)
    assert {*asked["scope"].split()} == {"openid", "profile", "email"}
    assert asked["code_challenge_method"] == "S256"
    assert len(asked["code_challenge"]) == 43
    assert len(asked["state"]) >= 16
    assert len(asked["nonce"]) >= 32
    assert asked["nonce"] not in {asked["state"], asked["code_challenge"]}


def test_two_sign_ins_share_neither_state_nor_nonce(visitor):
    one, other = (parse_qs(urlsplit(onward(visitor.begin())).query) for _ in range(2))
    for name in ("state", "nonce", "code_challenge"):
        assert one[name] != other[name]


def test_the_next_page_is_one_of_ours(visit, person):
    wanted = {"/cards/": "/cards/", "https://evil.example/": "/", "//evil.example": "/"}
    for asked, given in wanted.items():
        visitor = visit(person)
        assert visitor.sign_in(next=asked).headers["Location"] == given


def test_the_same_subject_is_the_same_person_whatever_else_it_says(
    visit, person, visitor
):
    visitor.sign_in()
    changed = person | {"name": "Married", "email": "married@other.example"}
    again = visit(changed)
    again.sign_in()
    assert again.name == visitor.name == person["name"]


def test_another_subject_with_the_same_address_is_somebody_else(visit, person, visitor):
    visitor.sign_in()
    heir = visit(person | {"sub": person["sub"] + "-heir"})
    heir.sign_in()
    assert (visitor.name, heir.name) == (person["name"], person["name"] + " 2")


def test_nobody_takes_over_somebody_with_a_password(site, visit, person):
    made = f"User.objects.join({person['name']!r}, 'a long password', 'owner'); "
    site.tell(made + "print('null')")
    taker = visit(person)
    taker.sign_in()
    assert taker.name == person["name"] + " 2"
    assert taker.client.get("/people/").status_code == 403


def test_the_session_has_another_key_after_signing_in(visitor):
    answer = visitor.answer()
    before = visitor.client.cookies["prefill_session"]
    visitor.client.get(answer)
    assert visitor.client.cookies["prefill_session"] != before


def test_a_deactivated_person_stays_out_and_signing_out_signs_out(
    site, person, visitor
):
    visitor.sign_in()
    page = visitor.client.get("/account/").text
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    visitor.client.post("/sign-out/", data={"csrfmiddlewaretoken": token})
    assert visitor.name is None
    found = f"one = User.objects.get(name={person['name']!r}); "
    told = site.tell(
        found + "one.deactivate(); "
        "print(json.dumps([one.role, one.has_usable_password()]))"
    )
    assert told == ["interviewer", False]
    refused(visitor.sign_in(), "switched off")
    assert visitor.name is None


@pytest.mark.parametrize(
    ("claims", "sentence"),
    [
        ({"email": "a@elsewhere.example"}, "does not let in"),
        ({"email": "a@team.example.evil.example"}, "does not let in"),
        ({"email": "a@notteam.example"}, "does not let in"),
        ({"email_verified": False}, "does not confirm"),
        ({"email_verified": None}, "does not confirm"),
        ({"email": ""}, "does not let in"),
    ],
)
def test_only_confirmed_addresses_of_our_domains_come_in(visitor, claims, sentence):
    visitor.claims |= claims
    refused(visitor.sign_in(), sentence)
    assert visitor.name is None


SPOILED = {
    "issuer": {"iss": "https://evil.example"},
    "no issuer": {"iss": None},
    "audience": {"aud": "another-client"},
    "no audience": {"aud": None},
    "party": {"aud": [CLIENT_ID, "another"], "azp": "another"},
    "expired": {"exp": 1_700_000_000},
    "no expiry": {"exp": None},
    "nonce": {"nonce": "0" * 64},
    "no nonce": {"nonce": None},
    "no subject": {"sub": None},
    "of tomorrow": {"iat": 4_000_000_000, "nbf": 4_000_000_000},
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_token_that_says_something_else_is_refused(visitor, provider, what):
    provider.spoiled = SPOILED[what]
    refused(visitor.sign_in(), "did not prove")
    assert visitor.name is None


def other_key(provider):
    provider.signing_key = rsa.generate_private_key(65537, 2048)


def unsigned(provider):
    provider.signing_key, provider.algorithm = None, "none"


def public_key_as_secret(provider):
    provider.signing_key = provider.keys()["keys"][0]["n"]
    provider.algorithm = "HS256"


def client_secret_as_key(provider):
    provider.signing_key, provider.algorithm = CLIENT_SECRET * 2, "HS256"


def unknown_key_id(provider):
    provider.key_id = "another-key"


@pytest.mark.parametrize(
    "forge",
    [other_key, unsigned, public_key_as_secret, client_secret_as_key, unknown_key_id],
)
def test_a_token_that_the_provider_did_not_sign_is_refused(visitor, provider, forge):
    forge(provider)
    refused(visitor.sign_in(), "did not prove")
    assert visitor.name is None


@pytest.mark.parametrize(
    ("knob", "value"),
    [
        ("discovery", {"issuer": "https://evil.example"}),
        ("discovery", {"token_endpoint": None}),
        ("discovery", {"jwks_uri": None}),
        ("userinfo", {"sub": "somebody-else"}),
    ],
)
def test_a_provider_that_contradicts_itself_is_refused(visitor, provider, knob, value):
    answer = visitor.answer()
    setattr(provider, knob, value)
    response = visitor.client.get(answer)
    assert response.status_code in {403, 502}
    assert visitor.name is None


def test_a_redirect_of_the_provider_is_not_followed(visitor, provider):
    answer = visitor.answer()
    provider.discovery = {"jwks_uri": f"{provider.url}/moved"}
    refused(visitor.client.get(answer), "Could not reach", 502)
    assert visitor.name is None


def test_an_unreachable_provider_is_a_sentence(visitor, provider):
    provider.discovery = {"authorization_endpoint": None}
    page = visitor.begin()
    refused(page, "Could not reach", 502)


@pytest.mark.parametrize("change", ["wrong", "missing", "empty"])
def test_a_wrong_state_is_refused(visitor, change):
    answer = visitor.answer()
    state = parse_qs(urlsplit(answer).query)["state"][0]
    new = {"wrong": f"state={state[::-1]}", "missing": "", "empty": "state="}[change]
    response = visitor.client.get(answer.replace(f"state={state}", new))
    assert response.status_code == 403
    assert visitor.name is None


def test_the_answer_for_one_browser_is_worth_nothing_in_another(visit, person, visitor):
    answer = visitor.answer()
    thief = visit(person)
    assert thief.client.get(answer).status_code == 403
    assert thief.name is None
    with_own = thief.answer()
    code = parse_qs(urlsplit(answer).query)["code"][0]
    own = parse_qs(urlsplit(with_own).query)["code"][0]
    assert thief.client.get(with_own.replace(own, code)).status_code == 403
    assert thief.name is None


def test_an_answer_works_once(visitor):
    answer = visitor.answer()
    assert visitor.client.get(answer).status_code == 302
    same = {"base_url": visitor.client.base_url, "cookies": visitor.client.cookies}
    with httpx.Client(**same) as other:
        assert other.get(answer).status_code == 403


def test_a_person_who_says_no_reads_so(visitor, provider):
    provider.denied = True
    refused(visitor.sign_in(), "You did not agree")


def test_a_sign_in_begins_with_our_form_alone(visitor):
    assert visitor.client.get(BEGIN).status_code == 405
    response = visitor.client.post(BEGIN)
    assert response.status_code == 403
    assert "The form has expired" in response.text


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/accounts/email/",
        "/accounts/social/signup/",
        "/accounts/oidc/x/login/",
        "/sign-in/oidc/login/",
    ],
)
def test_nothing_else_of_allauth_has_an_address(visitor, path):
    visitor.sign_in()
    assert visitor.client.get(path).status_code == 404


def test_the_addresses_are_those_of_the_table_and_two_more(site):
    told = site.tell(
        "import tests.people as people; print(json.dumps(sorted(people.named_urls())))"
    )
    from tests.people import named_urls

    assert {*told} - {*named_urls()} == {"sso:begin", "sso:callback"}


def test_the_policy_of_the_pages_stays_as_strict_as_without(visitor):
    for page in (visitor.client.get("/sign-in/"), visitor.begin()):
        policy = page.headers["Content-Security-Policy"]
        assert "form-action 'self';" in policy + ";"
        assert "unsafe" not in policy
        assert "no-store" in page.headers["Cache-Control"]


def test_no_secret_of_a_sign_in_is_in_the_log(site, visitor, provider):
    provider.spoiled = {"nonce": "wrong"}
    answer = visitor.answer()
    visitor.client.get(answer)
    sent = parse_qs(urlsplit(answer).query)
    said = site.log.read_text()
    assert "refused" in said
    for secret in (sent["code"][0], sent["state"][0], CLIENT_SECRET, "eyJ"):
        assert secret not in said


def sentence_of(response):
    return re.search(r"<h1>.*?</p>", response.text, re.DOTALL)[0]


def refused(response, sentence, status=403):
    assert response.status_code == status, sentence_of(response)
    assert sentence in response.text


# Without a site


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"OIDC_URL": "http://sso.example"}, "begins with https://"),
        ({"OIDC_URL": "https://sso.example?x=1"}, "begins with https://"),
        ({"OIDC_CLIENT_ID": ""}, "set OIDC_CLIENT_ID, too"),
        ({"PREFILL_MODE": "local"}, "set PREFILL_MODE=shared"),
        ({"OIDC_ROLE": "owner"}, "OIDC_ROLE is 'owner': set candidate or interviewer"),
    ],
)
def test_wrong_settings_stop_the_start_with_a_sentence(environment, sentence, tmp_path):
    said = start(tmp_path, "import interview.settings", **environment)
    assert said.returncode != 0
    assert sentence in said.stderr


def test_without_the_extra_the_start_says_how_to_install_it(tmp_path):
    hidden = "import sys; sys.modules['allauth'] = None; import interview.settings"
    said = start(tmp_path, hidden)
    assert said.returncode != 0
    assert "pip install --require-hashes -r requirements-sso.lock" in said.stderr


def test_without_a_provider_nothing_of_the_extra_is_loaded(tmp_path):
    code = (
        "import sys\n"
        "for name in ('allauth', 'jwt', 'requests'): sys.modules[name] = None\n"
        "import django; django.setup()\n"
        "from django.urls import get_resolver; get_resolver().url_patterns\n"
        "from django.core.management import call_command; call_command('check')\n"
    )
    said = start(tmp_path, code, OIDC_URL="")
    assert said.returncode == 0, said.stderr


def start(folder, code, **environment):
    site = Site(
        folder,
        **{
            "OIDC_URL": "https://sso.example",
            "OIDC_CLIENT_ID": "prefill",
            "DJANGO_SETTINGS_MODULE": "interview.settings",
            **environment,
        },
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=site.environment,
        capture_output=True,
        text=True,
    )


def test_the_install_command_names_a_lock_that_holds_the_extra_and_the_rest():
    lock = sso_settings.INSTALL.rpartition(" ")[2]
    text = (ROOT / lock).read_text()
    pinned = {line.split("==")[0] for line in text.splitlines() if "==" in line}
    rest = (ROOT / "requirements.lock").read_text()
    assert "django-allauth" in pinned
    assert {line for line in rest.splitlines() if "==" in line} <= {*text.splitlines()}


def test_a_taken_name_gets_a_number():
    assert [*islice(names({"name": "Ada"}), 3)] == ["Ada", "Ada 2", "Ada 3"]


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"name": "  Ada \u200b  L "}, "Ada L"),
        ({"name": "\u202e", "preferred_username": "ada"}, "ada"),
        ({"name": None, "email": "ada@team.example"}, "ada"),
        ({"name": ["Ada"]}, "Somebody"),
        ({}, "Somebody"),
        ({"name": "x" * 300}, "x" * 36),
        ({"name": "\ufdfa" * 30}, "\ufdfa" * 2),
        # A Persian word is written with a joiner in it, and none at its end.
        ({"name": "می\u200cخواهم"}, "می\u200cخواهم"),
        ({"name": "م" * 35 + "\u200c" + "خ" * 9}, "م" * 35),
    ],
)
def test_a_name_is_made_readable(claims, name):
    assert next(names(claims)) == name


def test_without_domains_everybody_comes_in():
    assert refusal({"sub": "1"}, []) == ""


def test_the_fake_provider_signs_as_a_real_one_would():
    with running_provider() as provider:
        keys = httpx.get(f"{provider.url}/keys").json()
        key = jwt.PyJWKSet.from_dict(keys).keys[0]
        told = jwt.decode(provider.id_token("n"), key, audience=CLIENT_ID)
    assert (told["iss"], told["nonce"]) == (provider.url, "n")
