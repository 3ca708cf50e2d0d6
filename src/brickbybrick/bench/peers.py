"""Environment steps a second of Jumanji's packing games beside ours, all played alike: uniformly random valid actions,
and episodes that begin anew. The games differ, so the figures say what a learner waits for, not who wrote it better."""

from collections.abc import Callable
from typing import Any

from brickbybrick.bench.env import Step, of_simulator, of_vector_env, rates
from brickbybrick.targets.catalog import load_task

GAMES = ("Tetris-v0", "BinPack-v2")
LENGTH = 16  # steps that one call of Jumanji's compiled loop takes
MOST_PACKED = 256  # environments of BinPack, whose steps are so slow that more of them only take longer to measure


def bench_peers(
    envs: int = 1024, seconds: float = 5.0, progress: Callable[[str], None] = lambda _: None
) -> dict[str, float]:
    """Steps a second of each, in turns in one process; `taskset` keeps all of them on one core."""
    ways = {}
    for game in GAMES:
        progress(f"{game}, which is compiled first")
        ways[f"jumanji_{game}"] = of_jumanji(game, envs if game != "BinPack-v2" else min(envs, MOST_PACKED))
    task = load_task("mnist-0")
    ways |= {
        "mnist_simulator": of_simulator(task, envs, 1),
        "mnist_vector_env_views": of_vector_env(task, envs, 1, False),
    }
    progress("all in turns")
    best = rates(list(ways.values()), seconds, before=1)
    return {f"{way}_steps_per_s": rate for way, rate in zip(ways, best, strict=True)}


def of_jumanji(game: str, envs: int) -> Step:
    """Jumanji's way to be fast: steps of a batch by `vmap`, in a loop by `scan`, compiled as a whole."""
    import jax
    import jumanji
    from jumanji.wrappers import AutoResetWrapper

    env = AutoResetWrapper(jumanji.make(game))

    def drawn(mask: jax.Array, key: jax.Array) -> jax.Array:
        pair = jax.random.categorical(key, jax.numpy.where(mask.reshape(-1), 0.0, -jax.numpy.inf))
        return jax.numpy.stack(jax.numpy.unravel_index(pair, mask.shape))

    def step(batch: tuple[Any, Any], key: jax.Array) -> tuple[tuple[Any, Any], jax.Array]:
        state, seen = batch
        actions = jax.vmap(drawn)(seen.observation.action_mask, jax.random.split(key, envs))
        state, seen = jax.vmap(env.step)(state, actions)
        return (state, seen), seen.reward.sum()

    play = jax.jit(lambda batch, key: jax.lax.scan(step, batch, jax.random.split(key, LENGTH)))
    batch = jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.PRNGKey(0), envs))
    calls = 0

    def steps() -> int:
        nonlocal batch, calls
        calls += 1
        batch, rewards = play(batch, jax.random.PRNGKey(calls))
        rewards.block_until_ready()
        return envs * LENGTH

    return steps
