"""Settings that cannot work are said at the start."""

import pytest

from interview.lab.checks import lab_settings


def test_good_settings_are_silent(settings):
    settings.LAB_URL = "http://127.0.0.1:8000/v1"
    settings.LAB_EXTRA_BODY = '{"chat_template_kwargs": {"enable_thinking": false}}'
    assert lab_settings(None) == []


@pytest.mark.parametrize("extra", ["no json", "[1]", '"text"', ""])
def test_an_extra_body_must_be_an_object(settings, extra):
    settings.LAB_EXTRA_BODY = extra
    assert [found.id for found in lab_settings(None)] == ["lab.E001"]


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x", "http://u:p@host"])
def test_the_endpoint_must_be_an_http_address(settings, url):
    settings.LAB_URL = url
    assert [found.id for found in lab_settings(None)] == ["lab.E002"]


def test_own_profiles_must_be_readable(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    profiles = tmp_path / "profiles.toml"
    profiles.write_text('[[machine]]\nname = "x"\nbandwidth_gb_per_s = 1\n')
    assert lab_settings(None) == []
    profiles.write_text('[[machine]\nname = "x"')
    (found,) = lab_settings(None)
    assert found.id == "lab.E003"
    assert str(profiles) in found.msg
