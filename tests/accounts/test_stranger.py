"""What somebody gets who has not signed in."""

import pytest

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared")]
PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/", "/cards/", "/lab/runs/abc/", "/account/"])
def test_a_browser_that_wants_a_page_is_led_to_the_door(client, path):
    response = client.get(path, headers=PAGE)
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/")


def test_the_front_page_needs_no_note_of_where_one_wanted_to_go(client):
    assert client.get("/", headers=PAGE)["Location"] == "/sign-in/"


def test_a_form_is_not_led_anywhere_because_it_would_be_lost(client):
    response = client.post("/lab/runs/", headers=PAGE)
    assert response.status_code == 403
    assert "Sign in first" in response.text


def test_only_who_sent_something_reads_that_it_was_not_kept(client):
    assert "was kept" not in client.get("/").text
    assert "nothing of what you just sent was kept" in client.post("/lab/runs/").text


@pytest.mark.parametrize("path", ["/lab/runs/abc.json", "/cards.json"])
def test_json_is_refused_in_json(client, path):
    response = client.get(path, headers=PAGE)
    assert response.status_code in {403, 404}
    response = client.get("/lab/runs/abc.json", headers={"accept": "*/*"})
    assert response.status_code == 403
    assert response.json() == {"error": "Sign in first."}


def test_a_program_that_posts_json_gets_json(client):
    response = client.post("/lab/runs/", "{}", content_type="application/json")
    assert (response.status_code, response.json()) == (403, {"error": "Sign in first."})


def test_an_event_stream_is_refused_in_a_sentence(client):
    stream = {"accept": "text/event-stream"}
    response = client.get("/lab/runs/abc/events", headers=stream)
    assert (response.status_code, response.text) == (403, "Sign in first.")


def test_a_file_is_refused_and_not_led_away(client):
    assert client.get("/lab/runs.csv", headers=PAGE).status_code == 403


def test_a_part_of_a_page_takes_the_whole_page_to_the_door(client):
    part = {"accept": "text/html", "hx-request": "true"}
    part |= {"hx-current-url": "http://testserver/cards/?q=kv"}
    response = client.get("/cards/", headers=part)
    assert response.status_code == 403
    assert response["HX-Redirect"] == "/sign-in/?next=%2Fcards%2F%3Fq%3Dkv"


@pytest.mark.parametrize("address", ["http://[x/cards/", "http://x]/[", "?"])
def test_an_address_that_is_none_leads_to_the_door_all_the_same(client, address):
    part = {"hx-request": "true", "hx-current-url": address}
    response = client.get("/cards/", headers=part)
    assert (response.status_code, response["HX-Redirect"]) == (403, "/sign-in/")


@pytest.mark.parametrize("letter", ["a", "é"])
def test_an_address_that_is_too_long_to_come_back_to_leads_to_the_door(client, letter):
    response = client.get(f"/search/?q={letter * 9000}", headers=PAGE)
    assert (response.status_code, response["Location"]) == (302, "/sign-in/")


def test_a_guest_sees_no_way_into_the_site(client):
    text = client.get("/join/", headers=PAGE).text
    header = text[text.index("<header") : text.index("</header>")]
    assert "href" not in header
    assert "Prefill" in header


def test_static_files_are_open_to_all(client):
    assert client.get("/static/css/tokens.css").status_code == 200
