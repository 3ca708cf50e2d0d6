"""The fixed examples as files: what people bring, made by code. `make examples` builds them and says how true they are.

python tests/targets/examples.py FOLDER
"""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def write_examples(folder: Path) -> list[Path]:
    """Writes five pictures and six meshes, and returns their paths."""
    from targets import drawn_meshes, drawn_pictures

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in ("heart", "face", "landscape", "logo", "letter_i"):
        written.append(folder / f"{name}.png")
        getattr(drawn_pictures, name)().save(written[-1])
    for name in ("torus", "chair", "ball", "car", "cube_glb", "globe"):
        content, ending = getattr(drawn_meshes, name)()
        written.append(folder / f"{name.removesuffix('_glb')}{ending}")
        written[-1].write_bytes(content)
    return written


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    write_examples(Path(sys.argv[1]))
