"""Floor 2: one job from its creation to its end. The jobs table is the truth."""
