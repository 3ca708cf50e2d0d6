"""ModelNet's categories from packed files, folders and zips, and which of their shapes are kept."""

import io
import shutil
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from brickbybrick.errors import InputError
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.targets import modelnet
from brickbybrick.targets.modelnet import Shapes, load_category, read_packed, select, write_packed

SQUARES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def box_text(*sides: float, header: str = "OFF\n") -> bytes:
    """An OFF file of a box."""
    corners = [(x * sides[0], y * sides[1], z * sides[2]) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    lines = [f"{header}8 6 0", *(" ".join(map(str, corner)) for corner in corners)]
    return "\n".join([*lines, *(f"4 {a} {b} {c} {d}" for a, b, c, d in SQUARES)]).encode()


MEMBERS = {
    "chair/train/chair_0002.off": box_text(14, 4, 2),
    "chair/train/chair_0001.off": box_text(14, 6, 4, header="OFF"),
    "chair/test/chair_0003.off": box_text(8, 14, 6),
    "table/train/table_0001.off": box_text(14, 14, 2),
    "table/test/table_0002.off": box_text(14, 12, 2),
}


def write_folder(folder: Path) -> None:
    for name, text in MEMBERS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    (folder / "chair/train/.DS_Store").write_bytes(b"\x00")


def write_zip(path: Path, root: str = "ModelNet40/", **more: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in MEMBERS.items():
            archive.writestr(root + name, text)
        archive.writestr(f"__MACOSX/{root}chair/train/._chair_0001.off", b"\x00\x05")
        archive.writestr(f"{root}chair/train/.DS_Store", b"\x00\x05")
        archive.writestr(f"{root}README.txt", b"notes")
        for name, text in more.items():
            archive.writestr(f"{root}chair/train/{name}.off", text)


def cuboid(x: int, y: int, z: int) -> Voxels:
    voxels = np.zeros((14, 14, 14), bool)
    voxels[:x, :y, :z] = True
    return voxels


def check_chairs(train: Shapes, test: Shapes) -> None:
    assert [(name, voxels.sum()) for name, voxels in train] == [("chair_0001", 14 * 6 * 4), ("chair_0002", 14 * 4 * 2)]
    assert [(name, voxels.sum()) for name, voxels in test] == [("chair_0003", 8 * 14 * 6)]
    assert all(voxels.shape == (14, 14, 14) and voxels.dtype == bool for _, voxels in train + test)


@pytest.mark.parametrize("root", ["", "ModelNet40", "ModelNet10"])
def test_the_official_folder_is_read(tmp_path: Path, root: str) -> None:
    write_folder(tmp_path / root)
    check_chairs(*load_category("chair", tmp_path))


@pytest.mark.parametrize("name", ["ModelNet40.zip", "ModelNet10.zip"])
def test_the_official_zip_is_read_without_unpacking_it(tmp_path: Path, name: str) -> None:
    write_zip(tmp_path / name)
    before = sorted(tmp_path.rglob("*"))
    check_chairs(*load_category("chair", tmp_path))
    check_chairs(*load_category("chair", tmp_path / name))
    assert sorted(tmp_path.rglob("*")) == before


def test_folder_zip_and_packed_file_hold_the_same_voxels(tmp_path: Path) -> None:
    write_folder(tmp_path / "official")
    write_zip(tmp_path / "any name.zip", root="")
    train, test = load_category("chair", tmp_path / "official")
    write_packed(tmp_path / "packed/modelnet40_vox14/modelnet_chair.npz", train, test, 14)
    for again in (tmp_path / "any name.zip", tmp_path / "packed"):
        for shapes, wanted in zip(load_category("chair", again), (train, test), strict=True):
            for (name, voxels), (same_name, same) in zip(shapes, wanted, strict=True):
                assert name == same_name
                np.testing.assert_array_equal(voxels, same)


def test_packed_files_come_first_then_folders(tmp_path: Path) -> None:
    write_zip(tmp_path / "ModelNet40.zip", chair_0000=b"damaged")
    write_folder(tmp_path)
    check_chairs(*load_category("chair", tmp_path))
    write_packed(tmp_path / "modelnet_chair.npz", [("a", cuboid(2, 2, 2))], [], 14)
    assert [name for name, _ in load_category("chair", tmp_path)[0]] == ["a"]


def test_progress_counts_the_meshes(tmp_path: Path) -> None:
    write_folder(tmp_path)
    told: list[tuple[int, int]] = []
    load_category("chair", tmp_path, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_other_resolutions_are_made_from_meshes(tmp_path: Path) -> None:
    write_folder(tmp_path)
    train, _ = load_category("chair", tmp_path, resolution=28)
    assert train[0][1].shape == (28, 28, 28)
    assert train[0][1].sum() == 8 * 14 * 6 * 4


def test_a_packed_file_has_the_documented_arrays(tmp_path: Path) -> None:
    path = tmp_path / "new/modelnet_bench.npz"
    random = np.random.default_rng(3)
    train = [(f"bench_{i:04d}", random.random((5, 5, 5)) < 0.3) for i in range(4)]
    write_packed(path, train, [], 5)
    with np.load(path, allow_pickle=False) as arrays:
        splits = {f"{split}_{key}" for split in ("train", "test") for key in ("packed", "names", "occupied", "missing")}
        assert set(arrays) == splits | {"resolution"}
        n = int(arrays["resolution"])
        grids = np.unpackbits(arrays["train_packed"], axis=1)[:, : n**3].reshape(-1, n, n, n).astype(bool)
        np.testing.assert_array_equal(grids, [voxels for _, voxels in train])
        np.testing.assert_array_equal(arrays["train_occupied"], grids.sum(axis=(1, 2, 3)))
        assert arrays["test_packed"].shape == (0, 16)
    again, none = read_packed(path, 5)
    assert none == []
    assert [name for name, _ in again] == [name for name, _ in train]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def damaged_packed(**changes: object) -> bytes:
    content = io.BytesIO()
    arrays: dict[str, object] = {"resolution": np.int32(14)}
    for split in ("train", "test"):
        arrays[f"{split}_packed"] = np.packbits(cuboid(2, 2, 2).reshape(1, -1), axis=1)
        arrays |= {f"{split}_names": np.array(["a"]), f"{split}_occupied": np.array([8], np.int32)}
        arrays |= {f"{split}_missing": np.array([], np.str_)}
    arrays |= changes
    np.savez(content, **{key: value for key, value in arrays.items() if value is not None})  # type: ignore[arg-type]
    return content.getvalue()


def test_the_undamaged_packed_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "modelnet_chair.npz").write_bytes(damaged_packed())
    assert load_category("chair", tmp_path)[1][0][1].sum() == 8


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"junk",
        damaged_packed()[:-100],
        damaged_packed().replace(b"    \n", b"  x \n", 1),  # which only the checksum shows
        damaged_packed(train_packed=None),
        damaged_packed(train_packed=np.zeros((1, 342), np.uint8)),
        damaged_packed(train_packed=np.zeros((1, 343), np.float64)),
        damaged_packed(train_packed=np.zeros((1, 343), np.uint8), train_occupied=np.zeros(1)),  # nothing in it
        damaged_packed(train_names=np.array(["a", "b"])),
        damaged_packed(train_names=np.array(["a"], dtype=object)),
        damaged_packed(train_names=np.array("a")),
        damaged_packed(test_occupied=np.array([9])),
        damaged_packed(resolution=np.zeros(3)),
    ],
)
def test_damaged_packed_files_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "modelnet_chair.npz").write_bytes(data)
    with pytest.raises(InputError, match=r"modelnet_chair\.npz: not a packed file of voxels, or damaged") as refused:
        load_category("chair", tmp_path)
    assert "\n" not in str(refused.value)


def test_a_packed_file_of_another_resolution_or_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "modelnet_chair.npz").write_bytes(damaged_packed(resolution=np.int32(32)))
    with pytest.raises(InputError, match="holds voxels of 32 cells a side; 14 are wanted"):
        load_category("chair", tmp_path)
    shapes = [("a", cuboid(2, 2, 2))] * 1000
    write_packed(tmp_path / "modelnet_chair.npz", shapes, shapes, 14)
    monkeypatch.setattr(modelnet, "MOST_BYTES", 100_000)
    with pytest.raises(InputError, match="unpacks to more than"):
        load_category("chair", tmp_path)
    monkeypatch.setattr(modelnet, "MOST_BYTES", 100)
    with pytest.raises(InputError, match="larger than 100 bytes"):
        load_category("chair", tmp_path)


def test_a_packed_file_that_claims_gigabytes_takes_none(tmp_path: Path) -> None:
    content = io.BytesIO()
    claim = str({"descr": "|u1", "fortran_order": False, "shape": (10**11, 343)}).encode()
    with zipfile.ZipFile(content, "w") as archive:
        for name in ("resolution", "train_packed"):
            archive.writestr(f"{name}.npy", b"\x93NUMPY\x01\x00" + len(claim).to_bytes(2, "little") + claim)
    (tmp_path / "modelnet_chair.npz").write_bytes(content.getvalue())
    tracemalloc.start()
    with pytest.raises(InputError, match="not a packed file"):
        load_category("chair", tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_what_to_fetch_is_said_when_there_is_nothing(tmp_path: Path) -> None:
    for data in (tmp_path, tmp_path / "absent"):
        with pytest.raises(
            InputError, match=r"ModelNet40\.zip from Princeton's ModelNet page.*--data or B3_DATA"
        ) as told:
            load_category("chair", data)
        assert "\n" not in str(told.value)


def test_an_unknown_category_names_those_that_are_there(tmp_path: Path) -> None:
    write_folder(tmp_path / "folder/ModelNet10")
    write_zip(tmp_path / "ModelNet40.zip")
    (tmp_path / "packed").mkdir()
    for name in ("chair", "table"):
        (tmp_path / f"packed/modelnet_{name}.npz").touch()
    for data in (tmp_path / "folder", tmp_path, tmp_path / "ModelNet40.zip", tmp_path / "packed"):
        with pytest.raises(InputError, match=r"no category 'chare' .* there are chair, table$"):
            load_category("chare", data)


@pytest.mark.parametrize("category", ["", "../chair", "chair/train", "a b", ".."])
def test_a_category_is_never_a_path(tmp_path: Path, category: str) -> None:
    write_folder(tmp_path)
    with pytest.raises(InputError, match="no category of ModelNet is named"):
        load_category(category, tmp_path / "table")


def test_zips_that_are_none_or_damaged_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "ModelNet40.zip"
    path.write_bytes(b"<html>not found</html>")
    for data in (tmp_path, path):
        with pytest.raises(InputError, match=r"ModelNet40\.zip: not a zip"):
            load_category("chair", data)
    write_zip(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-50])
    with pytest.raises(InputError, match=r"ModelNet40\.zip: not a zip, or cut short"):
        load_category("chair", tmp_path)
    at = whole.index(b"chair_0002.off") + 20
    path.write_bytes(whole[:at] + b"\xff" * 20 + whole[at + 20 :])
    with pytest.raises(InputError, match=r"ModelNet40\.zip: ModelNet40/chair/train/chair_0002\.off in it is damaged"):
        load_category("chair", tmp_path)


def test_a_member_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_zip(tmp_path / "ModelNet40.zip", chair_0000=b"0" * 100_000)
    monkeypatch.setattr(modelnet, "MOST_BYTES", 50_000)
    with pytest.raises(InputError, match=r"chair_0000\.off in it unpacks to more than"):
        load_category("chair", tmp_path)


def test_a_damaged_mesh_is_named(tmp_path: Path) -> None:
    write_zip(tmp_path / "ModelNet40.zip", chair_0000=box_text(1, 1, 1)[:-9])
    with pytest.raises(InputError, match=r"ModelNet40\.zip/ModelNet40/chair/train/chair_0000\.off: announces"):
        load_category("chair", tmp_path)
    write_folder(tmp_path)
    (tmp_path / "chair/test/chair_0009.off").write_bytes(box_text(1, 1, 0))
    with pytest.raises(InputError, match=r"chair_0009\.off: has no volume"):
        load_category("chair", tmp_path)


def test_a_category_without_its_test_folder_is_not_taken(tmp_path: Path) -> None:
    write_folder(tmp_path)
    shutil.rmtree(tmp_path / "chair/test")
    with pytest.raises(InputError, match=r"no category 'chair' .* there are table$"):
        load_category("chair", tmp_path)


def test_a_packed_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"modelnet_a\.npz: cannot be written"):
        write_packed(tmp_path / "file/modelnet_a.npz", [], [], 14)


def hollow(voxels: Voxels) -> Voxels:
    """The same from outside: what is cut out shows in none of the three views."""
    cut = voxels.copy()
    cut[2:4, 2:4, 2:4] = False
    return cut


def test_selection_keeps_each_view_once_and_in_order() -> None:
    moved = np.roll(cuboid(6, 6, 6), 3, axis=0)
    train = [
        ("a", cuboid(6, 6, 6)),
        ("huge", cuboid(14, 14, 3)),  # 588 cells, 81 bricks
        ("b", cuboid(8, 4, 2)),
        ("moved", moved),
        ("hollow", hollow(cuboid(6, 6, 6))),
        ("turned", cuboid(4, 8, 2)),
    ]
    test = [
        ("new", cuboid(3, 3, 3)),
        ("like a", hollow(moved)),
        ("again", cuboid(3, 3, 3)),
        ("like b", cuboid(8, 4, 2)),
        ("like huge", cuboid(14, 14, 3)),
        ("last", cuboid(2, 2, 9)),
    ]
    train.append(("damaged", None))
    kept, tested, notes = select("modelnet-box", train, test)
    assert [target.name for target in kept] == ["modelnet-box/a", "modelnet-box/b", "modelnet-box/turned"]
    assert [target.name for target in tested] == ["modelnet-box/new", "modelnet-box/last"]
    assert notes == (
        "train: 3 of 7 shapes kept; 1 could not be read, 1 need too many bricks, 2 look like an earlier one",
        "test: 2 of 6 shapes kept; 0 could not be read, 1 need too many bricks, 1 look like an earlier one, "
        "2 like one in train",
    )


def test_budgets_of_59_bricks_are_kept_and_of_60_are_not() -> None:
    filled = np.zeros(14**3, bool)
    filled[:429] = True  # 110 % of 429 / 8 is 58.99
    largest = filled.reshape(14, 14, 14).copy()
    filled[429] = True  # 59.125
    too_large = filled.reshape(14, 14, 14)
    kept, *_ = select("boxes", [("fits", largest), ("does not", too_large)], [("small", cuboid(2, 2, 2))])
    assert [target.budget for target in kept] == [59]


def test_a_selection_that_leaves_nothing_is_refused() -> None:
    small = [("small", cuboid(2, 2, 2))]
    for train, test in (([], small), (small, []), (small, small)):
        with pytest.raises(InputError, match="none is left"):
            select("boxes", train, test)
