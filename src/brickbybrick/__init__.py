"""Brick-by-Brick: build what an image shows out of 2x4 bricks, one brick at a time."""

__version__ = "0.1.0"


def register_envs() -> None:
    """Makes the environments known to Gymnasium, where it is installed. By name only: nothing heavy is imported."""
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError:
        return
    for name, function in (("Mnist", "mnist"), ("RandomAssembly", "random_assembly"), ("ModelNet", "modelnet")):
        entry = f"brickbybrick.envs.registration:{function}"
        if f"brickbybrick/{name}-v0" not in registry:
            register(f"brickbybrick/{name}-v0", entry_point=entry, vector_entry_point=entry)


register_envs()
