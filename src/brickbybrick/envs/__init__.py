"""Building as a game: the batched simulator, and Gymnasium environments on top of it."""
