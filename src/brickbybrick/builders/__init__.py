"""Who builds: every builder, learned or not, and the register that knows them by their names."""
