"""Shorter and faster text with the same values."""
