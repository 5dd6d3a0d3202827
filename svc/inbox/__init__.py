"""Floor 3: what people write to the operator, and the waitlist."""
