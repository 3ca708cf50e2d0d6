import { describe, expect, it } from "vitest";
import {
  boxAround,
  boxesOf,
  cellsOf,
  centredAt,
  covers,
  directionOf,
  extentOf,
  filledBy,
  fittingAt,
  keyOf,
  layerOf,
  obstacle,
  roomAmong,
  topOf,
  upToDate,
  type Pose,
} from "../src/model/brick";
import { BRICK, SLOPE, learnSome } from "./some_parts";
import { turned } from "../src/model/parts";

learnSome();
const at = (x: number, y: number, z: number, d = 0): Pose => ({ part: "2x4", x, y, z, d });
const a = (part: string, x: number, y: number, z: number, d = 0): Pose => ({ part, x, y, z, d });

describe("a brick", () => {
  it("has two studs along x and four along y in direction 0, the other way round in direction 1", () => {
    expect(extentOf(at(0, 0, 0, 0))).toEqual([2, 4]);
    expect(extentOf(at(0, 0, 0, 1))).toEqual([4, 2]);
  });

  it("fills the cells from its minimum corner on, three plates high", () => {
    const pose = at(3, -1, 2, 1);
    const cells = cellsOf(pose);
    expect(cells).toHaveLength(24);
    expect(topOf(pose)).toBe(5);
    const around = [3, 6, 7].flatMap((x) => [1, 2, 4, 5].map((z) => [x, 0, z] as const));
    for (const cell of around) {
      const inside = cell[0] < 7 && cell[2] >= 2 && cell[2] < 5;
      expect(covers(pose, cell)).toBe(inside);
      expect(cells.some((each) => each.join() === cell.join())).toBe(inside);
    }
  });

  it("of no known part is refused", () => {
    expect(() => extentOf({ part: "9x9", d: 0 })).toThrow("no part 9x9");
  });

  it("lies in one direction only if it is square, and a slope in four", () => {
    expect(["2x2", "2x4", "slope 45 2x1"].map((part) => [0, 1, 2, 3].map((d) => directionOf(part, d)))).toEqual([
      [0, 0, 0, 0],
      [0, 1, 0, 1],
      [0, 1, 2, 3],
    ]);
  });

  it("of a file that counted bricks is raised", () => {
    const old = { schema: 1, bricks: [{ ...at(0, 0, 2), colour: 4, step: 0 }], target: "", builder: "", budget: null, iou: null };
    expect(upToDate(old).bricks[0]!.z).toBe(6);
    expect(upToDate(upToDate(old))).toEqual(upToDate(old));
  });

  it("covers the cell that it is centred at, whichever way it lies", () => {
    for (const d of [0, 1]) expect(filledBy([centredAt([5, 7, 1], "2x4", d)])).toContain(keyOf([5, 7, 1]));
  });
});

describe("a part", () => {
  it("has its studs behind the face that falls to +x, +y, -x and -y", () => {
    expect([0, 1, 2, 3].map((d) => turned(SLOPE, SLOPE.studs, d)[0])).toEqual([
      [0, 0],
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
  });

  it("covers the same columns however it is turned, within the extent of that direction", () => {
    for (const d of [0, 1, 2, 3]) {
      const [alongX, alongY] = extentOf({ part: "2x4", d });
      const columns = turned(BRICK, BRICK.studs, d);
      expect(new Set(columns.map(String)).size).toBe(8);
      expect(columns.every(([x, y]) => x >= 0 && y >= 0 && x < alongX && y < alongY)).toBe(true);
    }
  });
});

describe("a brick that is to be placed", () => {
  const beside = (...poses: Pose[]) => roomAmong(poses);

  it("needs a stud to hold it, above or below", () => {
    expect(obstacle(at(1, 3, 3), beside(at(0, 0, 0)))).toBeNull();
    expect(obstacle(at(1, 3, 0), beside(at(0, 0, 3)))).toBeNull();
    expect(obstacle(at(2, 0, 0), beside(at(0, 0, 0)))).toMatch("stud");
    expect(obstacle(at(2, 0, 3), beside(at(0, 0, 0)))).toMatch("stud");
    expect(obstacle(at(1, 3, 4), beside(at(0, 0, 0)))).toMatch("stud"); // a plate too high
  });

  it("needs room and ground, and nothing else if it is the first", () => {
    expect(obstacle(at(1, 0, 2), beside(at(0, 0, 0)))).toMatch("in the way");
    expect(obstacle(at(0, 0, -1), beside(at(0, 0, 0)))).toMatch("below the ground");
    expect(obstacle(at(9, 9, 4), beside())).toBeNull();
  });

  it("is not held by a tile, nor by the face of a slope", () => {
    expect(obstacle(at(0, 0, 1), beside(a("tile 1x2", 0, 0, 0)))).toMatch("stud");
    expect(obstacle(a("tile 1x2", 0, 0, 3), beside(at(0, 0, 0)))).toBeNull();
    const slope = beside(a("slope 45 2x1", 0, 0, 0, 2)); // which falls to the left
    expect(obstacle(a("tile 1x2", 0, 0, 3), slope)).toMatch("stud");
    expect(obstacle(a("tile 1x2", 1, 0, 3), slope)).toBeNull();
  });

  it("hangs on a stud with its foot alone where it is an inverted slope", () => {
    const below = beside(a("tile 1x2", 5, 5, 0), at(0, 0, 0));
    expect(obstacle(a("inverted slope 45 2x1", 1, 0, 3, 0), below)).toBeNull();
    expect(obstacle(a("inverted slope 45 2x1", 1, 0, 3, 2), below)).toMatch("stud");
  });

  it("can be joined to the top of another in 46 ways, as every count of two 2x4 bricks has it", () => {
    for (const part of ["2x4", "plate 2x4"]) {
      let ways = 0;
      for (const d of [0, 1]) {
        for (let x = -5; x <= 5; x++)
          for (let y = -5; y <= 5; y++) if (obstacle(a(part, x, y, 3, d), beside(at(0, 0, 0))) === null) ways++;
      }
      expect(ways).toBe(46); // 24 of them different when the pair may be turned
    }
  });
});

describe("a brick near the pointer", () => {
  const tower = roomAmong([at(0, 0, 0), at(0, 0, 3)]);

  it("is moved aside until it fits, as long as it covers the cell", () => {
    const room = roomAmong([at(0, 0, 0), at(2, 0, 0), at(0, 0, 3)]);
    for (const z of [3, 4, 5]) {
      const pose = fittingAt([2, 1, z], "2x4", 1, room);
      expect(obstacle(pose, room)).toBeNull();
      expect(covers(pose, [2, 1, z])).toBe(true);
    }
  });

  it("goes under what it is held to from below", () => {
    const room = roomAmong([at(0, 0, 6)]);
    expect(fittingAt([0, 1, 5], "2x4", 0, room).z).toBe(3);
    expect(fittingAt([0, 1, 5], "plate 2x4", 0, room).z).toBe(5);
  });

  it("stays centred where it fits, and where nothing does", () => {
    expect(fittingAt([0, 1, 6], "2x4", 0, tower)).toEqual(centredAt([0, 1, 6], "2x4", 0));
    expect(fittingAt([8, 8, 15], "2x4", 0, tower)).toEqual(centredAt([8, 8, 15], "2x4", 0));
  });
});

it("layers are as high as bricks, unless something finer is there", () => {
  expect([layerOf([]), layerOf([at(0, 0, 0), at(0, 0, 3)]), layerOf([at(0, 0, 1)])]).toEqual([3, 3, 1]);
  expect(layerOf([at(0, 0, 0), a("tile 1x2", 0, 0, 3)])).toBe(1);
});

it("a box holds bricks and cells, and there is none around nothing", () => {
  const cells = boxesOf({ cells: [[5, -1, 3]], layer: 3 });
  expect(boxAround([at(0, 0, 0)], cells)).toEqual({ low: [0, -1, 0], high: [6, 4, 12] });
  expect(boxAround([a("plate 2x4", 0, 0, 4)])).toEqual({ low: [0, 0, 4], high: [2, 4, 5] });
  expect(boxAround([])).toBeNull();
});

it("keys tell all cells apart that files may hold", () => {
  const ends = [-100_000, -1, 0, 99_999];
  const cells = ends.flatMap((x) => ends.flatMap((y) => ends.map((z) => [x, y, z] as const)));
  expect(new Set(cells.map(keyOf)).size).toBe(ends.length ** 3);
  expect(filledBy([at(0, 0, 0)]).size).toBe(24);
});
