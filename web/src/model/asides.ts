/** Chunks that are built beside the model until they are put on. */

import type { Box, Cell } from "./brick";

export interface Aside {
  readonly says: string;
  readonly bricks: readonly number[];
  readonly until: number; // bricks that are there when it is put on
  readonly turned: boolean; // upside down: then y and z are taken from `by` instead of added to it
  readonly by: Cell;
}

/** The chunk that a brick is aside with when so many bricks are there: of chunks in chunks the inner one. */
export function asideOf(asides: readonly Aside[], brick: number, shown: number): Aside | null {
  return asides.find(({ bricks, until }) => shown < until && bricks.includes(brick)) ?? null;
}

/** Where a box is when it lies aside. */
export function boxAside({ low, high }: Box, { turned, by }: Aside): Box {
  const sign = turned ? -1 : 1;
  const [front, under] = turned ? [high, high] : [low, low];
  const [back, upper] = turned ? [low, low] : [high, high];
  return {
    low: [low[0] + by[0], sign * front[1] + by[1], sign * under[2] + by[2]],
    high: [high[0] + by[0], sign * back[1] + by[1], sign * upper[2] + by[2]],
  };
}
