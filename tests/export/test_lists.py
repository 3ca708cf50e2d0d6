"""Lists of parts as people keep them: what is known of them is read, what is not is told."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.colours import COLOURS
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import to_ldraw
from brickbybrick.export.lists import colours_in_list, contents_of, is_file, part_called, prices_in
from brickbybrick.export.parts import bricklink_list, listed, rebrickable_list
from brickbybrick.geometry.inventory import Kind
from brickbybrick.geometry.part import PARTS, Part

BRICK, PLATE, SMALL = Part.parse("2x4"), Part.parse("plate 1x2"), Part.parse("1x1")
RED, BLUE, WHITE, BLACK = 4, 1, 15, 0

# As the sites write them: with other columns, parts, colours, and none left of some.
REBRICKABLE = (
    b"\xef\xbb\xbfPart,Color,Quantity,Is Spare\r\n3001,15,2,False\r\n3005,4,9,False\r\n3001,0,0,False\r\n"
    b"3001old,15,1,True\r\n3941,14,50,False\r\n3003,47,3,False\r\n3005,326,1,False\r\n3023b,9999,5,False\r\n"
)
BRICKLINK = """<?xml version="1.0" encoding="UTF-8"?>
<ORDER><ORDERID>1</ORDERID><REMARKS>red</REMARKS><QTY>77</QTY>
 <ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>11</COLOR><QTY>4</QTY></ITEM>
 <!-- <ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR><QTY>4</QTY></ITEM> -->
 <ITEM>
  <ITEMTYPE>P</ITEMTYPE><ITEMID>3005</ITEMID><COLOR>5</COLOR><MINQTY>3</MINQTY><QTYFILLED>1</QTYFILLED>
 </ITEM>
 <item><itemtype>p</itemtype><itemid>3023</itemid><minqty>2</minqty></item>
 <ITEM><ITEMTYPE>M</ITEMTYPE><ITEMID>sw0001</ITEMID><COLOR>0</COLOR><QTY>1</QTY></ITEM>
 <ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>12</COLOR><QTY>6</QTY></ITEM>
</ORDER>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Mine.CSV").write_bytes(REBRICKABLE)
    (tmp_path / "order.xml").write_text(BRICKLINK)
    model = Construction((PlacedBrick("2x4", 0, 0, 0, 0, RED), PlacedBrick("plate 1x2", 0, 0, 3, 0, WHITE)))
    model.save(tmp_path / "model.json")
    (tmp_path / "model.ldr").write_bytes(to_ldraw(model))
    (tmp_path / "short.txt").write_text("# mine\n2x4=3, red 1x1=2\n\nplate 1x2,\n")
    return tmp_path


def test_a_set_of_rebrickable_with_its_spares(folder: Path) -> None:
    """Its 326 is LDraw's 330; 47, transparent, and the number 3941, a round brick, are told of."""
    contents = contents_of([str(folder / "Mine.CSV")])
    assert contents.counts == {(BRICK, WHITE): 3, (SMALL, RED): 9, (SMALL, 330): 1, (PLATE, None): 5}
    assert contents.notes == [
        "50 of 71 parts of Mine.CSV are of kinds that are not built with: 3941 (50)",
        "3 of 71 parts of Mine.CSV are in colours that are not built in: trans clear (3)",
    ]
    assert not contents.named


def test_an_order_of_bricklink(folder: Path) -> None:
    """With BrickLink's numbers of colours; comments do not count, nor what is no item."""
    contents = contents_of([str(folder / "order.xml")])
    assert contents.counts == {(BRICK, BLACK): 4, (SMALL, RED): 3, (PLATE, None): 2}
    assert contents.notes == [
        "1 of 16 parts of order.xml is of kinds that are not built with: figure sw0001 (1)",
        "6 of 16 parts of order.xml are in colours that are not built in: trans clear (6)",
    ]


def test_several_boxes_add_up(folder: Path) -> None:
    files = [str(folder / name) for name in ("order.xml", "model.ldr", "model.json", "short.txt")]
    contents = contents_of([*files, "white plate 1x2=5,red 2x4"])
    assert contents.counts == {
        (BRICK, BLACK): 4,
        (BRICK, RED): None,
        (BRICK, None): 3,
        (SMALL, RED): 5,
        (PLATE, None): None,
        (PLATE, WHITE): 7,
    }
    assert contents.named == {BRICK, PLATE, SMALL}
    assert [is_file(name) for name in ("a.CSV", "set.mpd", "2x4=1", "red 2x4")] == [True, True, False, False]


def test_tables_of_spreadsheets(tmp_path: Path) -> None:
    """In UTF-16, with semicolons or tabs, other names of columns, our own names of parts and colours."""
    path = tmp_path / "a.csv"
    for text in (
        "part_num;colour;qty\n2x4;Light Bluish Gray;7\n",
        "Part\tColor\tQuantity\r\n3001\t71\t7\r\n",
        "Name,Quantity,Color,Part\nBrick,7,71,3001\n",
    ):
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
            path.write_bytes(text.encode(encoding))
            assert contents_of([str(path)]).counts == {(BRICK, 71): 7}


KINDS = st.tuples(st.sampled_from(sorted(PARTS)), st.none() | st.sampled_from(sorted(COLOURS)))


@settings(deadline=None)
@given(st.dictionaries(KINDS, st.integers(1, 999_999), min_size=1, max_size=60))
def test_what_is_written_comes_back(counts: dict[Kind, int]) -> None:
    """For both sites, all parts and colours, those too that BrickLink has no number for."""
    with TemporaryDirectory() as folder:
        for ending, text in (("csv", rebrickable_list(listed(counts))), ("xml", bricklink_list(listed(counts)))):
            path = Path(folder) / f"mine.{ending}"
            path.write_text(text)
            contents = contents_of([str(path)])
            assert contents.counts == counts
            assert not contents.notes
            colours = {colour for _, colour in counts} - {None}
            if colours:
                assert set(colours_in_list(path)) == colours
            else:
                with pytest.raises(InputError, match="no brick in a known colour"):
                    colours_in_list(path)


def test_the_colours_of_a_list_those_first_of_which_there_are_most(folder: Path) -> None:
    assert colours_in_list(folder / "Mine.CSV") == (RED, WHITE, 330)
    assert colours_in_list(folder / "order.xml") == (BLACK, RED)
    assert set(colours_in_list(folder / "model.ldr")) == {RED, WHITE}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\x00\x89PNG",
        b"\xff\xfe\x00",
        b"Part,Color,Quantity\n,4,3\n",
        b"<INVENTORY></INVENTORY>",
        b"<!--" * 30_000,
        b"</ITEM>" * 15_000,
    ],
)
@pytest.mark.parametrize("ending", [".csv", ".xml"])
def test_what_lists_no_bricks_is_refused(content: bytes, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"list{ending}"
    path.write_bytes(content)
    for read in (colours_in_list, lambda path: contents_of([str(path)])):
        with pytest.raises(InputError, match="give a parts list"):
            read(path)


ITEM = "<ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR><MINQTY>{}</MINQTY></ITEM>"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", "Part,Color,Quantity\n3003,4,1\n3001,4,-3\n", "a count of '-3' of '3001'"),
        ("a.csv", "Part,Color,Quantity\n3001,4,1e3\n", "a count of '1e3' of '3001'"),
        ("a.csv", "Part,Color,Quantity\n3001,4,9999999999\n", "a count of '9999999999' of '3001'"),
        ("a.csv", 'Part,Color,Quantity\n3003,4,1\n"3001,4,3\n', "line 3 is no row of a table"),
        ("a.csv", "Part,Color,Quantity\n" + "a" * 200_000, "line 2 is no row of a table"),
        ("a.xml", ITEM.format(3) + ITEM.format(-3), "a count of '-3' of '3001'"),
        ("a.xml", ITEM.format(3) + ITEM.format(4)[:-9], "it ends within an item"),
        ("a.xml", "<ITEM>" * 100_000, "it ends within an item"),
        (
            "a.xml",
            '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;">]>' + ITEM.format(3),
            "it defines words of its own",
        ),
        ("a.xml", '<!DOCTYPE x [<!entity a SYSTEM "file:///a">]>' + ITEM.format("&a;"), "it defines words of its own"),
        ("a.txt", "2x4=3\n1x2=-3\n", "-3 parts 1x2"),
        ("a.txt", "2x4=3\nnothing\n", "'nothing' is no part"),
        ("a.bsx", "", "no list ends in .bsx"),
    ],
)
def test_mistakes_in_a_list_are_told_with_its_name(name: str, content: str, says: str, tmp_path: Path) -> None:
    """A part of a list would be taken for all of it, so there is nothing to be had of a list with a mistake."""
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        contents_of([str(path)])
    assert str(caught.value).startswith(f"{path}: {says}")


def test_what_a_list_says_cannot_upset_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Part,Color,Quantity\n3001,4,1\n\x1b[2Jgone\x00,4,2\n")
    (note,) = contents_of([str(path)]).notes
    assert note.isprintable()


def test_numbers_of_colours_are_those_of_the_site(tmp_path: Path) -> None:
    """17 is BrickLink's transparent red and LDraw's light green; 5 is BrickLink's red and Rebrickable's dark pink."""
    path = tmp_path / "a.xml"
    path.write_text(ITEM.format(3) + ITEM.format(2).replace("<COLOR>5", "<COLOR>17"))
    contents = contents_of([str(path)])
    assert contents.counts == {(BRICK, RED): 3}
    assert contents.notes == ["2 of 5 parts of a.xml are in colours that are not built in: trans red (2)"]
    path = tmp_path / "a.csv"
    path.write_text("Part,Color,Quantity\n3001,5,3\n3001,17,2\n")
    contents = contents_of([str(path)])
    assert contents.counts == {(BRICK, 5): 3}
    assert contents.notes == ["2 of 5 parts of a.csv are in colours that are not built in: light green (2)"]


def test_older_and_newer_moulds_are_the_same_part() -> None:
    """Every number of ours, and what catalogues write for moulds of other years; prints are other parts."""
    for part, known in PARTS.items():
        assert part_called(known.number) == part_called(str(part)) == part
    for number, name in (
        ("3001old", "2x4"),
        ("3040a", "slope 45 2x1"),
        ("3068", "tile 2x2"),
        ("44237", "2x6"),
        ("3065", "1x2"),
    ):
        assert part_called(number) == Part.parse(name)
    for number in ("3001pb01", "3070bpr0001", "3794", "", "3001x", "x3001", "2x5", "red 2x4"):
        assert part_called(number) is None


def test_counts_have_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Part,Color,Quantity\n" + "3001,4,999999999\n" * 3)
    assert contents_of([str(path)]).counts == {(BRICK, RED): 1_000_000}
    with pytest.raises(InputError, match="cannot be read"):
        contents_of([str(tmp_path / "none.csv")])
    (tmp_path / "large.csv").write_bytes(b"a" * 10_000_001)
    with pytest.raises(InputError, match="larger than 10 MB"):
        contents_of([str(tmp_path / "large.csv")])


def test_prices_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(
        "part,colour,price,currency\n3001,red,0.12,EUR\n2x4,,0.20,eur\nplate 1x2,71,0.05,EUR\n3941,4,9,USD\n"
        "3001,47,0.30,EUR\n3001,Trans-Red,0.30,EUR\n3001,998,1,EUR\n"
    )
    assert str(prices_in(path)) == "EUR,red 2x4=0.12,2x4=0.20,light bluish grey plate 1x2=0.05"
    path.write_text("Part;Color;Price;Currency\n3001;4;0,12;EUR\n")
    assert str(prices_in(path)) == "EUR,red 2x4=0.12"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("", "no prices of bricks"),
        ("3001,4,1,EUR\n3001,1,1,USD", "prices in 'EUR', 'USD': give all in one currency"),
        ("3001,4,cheap,EUR", "a price of 'cheap'"),
        ("3001,4,1,", "a currency ''"),
        ("3001,mauve,1,EUR", "no colour 'mauve'"),
        ("3001,4,1,EUR\n2x4,red,2,EUR", "two prices of red 2x4"),
    ],
)
def test_mistakes_in_prices(rows: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(f"part,colour,price,currency\n{rows}\n")
    with pytest.raises(InputError, match=says) as caught:
        prices_in(path)
    assert str(path) in str(caught.value)
