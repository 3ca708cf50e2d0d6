"""What the registered ids stand for: `gymnasium.make("brickbybrick/Mnist-v0", digit=3)` calls `mnist(digit=3)`."""

from brickbybrick.envs.construction_env import ConstructionEnv
from brickbybrick.envs.vector_env import ConstructionVectorEnv


def mnist(digit: int | str = 0, **options: object) -> ConstructionEnv:
    """Digits of one class, 0 to 9, or "all"."""
    return ConstructionEnv(_mnist_task(digit), **options)  # type: ignore[arg-type]


def mnist_vector(num_envs: int = 1, digit: int | str = 0, **options: object) -> ConstructionVectorEnv:
    return ConstructionVectorEnv(num_envs, _mnist_task(digit), **options)  # type: ignore[arg-type]


def random_assembly(**options: object) -> ConstructionEnv:
    """Objects of 10 to 15 bricks joined at random."""
    return ConstructionEnv("random", **options)  # type: ignore[arg-type]


def random_assembly_vector(num_envs: int = 1, **options: object) -> ConstructionVectorEnv:
    return ConstructionVectorEnv(num_envs, "random", **options)  # type: ignore[arg-type]


def modelnet(category: str = "airplane", **options: object) -> ConstructionEnv:
    """A category of ModelNet; `data` or B3_DATA names the folder that holds it."""
    return ConstructionEnv(f"modelnet-{category}", **options)  # type: ignore[arg-type]


def modelnet_vector(num_envs: int = 1, category: str = "airplane", **options: object) -> ConstructionVectorEnv:
    return ConstructionVectorEnv(num_envs, f"modelnet-{category}", **options)  # type: ignore[arg-type]


def _mnist_task(digit: int | str) -> str:
    return "mnist" if digit == "all" else f"mnist-{digit}"
