import { describe, expect, it } from "vitest";
import { learnSome } from "./some_parts";
import type { Pose } from "../src/model/brick";
import { hullOf, iouWith, liftOf, pixelOf, viewsOf, type View } from "../src/model/views";

learnSome();
const SIDE = 14;
const empty = (): string[] => Array.from({ length: SIDE }, () => "0".repeat(SIDE));
const brick: Pose = { part: "2x4", x: 1, y: 2, z: 0, d: 0 };
/** What a brick in direction 0 at (1, 2, 0) looks like, three rows above the frame's floor. */
const front: View = { rows: empty().with(10, "01100000000000") };
const side: View = { rows: empty().with(10, "00111100000000") };
const top: View = { rows: empty().map((row, at) => (at >= 8 && at <= 11 ? "01100000000000" : row)) };

describe("views", () => {
  it("have the ground below: row 0 is the top, and the lift is the empty rows under a target", () => {
    expect(liftOf(front)).toBe(3);
    expect(liftOf({ rows: empty() })).toBe(0);
  });

  it("show a brick from the front, the right and above", () => {
    expect(viewsOf([brick], [front, side, top])).toEqual([front, side, top]);
    expect(viewsOf([brick], [front])).toEqual([front]);
  });

  it("leave out what is outside of the frame", () => {
    const far: Pose = { ...brick, x: -1 };
    expect(viewsOf([far], [front])[0]!.rows[10]).toBe("10000000000000");
  });

  it("of three sides cut a hull that is the brick again, on the ground", () => {
    const cells = hullOf([front, side, top]);
    expect(cells).toHaveLength(8);
    expect(iouWith({ cells, layer: 3 }, [brick])).toBe(1);
  });

  it("of one side go back as deep as a brick is long", () => {
    const hull = hullOf([front]);
    expect(hull).toHaveLength(8);
    expect(hull).toContainEqual([2, 3, 0]);
  });

  it("tell what fits, what is missing and what is too much", () => {
    const model = viewsOf([{ ...brick, x: 2 }], [front])[0];
    expect([0, 1, 2, 3].map((column) => pixelOf(front, model, 10, column))).toEqual([
      "none",
      "missing",
      "both",
      "extra",
    ]);
  });
});

it("IoU is shared room by all room, whatever layers cells are counted in", () => {
  const cells = [
    [1, 2, 0],
    [2, 2, 0],
    [9, 9, 9],
  ] as const;
  expect(iouWith({ cells, layer: 3 }, [brick])).toBeCloseTo(2 / 9);
  expect(iouWith({ cells, layer: 1 }, [brick])).toBeCloseTo(2 / 25);
  expect(iouWith({ cells, layer: 1 }, [{ ...brick, part: "plate 2x4" }])).toBeCloseTo(2 / 9);
  expect(iouWith({ cells: [], layer: 3 }, [])).toBe(0);
});
