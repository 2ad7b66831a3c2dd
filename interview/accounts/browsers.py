"""A browser in words, from what it says of itself; enough to know one's own again."""

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
"""In this order: most say to be Safari, and many to be Chrome, too."""
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
UNKNOWN = "an unknown browser"


def browser_in_words(user_agent: str) -> str:
    """ "Firefox on Linux"; of a program its own name, up to 40 characters."""
    browser = first(BROWSERS, user_agent)
    system = first(SYSTEMS, user_agent)
    if browser and system:
        return f"{browser} on {system}"
    name = user_agent.split("/")[0].strip()
    if browser or not name.isprintable() or not name:
        return browser or UNKNOWN
    return name[:40]


def first(marks: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for mark, name in marks if mark in text), "")
