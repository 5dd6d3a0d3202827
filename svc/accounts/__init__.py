"""Floor 1: who calls, and what they may use."""
