/** Views: what is seen of a target or a model from the front, the side and the top, as rows of pixels. */

import { cellsOf, filledBy, keyOf, platesOf, type Cell, type Pose, type Volume } from "./brick.ts";
import { BRICK_HIGH } from "./parts.ts";

export interface View {
  readonly rows: readonly string[]; // "0011...", row 0 at the top
}

export const VIEW_NAMES = ["Front", "Side", "Top"] as const;

/** Empty rows below the lowest filled one. The front view keeps them; models stand on the ground. */
export function liftOf(front: View): number {
  const lowest = front.rows.findLastIndex((row) => row.includes("1"));
  return lowest < 0 ? 0 : front.rows.length - 1 - lowest;
}

/**
 * What bricks look like in the frame of a target's views: one from the front, or front, side and top. A row is as high
 * as a brick.
 */
export function viewsOf(bricks: readonly Pose[], target: readonly View[]): View[] {
  const side = target[0]?.rows.length ?? 0;
  const lift = target[0] ? liftOf(target[0]) : 0;
  const cells = bricks.flatMap(cellsOf);
  // Each view as what it shows across and up.
  const axes: ((cell: Cell) => readonly [number, number])[] = [
    ([x, , z]) => [x, Math.floor(z / BRICK_HIGH) + lift],
    ([, y, z]) => [y, Math.floor(z / BRICK_HIGH) + lift],
    ([x, y]) => [x, y],
  ];
  return target.map((_, view) => {
    const pixels = Array.from({ length: side }, () => new Array<string>(side).fill("0"));
    for (const cell of cells) {
      const [across, up] = axes[view]!(cell);
      const row = pixels[side - 1 - up];
      if (row && across >= 0 && across < side) row[across] = "1";
    }
    return { rows: pixels.map((row) => row.join("")) };
  });
}

const DEPTH = 4; // cells of what is seen from the front alone: as deep as a brick is long

/** The cells, as high as bricks, that views allow, on the ground: one view goes straight back, three cut each other. */
export function hullOf(views: readonly View[]): Cell[] {
  const [front, side, top] = views;
  if (!front) return [];
  const size = front.rows.length;
  const lift = liftOf(front);
  const at = (view: View, across: number, up: number): boolean => view.rows[size - 1 - up]?.[across] === "1";
  const cells: Cell[] = [];
  for (let x = 0; x < size; x++) {
    for (let z = 0; z < size; z++) {
      if (!at(front, x, z)) continue;
      for (let y = 0; y < (side && top ? size : DEPTH); y++) {
        if (!side || !top || (at(side, y, z) && at(top, x, y))) cells.push([x, y, z - lift]);
      }
    }
  }
  return cells;
}

/** The room that both fill by the room that either does. */
export function iouWith(hull: Volume, bricks: readonly Pose[]): number {
  const filled = filledBy(bricks);
  const wanted = hull.cells.flatMap((cell) => platesOf(hull, cell));
  const shared = wanted.filter((cell) => filled.has(keyOf(cell))).length;
  const either = wanted.length + filled.size - shared;
  return either ? shared / either : 0;
}

export type Pixel = "both" | "missing" | "extra" | "none";

/** What a pixel of a model's view is, by the target's. */
export function pixelOf(target: View | undefined, model: View | undefined, row: number, column: number): Pixel {
  const wanted = target?.rows[row]?.[column] === "1";
  const there = model?.rows[row]?.[column] === "1";
  if (wanted && there) return "both";
  if (wanted) return "missing";
  return there ? "extra" : "none";
}
