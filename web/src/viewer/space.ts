/**
 * Where cells are in the scene. The scene's x goes right, y up and z towards the viewer, who stands in front of the
 * model at low y; so depth changes its sign, and nothing is mirrored.
 */

import { extentOf, type Cell, type Pose } from "../model/brick";

// Real proportions, in stud pitches.
export const PLATE_HEIGHT = 0.4;
export const STUD_RADIUS = 0.3;
export const STUD_HEIGHT = 0.2;

export type Vector = readonly [x: number, y: number, z: number];

/** A point of the grid, in cells, as a point of the scene. */
export function toScene([x, y, z]: Vector): Vector {
  return [x, z * PLATE_HEIGHT, -y];
}

/** The cell that holds a point of the scene. */
export function cellAt([x, y, z]: Vector): Cell {
  return [Math.floor(x), Math.floor(-z), Math.floor(y / PLATE_HEIGHT)];
}

/** The middle of a brick's underside in the scene. */
export function footOf(pose: Pose): Vector {
  const [alongX, alongY] = extentOf(pose);
  return toScene([pose.x + alongX / 2, pose.y + alongY / 2, pose.z]);
}

/** The cells on both sides of a face: the one it belongs to, and the one that it looks at. */
export function cellsAtFace(point: Vector, normal: Vector): { own: Cell; beside: Cell } {
  const reach = 0.2; // not beyond the middle of a cell in any direction, more than the gap between bricks
  const moved = (sign: number): Vector => [
    point[0] + sign * reach * normal[0],
    point[1] + sign * reach * normal[1],
    point[2] + sign * reach * normal[2],
  ];
  return { own: cellAt(moved(-1)), beside: cellAt(moved(1)) };
}
