"""Every page that a reader can reach: its frame, the policy, no dead link."""

import re
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import urldefrag, urlsplit

import pytest
from django.contrib.staticfiles import finders

pytestmark = pytest.mark.django_db


class Reader(HTMLParser):
    """Collects what the tests ask of a page."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text_of_scripts = [], ""
        self._open = ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._open = tag

    def handle_endtag(self, tag):
        self._open = ""

    def handle_data(self, data):
        if self._open == "script":
            self.text_of_scripts += data

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


WALKED = {}


@pytest.fixture
def site(client):
    """Path -> page of every page reachable from the front page, by its own links.

    The walk is long and changes nothing, so the tests of this file share one.
    """
    if not WALKED:
        WALKED.update(walk(client))
    return WALKED


def walk(client):
    waiting, pages = ["/", "/no-such-page/"], {}
    while waiting:
        path = waiting.pop()
        if path in pages:
            continue
        response = client.get(path)
        if response.headers["Content-Type"].startswith("text/html"):
            pages[path] = response
            waiting += links(Reader(response.text))
        else:
            assert response.status_code == 200, path
            # A download that nobody reads would leave its file open.
            assert response.getvalue()
    return pages


def links(reader):
    for attributes in reader.all("a"):
        parts = urlsplit(urldefrag(attributes["href"])[0])
        if not parts.netloc and parts.path and not parts.query:
            yield parts.path


def test_the_walk_reaches_every_kind_of_page(site):
    for path in (
        "/",
        "/cards/",
        "/cards/two-phases-of-a-request/",
        "/cards/two-phases-of-a-request/print/",
        "/manual/",
        "/manual/1.3/",
        "/lab/",
    ):
        assert path in site


def test_no_link_is_dead(site):
    dead = {path for path, page in site.items() if page.status_code != 200}
    assert dead == {"/no-such-page/"}


def test_nothing_is_inline(site):
    for path, page in site.items():
        reader = Reader(page.text)
        for tag, attributes in reader.tags:
            inline = {
                n for n in attributes if n == "style" or n.startswith(("on", "hx-on"))
            }
            assert not inline, f"{path}: <{tag} {inline}>"
            assert not str(attributes.get("href")).startswith("javascript:"), path
        assert not reader.all("style"), path
        assert not reader.text_of_scripts.strip(), path


def test_the_policy_allows_our_own_files_only(site):
    for path, page in site.items():
        policy = page.headers["Content-Security-Policy"]
        assert "unsafe" not in policy, path
        assert "default-src 'self'" in policy, path


def test_every_file_of_a_page_is_ours_and_there(site):
    for path, page in site.items():
        reader = Reader(page.text)
        files = [a["src"] for tag in ("script", "img") for a in reader.all(tag)]
        files += [a["href"] for a in reader.all("link") if a["rel"] != "alternate"]
        assert files, path
        for file in files:
            assert file.startswith("/static/"), f"{path}: {file}"
            assert finders.find(file.removeprefix("/static/")), f"{path}: {file}"


def test_every_page_has_one_heading_one_title_and_its_landmarks(site):
    for path, page in site.items():
        count = Counter(tag for tag, _ in Reader(page.text).tags)
        for tag in ("h1", "main", "footer"):
            assert count[tag] == 1, f"{path}: {tag}"
        assert count["header"] >= 1, path
        title = re.search(r"<head>.*<title>(.*?)</title>.*</head>", page.text, re.S)
        assert re.fullmatch(r"\S.* · Prefill", title[1]), path


def test_the_skip_link_comes_first(site):
    for path, page in site.items():
        first = Reader(page.text[page.text.index("<body") :]).all("a")[0]
        assert first == {"class": "skip", "href": "#main"}, path


def test_no_id_occurs_twice_and_every_reference_has_its_id(site):
    for path, page in site.items():
        reader = Reader(page.text)
        ids = Counter(a["id"] for _, a in reader.tags if "id" in a)
        assert not [name for name, times in ids.items() if times > 1], path
        for tag, attributes in reader.tags:
            for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
                for wanted in (attributes.get(name) or "").split():
                    assert wanted in ids, f"{path}: <{tag} {name}={wanted}>"
            if str(attributes.get("href")).startswith("#"):
                assert attributes["href"][1:] in ids, f"{path}: {attributes['href']}"


def test_every_field_has_a_name_that_is_read_out(site):
    for path, page in site.items():
        reader = Reader(page.text)
        named = {a.get("for") for a in reader.all("label")}
        wrapped = re.findall(
            r"<label[^>]*>(?:(?!</label>).)*?<(?:input|select|textarea)",
            page.text,
            re.S,
        )
        fields = [
            a
            for tag in ("input", "select", "textarea")
            for a in reader.all(tag)
            if a.get("type") not in {"hidden", "submit"}
        ]
        bare = [a for a in fields if a.get("id") not in named and "aria-label" not in a]
        assert len(bare) <= len(wrapped), f"{path}: {bare}"


@pytest.mark.parametrize(
    ("path", "title", "current"),
    [
        ("/cards/", "Cards", "page"),
        ("/cards/two-phases-of-a-request/", "Cards", "true"),
        ("/manual/1.3/", "Manual", "true"),
        ("/lab/", "Lab", "page"),
    ],
)
def test_the_navigation_says_where_one_is(client, path, title, current):
    nav = Reader(client.get(path).text).all("a")
    marked = [a for a in nav if "aria-current" in a and a.get("class") == "top__link"]
    assert [a["aria-current"] for a in marked] == [current]
    assert f'aria-current="{current}">{title}</a>' in client.get(path).text


def test_the_edition_stands_on_every_page(client):
    assert "Edition 2026.10" in client.get("/").text
