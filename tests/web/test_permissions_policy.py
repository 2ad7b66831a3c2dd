"""What a page may use of the device: the microphone, and only for itself."""

import pytest


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/cards/", "/no/such/page/"])
def test_a_page_may_record_and_play_what_it_recorded(client, path):
    answer = client.get(path)
    policy = answer["Permissions-Policy"].split(", ")
    assert policy == ["microphone=(self)", "camera=()", "geolocation=()"]
    rules = answer["Content-Security-Policy"].split("; ")
    assert "media-src 'self' blob:" in rules
