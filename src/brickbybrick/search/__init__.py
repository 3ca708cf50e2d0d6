"""Builders that need no training."""
