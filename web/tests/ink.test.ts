import { describe, expect, it } from "vitest";
import type { Rgb } from "../src/model/colours";
import {
  PAPER,
  base64,
  blank,
  bytesOf,
  copyOf,
  coverOf,
  flood,
  inColours,
  inGrey,
  inkOf,
  isBlank,
  line,
  type Ink,
} from "../src/model/ink";

const RED: Rgb = [180, 0, 0];
const BLUE: Rgb = [30, 90, 168];

const total = (ink: Ink): number => coverOf(ink).reduce((sum, cover) => sum + cover, 0) / 255;
const pixel = (ink: Ink, x: number, y: number): number[] => [...ink.pixels.slice(4 * (y * ink.width + x)).slice(0, 4)];

describe("ink", () => {
  it("covers what the pen covers: a dot is a disc, a line a disc and a rectangle", () => {
    const dot = blank(60, 60);
    line(dot, { x: 30, y: 30 }, { x: 30, y: 30 }, 10, RED);
    expect(total(dot)).toBeCloseTo(Math.PI * 100, -1);
    const stroke = blank(60, 60);
    line(stroke, { x: 20, y: 30 }, { x: 40, y: 30 }, 8, RED);
    expect(total(stroke) / (Math.PI * 64 + 20 * 16)).toBeCloseTo(1, 1);
    expect(pixel(stroke, 30, 30)).toEqual([...RED, 255]);
    expect(pixel(stroke, 30, 10)[3]).toBe(0);
  });

  it("stays on the paper", () => {
    const ink = blank(10, 10);
    line(ink, { x: -5, y: 5 }, { x: 15, y: 5 }, 2, RED);
    expect(pixel(ink, 0, 5)).toEqual([...RED, 255]);
    expect(ink.pixels).toHaveLength(400);
  });

  it("does not grow darker where strokes cross, and goes away under the eraser", () => {
    const ink = blank(40, 40);
    line(ink, { x: 20, y: 20 }, { x: 20, y: 20 }, 5, RED);
    const before = copyOf(ink);
    line(ink, { x: 20, y: 20 }, { x: 20, y: 20 }, 5, RED);
    expect(ink.pixels).toEqual(before.pixels);
    line(ink, { x: 20, y: 20 }, { x: 20, y: 20 }, 12, null);
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
      line(ink, { x: from[0], y: from[1] }, { x: to[0], y: to[1] }, 2, RED);
    }
    flood(ink, { x: 25, y: 25 }, BLUE);
    expect(pixel(ink, 25, 25)).toEqual([...BLUE, 255]);
    expect(pixel(ink, 10, 25)).toEqual([...RED, 255]);
    expect(pixel(ink, 3, 3)[3]).toBe(0);
    expect(total(ink) / (34 * 34)).toBeCloseTo(1, 1);
  });

  it("of one colour takes another, and what it touches keeps its own", () => {
    const ink = blank(60, 60);
    line(ink, { x: 10, y: 30 }, { x: 30, y: 30 }, 5, RED);
    line(ink, { x: 40, y: 10 }, { x: 40, y: 50 }, 8, BLUE);
    flood(ink, { x: 15, y: 30 }, [250, 200, 10]);
    expect(pixel(ink, 25, 30)).toEqual([250, 200, 10, 255]);
    expect(pixel(ink, 40, 30)).toEqual([...BLUE, 255]);
    const reds = Array.from({ length: 3600 }, (_, at) => pixel(ink, at % 60, Math.floor(at / 60)));
    expect(reds.filter(([red, , , cover]) => red === 180 && cover! > 0)).toEqual([]); // soft edges change too
  });

  it("is a silhouette or a picture when it is sent, and comes back as it was", () => {
    const ink = blank();
    line(ink, { x: 50, y: 60 }, { x: 90, y: 100 }, 9, BLUE);
    const { width, height, pixels } = inGrey(ink);
    expect([width, height]).toEqual([PAPER, PAPER]);
    expect([...bytesOf(pixels!)]).toEqual([...coverOf(ink)]);
    expect(inkOf(inColours(ink))).toEqual(ink);
    expect(inkOf({ width: 3, height: 3, colours: "" })).toBeNull();
    expect(inkOf(inGrey(ink))).toBeNull();
  });

  it("travels as base64", () => {
    const bytes = Uint8ClampedArray.from({ length: 256 }, (_, value) => value);
    expect(base64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    const many = Uint8Array.from({ length: 100_000 }, (_, value) => value % 251);
    expect(bytesOf(base64(many))).toEqual(many);
  });
});
