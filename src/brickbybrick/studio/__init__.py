"""The server behind the page on which people and agents build together."""
