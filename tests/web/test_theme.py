"""The theme: a cookie that the server renders."""

import pytest

pytestmark = pytest.mark.django_db


def test_a_page_follows_the_system_until_somebody_chooses(client):
    html = client.get("/").text
    assert '<html lang="en" data-theme="auto">' in html
    assert '<meta name="color-scheme" content="light dark">' in html


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_choice_is_kept_and_rendered(client, theme):
    response = client.post("/theme/", {"theme": theme})
    assert response.status_code == 303
    html = client.get("/manual/1.3/").text
    assert f'data-theme="{theme}"' in html
    assert f'<meta name="color-scheme" content="{theme}">' in html
    assert f'value="{theme}" aria-pressed="true"' in html


def test_a_kept_page_is_kept_for_each_theme(client):
    client.get("/manual/1.3/")
    client.post("/theme/", {"theme": "dark"})
    assert 'data-theme="dark"' in client.get("/manual/1.3/").text
    client.post("/theme/", {"theme": "auto"})
    assert 'data-theme="auto"' in client.get("/manual/1.3/").text


@pytest.mark.parametrize(
    ("referer", "target"),
    [
        ("http://testserver/cards/?q=x", "http://testserver/cards/?q=x"),
        ("https://elsewhere.example/", "/"),
        ("javascript:alert(1)", "/"),
        (None, "/"),
    ],
)
def test_the_choice_leads_back_to_our_page_only(client, referer, target):
    headers = {"referer": referer} if referer else {}
    response = client.post("/theme/", {"theme": "dark"}, headers=headers)
    assert response["Location"] == target


@pytest.mark.parametrize("theme", ["", "pink", '"><script>'])
def test_an_unknown_theme_is_refused(client, theme):
    response = client.post("/theme/", {"theme": theme})
    assert response.status_code == 400
    assert "prefill_theme" not in response.cookies


def test_a_made_up_cookie_is_ignored(client):
    client.cookies["prefill_theme"] = "pink"
    assert 'data-theme="auto"' in client.get("/").text


def test_the_theme_is_not_changed_by_a_get(client):
    assert client.get("/theme/").status_code == 405
