import pytest

from interview.measure.errors import UsageError
from interview.measure.fields import plan_of, target_of
from interview.measure.target import Ask, body, root_of, target
from interview.measure.workload import Load


@pytest.mark.parametrize(
    ("url", "root"),
    [
        ("http://h:8000", "http://h:8000"),
        ("http://h:8000/", "http://h:8000"),
        ("http://h:8000/v1", "http://h:8000"),
        ("http://h:8000/v1/", "http://h:8000"),
        ("https://h/api/v1", "https://h/api"),
        ("http://h:8000/v1/chat/completions", "http://h:8000"),
        ("http://h:8000/v1/completions/", "http://h:8000"),
        (" http://h:8000/v1 ", "http://h:8000"),
        ("http://[::1]:8000/v1", "http://[::1]:8000"),
        ("http://h/wrong", "http://h/wrong"),
    ],
)
def test_the_root_is_what_comes_before_v1(url, root):
    assert root_of(url) == root


@pytest.mark.parametrize(
    "url",
    [
        "",
        "h:8000",
        "ftp://h",
        "http://",
        "http://h:port",
        "http://h:99999",
        "http://h/?a=1",
        "http://h/#x",
        "http://user:pw@h/",
        "http://[::1",
    ],
)
def test_what_is_no_base_url_is_refused(url):
    with pytest.raises(UsageError):
        root_of(url)


def test_completions_send_a_prompt_and_no_messages():
    sent = body(
        target("http://h", "m", api="completions"), Ask("p", 4, False, 2), "none"
    )
    assert sent == {
        "model": "m",
        "prompt": "p",
        "max_tokens": 4,
        "temperature": 0,
        "seed": 2,
        "stream": True,
    }


def test_the_extra_body_comes_last():
    to = target("http://h", "m", extra_body={"temperature": 1, "top_k": 5})
    sent = body(to, Ask("p", 4, True, 1), "final")
    assert (sent["temperature"], sent["top_k"]) == (1, 5)


def test_the_key_is_in_no_repr():
    assert "secret" not in repr(target("http://h", "m", api_key="secret"))


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\0", "é"])
def test_a_header_cannot_smuggle_another(value):
    with pytest.raises(UsageError, match="header"):
        target("http://h", "m", headers={"X-A": value})


def test_defaults_follow_users_and_kind_of_prompt():
    assert plan_of({}).loads[0] == Load(users=1, requests=4, warmup=1)
    many = plan_of({"users": 16}).loads[0]
    assert (many.requests, many.warmup) == (48, 4)
    asked = plan_of({"prompt": "hi"}).loads[0]
    assert (asked.prompt_tokens, asked.ignore_eos) == (None, False)
    assert plan_of({"prompt": "hi", "ignore_eos": True}).loads[0].ignore_eos


def test_null_is_the_default():
    names = (
        *("users", "levels", "repeat", "requests", "limits", "prompt"),
        *("prompt_tokens", "timeout", "max_seconds", "ignore_eos"),
    )
    assert plan_of(dict.fromkeys(names)) == plan_of({})


@pytest.mark.parametrize(
    "fields",
    [
        {"users": 1.5},
        {"users": True},
        {"users": "2"},
        {"requests": 0},
        {"prompt": "  "},
        {"prompt": 5},
        {"prompt": "a", "prompt_tokens": 3},
        {"max_tokens": -1},
        {"ignore_eos": 1},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"max_seconds": True},
    ],
)
def test_a_wrong_load_is_refused(fields):
    with pytest.raises(UsageError):
        plan_of(fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"extra_body": []},
        {"headers": {"A": 1}},
        {"headers": "A: b"},
        {"api": "responses"},
        {"api_key": 7},
        {"speed": 2},
    ],
)
def test_a_wrong_target_is_refused(fields):
    with pytest.raises(UsageError):
        target_of({"url": "http://h", "model": "m"} | fields)
