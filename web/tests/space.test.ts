import { describe, expect, it } from "vitest";
import { cellAt, cellsAtFace, footOf, toScene } from "../src/viewer/space";
import { bodyGeometry, studsGeometry, surfaceGeometry } from "../src/viewer/shapes";
import { arrivalOf, distanceLeft } from "../src/viewer/drop";

describe("the scene", () => {
  it("has low y in front, towards the viewer, and bricks 1.2 pitches high", () => {
    expect(toScene([1, 2, 3])).toEqual([1, 3.5999999999999996, -2]);
    expect(toScene([0, 0, 0])[2]).toBeGreaterThan(toScene([0, 5, 0])[2]);
  });

  it("is not a mirror image: x, y and z stay right handed", () => {
    const [x, y, z] = [toScene([1, 0, 0]), toScene([0, 1, 0]), toScene([0, 0, 1])];
    const turn =
      x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) + x[2] * (y[0] * z[1] - y[1] * z[0]);
    expect(turn).toBeGreaterThan(0);
  });

  it("gives back the cell whose middle it is shown", () => {
    for (const cell of [
      [0, 0, 0],
      [-3, 5, 2],
      [13, -1, 7],
    ] as const) {
      expect(cellAt(toScene([cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5]))).toEqual(cell);
    }
  });

  it("knows which cells a face lies between", () => {
    // The front of the cell (2, 0, 1), in the middle of it: scene z = 0, looking at the viewer.
    const { own, beside } = cellsAtFace([2.5, 1.8, 0], [0, 0, 1]);
    expect(own).toEqual([2, 0, 1]);
    expect(beside).toEqual([2, -1, 1]);
    expect(cellsAtFace([2.5, 1.2, -0.5], [0, 1, 0]).beside).toEqual([2, 0, 1]);
  });

  it("puts a brick's foot under its middle", () => {
    expect(footOf({ part: "2x4", x: 0, y: 0, z: 0, d: 1 })).toEqual([2, 0, -1]);
  });
});

describe("shapes", () => {
  it("look outwards on every side", () => {
    for (const geometry of [
      bodyGeometry(2, 4),
      studsGeometry(2, 4, 8),
      surfaceGeometry([
        [0, 0, 0],
        [1, 0, 0],
      ]),
    ]) {
      const [position, normal] = [geometry.getAttribute("position"), geometry.getAttribute("normal")];
      const index = geometry.getIndex()!;
      const point = (at: number): number[] => [position.getX(at), position.getY(at), position.getZ(at)];
      for (let first = 0; first < index.count; first += 3) {
        const [a, b, c] = [0, 1, 2].map((corner) => point(index.getX(first + corner))) as [
          number[],
          number[],
          number[],
        ];
        const [u, v] = [b.map((value, axis) => value - a[axis]!), c.map((value, axis) => value - a[axis]!)] as [
          number[],
          number[],
        ];
        const cross = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
        const at = index.getX(first);
        expect(cross[0]! * normal.getX(at) + cross[1]! * normal.getY(at) + cross[2]! * normal.getZ(at)).toBeGreaterThan(
          0,
        );
      }
    }
  });

  it("of two cells have ten faces outside and none between", () => {
    expect(
      surfaceGeometry([
        [0, 0, 0],
        [1, 0, 0],
      ]).getIndex()!.count,
    ).toBe(10 * 6);
  });
});

describe("a brick that arrives", () => {
  it("falls, and ends in its place", () => {
    expect(distanceLeft(0)).toBeGreaterThan(2);
    expect(distanceLeft(0.5)).toBeLessThan(distanceLeft(0.25));
    expect(distanceLeft(1)).toBe(0);
  });

  it("comes from the front where a brick is above its place", () => {
    const above = [{ part: "2x4", x: 1, y: 0, z: 2, d: 0 }];
    expect(arrivalOf({ part: "2x4", x: 0, y: 0, z: 1, d: 0 }, above, 1)).toEqual([0, 0, 1]);
    expect(arrivalOf({ part: "2x4", x: 0, y: 0, z: 1, d: 0 }, above, 0)).toEqual([0, 1, 0]);
    expect(arrivalOf({ part: "2x4", x: 0, y: 0, z: 3, d: 0 }, above, 1)).toEqual([0, 1, 0]);
    expect(arrivalOf({ part: "2x4", x: 3, y: 0, z: 1, d: 0 }, above, 1)).toEqual([0, 1, 0]);
  });
});
