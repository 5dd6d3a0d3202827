"""Who a video is: the provider's name and the id under which results are stored."""

import re
from typing import Any

from yt_dlp import YoutubeDL
from yt_dlp.extractor import gen_extractor_classes
from yt_dlp.plugins import load_all_plugins

from svc.engine.links.url import canonical_url, url_hash

GENERIC = "generic"
PROVIDER_NAMES = {"html5": GENERIC, "twitter": "x", "vm.tiktok": "tiktok", "lbry": "odysee"}


def provider_of(extractor: str) -> str:
    """The lower-case site name for an extractor's name: `twitch:vod` is twitch."""
    name = re.sub(r"[^a-z0-9.+-]+", "-", extractor.partition(":")[0].lower())
    return PROVIDER_NAMES.get(name, name)


def identity(ydl: YoutubeDL, link: str, info: dict[str, Any]) -> tuple[str, str]:
    """Provider and video id of what was extracted from a link.

    A site's id counts only when the page's own address belongs to that site: a page that merely speaks a site's
    format could otherwise give itself another video's id, and with it that video's stored results.
    """
    provider = provider_of(info["extractor"])
    site = ydl.get_info_extractor(info["extractor_key"])
    if provider == GENERIC or not site.suitable(info.get("webpage_url") or link):
        return GENERIC, url_hash(link)
    return provider, str(info["id"])


def content_id(link: str, plugins: bool = False) -> str:
    """The id that `Facts.content_id` will have for this link, worked out without the network.

    Short links and links whose site redirects to another video are only known as generic here.
    """
    if plugins:
        load_all_plugins()
    site = next(ie for ie in gen_extractor_classes() if ie.suitable(link))
    provider, video_id = provider_of(site.IE_NAME), site.get_temp_id(link)
    return f"{GENERIC}:{url_hash(link)}" if provider == GENERIC or not video_id else f"{provider}:{video_id}"


def canonical_address(link: str, provider: str, info: dict[str, Any]) -> str:
    """The clean form of the video's address: the site's own for a known site, else the given link's."""
    return canonical_url(link if provider == GENERIC else info.get("webpage_url") or link)
