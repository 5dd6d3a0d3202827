"""Floor 0: settings, limits, error catalogue, clock, ids, database, schema validation."""
