"""The networks: what the agent and the validity network compute, without how they are trained."""
