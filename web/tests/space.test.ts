import { BRICK, INVERTED, PLATE, SLOPE, TILE, learnSome } from "./some_parts";
import { describe, expect, it } from "vitest";
import { cellAt, cellsAtFace, footOf, toScene } from "../src/viewer/space";
import { bodyGeometry, studsGeometry, surfaceGeometry } from "../src/viewer/shapes";
import type { Volume } from "../src/model/brick";
import { arrivalOf, distanceLeft } from "../src/viewer/drop";

learnSome();

describe("the scene", () => {
  it("has low y in front, towards the viewer, and plates 0.4 pitches high", () => {
    expect(toScene([1, 2, 5])).toEqual([1, 2, -2]);
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
    const { own, beside } = cellsAtFace([2.5, 0.6, 0], [0, 0, 1]);
    expect(own).toEqual([2, 0, 1]);
    expect(beside).toEqual([2, -1, 1]);
    expect(cellsAtFace([2.5, 1.19, -0.5], [0, 1, 0])).toEqual({ own: [2, 0, 2], beside: [2, 0, 3] });
  });

  it("puts a brick's foot under its middle", () => {
    expect(footOf({ part: "2x4", x: 0, y: 0, z: 0, d: 1 })).toEqual([2, 0, -1]);
  });
});

const PAIR: Volume = {
  cells: [
    [0, 0, 0],
    [1, 0, 0],
  ],
  layer: 3,
};

describe("shapes", () => {
  it("of parts fill their boxes, but for a gap", () => {
    for (const part of [BRICK, PLATE, TILE, SLOPE]) {
      const geometry = bodyGeometry(part);
      geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox!;
      const [wide, high, deep] = [max.x - min.x, max.y - min.y, max.z - min.z];
      expect(min.y).toBe(0);
      for (const [found, whole] of [
        [wide, part.width],
        [high, 0.4 * part.height],
        [deep, part.length],
      ] as const) {
        expect(whole - found).toBeGreaterThan(0);
        expect(whole - found).toBeLessThan(0.03);
      }
    }
  });

  it("have outlines along edges and none across faces", () => {
    for (const part of [BRICK, SLOPE]) {
      const geometry = bodyGeometry(part);
      const edges = geometry.getAttribute("edges");
      const index = geometry.getIndex()!;
      const nearest = (at: number[], share: number[]): number =>
        Math.min(...[0, 1, 2, 3].map((edge) => at.reduce((sum, v, k) => sum + share[k]! * edges.getComponent(v, edge), 0)));
      for (let first = 0; first < index.count; first += 3) {
        const at = [0, 1, 2].map((corner) => index.getX(first + corner));
        for (let corner = 0; corner < 3; corner++) {
          expect(nearest([at[corner]!], [1])).toBeCloseTo(0); // every corner is one of the outline
        }
        expect(nearest(at, [1 / 3, 1 / 3, 1 / 3])).toBeGreaterThan(0.05);
      }
    }
  });

  it("have a stud where the part has one", () => {
    const studs = studsGeometry(SLOPE, 8);
    studs.computeBoundingBox();
    const { min, max } = studs.boundingBox!;
    expect([min.x, min.y, min.z, max.x, max.y, max.z].map((each) => Number(each.toFixed(5)))).toEqual([
      -0.8, 1.2, -0.3, -0.2, 1.4, 0.3,
    ]);
  });

  it("look outwards on every side", () => {
    for (const geometry of [
      ...[BRICK, PLATE, TILE, SLOPE, INVERTED].map(bodyGeometry),
      studsGeometry(BRICK, 8),
      surfaceGeometry(PAIR),
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
    expect(surfaceGeometry(PAIR).getIndex()!.count).toBe(10 * 6);
  });
});

describe("a brick that arrives", () => {
  it("falls, and ends in its place", () => {
    expect(distanceLeft(0)).toBeGreaterThan(2);
    expect(distanceLeft(0.5)).toBeLessThan(distanceLeft(0.25));
    expect(distanceLeft(1)).toBe(0);
  });

  it("comes from the front where a brick is above its place", () => {
    const above = [{ part: "2x4", x: 1, y: 0, z: 6, d: 0 }];
    const arrival = (x: number, z: number, count = 1, part = "2x4"): readonly number[] =>
      arrivalOf({ part, x, y: 0, z, d: 0 }, above, count);
    expect(arrival(0, 3)).toEqual([0, 0, 1]);
    expect(arrival(0, 5, 1, "plate 2x4")).toEqual([0, 0, 1]);
    expect(arrival(0, 3, 0)).toEqual([0, 1, 0]);
    expect(arrival(0, 9)).toEqual([0, 1, 0]);
    expect(arrival(3, 3)).toEqual([0, 1, 0]);
  });
});
