"""Text can be read and marks can be seen in both themes, computed from the tokens."""

import math
import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parents[2] / "static" / "css"
COLOUR = r"oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)"
TOKEN = re.compile(rf"--([\w-]+): light-dark\({COLOUR}, {COLOUR}\);")
SURFACES = ("paper", "sheet", "wash")
TEXTS = ("ink", "ink-2", "accent", "good", "warn", "bad")
# What can be operated or is drawn; a hairline only parts what white space parts too.
MARKS = ("edge", "prefill", "decode", "stall")


def tokens():
    """Name -> its (light, dark) colours as (lightness, chroma, hue)."""
    found = {}
    for name, *numbers in TOKEN.findall((CSS / "tokens.css").read_text()):
        values = [float(number) for number in numbers]
        found[name] = (values[:3], values[3:])
    return found


def luminance(colour):
    """Relative luminance of an OKLCH colour (Ottosson's matrices; WCAG 2.2)."""
    lightness, chroma, hue = colour
    a = chroma * math.cos(math.radians(hue))
    b = chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    red, green, blue = (min(1, max(0, part)) for part in linear)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_formula_knows_black_on_white():
    assert contrast((0, 0, 0), (1, 0, 0)) == pytest.approx(21, abs=0.01)
    # oklch(0.628 0.2577 29.23) is sRGB red, whose contrast to white is 4.0.
    assert contrast((0.628, 0.2577, 29.23), (1, 0, 0)) == pytest.approx(4.0, abs=0.02)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("text", TEXTS)
def test_text_has_a_contrast_of_four_and_a_half(text, surface, theme):
    known = tokens()
    assert contrast(known[text][theme], known[surface][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_a_filled_button_can_be_read(theme):
    known = tokens()
    assert contrast(known["on-accent"][theme], known["accent"][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("mark", MARKS)
def test_marks_have_a_contrast_of_three(mark, surface, theme):
    known = tokens()
    assert contrast(known[mark][theme], known[surface][theme]) >= 3


def test_a_raw_colour_stands_only_where_colours_are_defined():
    raw = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|lab)a?\(")
    for path in CSS.glob("*.css"):
        if path.name not in {"tokens.css", "print.css"}:
            text = re.sub(
                r"/\*.*?\*/|mask:[^;]*;|::backdrop \{[^}]*\}",
                "",
                path.read_text(),
                flags=re.S,
            )
            assert not raw.search(text), f"{path.name}: {raw.search(text)}"
