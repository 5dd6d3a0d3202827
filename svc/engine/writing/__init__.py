"""What a language model writes about a recording, held to what is in it."""
