/** Ink on paper: grey pixels, 255 where there is ink, drawn with round pens and with soft edges. */

export const PAPER = 140; // pixels of a side, ten for each that the agent sees

export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function blank(width = PAPER, height = PAPER): Ink {
  return { width, height, pixels: new Uint8ClampedArray(width * height) };
}

export function copyOf(ink: Ink): Ink {
  return { ...ink, pixels: ink.pixels.slice() };
}

export function isBlank(ink: Ink): boolean {
  return ink.pixels.every((grey) => grey === 0);
}

/** Draws, or erases, a line with a round pen. A line from a point to itself is a dot. */
export function line(ink: Ink, from: Point, to: Point, radius: number, erase = false): void {
  const left = Math.max(0, Math.floor(Math.min(from.x, to.x) - radius - 1));
  const right = Math.min(ink.width - 1, Math.ceil(Math.max(from.x, to.x) + radius + 1));
  const top = Math.max(0, Math.floor(Math.min(from.y, to.y) - radius - 1));
  const bottom = Math.min(ink.height - 1, Math.ceil(Math.max(from.y, to.y) + radius + 1));
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const away = distance({ x: column + 0.5, y: row + 0.5 }, from, to);
      const cover = 255 * Math.min(Math.max(radius + 0.5 - away, 0), 1);
      const pixel = row * ink.width + column;
      const grey = ink.pixels[pixel]!;
      ink.pixels[pixel] = erase ? Math.min(grey, 255 - cover) : Math.max(grey, cover);
    }
  }
}

/** Fills the blank area around a point, up to the ink that bounds it. */
export function flood(ink: Ink, at: Point): void {
  const start = Math.floor(at.y) * ink.width + Math.floor(at.x);
  if (!(ink.pixels[start]! < 128)) return;
  const todo = [start];
  while (todo.length) {
    const pixel = todo.pop()!;
    if (ink.pixels[pixel]! >= 255) continue;
    const edge = ink.pixels[pixel]! >= 128;
    ink.pixels[pixel] = 255;
    if (edge) continue; // a soft edge is covered, not crossed
    const column = pixel % ink.width;
    if (column > 0) todo.push(pixel - 1);
    if (column < ink.width - 1) todo.push(pixel + 1);
    if (pixel >= ink.width) todo.push(pixel - ink.width);
    if (pixel < ink.pixels.length - ink.width) todo.push(pixel + ink.width);
  }
}

/** Bytes as base64, which is how JSON carries them. */
export function base64(bytes: ArrayLike<number>): string {
  let text = "";
  for (let index = 0; index < bytes.length; index++) text += String.fromCharCode(bytes[index]!);
  return btoa(text);
}

function distance(point: Point, from: Point, to: Point): number {
  const [alongX, alongY] = [to.x - from.x, to.y - from.y];
  const length = alongX * alongX + alongY * alongY;
  const share = length ? ((point.x - from.x) * alongX + (point.y - from.y) * alongY) / length : 0;
  const near = Math.min(Math.max(share, 0), 1);
  return Math.hypot(point.x - from.x - near * alongX, point.y - from.y - near * alongY);
}
