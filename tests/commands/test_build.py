"""b3 build, check and export, as a user runs them."""

import json
from pathlib import Path

import pytest
import trimesh
from command_line import b3, refusal
from drawings import draw_boxes
from PIL import Image

from brickbybrick.building import inputs_of
from brickbybrick.cli import main
from brickbybrick.commands.build import views_as_text
from brickbybrick.construction import Construction
from brickbybrick.export import replay
from brickbybrick.export.kit import EXPORTS, KIT, usual_kit
from brickbybrick.export.ldraw import from_ldraw


@pytest.fixture(scope="module")
def letter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An L."""
    return draw_boxes(tmp_path_factory.mktemp("letter") / "L.png", (60, 40, 120, 260), (60, 200, 240, 260))


def test_a_kit_holds_everything(letter: Path, tmp_path: Path) -> None:
    figures = json.loads(b3("build", str(letter), "--out", str(tmp_path / "kit"), "--colour", "blue", "--json").stdout)
    files = {path.name for path in (tmp_path / "kit").iterdir()}
    assert files == {EXPORTS[kind][0] for kind in usual_kit()} | {"target.png"}
    model = Construction.load(tmp_path / "kit/model.json")
    assert {brick.colour for brick in model.bricks} == {1}
    assert figures["bricks"] == len(model.bricks)
    assert figures["budget"] is None
    assert figures["joined"]
    assert figures["no_overlap"]
    assert figures["insertable"]
    assert model.verdict["joined"] is True
    back = from_ldraw((tmp_path / "kit/model.ldr").read_bytes())
    assert {(b.x, b.y, b.z, b.d, b.colour) for b in back.bricks} == {
        (b.x, b.y, b.z, b.d, b.colour) for b in model.bricks
    }
    assert (tmp_path / "kit/instructions.pdf").read_bytes().startswith(b"%PDF")
    checked = json.loads(b3("check", str(tmp_path / "kit/model.ldr"), "--json").stdout)
    assert {key: checked[key] for key in ("joined", "stands", "load_factor")} == {
        key: figures[key] for key in ("joined", "stands", "load_factor")
    }
    b3("export", str(tmp_path / "kit/model.ldr"), "--to", str(tmp_path / "a.gif"), str(tmp_path / "a.svg"))
    assert Image.open(tmp_path / "a.gif").n_frames > 1  # type: ignore[attr-defined]
    result = b3("export", str(tmp_path / "kit/model.ldr"), "--to", str(tmp_path / "a.doc"), expect=2)
    assert "no export of that kind" in result.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("white", "of one colour"),
        ("black", "of one colour"),
        ("dot", "of one colour"),
        ("bomb", "more than 50 million pixels"),
        ("torn", "not a whole picture"),
        ("nothing", "no such file"),
        ("flat", "it is flat"),
        ("empty", "no pictures and no meshes"),
    ],
)
def test_bad_inputs_end_in_one_line_and_leave_nothing(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "in.png"
    if content in ("white", "black"):
        Image.new("L", (50, 50), content).save(path)
    elif content == "dot":
        Image.new("L", (1, 1), 0).save(path)
    elif content == "bomb":
        Image.new("1", (20_000, 20_000)).save(path)
    elif content == "torn":
        path = tmp_path / "in.jpg"
        Image.effect_noise((200, 200), 50).save(path)
        path.write_bytes(path.read_bytes()[:2_000])
    elif content == "flat":
        path = tmp_path / "in.off"
        path.write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    elif content == "empty":
        path = tmp_path / "folder"
        path.mkdir()
    out = tmp_path / "out" / "kit"
    assert says in refusal("build", str(path), "--out", str(out))
    assert not out.exists()
    assert not out.parent.exists() or not list(out.parent.iterdir())


def test_what_topples_can_be_repaired(tmp_path: Path) -> None:
    """A long arm to one side: it topples on a table, and with a few extra bricks it stands."""
    arm = draw_boxes(tmp_path / "arm.png", (20, 20, 60, 280), (20, 20, 280, 60))
    arguments = ["--agent", "search", "--kit", "json", "--json"]
    fallen = json.loads(b3("build", str(arm), "--out", str(tmp_path / "a"), *arguments).stdout)
    assert fallen["stands"] is False
    assert fallen["load_factor"] is None
    assert fallen["stands_on_plate"] is True
    mended = json.loads(b3("build", str(arm), "--out", str(tmp_path / "b"), "--repair", *arguments).stdout)
    assert mended["stands"] is True
    assert mended["joined"] is True
    assert mended["in_budget"] is True
    assert 0 < mended["iou"] < fallen["iou"]
    assert fallen["bricks"] < mended["bricks"] <= fallen["bricks"] + 10  # a pillar is as high as the arm
    assert any("extra brick" in note for note in mended["notes"])
    checked = b3("check", str(tmp_path / "a/model.json"))
    assert f"IoU {fallen['iou']:.3f} with its target." in checked.stdout
    assert "On a table it topples" in checked.stdout
    assert "hold what is there after step" in checked.stdout
    assert fallen["tips_at"] == 0
    assert mended["steady"] is True


def test_what_is_printed_needs_no_figures_to_be_understood(letter: Path, tmp_path: Path) -> None:
    arguments = [str(letter), "--size", "20", "--kit", "json", "--out", str(tmp_path / "kit")]
    said = b3("build", *arguments).stdout
    figures = json.loads(b3("build", *arguments, "--json").stdout)
    assert f"{int(100 * figures['iou'] + 1e-6)} % of the shape, 100 % of the colour\n" in said
    assert "IoU" not in said
    assert "- On a table it stands firmly: the most loaded joint bears " in said
    assert f"The table may lean {int(figures['tips_at'])}" in said
    assert {"missing", "added", "steady"} <= set(figures)


def test_a_folder_is_built_in_one_batch(letter: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.png").write_bytes(letter.read_bytes())
    trimesh.creation.icosphere(2).export(folder / "ball.stl")
    (folder / "torn.png").write_bytes(b"no picture")
    result = b3("build", str(folder), "--out", str(tmp_path / "out"), "--kit", "json", "png", "--json")
    figures = json.loads(result.stdout)
    assert figures["built"] == 2
    assert [model["input"] for model in figures["models"]] == ["a.png", "ball.stl"]
    assert figures["builds_per_s"] > 0
    assert len(figures["wrong"]) == 1
    assert "torn.png" in figures["wrong"][0]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.png", "ball.stl"]
    assert inputs_of(folder) == [folder / name for name in ("a.png", "ball.stl", "torn.png")]


def test_options_for_pictures_are_not_ignored_in_silence(letter: Path, tmp_path: Path) -> None:
    """An error where there is one input, a note where there is a folder of which some heed them."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.png").write_bytes(letter.read_bytes())
    trimesh.creation.icosphere(2).export(folder / "ball.stl")
    says = "--depth, --contrast: for one picture alone, not for meshes and silhouettes; leave them out"
    options = ["--depth", "3", "--contrast", "2"]
    assert says in refusal("build", str(folder / "ball.stl"), *options)
    views = [str(letter), "--side", str(letter), "--top", str(letter)]
    assert says in refusal("build", *views, *options)
    assert "add --mosaic" in refusal("build", str(letter), "--dither")
    out = ["--out", str(tmp_path / "out"), "--size", "8", "--kit", "json"]
    assert b3("build", str(folder), *options, *out).stderr.count(says) == 1
    notes = {name: Construction.load(tmp_path / f"out/{name}/model.json").notes for name in ("a.png", "ball.stl")}
    assert says in notes["ball.stl"]
    assert says not in notes["a.png"]


def test_a_picture_is_built_in_the_colours_of_a_parts_list(letter: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("Part,Color,Quantity\n3001,1,20\n3005,14,5\n")
    b3("build", str(letter), "--palette", str(tmp_path / "mine.csv"), "--out", str(tmp_path / "kit"), "--kit", "json")
    colours = {brick.colour for brick in Construction.load(tmp_path / "kit/model.json").bricks}
    assert colours == {1}  # of blue and yellow the nearer to black
    assert "cannot be read" in refusal("build", str(letter), "--palette", str(tmp_path / "nothing.xml"))


def test_a_mesh_is_built_with_an_inventory(tmp_path: Path) -> None:
    trimesh.creation.icosphere(3).export(tmp_path / "ball.stl")
    arguments = ["--size", "16", "--inventory", "2x4=30,2x2=20,1x2", "--colour", "blue", "white"]
    figures = json.loads(
        b3("build", str(tmp_path / "ball.stl"), *arguments, "--out", str(tmp_path / "kit"), "--json").stdout
    )
    assert figures["builder"] == "mason"
    assert figures["parts"]["2x4"] <= 30
    assert figures["parts"]["2x2"] <= 20
    assert set(figures["parts"]) <= {"2x4", "2x2", "1x2"}
    assert sum(figures["parts"].values()) == figures["bricks"]
    assert figures["iou"] > 0.9
    for check in ("joined", "no_overlap", "insertable", "insertable_as_placed", "stands"):
        assert figures[check] is True
    model = Construction.load(tmp_path / "kit/model.json")
    back = from_ldraw((tmp_path / "kit/model.ldr").read_bytes())
    assert sorted((b.part, *b.pose, b.colour) for b in back.bricks) == sorted(
        (b.part, *b.pose, b.colour) for b in model.bricks
    )
    listed = (tmp_path / "kit/rebrickable.csv").read_text()
    assert {"3001", "3003", "3004"} <= {line.split(",")[0] for line in listed.splitlines()}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--inventory", "2x5"], "no part 2x5 in an inventory"),
        (["--inventory", "2x4=-3"], "-3 parts 2x4"),
        (["--inventory", "2x4=0"], "nothing can be built"),
        (
            ["--inventory", "1x2", "--agent", "greedy"],
            "greedy builds as in the paper, solid and of 2x4 alone: leave --inventory out",
        ),
        (["--size", "97"], "a size of 97 cells: choose 4 to 96"),
        (["--hollow", "0"], "walls 0 cells thick"),
        (["--budget", "0"], "a budget of 0 bricks"),
        (
            ["--agent", "nobody"],
            "choose search, b3plus, b3, mlp, guided, greedy, bo, bo-kim, random, mason or an agent's file",
        ),
        (["--agent", "b3", "--size", "20"], "b3 knows 14; take --agent mason for others"),
        (["--side", "x.png"], "give the front, --side and --top"),
        (["--colour", "mauve"], "no colour 'mauve': choose among"),
    ],
)
def test_mistakes_in_an_order(letter: Path, arguments: list[str], says: str) -> None:
    assert says in refusal("build", str(letter), *arguments)


def test_without_the_page_a_kit_has_no_replay_and_says_so(
    letter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(replay, "files", lambda _: tmp_path)
    assert usual_kit() == KIT[:-1]
    main(["build", str(letter), "--out", str(tmp_path / "kit")])
    assert "make page builds it" in capsys.readouterr().err
    assert not (tmp_path / "kit/replay.html").exists()
    with pytest.raises(SystemExit):
        main(["build", str(letter), "--out", str(tmp_path / "kit"), "--kit", "html"])
    assert "make page" in capsys.readouterr().err


def test_views_are_printed_as_squares() -> None:
    assert views_as_text([[[True, False], [False, True]], [[True, True], [False, False]]]) == [
        "██··   ████",
        "··██   ····",
    ]
