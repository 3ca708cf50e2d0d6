import { describe, expect, it } from "vitest";
import { History } from "../src/model/history";
import { Timeline } from "../src/model/timeline";

const of = (total: number): Timeline => {
  const timeline = new Timeline();
  timeline.extend(total);
  return timeline;
};

describe("a timeline", () => {
  it("shows the first brick at once, then three a second, and more at a higher speed", () => {
    const timeline = of(100);
    timeline.play();
    timeline.advance(1 / 60 + 1e-9);
    expect(timeline.shown).toBe(1);
    for (let frame = 1; frame < 60; frame++) timeline.advance(1 / 60 + 1e-9);
    expect(timeline.shown).toBe(4);
    timeline.speed = 4;
    for (let frame = 0; frame < 60; frame++) timeline.advance(1 / 60 + 1e-9);
    expect(timeline.shown).toBe(16);
  });

  it("shows large models in the time that a hundred bricks take", () => {
    const timeline = of(5000);
    timeline.play();
    for (let second = 0; second < 34 * 4; second++) timeline.advance(0.25);
    expect([timeline.shown, timeline.playing]).toEqual([5000, false]);
  });

  it("stops at the end, and plays from the start again", () => {
    const timeline = of(2);
    timeline.play();
    expect(timeline.advance(10)).toBe(false);
    expect([timeline.shown, timeline.playing]).toEqual([2, false]);
    timeline.play();
    expect([timeline.shown, timeline.playing]).toEqual([0, true]);
  });

  it("waits at the end while bricks may still come", () => {
    const timeline = of(0);
    timeline.open = true;
    timeline.play();
    expect(timeline.advance(5)).toBe(true);
    timeline.extend(3);
    timeline.advance(0.01);
    expect([timeline.shown, timeline.playing]).toEqual([1, true]);
  });

  it("stays within the bricks there are", () => {
    const timeline = of(5);
    timeline.step(-1);
    expect(timeline.shown).toBe(0);
    timeline.show(99);
    expect(timeline.shown).toBe(5);
    timeline.extend(3);
    expect(timeline.shown).toBe(3);
  });

  it("tells of every change", () => {
    let told = 0;
    const timeline = new Timeline(() => told++);
    timeline.extend(3);
    timeline.play();
    expect(told).toBe(2);
    timeline.advance(0.01);
    expect(told).toBe(3);
    timeline.advance(0.01);
    expect(told).toBe(3);
  });
});

describe("a history", () => {
  it("goes back and forth, and forgets what was undone once something new is done", () => {
    const history = new History("a");
    history.push("b");
    history.push("c");
    expect([history.undo(), history.current]).toEqual([true, "b"]);
    expect([history.redo(), history.current]).toEqual([true, "c"]);
    history.undo();
    history.push("d");
    expect(history.canRedo).toBe(false);
    history.undo();
    history.undo();
    expect([history.current, history.undo()]).toEqual(["a", false]);
  });

  it("keeps so many states and no more", () => {
    const history = new History(0, 3);
    for (let state = 1; state <= 9; state++) history.push(state);
    while (history.undo());
    expect(history.current).toBe(6);
  });
});
