import { learnSome } from "./some_parts";
import { describe, expect, it } from "vitest";
import type { Brick } from "../src/model/brick";
import { hullOf } from "../src/model/views";
import type { Judgement, Target } from "../src/studio/api";
import { Lane } from "../src/studio/lane";

learnSome();
const brick = (at: number): Brick => ({ part: "2x4", x: 0, y: 0, z: 3 * at, d: 0, colour: 4, step: at });
const judgement: Judgement = { verdict: { stands: true }, faults: [], sentences: [] };
const rows = Array.from({ length: 14 }, (_, row) => (row === 13 ? "11" : "00") + "0".repeat(12));
const target: Target = {
  id: "t",
  name: "n",
  kind: "drawing",
  views: [{ rows }],
  budget: 9,
  notes: [],
  hull: { cells: hullOf([{ rows }]), layer: 3 },
  preview: null,
  belief: null,
  source: null,
  size: [14, 4, 14],
  layer: 3,
  millimetres: [112, 32, 134],
  cells: 8,
  coloured: false,
  settings: {},
  byMason: false,
};

function built(count: number): Lane {
  const lane = new Lane("b3");
  lane.begin(0, target, "B3");
  for (let index = 0; index < count; index++) lane.arrive(index, { brick: brick(index), iou: index / 10, views: null });
  lane.finish(lane.bricks, { judgement, iou: (count - 1) / 10, likeness: null, walls: null });
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
      [6, 1],
      [9, 2],
    ]);
    expect(lane.state.steps.map(({ iou }) => iou)).toEqual([0, null, null]);
  });

  it("goes on from the bricks that are kept", () => {
    const lane = built(4);
    lane.begin(2, target, "Greedy");
    lane.arrive(2, { brick: brick(7), iou: 0.5, views: null });
    expect(lane.bricks.map(({ z }) => z)).toEqual([0, 3, 21]);
    expect(lane.state.builder).toBe("B3, then Greedy");
  });

  it("takes its score from the server, and from the hull where a hand has built", () => {
    const lane = built(2);
    expect(lane.scoreAt(2)).toEqual({ share: 0.1, byHull: false });
    lane.place(brick(0), 4, 0);
    expect(lane.scoreAt(1)).toEqual({ share: 1, byHull: false });
    lane.open([brick(0)], { name: "a file" });
    expect(lane.scoreAt(1).share).toBeNull();
  });

  it("says how like the target a finished model is, and nothing of one that is half built", () => {
    const lane = new Lane("mason");
    lane.begin(0, { ...target, byMason: true, hull: { cells: [], layer: 3 } }, "Mason");
    lane.receive([brick(0), brick(1)]);
    lane.receive([brick(2)]);
    expect([lane.length, lane.scoreAt(3).share]).toEqual([3, null]);
    lane.finish(lane.bricks, { judgement, iou: 0.9, likeness: { shape: 0.94, colour: 0.91 }, walls: null });
    expect(lane.scoreAt(3).share).toBe(0.94);
    expect(lane.scoreAt(2).share).toBeNull();
  });

  it("keeps all bricks and the verdict when one is painted, but not what was said of colours", () => {
    const lane = built(4);
    lane.finish(lane.bricks, { judgement, iou: 0.3, likeness: { shape: 0.9, colour: 0.8 }, walls: null });
    lane.paint(1, 14);
    expect(lane.bricks.map(({ colour }) => colour)).toEqual([4, 14, 4, 4]);
    expect(lane.state.judgement).toBe(judgement);
    expect(lane.state.likeness).toEqual({ shape: 0.9, colour: null });
    expect(lane.state.builder).toBe("B3, then by hand");
    lane.paint(2, 14);
    expect(lane.state.builder).toBe("B3, then by hand");
    lane.undo();
    lane.undo();
    expect(lane.bricks.map(({ colour }) => colour)).toEqual([4, 4, 4, 4]);
    expect(lane.state.builder).toBe("B3");
  });

  it("keeps the name of who built it when another agent is chosen", () => {
    const lane = built(2);
    lane.agent = "random";
    expect(lane.construction).toMatchObject({ schema: 2, builder: "B3", target: "n", budget: 9, iou: 0.1 });
  });

  it("counts the bricks that are there only so that it stands", () => {
    const lane = built(2);
    lane.open([brick(0), { ...brick(1), extra: true }], {});
    expect(lane.extras).toBe(1);
  });
});
