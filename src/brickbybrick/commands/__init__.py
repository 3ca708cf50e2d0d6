"""What `b3` can do: one documented record a command, whose fields are its options."""
