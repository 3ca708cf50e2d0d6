"""Bricks, how they join, what they fill: the rules of the world, without targets or agents."""
