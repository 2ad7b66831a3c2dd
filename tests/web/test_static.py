"""Collected files: hashed names everywhere, also in imports and in styles."""

import re

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command


@pytest.fixture
def collected(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "interview.web.static.ModuleManifestStorage"}
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    return tmp_path


def hashed(root, name):
    return root / staticfiles_storage.stored_name(name)


def test_modules_import_hashed_names(collected):
    text = hashed(collected, "js/keys.js").read_text()
    imported = re.search(r'from "(\./[^"]+)"', text)[1]
    assert re.fullmatch(r"\./dom\.[0-9a-f]{12}\.js", imported)
    assert (collected / "js" / imported).is_file()


def test_styles_name_hashed_fonts_and_the_page_preloads_the_same(collected):
    text = hashed(collected, "css/fonts.css").read_text()
    for font in ("inter-latin-wght-normal", "source-serif-4-latin-wght-normal"):
        name = staticfiles_storage.stored_name(f"vendor/fonts/{font}.woff2")
        assert name.rsplit("/", 1)[1] in text


def test_no_style_or_script_of_ours_names_another_host():
    from pathlib import Path

    root = Path(__file__).resolve().parents[2] / "static"
    for folder in ("css", "js"):
        for path in (root / folder).rglob("*.*"):
            assert not re.search(r"https?://(?!www\.w3\.org)", path.read_text()), path


def test_styles_keep_to_their_layers():
    from pathlib import Path

    for path in (Path(__file__).resolve().parents[2] / "static" / "css").glob("*.css"):
        text = path.read_text()
        assert "@layer" in text or path.name == "fonts.css", path.name
        assert "@import" not in text, path.name
