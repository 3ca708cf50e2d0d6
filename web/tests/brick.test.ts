import { describe, expect, it } from "vitest";
import {
  boxAround,
  cellsOf,
  centredAt,
  directionOf,
  extentOf,
  filledBy,
  fittingAt,
  keyOf,
  obstacle,
  sizeOf,
  type Pose,
} from "../src/model/brick";

const at = (x: number, y: number, z: number, d = 0): Pose => ({ part: "2x4", x, y, z, d });

describe("a brick", () => {
  it("has two studs along x and four along y in direction 0, the other way round in direction 1", () => {
    expect(extentOf(at(0, 0, 0, 0))).toEqual([2, 4]);
    expect(extentOf(at(0, 0, 0, 1))).toEqual([4, 2]);
  });

  it("fills the cells from its minimum corner on, in one layer", () => {
    const cells = cellsOf(at(3, -1, 2, 1));
    expect(cells).toHaveLength(8);
    expect(cells).toContainEqual([3, -1, 2]);
    expect(cells).toContainEqual([6, 0, 2]);
    expect(cells).not.toContainEqual([7, 0, 2]);
  });

  it("of no known size is refused", () => {
    expect(() => sizeOf("long")).toThrow("2x4");
  });

  it("lies in one direction only if it is square", () => {
    expect(["2x2", "1x1", "2x3"].map((part) => directionOf(part, 1))).toEqual([0, 0, 1]);
  });

  it("covers the cell that it is centred at, whichever way it lies", () => {
    for (const d of [0, 1]) expect(filledBy([centredAt([5, 7, 1], "2x4", d)])).toContain(keyOf([5, 7, 1]));
  });
});

describe("a brick that is to be placed", () => {
  it("needs a stud to hold it, above or below", () => {
    expect(obstacle(at(1, 3, 1), filledBy([at(0, 0, 0)]))).toBeNull();
    expect(obstacle(at(1, 3, 0), filledBy([at(0, 0, 1)]))).toBeNull();
    expect(obstacle(at(2, 0, 0), filledBy([at(0, 0, 0)]))).toMatch("stud");
    expect(obstacle(at(2, 0, 1), filledBy([at(0, 0, 0)]))).toMatch("stud");
  });

  it("needs room and ground, and nothing else if it is the first", () => {
    expect(obstacle(at(1, 0, 0), filledBy([at(0, 0, 0)]))).toMatch("in the way");
    expect(obstacle(at(0, 0, -1), filledBy([at(0, 0, 0)]))).toMatch("below the ground");
    expect(obstacle(at(9, 9, 4), filledBy([]))).toBeNull();
  });

  it("can be joined to the top of another in 46 ways, as every count of two 2x4 bricks has it", () => {
    let ways = 0;
    for (const d of [0, 1]) {
      for (let x = -5; x <= 5; x++)
        for (let y = -5; y <= 5; y++) if (obstacle(at(x, y, 1, d), filledBy([at(0, 0, 0)])) === null) ways++;
    }
    expect(ways).toBe(46); // 24 of them different when the pair may be turned
  });
});

describe("a brick near the pointer", () => {
  const tower = filledBy([at(0, 0, 0), at(0, 0, 1)]);

  it("is moved aside until it fits, as long as it covers the cell", () => {
    const filled = filledBy([at(0, 0, 0), at(2, 0, 0), at(0, 0, 1)]);
    const pose = fittingAt([2, 1, 1], "2x4", 1, filled);
    expect(obstacle(pose, filled)).toBeNull();
    expect(filledBy([pose])).toContain(keyOf([2, 1, 1]));
  });

  it("stays centred where it fits, and where nothing does", () => {
    expect(fittingAt([0, 1, 2], "2x4", 0, tower)).toEqual(centredAt([0, 1, 2], "2x4", 0));
    expect(fittingAt([8, 8, 5], "2x4", 0, tower)).toEqual(centredAt([8, 8, 5], "2x4", 0));
  });
});

it("a box holds bricks and cells, and there is none around nothing", () => {
  expect(boxAround([at(0, 0, 0)], [[5, -1, 3]])).toEqual({ low: [0, -1, 0], high: [6, 4, 4] });
  expect(boxAround([])).toBeNull();
});
