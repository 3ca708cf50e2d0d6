"""The register: every name builds, files too, and other packages' builders beside ours."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
import torch

import brickbybrick
from brickbybrick.builders.agent import GraphAgent, SpatialAgent
from brickbybrick.builders.base import EpisodeBuilder
from brickbybrick.builders.mason import MasonBuilder
from brickbybrick.builders.register import Call, builder, entries, is_shipped, network_file
from brickbybrick.errors import InputError
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.learning.imitation import ImitationConfig, Imitator
from brickbybrick.learning.learner import save_run
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.files import save_agent
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy
from brickbybrick.targets.random_assembly import assembled_targets
from brickbybrick.targets.target import TargetSet

NAMES = ["search", "b3plus", "b3", "mlp", "guided", "greedy", "bo", "bo-kim", "random", "mason"]
MNIST, MODELNET = offset_set("mnist"), offset_set("modelnet")


def test_these_are_the_names() -> None:
    assert list(entries()) == NAMES
    assert all(entry.name == name and entry.label and entry.about for name, entry in entries().items())


@pytest.mark.parametrize("name", NAMES)
def test_a_name_builds_and_signs(name: str, flat_targets: TargetSet) -> None:
    maker = builder(name, MNIST, task="mnist-3")
    assert (maker.name, maker.sees) == (name, entries()[name].sees)
    if name != "guided":  # which takes a while; its own tests build
        built = maker.build(replace(flat_targets[0], budget=4))
        assert (built.builder, built.target) == (name, "square")


@pytest.mark.parametrize("name", NAMES)
def test_what_an_entry_says_is_so(name: str, flat_targets: TargetSet) -> None:
    entry, maker = entries()[name], builder(name, MNIST, task="mnist-3")
    assert entry.by_steps == isinstance(maker, EpisodeBuilder)
    if isinstance(maker, EpisodeBuilder):
        assert entry.weighs == (maker.advice(maker.begin([flat_targets[0]])) is not None)


def test_an_unknown_name_is_told_all_that_there_are() -> None:
    with pytest.raises(InputError, match="no agent named 'b4'") as error:
        builder("b4", MNIST)
    assert "\n" not in str(error.value)
    assert all(name in str(error.value) for name in NAMES)


def test_a_task_has_its_own_agent_and_others_take_the_general_one() -> None:
    for task, views, file in (
        ("mnist-3", 1, "mnist-3-b3"),
        ("mnist", 1, "mnist-b3"),
        ("a folder of pictures", 1, "mnist-b3"),
        ("", 1, "mnist-b3"),
        ("random", 3, "random-b3"),
    ):
        found = network_file("b3", task, views)
        assert found is not None
        assert found.stem == file
    assert is_shipped("mlp", "mnist-3")
    assert not is_shipped("mlp", "mnist")
    assert network_file("mlp", "mnist", 1) is None
    assert network_file("b3", "modelnet-chair", 3) is None


def test_an_agent_that_is_not_there_is_told_of_in_one_line() -> None:
    with pytest.raises(InputError, match=r"no mlp for mnist comes with the package, but mnist-0-mlp, .*agent's file"):
        builder("mlp", MNIST, task="mnist")
    with pytest.raises(InputError, match=r"no mlp for 3 view\(s\)"):
        builder("mlp", MODELNET)


def test_who_builds_whatever_is_shown() -> None:
    """Those that learned a few tasks only do not; nor do those whose packages are missing."""
    for views, unable in ((1, ["mlp"]), (3, ["b3", "mlp"])):
        assert [name for name, entry in entries().items() if not entry.builds(views)] == unable
    lacking = replace(entries()["random"], needs=("torch", "no_such_package"))
    assert not lacking.ready
    assert not lacking.builds(1)


def test_a_call_reaches_the_builder() -> None:
    box = Inventory.parse("2x4=9")
    mason = builder("mason", MNIST, seed=4, inventory=box, budget=7, hollow=2)
    assert isinstance(mason, MasonBuilder)
    assert (mason.seed, mason.inventory, mason.budget, mason.hollow) == (4, box, 7, 2)
    agent = builder("b3", MNIST, task="mnist-3", seed=5, sampled=True)
    assert isinstance(agent, GraphAgent)
    assert (agent.seed, agent.sampled) == (5, True)
    assert (Call(offsets=MNIST).views, Call(offsets=MODELNET).views) == (1, 3)


def flat_agent(seed: int) -> ActorCritic:
    torch.manual_seed(seed)
    return ActorCritic(ModelConfig(views=1, offsets=6, width=8))


def test_a_file_is_an_agent(tmp_path: Path, flat_targets: TargetSet) -> None:
    path, policy = tmp_path / "mine.safetensors", flat_agent(0)
    save_agent(path, "mine", policy, {}, 0)
    built = builder(str(path), MNIST).build(flat_targets[0])
    assert built == GraphAgent(policy, MNIST, "mine").build(flat_targets[0])
    spatial = SpatialPolicy(SpatialConfig(1, width=4, layers=3))
    save_agent(tmp_path / "plus.safetensors", "b3plus", spatial, {}, 0)
    plus = builder(str(tmp_path / "plus.safetensors"), MNIST)
    assert isinstance(plus, SpatialAgent)
    assert plus.build(flat_targets[0]) == SpatialAgent(spatial, MNIST).build(flat_targets[0])


def test_a_checkpoint_is_an_agent_too(tmp_path: Path) -> None:
    learner = Imitator(ImitationConfig(epochs=1, width=8), assembled_targets(2))
    save_run(tmp_path / "checkpoint.safetensors", learner)
    target = assembled_targets(1)[0].target
    built = builder(str(tmp_path / "checkpoint.safetensors"), offset_set("random")).build(target)
    assert built.builder == "sl"
    assert built == learner.builder().build(target)


def test_an_agent_of_other_joints_is_refused_by_the_name_of_its_file(tmp_path: Path) -> None:
    save_agent(tmp_path / "mine.safetensors", "mine", flat_agent(0), {}, 0)
    save_agent(tmp_path / "plus.safetensors", "b3plus", SpatialPolicy(SpatialConfig(1, 4, 3)), {}, 0)
    for name, says in (("mine", "take one that was trained for them"), ("plus", "does not build with the offsets")):
        with pytest.raises(InputError, match=rf"{name}\.safetensors: .*{says}") as error:
            builder(str(tmp_path / f"{name}.safetensors"), MODELNET)
        assert "\n" not in str(error.value)
    (tmp_path / "text.safetensors").write_text("not an agent")
    with pytest.raises(InputError, match="cannot be read"):
        builder(str(tmp_path / "text.safetensors"), MNIST)


def test_a_file_is_read_once_and_one_written_anew_is_read_anew(tmp_path: Path) -> None:
    """The studio and long runs keep their builders' files in memory."""
    path = tmp_path / "mine.safetensors"
    read = []
    for seed in (0, 1):
        save_agent(path, "mine", flat_agent(seed), {}, 0)
        os.utime(path, ns=(seed, seed))  # a second that two quick writes could share
        agents = [builder(str(path), MNIST) for _ in range(2)]
        assert all(isinstance(agent, GraphAgent) for agent in agents)
        first, second = (agent.policy for agent in agents)  # type: ignore[attr-defined]
        assert first is second
        read.append(first)
    for policy, seed in zip(read, (0, 1), strict=True):
        for weight, wanted in zip(policy.parameters(), flat_agent(seed).parameters(), strict=True):
            assert torch.equal(weight, wanted)


def test_without_pytorch_those_who_need_none_build() -> None:
    """And the list can be shown to whoever has not installed it."""
    script = dedent("""
        import sys
        sys.modules["torch"] = sys.modules["safetensors"] = None
        from brickbybrick.builders.register import builder, entries
        from brickbybrick.geometry.offsets import offset_set
        for name in ("search", "greedy", "random", "mason"):
            builder(name, offset_set("mnist"))
        print(*entries())
    """)
    shown = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert shown.stdout.split() == NAMES


def installed(folder: Path, code: str, name: str = "tower", value: str = "tower_builder:ENTRY") -> dict[str, str]:
    """A package of one module in a folder, as installers leave it, and the environment that finds it."""
    (folder / "tower_builder.py").write_text(dedent(code))
    about = folder / "tower_builder-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tower-builder\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[brickbybrick.builders]\n{name} = {value}\n")
    source = Path(brickbybrick.__file__).parent.parent
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(source)])}


TOWER = """
    import numpy as np

    from brickbybrick.builders.base import EpisodeBuilder
    from brickbybrick.builders.register import Entry


    class TowerBuilder(EpisodeBuilder):
        name = "tower"

        def chooser(self, sim):
            above = next(k for k, o in enumerate(self.offsets.offsets) if (o.dx, o.dy, o.dz) == (0, 0, 1))

            def choose(actions):
                actions[:, 0], actions[:, 1] = sim.state.packed.bricks - 1, above

            return choose


    ENTRY = Entry("tower", "Tower", "each brick on the last", "images", lambda call: TowerBuilder(call.offsets))
"""
BUILD = """
    import numpy as np

    from brickbybrick.builders.register import builder, entries
    from brickbybrick.geometry.offsets import offset_set
    from brickbybrick.targets.target import target_of_image

    target = target_of_image("square", np.ones((14, 14), bool))
    built = builder("tower", offset_set("mnist")).build(target)
    assert list(entries())[-1] == "tower"
    assert built.builder == "tower"
    assert [pose.z for pose in built.poses] == list(range(target.budget))
    assert len({(brick.x, brick.y) for brick in built.bricks}) == 1
"""


def test_another_package_adds_a_builder(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", dedent(BUILD)], check=True, env=installed(tmp_path, TOWER))


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("greedy", TOWER, "tower_builder:ENTRY: adds a builder greedy, which there is already: name it otherwise"),
        ("castle", TOWER, "tower_builder:ENTRY: is no Entry of the name castle"),
        ("tower", "ENTRY = 3", "tower_builder:ENTRY: is no Entry of the name tower"),
    ],
)
def test_what_another_package_adds_is_checked(name: str, code: str, says: str, tmp_path: Path) -> None:
    script = "from brickbybrick.builders.register import entries; entries()"
    failed = subprocess.run(
        [sys.executable, "-c", script], check=False, env=installed(tmp_path, code, name), capture_output=True, text=True
    )
    assert failed.returncode
    assert says in failed.stderr.splitlines()[-1]
