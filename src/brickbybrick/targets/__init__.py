"""What is to be built: digits, random assemblies, shapes from meshes, a user's own pictures."""
