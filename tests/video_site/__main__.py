"""Serves the video site until interrupted: `python -m video_site FOLDER` makes its media there when it is empty."""

import signal
import sys
from pathlib import Path

from video_site import VideoSite
from video_site.clips import make_clips

folder = Path(sys.argv[1])
if not folder.is_dir() or not any(folder.iterdir()):
    make_clips(folder)
with VideoSite(folder) as site:
    sys.stdout.write(f"{site.url('/talk.html')}\nSVC_ALLOW_HOSTS={site.allow}\nPYTHONPATH={site.plugin_path}\n")
    sys.stdout.flush()
    signal.sigwait({signal.SIGINT, signal.SIGTERM})
