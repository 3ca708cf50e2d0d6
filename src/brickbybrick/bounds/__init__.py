"""The best that can be built, and the best that can be known from images."""
