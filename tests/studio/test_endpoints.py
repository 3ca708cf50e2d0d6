"""Every question that a page asks, and what comes back."""

import io
import json
import re
import time
import zipfile
from pathlib import Path

import httpx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from studio.conversation import box, brick, build, drawing, gallery_target, picture_of, png, sent
from targets import drawn_meshes, drawn_pictures

from brickbybrick.colours import COLOURS
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.kit import plan
from brickbybrick.export.ldraw import from_ldraw
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.voxels import fill, three_views
from brickbybrick.studio.endpoints import MOST_UPLOAD, Studio, room_for
from brickbybrick.targets.inputs import wanted_content, wanted_file, wanted_views

DIGIT, OBJECT = "mnist-3/400", "random/0800"
LETTER = box((60, 40, 120, 260), (60, 200, 240, 260))


def rows(image: np.ndarray) -> list[str]:
    return ["".join(map(str, row)) for row in image.astype(int)]


def test_agents_say_what_they_build_from(client: httpx.Client) -> None:
    told = client.get("/api/agents").json()["agents"]
    agents = {agent["id"]: agent for agent in told}
    about = {"views": [1, 3], "sees": "volume", "probabilities": False}
    assert told[0] == {"id": "mason", "label": "Mason", **about, "cells": None, "default": True}
    assert agents["greedy"] == {"id": "greedy", "label": "Greedy", **about, "cells": 14, "default": False}
    assert {"bo", "random", "search"} <= set(agents)
    learned = [agent for agent in agents.values() if agent["probabilities"]]
    assert learned
    assert all(agent["sees"] == "images" for agent in learned)


def test_a_hull_is_what_the_views_leave(client: httpx.Client) -> None:
    shown = gallery_target(client, OBJECT)
    hull = np.zeros((14, 14, 14), bool)
    hull[tuple(np.array(shown["hull"]).T)] = True
    assert min(z for _, _, z in shown["hull"]) == 0  # it stands on the ground, wherever the picture has it
    lift = next(row for row in range(14) if "1" in shown["views"][0]["rows"][13 - row])
    for view, image in zip(shown["views"], three_views(np.roll(hull, lift, axis=2)), strict=True):
        assert view["rows"] == rows(image)


def test_a_drawing_is_seen_as_its_file_would_be(client: httpx.Client, tmp_path: Path) -> None:
    Image.fromarray(255 - LETTER).save(tmp_path / "letter.png")
    wanted = wanted_file(tmp_path / "letter.png").target
    asked = {"drawings": [drawing(LETTER)], "settings": {"agent": "greedy"}}
    drawn = client.post("/api/targets", json=asked).json()
    assert [view["rows"] for view in drawn["views"]] == [rows(wanted.images[0])]
    assert drawn["budget"] == wanted.budget
    shown = sent(client, "../../etc/letter.png", (tmp_path / "letter.png").read_bytes(), agent="greedy")
    assert shown["name"] == "letter.png"
    assert shown["views"] == drawn["views"]
    assert shown["id"] != drawn["id"]


def test_three_drawings_are_seen_as_their_files_would_be(client: httpx.Client, tmp_path: Path) -> None:
    inks = [LETTER, box((60, 40, 240, 260)), box((60, 60, 240, 240))]
    paths = [tmp_path / f"{view}.png" for view in range(3)]
    for path, ink in zip(paths, inks, strict=True):
        Image.fromarray(255 - ink).save(path)
    wanted = wanted_views("letter", paths).target
    asked = {"drawings": [drawing(ink) for ink in inks], "settings": {"agent": "greedy"}}
    shown = client.post("/api/targets", json=asked).json()
    assert [view["rows"] for view in shown["views"]] == [rows(image) for image in wanted.images]
    assert len(shown["hull"]) == wanted.hull.sum()
    full = client.post(f"/api/targets/{shown['id']}", json={"settings": {"agent": "greedy", "hidden": "full"}}).json()
    assert shown["belief"].startswith("data:image/png")
    assert (full["belief"], full["cells"]) == (None, len(shown["hull"]))
    assert (full["views"], full["hull"]) == (shown["views"], shown["hull"])


def test_a_mesh_is_taken(client: httpx.Client, modelnet_folder: Path) -> None:
    path = next(modelnet_folder.rglob("*.off"))
    shown = sent(client, path.name, path.read_bytes(), agent="greedy")
    assert [view["rows"] for view in shown["views"]] == [rows(image) for image in wanted_file(path).target.images]


def test_what_was_sent_can_be_read_again_in_another_way(client: httpx.Client) -> None:
    face = png(drawn_pictures.face())
    first = sent(client, "face.png", face)
    assert (first["settings"]["size"], first["settings"]["background"], first["budget"]) == (32, "drop", None)
    assert picture_of(first["source"]).size == drawn_pictures.face().resize((320, 320)).size
    asked = {"size": 16, "background": "keep", "depth": 2, "contrast": 1.5}
    again = client.post(f"/api/targets/{first['id']}", json={"settings": asked}).json()
    direct = sent(client, "face.png", face, **asked)
    assert len({first["id"], again["id"], direct["id"]}) == 3
    assert {**again, "id": ""} == {**direct, "id": ""}
    assert again["settings"] == {**first["settings"], **asked}
    for_agents = client.post(f"/api/targets/{again['id']}", json={"settings": {"agent": "greedy"}}).json()
    assert for_agents["views"] == [{"rows": rows(wanted_content("face.png", face).target.images[0])}]
    assert for_agents["budget"] > 0
    assert client.post(f"/api/targets/{first['id']}", json={}).json()["preview"] == first["preview"]
    assert build(client, target=first["id"], agent="mason", budget=5)[-1][0] == "done"  # it is still there


def test_reading_again_tells_what_is_wrong(client: httpx.Client, studio: Studio) -> None:
    known = sent(client, "face.png", png(drawn_pictures.face()), size=8)["id"]
    count = len(studio.shelf)
    cases = [("unknown", {}, 404, "send it again"), ("a/b", {}, 404, "nothing to ask")]
    cases += [(known, {"settings": wrong}, 400, why) for wrong, why in (([], "object"), ({"size": 1}, "4 to 96"))]
    cases += [(known, {"settings": {"agent": "nobody"}}, 404, "no agent")]
    for name, asked, status, why in cases:
        answer = client.post(f"/api/targets/{name}", json=asked)
        assert (answer.status_code, list(answer.json())) == (status, ["message"])
        assert why in answer.json()["message"]
    assert len(studio.shelf) == count  # nothing was lost, and nothing came to it
    for wrong_text in ("{", "[]", "size=3", '{"size": NaN}'):
        files = {"file": ("face.png", png(drawn_pictures.face()))}
        assert client.post("/api/targets", files=files, data={"settings": wrong_text}).status_code == 400


def test_an_example_is_read_as_it_is_asked_for(client: httpx.Client) -> None:
    heart = gallery_target(client, "heart")
    assert (heart["kind"], heart["settings"]["size"]) == ("picture", 24)
    larger = client.post("/api/targets", json={"gallery": "heart", "settings": {"size": 40}}).json()
    assert max(larger["size"][0], 0.4 * larger["size"][2]) == pytest.approx(40, abs=0.7)
    digit = client.post("/api/targets", json={"gallery": DIGIT, "settings": {"size": 40}}).json()
    assert digit["settings"]["size"] == 14
    assert digit["views"] == gallery_target(client, DIGIT)["views"]


def test_files_that_a_mesh_names_are_not_followed(client: httpx.Client, tmp_path: Path) -> None:
    """Neither those that are there, nor those that are not, nor addresses: it is built without them, and says so."""
    files = drawn_meshes.cube_obj()
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    places = ("six.png", str(tmp_path / "six.png"), "/etc/passwd", "../six.png", "http://127.0.0.1:9/six.png")
    previews: dict[str, set[str]] = {"cube.obj": set(), "cube.glb": set()}
    for place in places:
        header, binary = drawn_meshes.cube_parts()
        named_elsewhere = {**header, "images": [{"uri": place}]}
        library = str(tmp_path / "cube.mtl") if place == places[0] else place
        meshes = {
            "cube.obj": re.sub(rb"(?m)^mtllib .*$", b"mtllib " + library.encode(), files["cube.obj"]),
            "cube.glb": drawn_meshes.glb(named_elsewhere, binary),
        }
        for name, content in meshes.items():
            shown = sent(client, name, content, size=8)
            assert any("without" in note for note in shown["notes"]), (place, shown["notes"])
            previews[name].add(shown["preview"])
    textured = sent(client, "cube.glb", drawn_meshes.cube_glb()[0], size=8)
    assert textured["notes"] == []
    for seen in previews.values():  # where the file is there, too, it looks as where it is not
        assert len(seen) == 1
        assert textured["preview"] not in seen


def test_the_palette_can_be_had(client: httpx.Client) -> None:
    colours = client.get("/api/palette").json()["colours"]
    assert len(colours) == len(COLOURS)
    assert {"code", "name", "hex", "common"} == set(colours[0])


def test_the_parts_can_be_had(client: httpx.Client) -> None:
    answer = client.get("/api/parts").json()
    assert {"2x4", "plate 2x4", "tile 1x2", "slope 45 2x1"} <= {part["name"] for part in answer["parts"]}
    assert answer["usual"] in answer["choices"]


def test_what_cannot_be_used_is_told_in_one_line(client: httpx.Client) -> None:
    target = gallery_target(client, DIGIT)["id"]
    work = {"target": target, "agent": "greedy", "bricks": []}
    shape = drawing(LETTER)
    good = brick(0, 0, 0)
    cases: list[tuple[str, object, int, str]] = [
        ("targets", {}, 400, "one, or of three"),
        ("targets", {"drawings": [shape, shape]}, 400, "one, or of three"),
        ("targets", {"drawings": [{**shape, "width": 301}]}, 400, "301 x 300"),
        ("targets", {"drawings": [{**shape, "width": 5000}]}, 400, "1 to 1024"),
        ("targets", {"drawings": [{**shape, "pixels": "?"}]}, 400, "base64"),
        ("targets", {"drawings": [drawing(np.zeros((50, 50)))]}, 400, "draw something"),
        ("targets", {"gallery": "../../etc/passwd"}, 404, "gallery"),
        ("builds", {**work, "target": "no"}, 404, "send it again"),
        ("builds", {**work, "agent": "/etc/passwd"}, 404, "no agent"),
        ("builds", {**work, "seed": -1}, 400, "seed"),
        ("builds", {**work, "budget": 2001}, 400, "1 to 2000"),
        ("builds", {**work, "colours": [999]}, 400, "no colour '999'"),
        ("builds", {**work, "bricks": [good, brick(0, 0, 0, 1)]}, 400, "shares a cell"),
        ("builds", {**work, "bricks": [brick(0, 0, -1)]}, 400, "below the ground"),
        ("builds", {**work, "bricks": [{**good, "part": "2x2"}]}, 400, "2x4 alone"),
        ("builds", {**work, "bricks": [brick(0, 0, z) for z in range(3)], "budget": 2}, 400, "raise it"),
        ("builds", {**work, "bricks": [good] * 2001}, 400, "at most 2000"),
        ("check", {"bricks": [good] * 20_001}, 400, "at most 20000"),
        ("export", {"bricks": [good], "walls": 0}, 400, "walls"),
        ("target", {}, 404, "nothing to ask"),
        ("candidates", {**work, "masked": 1}, 400, "true or false"),
        ("check", {"bricks": [{**good, "x": 1.5}]}, 400, "x is 1.5"),
        ("check", {"bricks": [{**good, "x": "9" * 100_000}]}, 400, "a brick's x"),
        ("check", {"bricks": [{**good, "part": "9x9"}]}, 400, "no such part"),
        ("check", [], 400, "not an object"),
        ("place", {"bricks": []}, 400, "a brick is"),
        ("export", {"bricks": [good], "kinds": ["exe"]}, 400, "no export named"),
        ("export", {"bricks": []}, 400, "without bricks"),
        ("nothing", {}, 404, "nothing to ask"),
    ]
    for path, asked, status, why in cases:
        answer = client.post(f"/api/{path}", json=asked)
        assert (answer.status_code, set(answer.json())) == (status, {"message"}), (path, answer.text)
        message = answer.json()["message"]
        assert why in message
        assert "\n" not in message
        assert len(message) <= 300


def test_bodies_have_limits_and_types(client: httpx.Client) -> None:
    json_type = {"content-type": "application/json"}
    assert client.post("/api/check", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    for content in (b"{", b"\xff", b"[" * 100_000, b'{"bricks": NaN}', b"9" * 5000):
        assert client.post("/api/check", content=content, headers=json_type).status_code == 400
    assert client.post("/api/check", content=b" " * 4_000_001, headers=json_type).status_code == 413
    assert client.post("/api/targets", content=b" " * 17_000_001, headers=json_type).status_code == 413
    large = b"\0" * (MOST_UPLOAD + 1)
    assert client.post("/api/targets", files={"file": ("a.png", large)}).status_code == 413
    parts = iter([b"\0" * 1_000_000] * 30)  # of no announced length
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post("/api/targets", content=parts, headers=headers).status_code in (400, 413)
    for name, content in [("a.exe", b"MZ"), ("a.png", b"no"), ("a.off", b"OFF 3"), ("a.glb", b"glTF"), ("", b"")]:
        answer = client.post("/api/targets", files={"file": (name, content)})
        assert answer.status_code == 400
        assert answer.json()["message"]
    assert client.post("/api/targets", files={"other": ("a.png", b"no")}).status_code == 400
    assert client.get("/api/builds").status_code in (404, 405)


@pytest.mark.parametrize("agent", ["greedy", "b3-digit-3"])
def test_candidates_are_the_places_for_the_next_brick(client: httpx.Client, studio: Studio, agent: str) -> None:
    if agent not in studio.agents:
        agent = "b3"  # an agent for all digits took the place of those for one
    work = {"target": gallery_target(client, DIGIT)["id"], "agent": agent}
    (first,) = client.post("/api/candidates", json={**work, "bricks": []}).json()["candidates"]
    events = build(client, **work)
    placed = [news["brick"] for name, news in events if name == "brick"]
    assert {key: first[key] for key in "xyzd"} == {key: placed[0][key] for key in "xyzd"}
    for count in (1, 4, 9):
        answer = client.post("/api/candidates", json={**work, "bricks": placed[:count], "masked": True}).json()
        places = [tuple(place[key] for key in "xyzd") for place in answer["candidates"]]
        assert len(set(places)) == len(places)
        assert tuple(placed[count][key] for key in "xyzd") in places
        shares = [place["probability"] for place in answer["candidates"]]
        if agent == "greedy":
            assert set(shares) == {None}
        else:
            assert sum(shares) == pytest.approx(1, abs=1e-5)
            assert shares == sorted(shares, reverse=True)
        for place in answer["candidates"]:
            assert client.post("/api/place", json={"bricks": placed[:count], "brick": place}).json()["allowed"]
        for place in answer["masked"]:
            told = client.post("/api/place", json={"bricks": placed[:count], "brick": place}).json()
            assert not told["allowed"]
            assert place["reason"]


def test_a_place_is_free_joined_and_above_the_ground(client: httpx.Client) -> None:
    def told(bricks: list[dict], new: dict) -> dict:
        return client.post("/api/place", json={"bricks": bricks, "brick": new}).json()  # type: ignore[no-any-return]

    there = [brick(0, 0, 0), brick(0, 0, 1)]
    assert told([], brick(3, 3, 3))["allowed"]
    assert told(there, brick(1, 3, 2)) == {
        "allowed": True,
        "free": True,
        "joined": True,
        "beside": [1],
        "reason": None,
    }
    assert told(there, brick(2, 0, 1))["reason"] == "no stud would join it to the others"
    assert told(there, brick(1, 0, 1))["reason"] == "brick 2 is in the way"
    assert told(there, brick(0, 0, -1))["reason"] == "it would be below the ground"


def test_a_check_tells_what_is_wrong(client: httpx.Client) -> None:
    good = client.post("/api/check", json={"bricks": [brick(0, 0, 0), brick(1, 0, 1)], "budget": 2}).json()
    assert good["verdict"]["stands"]
    assert good["verdict"]["in_budget"]
    assert not good["faults"]
    bad = client.post("/api/check", json={"bricks": [brick(0, 0, 0), brick(0, 0, 2)], "budget": 1}).json()
    assert not bad["verdict"]["joined"]
    assert {fault["brick"] for fault in bad["faults"]} == {1}
    assert bad["sentences"][0] == "The bricks fall into 2 pieces that no stud joins."


def test_a_check_tells_when_to_hold_the_model(client: httpx.Client) -> None:
    """A foot, a beam on it, and on the beam's end another one, which topples it."""
    bricks = [brick(0, 0, 0, 0), brick(0, 1, 1, 1), brick(3, 1, 2, 1)]
    told = client.post("/api/check", json={"bricks": bricks, "budget": 20}).json()
    model = Construction(tuple(PlacedBrick(**each) for each in bricks), budget=20)
    assert told["sentences"] == list(plan(model).sentences)  # what b3 check prints
    assert any("hold" in sentence for sentence in told["sentences"])


def test_large_models_are_judged_in_seconds(client: httpx.Client) -> None:
    """Walls of bricks across each other: 1,000 bricks, which an exact verdict would take half a minute for."""
    bricks = [brick(4 * x + 2 * (z % 2), y, z, 1) for z in range(25) for y in (0, 2) for x in range(20)]
    start = time.perf_counter()
    told = client.post("/api/check", json={"bricks": bricks}, timeout=60).json()
    assert time.perf_counter() - start < 10
    assert told["verdict"]["stands_on_plate"] is True
    assert told["verdict"]["exact_load_factors"] is False


def test_an_export_is_a_zip_of_the_kit(client: httpx.Client) -> None:
    target = gallery_target(client, DIGIT)["id"]
    bricks = [brick(4, 0, 0, colour=1), brick(5, 0, 1, colour=14)]
    asked = {"target": target, "bricks": bricks, "kinds": ["ldr", "json", "pdf"], "name": 'a "3"/../\n\ud800'}
    sent = {"content": json.dumps(asked), "headers": {"content-type": "application/json"}}
    answer = client.post("/api/export", **sent)
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == 'attachment; filename="a-3.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert set(archive.namelist()) == {"model.ldr", "model.json", "instructions.pdf", "target.png"}
        model = Construction.from_json(archive.read("model.json").decode())
        assert [(b.x, b.z, b.colour) for b in from_ldraw(archive.read("model.ldr")).bricks] == [(4, 0, 1), (5, 3, 14)]
    assert model.iou is not None
    assert model.verdict["joined"]
    assert client.post("/api/export", **sent).content == answer.content
    everything = client.post("/api/export", json={"target": None, "bricks": bricks, "name": None})
    with zipfile.ZipFile(io.BytesIO(everything.content)) as archive:
        assert "model.glb" in archive.namelist()


def test_a_model_of_the_mason_is_exported_as_it_is(client: httpx.Client) -> None:
    """A hollow one, whose likeness is that of its walls, and its extra bricks."""
    shown = sent(client, "ball.png", png(drawn_pictures.circle()), size=16, depth=8)
    built = build(client, target=shown["id"], agent="mason", settings={"hollow": 2})[-1][1]["construction"]
    assert built["walls"] == 2
    asked = {"target": shown["id"], "bricks": built["bricks"], "kinds": ["json"], "walls": built["walls"]}
    with zipfile.ZipFile(io.BytesIO(client.post("/api/export", json=asked).content)) as archive:
        model = json.loads(archive.read("model.json"))
    assert (model["bricks"], model["iou"], model["walls"]) == (built["bricks"], built["iou"], 2)


def test_what_would_take_minutes_is_left_to_the_command_line(client: httpx.Client) -> None:
    bricks = [brick(0, 0, layer) for layer in range(601)]
    answer = client.post("/api/export", json={"bricks": bricks, "kinds": ["json", "pdf"]})
    assert answer.status_code == 400
    assert "b3 export model.json --to model.pdf" in answer.json()["message"]
    assert client.post("/api/export", json={"bricks": bricks, "kinds": ["json", "ldr"]}).status_code == 200


def test_views_show_the_model_beside_the_target(client: httpx.Client, studio: Studio) -> None:
    shown = gallery_target(client, OBJECT)
    kept = studio.shelf.get(shown["id"])
    assert kept is not None
    events = build(client, target=shown["id"], agent="greedy")
    assert [name for name, _ in events] == ["start"] + ["brick"] * shown["budget"] + ["done"]
    assert events[0][1] == {"budget": shown["budget"], "bricks": 0}
    construction = Construction.from_json(json.dumps(events[-1][1]["construction"]))
    for count, (_, news) in enumerate(events[1:-1], start=1):
        assert news["index"] == news["brick"]["step"] == count - 1
        model = fill(BRICK_2X4, construction.poses[:count], (14, 14, 14))
        seen = three_views(np.roll(model, kept.wanted.target.lift, axis=2))
        assert [view["rows"] for view in news["views"]] == [rows(image) for image in seen]
    assert news["iou"] == events[-1][1]["iou"] == construction.iou


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20), st.integers(0, 8)), max_size=12),
    st.tuples(st.integers(-20, 20), st.integers(-20, 20), st.integers(0, 8)),
    st.sampled_from(["1x1", "2x4", "1x4", "plate 4x8"]),
)
def test_bricks_that_are_far_away_change_nothing(
    places: list[tuple[int, int, int]], place: tuple[int, int, int], part: str
) -> None:
    """Only those nearby are looked at, and the answer is that of a look at all cells."""
    bricks = tuple(PlacedBrick("2x4", x, y, z, index % 2) for index, (x, y, z) in enumerate(places))
    new = PlacedBrick(part, *place, 0)
    told, cells = room_for(bricks, new), set(new.cells())
    shared = [index for index, each in enumerate(bricks) if cells & set(each.cells())]
    columns = {(x, y) for x, y, _ in cells}
    joined = [
        index
        for index, each in enumerate(bricks)
        if (each.top == new.z or new.top == each.z) and columns & {(x, y) for x, y, _ in each.cells()}
    ]
    assert told["free"] == (not shared)
    assert told["beside"] == joined
    assert told["joined"] == (bool(joined) or not bricks)
    if shared:
        assert told["reason"] in {f"brick {index + 1} is in the way" for index in shared}
