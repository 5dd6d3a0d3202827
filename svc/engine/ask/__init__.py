"""Answers to questions about a Context, from what it holds."""
