/** How a brick arrives: it falls, or comes from the front where something is above it, and settles. */

import { extentOf, topOf, type Pose } from "../model/brick";
import type { Vector } from "./space";

const SECONDS = 0.45;
const HEIGHT = 4;
const BOUNCE = 0.12;
const HEADROOM = 12; // plates above a brick that must be free for it to fall

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

/** The direction a brick comes from: above, unless one of the first so many bricks would be in its way. */
export function arrivalOf(brick: Pose, bricks: readonly Pose[], count: number): Vector {
  const [alongX, alongY] = extentOf(brick);
  for (let index = 0; index < count; index++) {
    const other = bricks[index]!;
    if (other.z < topOf(brick) || other.z > brick.z + HEADROOM) continue;
    const [otherX, otherY] = extentOf(other);
    const besideX = other.x >= brick.x + alongX || brick.x >= other.x + otherX;
    const besideY = other.y >= brick.y + alongY || brick.y >= other.y + otherY;
    if (!besideX && !besideY) return [0, 0, 1];
  }
  return [0, 1, 0];
}
