import { describe, expect, it } from "vitest";
import type { Brick } from "../src/model/brick";
import { hullOf } from "../src/model/views";
import type { Judgement, Target } from "../src/studio/api";
import { Lane } from "../src/studio/lane";

const brick = (z: number): Brick => ({ part: "2x4", x: 0, y: 0, z, d: 0, colour: 4, step: z });
const judgement: Judgement = { verdict: { stands: true }, faults: [], sentences: [] };
const rows = Array.from({ length: 14 }, (_, row) => (row === 13 ? "11" : "00") + "0".repeat(12));
const target: Target = { target: "t", name: "n", views: [{ rows }], budget: 9, notes: [], hull: hullOf([{ rows }]) };

function built(count: number): Lane {
  const lane = new Lane("b3");
  lane.begin(0);
  for (let index = 0; index < count; index++) lane.arrive(index, { brick: brick(index), iou: index / 10, views: null });
  lane.finish(lane.bricks, (count - 1) / 10, judgement);
  return lane;
}

describe("a lane", () => {
  it("undoes a whole build at once", () => {
    const lane = built(3);
    expect(lane.length).toBe(3);
    lane.undo();
    expect(lane.length).toBe(0);
    lane.redo();
    expect(lane.state.judgement).toBe(judgement);
  });

  it("drops later bricks when a hand places one, and can have them back", () => {
    const lane = built(5);
    lane.place({ part: "2x4", x: 1, y: 1, z: 2, d: 1 }, 14, 2);
    expect(lane.bricks.map(({ x, colour, step }) => [x, colour, step])).toEqual([
      [0, 4, 0],
      [0, 4, 1],
      [1, 14, 2],
    ]);
    expect(lane.state.judgement).toBeNull();
    lane.undo();
    expect(lane.length).toBe(5);
  });

  it("counts steps anew when a hand removes a brick", () => {
    const lane = built(4);
    lane.remove(1, 4);
    expect(lane.bricks.map(({ z, step }) => [z, step])).toEqual([
      [0, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(lane.state.steps.map(({ iou }) => iou)).toEqual([0, null, null]);
  });

  it("goes on from the bricks that are kept", () => {
    const lane = built(4);
    lane.begin(2);
    lane.arrive(2, { brick: brick(7), iou: 0.5, views: null });
    expect(lane.bricks.map(({ z }) => z)).toEqual([0, 1, 7]);
  });

  it("takes its score from the server, and from the hull where a hand has built", () => {
    const lane = built(2);
    expect(lane.scoreAt(2, target)).toEqual({ iou: 0.1, byHull: false });
    lane.place(brick(0), 4, 0);
    expect(lane.scoreAt(1, target)).toEqual({ iou: 1, byHull: false });
    expect(lane.scoreAt(1, null).iou).toBeNull();
  });
});
