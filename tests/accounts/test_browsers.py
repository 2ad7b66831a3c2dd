"""Browsers in words, from what real ones say of themselves."""

import pytest

from interview.accounts.browsers import browser_in_words

GECKO = "Gecko/20100101 Firefox/140.0"
WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0"


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) {GECKO}", "Firefox on Linux"),
        (
            f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Safari/537.36",
            "Chrome on Windows",
        ),
        (
            f"Mozilla/5.0 (Windows NT 10.0) {WEBKIT} Safari/537.36 Edg/141.0",
            "Edge on Windows",
        ),
        (
            f"Mozilla/5.0 (Linux; Android 16) {WEBKIT} Mobile Safari/537.36",
            "Chrome on Android",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/26.0 Safari/605.1.15",
            "Safari on macOS",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) "
            "AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Safari/604.1",
            "Chrome on iPhone",
        ),
        ("curl/8.14.1", "curl"),
        ("Firefox", "Firefox"),
        ("", "an unknown browser"),
        ("\x1b[31mred", "an unknown browser"),
        ("x" * 5000, "x" * 40),
    ],
)
def test_a_browser_is_told_in_words(user_agent, words):
    assert browser_in_words(user_agent) == words
