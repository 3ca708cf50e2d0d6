/** Where the camera stands so that a model and its plate fill the picture. */

import { Vector3 } from "three";
import type { Box } from "../model/brick";
import { PLATE_MARGIN } from "./base_plate";
import { PLATE_HEIGHT, STUD_HEIGHT, toScene } from "./space";

// The stance of the package's pictures: from the front, a step to the right and up.
const YAW = (24 * Math.PI) / 180;
const PITCH = (23 * Math.PI) / 180;
const AIR = 1.1; // around the picture

export function middleOf({ low, high }: Box): Vector3 {
  return new Vector3(...toScene([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2]));
}

/** Where a camera stands and what it looks at. */
export interface Stance {
  readonly position: Vector3;
  readonly middle: Vector3;
}

export function stanceBefore(box: Box, fov: number, aspect: number): Stance {
  const towards = new Vector3(Math.sin(YAW) * Math.cos(PITCH), Math.sin(PITCH), Math.cos(YAW) * Math.cos(PITCH));
  const right = new Vector3(Math.cos(YAW), 0, -Math.sin(YAW));
  const up = new Vector3().crossVectors(towards, right);
  const tall = Math.tan((fov * Math.PI) / 360) / AIR;
  const wide = tall * aspect;
  const corners = cornersOf(box);
  const middle = middleOf(box);
  const position = new Vector3();
  let away = 50;
  // Perspective shifts the middle of what is seen when the distance changes, and the other way round; a few rounds
  // settle both.
  for (let round = 0; round < 6; round++) {
    position.copy(middle).addScaledVector(towards, away);
    const seen = corners.map((corner) => {
      const from = corner.clone().sub(position);
      const depth = Math.max(0.1, -from.dot(towards));
      return { across: from.dot(right) / depth, up: from.dot(up) / depth };
    });
    const spanOf = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];
    const [left, most] = spanOf(seen.map((point) => point.across));
    const [bottom, top] = spanOf(seen.map((point) => point.up));
    middle.addScaledVector(right, (away * (left + most)) / 2).addScaledVector(up, (away * (bottom + top)) / 2);
    away = Math.max(8, away * Math.max((most - left) / (2 * wide), (top - bottom) / (2 * tall)));
  }
  return { position: middle.clone().addScaledVector(towards, away), middle };
}

function cornersOf({ low, high }: Box): Vector3[] {
  const corners: Vector3[] = [];
  const top = high[2] + STUD_HEIGHT / PLATE_HEIGHT;
  for (const [x, plateX] of [
    [low[0], low[0] - PLATE_MARGIN],
    [high[0], high[0] + PLATE_MARGIN],
  ] as const) {
    for (const [y, plateY] of [
      [low[1], low[1] - PLATE_MARGIN],
      [high[1], high[1] + PLATE_MARGIN],
    ] as const) {
      corners.push(new Vector3(...toScene([x, y, top])), new Vector3(...toScene([plateX, plateY, 0])));
    }
  }
  return corners;
}
