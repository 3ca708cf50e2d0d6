import { describe, expect, it } from "vitest";
import { base64, blank, copyOf, flood, isBlank, line } from "../src/model/ink";

const total = (pixels: ArrayLike<number>): number => Array.from(pixels).reduce((sum, grey) => sum + grey, 0) / 255;

describe("ink", () => {
  it("covers what the pen covers: a dot is a disc, a line a disc and a rectangle", () => {
    const dot = blank(60, 60);
    line(dot, { x: 30, y: 30 }, { x: 30, y: 30 }, 10);
    expect(total(dot.pixels)).toBeCloseTo(Math.PI * 100, -1);
    const stroke = blank(60, 60);
    line(stroke, { x: 20, y: 30 }, { x: 40, y: 30 }, 8);
    expect(total(stroke.pixels) / (Math.PI * 64 + 20 * 16)).toBeCloseTo(1, 1);
    expect(stroke.pixels[30 * 60 + 30]).toBe(255);
    expect(stroke.pixels[10 * 60 + 30]).toBe(0);
  });

  it("stays on the paper", () => {
    const ink = blank(10, 10);
    line(ink, { x: -5, y: 5 }, { x: 15, y: 5 }, 2);
    expect(ink.pixels[5 * 10]).toBe(255);
    expect(ink.pixels).toHaveLength(100);
  });

  it("does not grow darker where strokes cross, and goes away under the eraser", () => {
    const ink = blank(40, 40);
    line(ink, { x: 20, y: 20 }, { x: 20, y: 20 }, 5);
    const before = copyOf(ink);
    line(ink, { x: 20, y: 20 }, { x: 20, y: 20 }, 5);
    expect(ink.pixels).toEqual(before.pixels);
    line(ink, { x: 20, y: 20 }, { x: 20, y: 20 }, 12, true);
    expect(isBlank(ink)).toBe(true);
    expect(isBlank(before)).toBe(false);
  });

  it("fills an outline and nothing outside of it", () => {
    const ink = blank(50, 50);
    const corners = [
      [10, 10],
      [40, 10],
      [40, 40],
      [10, 40],
      [10, 10],
    ] as const;
    for (let corner = 1; corner < corners.length; corner++) {
      const [from, to] = [corners[corner - 1]!, corners[corner]!];
      line(ink, { x: from[0], y: from[1] }, { x: to[0], y: to[1] }, 2);
    }
    flood(ink, { x: 25, y: 25 });
    expect(ink.pixels[25 * 50 + 25]).toBe(255);
    expect(ink.pixels[3 * 50 + 3]).toBe(0);
    expect(total(ink.pixels) / (34 * 34)).toBeCloseTo(1, 1);
  });

  it("travels as base64", () => {
    const bytes = Uint8ClampedArray.from({ length: 256 }, (_, value) => value);
    expect(base64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
  });
});
