"""A real browser for tests of the pages."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
PATIENCE_MS = 10_000


@contextmanager
def chromium() -> Iterator[Any]:
    """The machine's Chromium. Skips the test where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=found, args=QUIET)
        yield running
        running.close()


@contextmanager
def profile(running: Any, address: str) -> Iterator[Any]:
    """Tabs that share cookies, with the site at `address`."""
    context = running.new_context(base_url=address, permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


@contextmanager
def tab(context: Any) -> Iterator[Any]:
    """A fresh tab. A script error or a breach of the content policy fails the test."""
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: "Content Security Policy" in line.text and complaints.append(line.text))
    yield page
    page.close()
    assert not complaints
