"""Questions about a Context, answered with citations."""
