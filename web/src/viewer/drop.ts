/** How a brick arrives: it falls, or comes from the front where something is above it, and settles. */

import { cellsOf, keyOf, type Pose } from "../model/brick";
import type { Vector } from "./space";

const SECONDS = 0.45;
const HEIGHT = 4;
const BOUNCE = 0.12;

/** How long a brick drops while a timeline plays at a speed. */
export function secondsToDrop(speed: number): number {
  return SECONDS / Math.max(1, speed / 2);
}

/** How far a brick is from its place after a share of the time; 0 at the end. */
export function distanceLeft(share: number): number {
  const landed = 0.7;
  if (share >= 1) return 0;
  if (share < landed) return HEIGHT * (1 - (share / landed) ** 2);
  const bounce = (share - landed) / (1 - landed);
  return BOUNCE * 4 * bounce * (1 - bounce);
}

/** The direction a brick comes from: above, unless bricks that are there already would be in its way. */
export function arrivalOf(brick: Pose, filled: ReadonlySet<string>): Vector {
  const columns = cellsOf(brick);
  const covered = columns.some(([x, y, z]) => [1, 2, 3, 4].some((above) => filled.has(keyOf([x, y, z + above]))));
  return covered ? [0, 0, 1] : [0, 1, 0];
}
