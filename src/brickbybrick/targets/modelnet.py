"""ModelNet's categories as voxels, with the data set's own split: packed files, the official folders or their zip.

Nothing is fetched and nothing of the data comes with the package. `select` then leaves out what is too large to
build and what repeats, since ModelNet holds many shapes more than once, also across its own split.
"""

import io
import itertools
import math
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError, shown
from brickbybrick.files import files_ending, read_file, write_whole
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.targets.meshes import MOST_BYTES, read_mesh
from brickbybrick.targets.off import parse_off
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.target import Target, budget_for, target_of_voxels
from brickbybrick.targets.voxelising import voxelise

Shapes = Sequence[tuple[str, Voxels | None]]  # None: known by name only, a packed file says that it could not be read
Progress = Callable[[int, int], None]
Source = tuple[str, Callable[[], Mesh]]  # a shape's name and how to read it

RESOLUTION = 14
MOST_BRICKS = 59
SPLITS = ("train", "test")
ROOTS = ("", "ModelNet40", "ModelNet10")
ZIPS = ("ModelNet40.zip", "ModelNet10.zip")
MEMBER = re.compile(r"(?:.*/)?([^/]+)/(train|test)/([^/.][^/]*)\.(?:off|OFF)")  # category, split, name


def load_category(
    category: str, data: Path, resolution: int = RESOLUTION, progress: Progress | None = None
) -> tuple[Shapes, Shapes]:
    """The training and test shapes of a category as (name, voxels), in the order of their names.

    Args:
        category: As in "airplane".
        data: A folder that holds `modelnet_<category>.npz`, also in `modelnet40_vox<resolution>`, or the official
            `<category>/train/*.off` and `<category>/test/*.off`, also in `ModelNet40` or `ModelNet10`, or the official
            `ModelNet40.zip` or `ModelNet10.zip`; or such a zip itself. The first of these that is there is taken.
        resolution: Cells along one side of the grid.
        progress: Told how many of how many meshes are done.
    """
    if not re.fullmatch(r"[A-Za-z0-9_]+", category):
        raise InputError(f"no category of ModelNet is named {category!r}: names are like airplane or night_stand")
    for packed in (data, data / f"modelnet40_vox{resolution}"):
        if (packed / f"modelnet_{category}.npz").is_file():
            return read_packed(packed / f"modelnet_{category}.npz", resolution)
    for root in ROOTS:
        folder = data / root / category
        if all((folder / split).is_dir() for split in SPLITS):
            train, test = voxelised([_folder_sources(folder / split) for split in SPLITS], resolution, progress)
            return train, test
    for path in _zips(data):
        with _opened(path) as archive:
            sources = [_zip_sources(archive, path, category, split) for split in SPLITS]
            if any(sources):
                train, test = voxelised(sources, resolution, progress)
                return train, test
    raise InputError(_not_found(category, data, resolution))


def in_finer_cells(names: Iterable[str], data: Path, resolution: int) -> dict[str, Voxels]:
    """Shapes of `modelnet-<category>/<shape>`, by these names, at another resolution, as far as there are any."""
    wanted = set(names)
    found: dict[str, Voxels] = {}
    for category in sorted({name.split("/")[0].removeprefix("modelnet-") for name in wanted if "/" in name}):
        try:
            splits = load_category(category, data, resolution)
        except InputError:  # it is there at the usual resolution only
            continue
        shapes = ((f"modelnet-{category}/{shape}", voxels) for split in splits for shape, voxels in split)
        found |= {name: voxels for name, voxels in shapes if voxels is not None and name in wanted}
    return found


def _folder_sources(folder: Path) -> list[Source]:
    return [(path.stem, partial(read_mesh, path)) for path in files_ending(folder, [".off"])]


def _zips(data: Path) -> list[Path]:
    return [path for path in [data, *(data / name for name in ZIPS)] if path.is_file()]


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except Exception as error:  # damaged files make zipfile raise many kinds
        raise InputError(f"{path}: not a zip, or cut short; fetch it again") from error


def _members(archive: zipfile.ZipFile) -> Iterator[re.Match[str]]:
    """The paths of a zip's meshes, taken apart into category, split and name."""
    for path in archive.namelist():
        found = MEMBER.fullmatch(path)
        if found and not path.startswith("__MACOSX/"):
            yield found


def _zip_sources(archive: zipfile.ZipFile, path: Path, category: str, split: str) -> list[Source]:
    members = sorted((found[3], found[0]) for found in _members(archive) if found.group(1, 2) == (category, split))
    return [(name, partial(_read_member, archive, path, member)) for name, member in members]


def _read_member(archive: zipfile.ZipFile, path: Path, member: str) -> Mesh:
    try:
        with archive.open(member) as file:
            # The size that a zip announces may be wrong: the limit is on what comes out.
            data = file.read(MOST_BYTES + 1)
    except Exception as error:  # damaged files make zipfile raise many kinds
        raise InputError(f"{path}: {member} in it is damaged; fetch the zip again") from error
    if len(data) > MOST_BYTES:
        raise InputError(
            f"{path}: {member} in it unpacks to more than {MOST_BYTES // 1_000_000} MB; fetch the zip again"
        )
    return parse_off(data, f"{path}/{member}")


def voxelised(
    splits: Sequence[list[Source]], resolution: int, progress: Progress | None = None
) -> list[list[tuple[str, Voxels]]]:
    """The shapes of each split, whose meshes are read one at a time."""
    total, done = sum(map(len, splits)), itertools.count(1)
    shapes: list[list[tuple[str, Voxels]]] = [[] for _ in splits]
    for sources, made in zip(splits, shapes, strict=True):
        for name, read in sources:
            made.append((name, voxelise(read(), resolution)))
            if progress:
                progress(next(done), total)
    return shapes


def categories_in(data: Path, resolution: int = RESOLUTION) -> list[str]:
    """The categories that `load_category` finds in a folder or a zip."""
    there = set()
    for folder in (data, data / f"modelnet40_vox{resolution}"):
        there |= {path.stem.removeprefix("modelnet_") for path in folder.glob("modelnet_*.npz") if path.is_file()}
    for root in ROOTS:
        there |= {path.parent.name for path in (data / root).glob("*/train") if path.with_name("test").is_dir()}
    for path in _zips(data):
        with _opened(path) as archive:
            there |= {member[1] for member in _members(archive)}
    return sorted(there)


def _not_found(category: str, data: Path, resolution: int) -> str:
    """What to say where `load_category` finds nothing: which categories it would find, or how to get some."""
    there = categories_in(data, resolution)
    if there:
        return f"no category {category!r} of ModelNet in {data}: there are {', '.join(there)}"
    return (
        f"no ModelNet data for {category!r} in {data}: put ModelNet40.zip from Princeton's ModelNet page there, or the "
        "folder unpacked from it; --data or B3_DATA name another place"
    )


def write_packed(path: Path, train: Shapes, test: Shapes, resolution: int) -> None:
    """Writes shapes as a packed file: eight cells a byte, no pickles, whole or not at all."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for split, shapes in zip(SPLITS, (train, test), strict=True):
        there = [(name, voxels) for name, voxels in shapes if voxels is not None]
        grids = np.array([voxels for _, voxels in there], dtype=bool).reshape(len(there), resolution**3)
        arrays[f"{split}_packed"] = np.packbits(grids, axis=1)  # (shape, byte)
        arrays[f"{split}_names"] = np.array([name for name, _ in there], dtype=np.str_)
        arrays[f"{split}_occupied"] = grids.sum(axis=1, dtype=np.int32)
        arrays[f"{split}_missing"] = np.array([name for name, voxels in shapes if voxels is None], dtype=np.str_)
    content = io.BytesIO()
    np.savez_compressed(content, resolution=np.int32(resolution), **arrays)  # type: ignore[arg-type]
    write_whole(path, content.getvalue())


def read_packed(path: Path, resolution: int) -> tuple[Shapes, Shapes]:
    """The shapes of a packed file, training and test."""
    content = io.BytesIO(read_file(path, MOST_BYTES))
    try:
        with zipfile.ZipFile(content) as archive:
            if sum(member.file_size for member in archive.infolist()) > MOST_BYTES:
                raise InputError(f"{path}: unpacks to more than {MOST_BYTES // 1_000_000} MB; not a file of voxels")
            for member in archive.infolist():
                _check_member(archive, member)
        content.seek(0)
        with np.load(content, allow_pickle=False) as arrays:
            found = int(arrays["resolution"])
            if found != resolution:
                raise InputError(f"{path}: holds voxels of {shown(found)} cells a side; {resolution} are wanted")
            train, test = (_unpacked(arrays, split, resolution) for split in SPLITS)
            return train, test
    except InputError:
        raise
    except Exception as error:  # zipfile, its decompressors and numpy raise many kinds on damaged files
        raise InputError(f"{path}: not a packed file of voxels, or damaged; fetch or write it again") from error


def _check_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    """Raises an error unless an array is as long as its header claims: numpy makes room for the claim."""
    with archive.open(member) as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("an array of another version")
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
        left = sum(len(some) for some in iter(partial(file.read, 1_000_000), b""))  # which checks the sum, too
    if dtype.hasobject or left != math.prod(shape) * dtype.itemsize:
        raise ValueError("an array that is not as long as it claims")


def _unpacked(arrays: "np.lib.npyio.NpzFile", split: str, resolution: int) -> Shapes:
    packed, names, occupied = (arrays[f"{split}_{key}"] for key in ("packed", "names", "occupied"))
    cells = resolution**3
    # A ValueError is what a damaged file raises elsewhere, too; the caller names the file.
    if packed.dtype != np.uint8 or packed.shape != (len(names), -(-cells // 8)) or names.dtype.kind != "U":
        raise ValueError("the arrays do not fit together")
    grids = np.unpackbits(packed, axis=1)[:, :cells].astype(bool)  # (shape, cell)
    if not np.array_equal(grids.sum(axis=1), occupied) or not grids.any(axis=1).all():
        raise ValueError("the counts of voxels are wrong")
    shapes = [(str(name), grid.reshape((resolution,) * 3)) for name, grid in zip(names, grids, strict=True)]
    return [*shapes, *((str(name), None) for name in arrays[f"{split}_missing"])]


def select(
    name: str, train: Shapes, test: Shapes, most: int = MOST_BRICKS
) -> tuple[list[Target], list[Target], tuple[str, str]]:
    """The shapes that at most so many bricks can build, each once by what the agent sees of it, order kept.

    With the training and the test targets of the task `name` comes a sentence for each on what was left out.
    """
    learned, train_note = _kept(name, train, most)
    tested, test_note = _kept(name, test, most, learned)
    if not learned or not tested:
        raise InputError(
            f"{name}: of {len(train)} training and {len(test)} test shapes none is left to train or test on"
        )
    return list(learned.values()), list(tested.values()), (f"train: {train_note}", f"test: {test_note}")


def _kept(
    name: str, shapes: Shapes, most: int, learned: dict[bytes, Target] | None = None
) -> tuple[dict[bytes, Target], str]:
    """The targets of one split by their images, without those that were `learned`, and how many were left out."""
    targets: dict[bytes, Target] = {}
    missing = too_many = repeated = in_train = 0
    for shape, voxels in shapes:
        if voxels is None:
            missing += 1
        elif budget_for(int(voxels.sum())) > most:
            too_many += 1
        else:
            target = target_of_voxels(f"{name}/{shape}", voxels)
            seen = target.images.tobytes()
            if learned and seen in learned:
                in_train += 1
            elif seen in targets:
                repeated += 1
            else:
                targets[seen] = target
    note = (
        f"{len(targets)} of {len(shapes)} shapes kept; {missing} could not be read, {too_many} need too many bricks, "
    )
    note += f"{repeated} look like an earlier one" + ("" if learned is None else f", {in_train} like one in train")
    return targets, note
