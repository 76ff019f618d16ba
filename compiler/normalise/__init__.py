"""Source tree → normal form, one rewriting a file."""
