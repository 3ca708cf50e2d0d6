"""Bricks for assistants and other programs: a server of the Model Context Protocol, see docs/mcp.md."""
