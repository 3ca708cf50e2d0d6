"""The pages as people use them, with the paper's agents: in a browser, with mouse and keys, against the real server."""

import io
import json
import re
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from meshes import write_box
from PIL import Image, ImageDraw
from playwright.sync_api import expect
from studio.browser import CHROMIUM, DARK, FIVE, PHONE, REST, Visit, Visitor
from studio.conversation import wait_for

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.ldraw import from_ldraw
from brickbybrick.export.replay import is_built, replay_html
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.studio.endpoints import Studio

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: sudo apt-get install chromium"),
    pytest.mark.skipif(not is_built(), reason="the page was not built: make page"),
]
PARTS = ["2x4", "2x3", "2x2", "1x4", "1x2", "1x1"]


def test_a_digit_is_drawn_built_and_taken_home(visitor: Visitor, studio: Studio, tmp_path: Path) -> None:
    visit = visitor.open()
    page = visit.page
    visit.picture("empty")
    expect(page.locator("#build")).to_be_disabled()
    visit.ask_agents()
    expect(page.locator("#agent-settings")).to_contain_text("2x4 bricks at 14 cells")
    visit.draw(FIVE)
    visit.wait_for_target("drawing: 14")
    budget = int(page.input_value("#budget"))
    assert f"{budget} bricks at most" in (page.locator("#preview .sees").text_content() or "")
    first = next(entry for entry in studio.agents.values() if entry.cells and 1 in entry.views)
    assert page.input_value("#agent") == first.name
    visit.picture("drawn")

    start = time.perf_counter()
    page.click("#build")
    visit.wait_until(lambda: visit.shown > 0)
    seconds = time.perf_counter() - start
    print(f"first brick on screen after {seconds:.2f} s")
    assert seconds < 3  # half a second where nothing else runs
    assert "of the shape" in visit.built()
    assert visit.shown == visit.total == budget
    assert visit.red > 1000
    verdict = page.locator(".verdict")
    expect(verdict.locator(".badges li")).to_have_count(7)
    expect(verdict).to_contain_text("On a table it")
    assert page.locator(".compare figure").count() == 2
    visit.picture("built")

    slider = page.get_by_label("Bricks shown")
    slider.fill("3")
    assert visit.shown == 3
    few = visit.red
    slider.fill(str(budget))
    assert 0 < few < visit.red
    page.get_by_label("One brick back (left arrow)").click()
    assert visit.shown == budget - 1
    page.get_by_label("Play (space)").click()
    visit.wait_until(lambda: visit.shown == budget)

    kit = zipfile.ZipFile(io.BytesIO(Path(visit.download("Kit (.zip)").path()).read_bytes()))
    files = {"model.json", "model.ldr", "model.mpd", "model.glb", "model.png", "instructions.pdf", "bricklink.xml"}
    assert set(kit.namelist()) == files | {"rebrickable.csv", "replay.html", "target.png"}
    model = Construction.from_json(kit.read("model.json").decode())
    assert len(model.bricks) == budget
    placed = {(b.x, b.y, b.z, b.d) for b in from_ldraw(kit.read("model.ldr")).bricks}
    assert placed == {(b.x, b.y, b.z, b.d) for b in model.bricks}
    assert kit.read("instructions.pdf").startswith(b"%PDF-")
    assert kit.read("model.glb").startswith(b"glTF\x02\0\0\0")
    assert f",{budget}\n" in kit.read("rebrickable.csv").decode()
    visit.download("Replay (.html)").save_as(tmp_path / "downloaded.html")
    (tmp_path / "packed.html").write_bytes(kit.read("replay.html"))
    for name in ("downloaded", "packed"):
        replay = visitor.open((tmp_path / f"{name}.html").as_uri(), offline=True)
        assert (replay.shown, replay.total) == (budget, budget)
        assert replay.red > 1000


def test_a_person_takes_over_and_the_agent_goes_on(visitor: Visitor) -> None:
    visit = visitor.open()
    page = visit.page
    visit.ask_agents()
    visit.pick("Digit 3", "mnist-3/400")
    visit.build()
    budget = visit.total
    page.get_by_label("Bricks shown").fill("8")
    page.click("#by-hand")
    placed = placed_by_hand(visit)
    assert (visit.shown, visit.total) == (9, 9)  # the bricks that came later are gone
    visit.picture("by-hand")
    page.locator("#hand-tools label:has(input[value=remove])").click()
    page.mouse.click(*placed)
    expect(page.locator("#status")).to_contain_text("is removed")
    assert visit.total == 8
    undo = page.get_by_label("Undo the last change (Ctrl+Z)")
    undo.click()
    assert visit.total == 9
    undo.click()
    assert visit.total == budget
    page.get_by_label("Do it again (Ctrl+Shift+Z)").click()
    assert visit.total == 9
    page.click("#continue")
    visit.built()
    assert visit.total == budget


def placed_by_hand(visit: Visit) -> tuple[float, float]:
    """Clicks on the model until a brick finds room; returns where that was."""
    at = visit.within(visit.stage)
    for x, y in [(0.5, 0.7), (0.45, 0.55), (0.55, 0.6), (0.5, 0.5), (0.6, 0.45), (0.5, 0.4), (0.6, 0.3), (0.45, 0.42)]:
        point: tuple[float, float] = at(x, y)
        before = visit.page.locator("#status").inner_text()
        visit.page.mouse.click(*point)
        with suppress(AssertionError):  # it says the same where the same brick is in the way again
            expect(visit.page.locator("#status")).not_to_have_text(before, timeout=1000)
        if "is placed" in visit.page.locator("#status").inner_text():
            return point
    raise AssertionError("no brick could be placed by hand")


def test_bricks_that_need_a_hand_are_red(visitor: Visitor) -> None:
    """A four of blue bricks that topples on a table."""
    visit = visitor.open()
    page = visit.page
    visit.ask_agents()
    visit.pick("Digit 4", "mnist-4/400")
    page.select_option("#agent", "greedy")
    visit.dip(1, "#colours")
    page.uncheck("#colours input[value='4']", force=True)
    visit.build()
    expect(page.locator(".badges")).to_contain_text("topples on a table")
    expect(page.locator(".faults")).to_contain_text("needs a hand under it on a table")
    expect(page.locator(".verdict")).to_contain_text("While you build, hold what is there after step")
    assert visit.red > 500
    visit.picture("falls")
    page.click("#show-faults")
    assert visit.red == 0


def test_the_x_ray_shows_what_the_agent_thinks_of(visitor: Visitor, studio: Studio) -> None:
    visit = visitor.open()
    page = visit.page
    visit.ask_agents()
    visit.pick("Digit 0", "mnist-0/400")
    learned = next(entry.name for entry in studio.agents.values() if entry.probabilities and 1 in entry.views)
    page.select_option("#agent", learned)
    visit.build()
    page.get_by_label("Bricks shown").fill("6")
    page.click("#xray")
    expect(page.locator(".candidate")).to_have_count(5)
    shares = [float(text.strip("< %")) for text in page.locator(".candidate b").all_inner_texts()]
    assert shares == sorted(shares, reverse=True)
    assert 1 < sum(shares) <= 100.5
    assert "not allowed" not in page.locator("#next-about").inner_text()
    page.check("#masked")
    expect(page.locator("#next-about")).to_contain_text("are not allowed")
    visit.picture("x-ray")
    page.locator(".candidate").first.click()
    expect(page.locator("#status")).to_contain_text("Brick 7 is placed")


def test_pictures_and_meshes_are_taken(visitor: Visitor, tmp_path: Path) -> None:
    heart = Image.new("L", (200, 200), 255)
    ImageDraw.Draw(heart).polygon([(20, 60), (60, 20), (100, 60), (140, 20), (180, 60), (100, 180)], fill=0)
    heart.save(tmp_path / "heart.png")
    write_box(tmp_path / "slab.off", (8, 3, 2))
    visit = visitor.open()
    page = visit.page
    visit.ask_agents()
    visit.choose("file")
    for file, views in (("heart.png", 1), ("slab.off", 3)):
        page.set_input_files("#file-input", tmp_path / file)
        visit.wait_for_target(file)
        assert page.locator(".sees-views canvas").count() == views
        assert "of the shape" in visit.build()
        assert visit.total == int(page.input_value("#budget"))
        visit.picture(file.partition(".")[0])
    offered = page.locator("#agent option").all_inner_texts()
    assert not any("digit" in label for label in offered)  # those know one view only
    (tmp_path / "wrong.png").write_bytes(b"not a picture")
    page.set_input_files("#file-input", tmp_path / "wrong.png")
    expect(page.locator("#target-problem")).to_contain_text("wrong.png")
    expect(page.locator("#build")).to_be_disabled()
    visitor.complaints = [each for each in visitor.complaints if "400 (Bad Request)" not in each]


def test_three_views_are_drawn_and_linked(visitor: Visitor) -> None:
    visit = visitor.open()
    page = visit.page
    visit.ask_agents()
    visit.choose("three")
    table = [(0.2, 0.35), (0.8, 0.35), (0.8, 0.5), (0.2, 0.5), (0.2, 0.4), (0.8, 0.42), (0.5, 0.5), (0.5, 0.8)]
    visit.draw(table, pad=1)
    expect(page.locator("#build")).to_be_disabled()
    visit.draw(table, pad=2)
    visit.draw([(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8), (0.2, 0.2)], pad=0)
    page.get_by_label("Fill", exact=True).click()
    visit.draw([(0.5, 0.5)], pad=0)
    visit.wait_for_target("drawings")
    assert page.locator(".sees-views canvas").count() == 3
    expect(page.locator("#preview")).to_contain_text("What is believed")
    visit.picture("three-views")
    page.fill("#budget", "40")
    assert "of the shape" in visit.build()
    assert page.locator(".compare figure").count() == 6
    visit.picture("three-views-built")


def test_two_agents_build_side_by_side_in_the_dark(visitor: Visitor) -> None:
    visit = visitor.open(size=DARK)
    page = visit.page
    visit.ask_agents()
    visit.pick("Digit 8", "mnist-8/400")
    page.select_option("#agent", "greedy")
    page.select_option("#rival", "random")
    visit.dip(14, "#colours")
    said = visit.build()
    assert re.fullmatch(r"Greedy: .* Random: .*", said)
    scores = [float(text.rstrip(" %")) for text in page.locator(".score").all_inner_texts()]
    assert len(scores) == 2
    assert scores[0] > scores[1]
    visit.picture("side-by-side")


def test_the_target_is_seen_until_the_model_is_the_target(visitor: Visitor) -> None:
    visit = visitor.open(reduced_motion="reduce")
    page = visit.page

    def both_ways() -> list[bytes]:
        """The stage with the target and without it."""
        seen = []
        for _ in range(2):
            page.wait_for_timeout(REST)
            seen.append(visit.stage.screenshot())
            page.click("#ghost")
        return seen

    visit.ask_agents()
    visit.pick("Object 0800", "random/0800")
    page.select_option("#agent", "random")
    assert "100 % of the shape" not in visit.build()
    with_target, without = both_ways()
    assert with_target != without
    page.select_option("#agent", "search")
    assert "100 % of the shape" in visit.build()
    with_target, without = both_ways()
    assert with_target == without


def test_a_phone_shows_everything_in_one_column(visitor: Visitor) -> None:
    visit = visitor.open(size=PHONE)
    page = visit.page
    visit.ask_agents()
    at = visit.within(page.locator(".pad").first)
    page.touchscreen.tap(*at(0.5, 0.5))
    visit.draw(FIVE)
    visit.wait_for_target("drawing")
    visit.picture("phone-drawn")
    visit.build()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    visit.picture("phone-built")
    visit.picture("phone", whole=True)
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, select")].filter(each => {
            const { width, height } = each.getBoundingClientRect();
            return width && Math.min(width, height) < 24;
        }).map(each => each.outerHTML.slice(0, 90))"""
    )
    assert small == []  # what fingers cannot hit


def test_keys_and_screen_readers_are_enough(visitor: Visitor) -> None:
    visit = visitor.open(reduced_motion="reduce")
    page = visit.page
    visit.ask_agents()
    page.focus(".pad")
    for key in [" ", *["ArrowDown"] * 14, *["ArrowLeft"] * 10, " ", "Tab"]:
        page.keyboard.press(key)
    visit.wait_for_target("drawing")
    page.focus("#seed")
    page.keyboard.press("Enter")
    visit.built()
    page.focus(".stage canvas")
    page.keyboard.press("Home")
    assert visit.shown == 0
    page.keyboard.press("ArrowRight")
    assert visit.shown == 1
    page.keyboard.press("End")
    assert visit.shown == visit.total
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, canvas")].filter(each => {
            const label = each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.[0]?.textContent;
            return !label && each.getAttribute("aria-hidden") !== "true";
        }).map(each => each.outerHTML)"""
    )
    assert nameless == []


def test_a_closed_tab_stops_its_build(visitor: Visitor, studio: Studio) -> None:
    visit = visitor.open()
    page = visit.page
    stopped = studio.workshop.stopped
    visit.ask_agents()
    visit.pick("Object 0800", "random/0800")
    page.select_option("#agent", "bo")
    page.fill("#budget", "2000")
    page.click("#build")
    visit.wait_until(lambda: visit.shown > 1)
    assert studio.workshop.building == 1
    page.context.close()
    wait_for(lambda: studio.workshop.stopped == stopped + 1)
    assert studio.workshop.building == 0


def test_a_model_costs_as_many_draw_calls_as_a_brick(visitor: Visitor, tmp_path: Path) -> None:
    calls, milliseconds = {}, {}
    for count in (10, 100, 300, 2000):
        poses = [(4 * (i % 8) + 2 * (i // 64 % 2), 2 * (i // 8 % 8), i // 64, 1) for i in range(count)]
        path = tmp_path / f"{count}.html"
        path.write_text(replay_html([Construction.of_poses(BRICK_2X4, poses, target=f"{count} bricks")]))
        visit = visitor.open(path.as_uri(), offline=True)
        calls[count] = int(visit.stage.get_attribute("data-calls") or 0)
        start = time.perf_counter()
        visit.page.get_by_label("Bricks shown").fill(str(count // 2))
        visit.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        milliseconds[count] = round(1e3 * (time.perf_counter() - start))
        assert (visit.shown, visit.total) == (count // 2, count)
    print(json.dumps({"draw_calls": calls, "scrub_ms_in_software": milliseconds}))
    assert 0 < len(set(calls.values())) == 1
    assert calls[10] <= 8


def test_bricks_of_all_sizes_are_drawn(visitor: Visitor, tmp_path: Path) -> None:
    """A row of every size in both directions: each covers as much of the picture as its studs are many."""
    bricks, x = [], 0
    for step, part in enumerate(PARTS):
        width, length = map(int, part.split("x"))
        for d in (0, 1) if width != length else (0,):
            bricks.append(PlacedBrick(part, x, 0, 0, d, [4, 1, 14, 2, 25, 15][step], len(bricks)))
            x += (width, length)[d] + 1
    model = Construction(tuple(bricks), target="all sizes", builder="hand")
    (tmp_path / "sizes.html").write_text(replay_html([model, model], title="All sizes, twice"))
    visit = visitor.open((tmp_path / "sizes.html").as_uri(), offline=True)
    assert visit.page.title() == "All sizes, twice"
    assert visit.total == len(bricks) == 10
    assert visit.page.locator(".panel").count() == 2
    visit.picture("all-sizes")
    slider = visit.page.get_by_label("Bricks shown")
    reds = []
    for shown in (1, 2):  # the two 2x4 bricks, which alone are red
        slider.fill(str(shown))
        reds.append(visit.red)
    assert 1.5 < reds[1] / reds[0] < 3
    phone = visitor.open((tmp_path / "sizes.html").as_uri(), size=PHONE, offline=True)
    phone.picture("replay-phone")
    visitor.open((tmp_path / "sizes.html").as_uri(), size=DARK, offline=True).picture("replay-dark")
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
