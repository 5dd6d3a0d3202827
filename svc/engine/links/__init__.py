"""What is behind a link: yt-dlp behind a network guard, and what of a page becomes facts, captions and media."""
