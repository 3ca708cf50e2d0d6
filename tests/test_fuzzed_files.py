"""Whatever is done to a file, it is read or refused in one short line, soon and without much memory.

Each test takes a valid file of one kind and changes some of its bytes, words or values. What is changed hangs on a
seed alone, so that deep places are met as often as those at the top.
"""

import io
import json
import struct
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from export import assembled
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import from_ldraw, to_ldraw
from brickbybrick.export.models import model_in
from brickbybrick.export.mpd import to_mpd
from brickbybrick.export.parts import to_bricklink
from brickbybrick.export.zipped import to_io
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.policies.files import HEADER
from brickbybrick.targets.inputs import wanted_content
from brickbybrick.targets.modelnet import read_packed, write_packed

trimesh = pytest.importorskip("trimesh")
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")  # it would be a second line

MANY = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
MOST_SECONDS = 5
MOST_GROWTH = 300_000  # kilobytes over all that one test does
MOST_LINE = 400  # characters
ENDLESS = "an integer of 5,000 digits"
NUMBERS = [0, -1, 1, 7, 2**31, 2**63, 10**12, 10**30, 10**400, 0.5, -1e308, 1e308, float("nan"), float("inf")]
TEXTS = ["", "2x4", "5000x5000", "a" * 10_000, "\ud800", "data:;base64,AAAA", ENDLESS]
WORDS = [
    b"",
    b"0",
    b"-1",
    b"7",
    b"1e999",
    b"nan",
    b"1" * 5_000,
    b"4294967295",
    b"99999999999999",
    b"\xff",
    b"a" * 10_000,
]
PIECES = [*WORDS, b"\n", b" ", b"[" * 10_000, b"{", b'"', b"\x00" * 100, b"\xff\xff\xff\x7f", b"\xff" * 8]

seeds = st.integers(0, 2**32).map(Random)
Load = Callable[[Path], object]


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    """The most memory that the process has may grow only so much."""
    try:
        Path("/proc/self/clear_refs").write_text("5")  # forgets what other tests took
    except OSError:
        pytest.skip("the memory of a process can be measured on Linux alone")
    before = most_memory()
    yield
    assert most_memory() - before < MOST_GROWTH


def most_memory() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def read_or_refused(read: Callable[[], object]) -> None:
    start = time.process_time()
    try:
        read()
    except InputError as error:
        message = str(error)
        assert 0 < len(message) < MOST_LINE
        assert len(message.splitlines()) == 1
    assert time.process_time() - start < MOST_SECONDS


def mutated(data: bytes, seed: Random) -> bytes:
    """A file with some bytes taken out and others put there."""
    for _ in range(seed.randint(0, 3)):
        at = seed.randrange(len(data) + 1)
        piece = seed.choice(PIECES) if seed.random() < 0.7 else seed.randbytes(seed.randint(1, 8))
        data = data[:at] + piece + data[at + seed.choice([0, 1, len(piece), len(data)]) :]
    return data


def reworded(data: bytes, seed: Random) -> bytes:
    """A file with other words in place of some."""
    words = data.replace(b"\n", b" \n ").split(b" ")
    for _ in range(seed.randint(1, 3)):
        words[seed.randrange(len(words))] = seed.choice(WORDS)
    return b" ".join(words)


def rewritten(text: str | bytes, seed: Random) -> bytes:
    """JSON with some values taken out, put in or changed, wherever they are."""
    record = json.loads(text)
    for _ in range(seed.randint(1, 3)):
        inside: list[Any] = [record]
        for each in inside:
            inside += [
                value
                for value in (each.values() if isinstance(each, dict) else each)
                if value and type(value) in (dict, list)
            ]
        place = seed.choice(inside)
        key = seed.choice([*place] if isinstance(place, dict) else range(len(place)))
        if seed.random() < 0.1:
            del place[key]
        elif seed.random() < 0.1 and isinstance(place, dict):
            place["a" * seed.choice([1, 100_000])] = 1
        else:
            place[key] = value_of(seed, inside)
        if not record:
            break
    return json.dumps(record).replace(json.dumps(ENDLESS), "1" * 5_000).encode()


def value_of(seed: Random, others: list[Any]) -> Any:
    """A number, a text, a list, a record or nothing; or one of the file's own, in another place."""
    kind = seed.random()
    if kind < 0.5:
        return seed.choice(NUMBERS)
    if kind < 0.7:
        return seed.choice(TEXTS)
    if kind < 0.8:
        return json.loads(json.dumps(seed.choice(others)))
    return seed.choice([None, True, [], {}, [[]] * 1000, [0] * 1000, {"a": []}])


def model() -> Construction:
    poses = [[0, 0, z, z % 2] for z in range(5)]
    verdict = {"stands": True, "load_factor": 0.25, "load_factor_on_plate": None}
    about: dict[str, Any] = {"target": "t", "builder": "b", "budget": 9, "iou": 0.5, "notes": ("one",)}
    return Construction.of_poses(BRICK_2X4, poses, **about, verdict=verdict)


def used(construction: Construction) -> None:
    """What comes of a file is written again, and read."""
    assert Construction.from_json(construction.to_json()) == construction
    to_ldraw(construction)
    to_bricklink(construction)


@MANY
@given(seeds)
def test_models(seed: Random) -> None:
    text = model().to_json().encode()
    for data in (rewritten(text, seed), mutated(text, seed), reworded(text, seed)):
        read_or_refused(lambda data=data: used(Construction.from_json(data)))


@MANY
@given(seeds)
def test_ldraw_files(seed: Random) -> None:
    text = to_ldraw(model())
    before, meta, after = text.partition(b"!BRICKBYBRICK ")
    about, end, rest = after.partition(b"\r\n")
    for data in (mutated(text, seed), reworded(text, seed), before + meta + rewritten(about, seed) + end + rest):
        read_or_refused(lambda data=data: used(from_ldraw(data)))


OTHERS = b"""
0 !COLOUR Mauve CODE 90001 VALUE #8844AA
1 90001 40 -48 20 0.6 0 0.8 0 1 0 -0.8 0 0.6 3941.dat
1 47 40 -48 20 0 1 0 -1 0 0 0 0 1 own.dat
0 BUFEXCHG A STORE
1 4 40 -72 20 1 0 0 0 1 0 0 0 1 3001.dat
0 BUFEXCHG A RETRIEVE
0 GHOST 1 4 40 -72 20 1 0 0 0 1 0 0 0 1 3001.dat
0 NOFILE
0 FILE own.dat
0 !LDRAW_ORG Unofficial_Part
1 16 0 0 0 20 0 0 0 8 0 0 0 40 s/inner.dat
0 FILE s/inner.dat
4 16 -1 0 -1 1 0 -1 1 1 1 -1 1 1
"""


@MANY
@given(seeds)
def test_files_with_sub_models(seed: Random) -> None:
    """Also with parts that are not judged, and within files of Studio; lines are doubled, names exchanged."""
    built, work = assembled.table()
    whole, end, rest = to_mpd(built, work).partition(b"0 NOFILE")
    text = whole + OTHERS.lstrip() + end + rest
    lines = text.splitlines()
    for _ in range(seed.randint(1, 30)):
        lines.insert(seed.randrange(len(lines)), seed.choice(lines))
    for data in (
        text,
        mutated(text, seed),
        reworded(text, seed),
        b"\n".join(lines),
        text.replace(b"own.dat", b"model.ldr"),
    ):
        read_or_refused(lambda data=data: used(from_ldraw(data)))
        read_or_refused(lambda data=data: used(model_in("a.io", to_io(data, 1))))
    read_or_refused(lambda: used(model_in("a.io", mutated(to_io(text, 1), seed))))


@MANY
@given(seeds)
def test_models_with_other_parts(seed: Random) -> None:
    text = from_ldraw(b"1 4 40 -24 20 1 0 0 0 1 0 0 0 1 3001.dat\n" + OTHERS.lstrip()).to_json().encode()
    for data in (rewritten(text, seed), mutated(text, seed), reworded(text, seed)):
        read_or_refused(lambda data=data: used(Construction.from_json(data)))


def mesh(kind: str) -> bytes:
    options = {"encoding": "ascii"} if kind == "ply_ascii" else {}
    made = trimesh.creation.box((1, 2, 3)).export(file_type=kind.replace("ply_ascii", "ply"), **options)
    return made.encode() if isinstance(made, str) else bytes(made)


@MANY
@given(st.sampled_from(["off", "stl", "stl_ascii", "obj", "ply", "ply_ascii", "glb"]), seeds)
def test_meshes(kind: str, seed: Random) -> None:
    data = mesh(kind)
    for made in (mutated(data, seed), reworded(data, seed)):
        read_or_refused(partial(wanted_content, f"a.{kind.partition('_')[0]}", made))


@MANY
@given(seeds)
def test_headers_of_glb_files(seed: Random) -> None:
    data = mesh("glb")
    (length,) = struct.unpack_from("<I", data, 12)
    text = rewritten(data[20 : 20 + length], seed)
    made = data[:12] + struct.pack("<I", len(text)) + data[16:20] + text + data[20 + length :]
    read_or_refused(lambda: wanted_content("a.glb", made))


@MANY
@given(st.sampled_from(["PNG", "JPEG", "BMP", "GIF", "WEBP"]), seeds)
def test_pictures(kind: str, seed: Random) -> None:
    picture = Image.new("RGB", (40, 30), "white")
    picture.paste("black", (10, 5, 30, 25))
    content = io.BytesIO()
    picture.save(content, kind)
    data = content.getvalue()
    read_or_refused(lambda: wanted_content("a.png", mutated(data, seed)))
    # The first bytes say how wide and high it is.
    at = seed.randrange(40)
    other = data[:at] + seed.randbytes(2) + data[at + 2 :]
    read_or_refused(lambda: wanted_content("a.png", other))


@MANY
@given(kind=st.sampled_from(["agent", "spatial", "validity"]), seed=seeds)
def test_agents(
    networks: dict[str, tuple[Load, bytes]], tmp_path_factory: pytest.TempPathFactory, kind: str, seed: Random
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.safetensors"
    load, data = networks[kind]
    (length,) = struct.unpack_from("<Q", data)
    header, rest = data[8 : 8 + length], data[8 + length :]
    about = json.loads(header)["__metadata__"][HEADER]
    other = json.loads(header) | {"__metadata__": {HEADER: rewritten(about, seed).decode()}}
    for text in (json.dumps(other).encode(), rewritten(header, seed)):
        path.write_bytes(struct.pack("<Q", len(text)) + text + rest)
        read_or_refused(partial(load, path))
    path.write_bytes(mutated(data, seed))
    read_or_refused(partial(load, path))


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Load, bytes]]:
    """How each kind of network is read, and a file of one."""
    files = pytest.importorskip("brickbybrick.policies.files")
    from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
    from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy
    from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork, load_network, save_network

    path = tmp_path_factory.mktemp("agents") / "a.safetensors"
    made: dict[str, tuple[Load, bytes]] = {}
    policy = ActorCritic(ModelConfig(views=1, offsets=6, width=8, rounds=1))
    files.save_agent(path, "me", policy, {"task": "mnist-3"}, 7)
    made["agent"] = (files.load_agent, path.read_bytes())
    files.save_agent(path, files.SPATIAL, SpatialPolicy(SpatialConfig(width=4, layers=1)), {}, 7)
    made["spatial"] = (files.load_agent, path.read_bytes())
    save_network(ValidityNetwork(ValidityConfig(width=4, rounds=1)), path)
    made["validity"] = (load_network, path.read_bytes())
    return made


@MANY
@given(seed=seeds)
def test_packed_files(tmp_path_factory: pytest.TempPathFactory, seed: Random) -> None:
    path = tmp_path_factory.getbasetemp() / "modelnet_chair.npz"
    grid = np.zeros((14, 14, 14), bool)
    grid[:3, :4, :5] = True
    write_packed(path, [("a", grid)], [("b", grid)], 14)
    data = path.read_bytes()
    arrays = dict(np.load(io.BytesIO(data)))
    path.write_bytes(mutated(data, seed))
    read_or_refused(partial(read_packed, path, 14))
    for name in seed.sample(sorted(arrays), 2):
        other = seed.choice([arrays[seed.choice(sorted(arrays))], np.array(seed.choice(NUMBERS)), np.zeros((0, 2**40))])
        arrays[name] = other
    np.savez(path, allow_pickle=True, **arrays)
    read_or_refused(partial(read_packed, path, 14))


@MANY
@given(seeds)
def test_inventories(seed: Random) -> None:
    text = reworded(b" , ".join([b"2x4 = 100", b"2x2 = 50", b"1x2"]), seed)
    read_or_refused(lambda: Inventory.parse(text.decode(errors="replace")))
    read_or_refused(lambda: Inventory.parse(mutated(text, seed).decode(errors="replace")))
