"""Which browser a session was begun with, as coarsely as a person needs to tell their own apart."""

# The first that is found counts: every browser also names the ones it descends from.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def label_of(user_agent: str) -> str | None:
    """Such as `Firefox on Linux`; None where neither is known."""
    browser, system = named(BROWSERS, user_agent), named(SYSTEMS, user_agent)
    if browser and system:
        return f"{browser} on {system}"
    return browser or system


def named(table: tuple[tuple[str, str], ...], user_agent: str) -> str | None:
    return next((name for part, name in table if part in user_agent), None)
