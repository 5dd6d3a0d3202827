"""A video site on loopback for tests: real pages, media, captions, and every way a site can misbehave.

    with VideoSite(media_folder) as site:
        config = Config(..., allow_hosts=(site.allow,), extractor_plugins=True)   # for /watch/<id> pages
        site.url("/talk.html")

`python -m video_site FOLDER` (with `tests` on the path) serves it for a person.
"""

from video_site.server import Answer, Server
from video_site.site import VideoSite

__all__ = ["Answer", "Server", "VideoSite"]
