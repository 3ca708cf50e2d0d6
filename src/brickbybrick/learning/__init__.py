"""How the networks learn: PPO, validity, imitation, and how well they do."""
