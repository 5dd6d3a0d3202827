"""yt-dlp extractors: one for the test site's `/watch/<id>` pages, which returns what `/api/<id>.json` says, and one
for links of a public site that refuses this machine."""

from urllib.parse import urljoin

from yt_dlp.extractor.common import InfoExtractor
from yt_dlp.utils import ExtractorError, UserNotLive


class FixtureIE(InfoExtractor):
    IE_NAME = "fixture"
    _VALID_URL = r"https?://127\.0\.0\.\d+(?::\d+)?/watch/(?P<id>[\w-]+)"

    def _real_extract(self, url):
        video_id = self._match_id(url)
        info = self._download_json(urljoin(url, f"/api/{video_id}.json"), video_id)
        if error := info.get("error"):
            self._fail(video_id, error)
        for tracks in (*info.get("subtitles", {}).values(), *info.get("automatic_captions", {}).values()):
            self._make_absolute(url, tracks)
        self._make_absolute(url, info["formats"])
        if info.get("thumbnail"):
            info["thumbnail"] = urljoin(url, info["thumbnail"])
        return {"id": video_id, **info}

    def _make_absolute(self, url, items):
        for item in items:
            if item.get("url"):
                item["url"] = urljoin(url, item["url"])

    def _fail(self, video_id, error):
        if error["kind"] == "geo":
            self.raise_geo_restricted(countries=["DE"])
        if error["kind"] == "login":
            self.raise_login_required()
        if error["kind"] == "drm":
            self.report_drm(video_id)
        if error["kind"] == "not_live":
            raise UserNotLive(video_id=video_id)
        raise ExtractorError(error["message"], expected=True, video_id=video_id)


class RefusedIE(InfoExtractor):
    """YouTube, for videos whose id begins with `refused`. Nothing is asked of the network."""

    IE_NAME = "youtube:refused"
    _VALID_URL = r"https?://(?:www\.)?youtube\.com/watch\?v=(?P<id>refused\d{4})"

    def _real_extract(self, url):
        raise ExtractorError("Sign in to confirm you’re not a bot.", expected=True, video_id=self._match_id(url))
