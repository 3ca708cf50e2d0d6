"""What the registered ids stand for: `gymnasium.make("brickbybrick/Mnist-v0", digit=3)` calls `mnist(digit=3)`, and
`gymnasium.make_vec` the same with `num_envs`, for that many at once."""

from brickbybrick.envs.construction_env import ConstructionEnv, ConstructionVectorEnv


def mnist(digit: int | str = 0, **options: object) -> ConstructionEnv | ConstructionVectorEnv:
    """Digits of one class, 0 to 9, or "all"."""
    return _made("mnist" if digit == "all" else f"mnist-{digit}", options)


def random_assembly(**options: object) -> ConstructionEnv | ConstructionVectorEnv:
    """Objects of 10 to 15 bricks joined at random."""
    return _made("random", options)


def modelnet(category: str = "airplane", **options: object) -> ConstructionEnv | ConstructionVectorEnv:
    """A category of ModelNet; `data` or B3_DATA names the folder that holds it."""
    return _made(f"modelnet-{category}", options)


def _made(task: str, options: dict[str, object]) -> ConstructionEnv | ConstructionVectorEnv:
    kind = ConstructionVectorEnv if "num_envs" in options else ConstructionEnv
    return kind(task=task, **options)  # type: ignore[arg-type]
