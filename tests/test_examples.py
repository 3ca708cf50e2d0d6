"""The examples: short enough to read at once, and each does what it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
MOST_LINES, MOST_LINES_OF = 40, {"ppo": 250}

# What each is given, what it prints, and the package that it is about.
SHOWN = {
    "geometric_batches": ("20", r"16 graphs, \d+ bricks, \d+ edges, pooled \(16, 32\)", "torch_geometric"),
    "gymnasium_batches": ("40", r"sync: .*\nasync: .*\nvector_entry_point: \d+ episodes, .* steps/s", "gymnasium"),
    "ppo": (
        "--steps 256 --num-envs 16 --rollout 16 --tests 5",
        r"256 steps: IoU 0\.\d{3} of .*\n5 unseen digits, IoU 0\.\d{3}",
        "torch",
    ),
    "rllib_masks": ("1", r"return -?0\.\d{3}, 0 invalid actions in 20 episodes", "ray.rllib"),
    "stable_baselines": ("1024", r"20 unseen digits, IoU 0\.\d{3}", "sb3_contrib"),
    "stable_baselines_speed": ("512 4", r"(\w+VecEnv: .* steps/s at random, .* learns\n){3}", "sb3_contrib"),
    "torchrl_batch": ("20 16", r"320 steps, [1-9]\d* episodes, 0 invalid actions", "torchrl"),
    "torchrl_wrapper": ("200", r"200 steps, [1-9]\d* episodes, 0 invalid actions", "torchrl"),
}


def test_every_example_is_short_and_run() -> None:
    lines = {path.stem: len(path.read_text().splitlines()) for path in EXAMPLES.glob("*.py")}
    assert lines.keys() == SHOWN.keys()
    assert {name: number for name, number in lines.items() if number > MOST_LINES_OF.get(name, MOST_LINES)} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SHOWN))
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    arguments, wanted, package = SHOWN[name]
    pytest.importorskip(package, reason=f"{package} is not installed: make test-clients")
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(wanted, done.stdout), done.stdout
