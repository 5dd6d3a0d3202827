"""Floor 3: how well the service works just now."""
