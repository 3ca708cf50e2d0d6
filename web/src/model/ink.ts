/** Ink on paper: coloured pixels, opaque where there is ink, drawn with round pens and with soft edges. */

import type { Rgb } from "./colours.ts";

export const PAPER = 224; // pixels of a side, sixteen for each that an agent sees

export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray; // red, green, blue and how much of the paper they cover, pixel by pixel
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A drawing as a request and a project carry it. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly colours?: string; // base64 of red, green, blue and cover
  readonly pixels?: string; // base64 of the cover alone
}

export function blank(width = PAPER, height = PAPER): Ink {
  return { width, height, pixels: new Uint8ClampedArray(4 * width * height) };
}

export function copyOf(ink: Ink): Ink {
  return { ...ink, pixels: ink.pixels.slice() };
}

/** How much ink covers each pixel, 0 to 255. */
export function coverOf({ width, height, pixels }: Ink): Uint8ClampedArray {
  return Uint8ClampedArray.from({ length: width * height }, (_, pixel) => pixels[4 * pixel + 3]!);
}

export function isBlank(ink: Ink): boolean {
  for (let at = 3; at < ink.pixels.length; at += 4) if (ink.pixels[at]) return false;
  return true;
}

/** Draws a line with a round pen, or erases one where there is no colour. A line from a point to itself is a dot. */
export function line(ink: Ink, from: Point, to: Point, radius: number, colour: Rgb | null): void {
  const { width, height, pixels } = ink;
  const left = Math.max(0, Math.floor(Math.min(from.x, to.x) - radius - 1));
  const right = Math.min(width - 1, Math.ceil(Math.max(from.x, to.x) + radius + 1));
  const top = Math.max(0, Math.floor(Math.min(from.y, to.y) - radius - 1));
  const bottom = Math.min(height - 1, Math.ceil(Math.max(from.y, to.y) + radius + 1));
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const away = distance({ x: column + 0.5, y: row + 0.5 }, from, to);
      const cover = 255 * Math.min(Math.max(radius + 0.5 - away, 0), 1);
      const at = 4 * (row * width + column);
      const before = pixels[at + 3]!;
      if (!colour) pixels[at + 3] = Math.min(before, 255 - cover);
      else if (cover) {
        if (cover >= 128 || !before) pixels.set(colour, at); // two colours meet without a third between them
        pixels[at + 3] = Math.max(before, cover);
      }
    }
  }
}

/** Fills the blank area around a point up to the ink that bounds it; or ink of one colour with another. */
export function flood(ink: Ink, at: Point, colour: Rgb): void {
  const start = Math.floor(at.y) * ink.width + Math.floor(at.x);
  if (ink.pixels[4 * start + 3] === undefined) return;
  if (isInk(ink, start)) recolour(ink, start, colour);
  else fillPaper(ink, start, colour);
}

function isInk({ pixels }: Ink, pixel: number): boolean {
  return pixels[4 * pixel + 3]! >= 128;
}

function fillPaper(ink: Ink, start: number, colour: Rgb): void {
  spread(ink, start, (pixel) => {
    const crossed = !isInk(ink, pixel); // a soft edge is covered, not crossed
    if (crossed) ink.pixels.set(colour, 4 * pixel);
    ink.pixels[4 * pixel + 3] = 255;
    return crossed;
  });
}

function recolour(ink: Ink, start: number, colour: Rgb): void {
  const old = ink.pixels.slice(4 * start, 4 * start + 3);
  const same = (pixel: number): boolean => old.every((value, channel) => ink.pixels[4 * pixel + channel] === value);
  spread(ink, start, (pixel) => {
    if (!ink.pixels[4 * pixel + 3] || !same(pixel)) return false;
    const crossed = isInk(ink, pixel);
    ink.pixels.set(colour, 4 * pixel);
    return crossed;
  });
}

/** Visits pixels from one to its neighbours, each once, for as long as a visit says to go on from there. */
function spread({ width, height }: Ink, start: number, visit: (pixel: number) => boolean): void {
  const seen = new Uint8Array(width * height);
  const todo = [start];
  seen[start] = 1;
  const meet = (pixel: number): void => {
    if (seen[pixel]) return;
    seen[pixel] = 1;
    todo.push(pixel);
  };
  while (todo.length) {
    const pixel = todo.pop()!;
    if (!visit(pixel)) continue;
    const column = pixel % width;
    if (column > 0) meet(pixel - 1);
    if (column < width - 1) meet(pixel + 1);
    if (pixel >= width) meet(pixel - width);
    if (pixel < width * (height - 1)) meet(pixel + width);
  }
}

export function inColours(ink: Ink): Drawing {
  return { width: ink.width, height: ink.height, colours: base64(ink.pixels) };
}

/** A drawing as a silhouette: ink is ink, whatever its colour. */
export function inGrey(ink: Ink): Drawing {
  return { width: ink.width, height: ink.height, pixels: base64(coverOf(ink)) };
}

/** The ink of a drawing with colours; null where it is not one of this size. */
export function inkOf({ width, height, colours }: Drawing): Ink | null {
  if (width !== PAPER || height !== PAPER || colours === undefined) return null;
  const pixels = Uint8ClampedArray.from(bytesOf(colours));
  return pixels.length === 4 * width * height ? { width, height, pixels } : null;
}

/** Bytes as base64, which is how JSON carries them. */
export function base64(bytes: Uint8Array | Uint8ClampedArray): string {
  let text = "";
  const portion = 8192; // arguments that a call may have
  for (let at = 0; at < bytes.length; at += portion) {
    text += String.fromCharCode(...bytes.subarray(at, at + portion));
  }
  return btoa(text);
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function distance(point: Point, from: Point, to: Point): number {
  const [alongX, alongY] = [to.x - from.x, to.y - from.y];
  const length = alongX * alongX + alongY * alongY;
  const share = length ? ((point.x - from.x) * alongX + (point.y - from.y) * alongY) / length : 0;
  const near = Math.min(Math.max(share, 0), 1);
  return Math.hypot(point.x - from.x - near * alongX, point.y - from.y - near * alongY);
}
