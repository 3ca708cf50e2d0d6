"""The search: numbered sites for bricks, a beam over sets of them, and builders that plan with it."""
