"""svc, the Video Context Service: a link or a media file becomes a Context."""

__version__ = "0.1.0"
