"""Where the site refuses this machine: a model that opens the public link by itself, if the provider has one."""

from svc.core.errors import EngineError
from svc.engine.facts import Facts
from svc.engine.links.url import canonical_url, display_url
from svc.engine.models.protocol import LinkReader
from svc.engine.models.roles import link_reader
from svc.engine.run import Run

# What another machine may have more luck with. A video that is private or gone is so for everybody.
CUT_OFF = ("SOURCE_BLOCKED", "NETWORK", "TIMEOUT")


def reader_instead(run: Run, error: EngineError) -> LinkReader:
    """Who reads the run's link after this failure. Raises the failure when nobody can."""
    reader = link_reader(run) if run.request.kind == "url" and error.code in CUT_OFF else None
    if reader is None or not reader.reads(run.request.location):
        raise error
    return reader


def bare_facts(run: Run) -> Facts:
    """What the link alone says: which video it is, and nothing of its length, streams or captions."""
    from svc.engine.links.identity import content_id

    link = run.request.location
    found = content_id(link, run.config.extractor_plugins)
    provider, _, video_id = found.partition(":")
    source = {
        "kind": "url",
        "provider": provider,
        "url": display_url(link),
        "canonicalUrl": display_url(canonical_url(link)),
        "videoId": video_id,
        "extractor": provider,
    }
    return Facts(source=source, meta={}, content_id=found)


def warn_of_direct_reading(run: Run) -> None:
    run.warn("DOWNLOAD_FALLBACK_URL_DIRECT", "The site refused the download; a model read the link by itself.")
    run.warn("TIMING_APPROX", "Times were written by a model and may be off by some seconds.")
