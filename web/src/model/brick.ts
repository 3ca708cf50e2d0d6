/** A brick, which may be a part of any kind, and the cells it fills, in the words and the JSON of the Python package. */

import { BRICK_HIGH, partOf, turned, type Column } from "./parts.ts";

export interface Brick {
  readonly part: string; // as in "2x4" and "plate 2x4"
  readonly x: number; // minimum corner cell, z up, low y in front
  readonly y: number;
  readonly z: number; // in plates
  readonly d: number; // 0: the long side along y; 1: along x; of slopes, which fall to +x, +y, -x and -y, 0 to 3
  readonly colour: number; // LDraw's code
  readonly step: number; // when it was placed, from 0
  readonly extra?: boolean; // put there so that the model stands; the target does not show it
}

export type Pose = Pick<Brick, "part" | "x" | "y" | "z" | "d">;
export type Cell = readonly [x: number, y: number, z: number]; // a stud wide and deep, a plate high

/** How like what was wanted a model is. */
export interface Likeness {
  readonly shape: number; // 0 to 1
  readonly colour: number | null; // 0 to 1; null where nothing of a colour was wanted
  readonly mean_difference?: number | null;
  readonly bricks?: number;
}

export const SCHEMA = 2; // in the first, all parts were bricks and z counted them

export interface Construction {
  readonly schema: number;
  readonly bricks: readonly Brick[];
  readonly target: string;
  readonly builder: string;
  readonly budget: number | null;
  readonly iou: number | null;
  readonly walls?: number | null; // cells of the walls of a hollow model
  readonly notes?: readonly string[];
  readonly verdict?: Readonly<Record<string, boolean | number | null>>;
  readonly likeness?: Likeness | null; // in projects
}

/** A model as it is written today. */
export function upToDate(model: Construction): Construction {
  if (model.schema !== 1) return model;
  return { ...model, schema: SCHEMA, bricks: model.bricks.map((brick) => ({ ...brick, z: BRICK_HIGH * brick.z })) };
}

/** The direction of those that differ which looks the same. */
export function directionOf(part: string, d: number): number {
  return d % partOf(part).directions;
}

/** Studs along x and along y. */
export function extentOf(pose: Pick<Pose, "part" | "d">): [alongX: number, alongY: number] {
  const { width, length } = partOf(pose.part);
  return pose.d % 2 === 0 ? [width, length] : [length, width];
}

/** The layer above a brick. */
export function topOf(pose: Pick<Pose, "part" | "z">): number {
  return pose.z + partOf(pose.part).height;
}

export function cellsOf(pose: Pose): Cell[] {
  const [alongX, alongY] = extentOf(pose);
  const top = topOf(pose);
  const cells: Cell[] = [];
  for (let x = pose.x; x < pose.x + alongX; x++) {
    for (let y = pose.y; y < pose.y + alongY; y++) for (let z = pose.z; z < top; z++) cells.push([x, y, z]);
  }
  return cells;
}

/** Whether a brick fills a cell. */
export function covers(pose: Pose, [x, y, z]: Cell): boolean {
  const [alongX, alongY] = extentOf(pose);
  const beside = x < pose.x || x >= pose.x + alongX || y < pose.y || y >= pose.y + alongY;
  return !beside && z >= pose.z && z < topOf(pose);
}

const FARTHEST = 100_000; // cells from the origin that files may place bricks at

/** A cell as the key of a set. */
export function keyOf([x, y, z]: Cell): number {
  const side = 2 * FARTHEST;
  return ((x + FARTHEST) * side + (y + FARTHEST)) * side + (z + FARTHEST);
}

export function filledBy(poses: Iterable<Pose>): Set<number> {
  const filled = new Set<number>();
  for (const pose of poses) for (const cell of cellsOf(pose)) filled.add(keyOf(cell));
  return filled;
}

/** What bricks leave for another one. */
export interface Room {
  readonly filled: ReadonlySet<number>; // cells
  readonly studs: ReadonlySet<number>; // cells above a stud
  readonly sockets: ReadonlySet<number>; // cells at whose bottom a stud can go in
}

/** The cells above a brick's studs, and those at whose bottom a stud goes into it. */
function jointsOf(pose: Pose): { studs: number[]; sockets: number[] } {
  const part = partOf(pose.part);
  const at = (columns: readonly Column[], z: number): number[] =>
    turned(part, columns, pose.d).map(([x, y]) => keyOf([pose.x + x, pose.y + y, z]));
  return { studs: at(part.studs, topOf(pose)), sockets: at(part.sockets, pose.z) };
}

export function roomAmong(poses: readonly Pose[]): Room {
  const [studs, sockets] = [new Set<number>(), new Set<number>()];
  for (const pose of poses) {
    const joints = jointsOf(pose);
    for (const cell of joints.studs) studs.add(cell);
    for (const cell of joints.sockets) sockets.add(cell);
  }
  return { filled: filledBy(poses), studs, sockets };
}

/** The brick whose middle is at a cell, as far as studs allow, and which stands in its layer. */
export function centredAt(cell: Cell, part: string, d: number): Pose {
  const [alongX, alongY] = extentOf({ part, d });
  return { part, d, x: cell[0] - ((alongX - 1) >> 1), y: cell[1] - ((alongY - 1) >> 1), z: cell[2] };
}

/**
 * Why a brick cannot be placed among others, or null. The server has the last word; this colours the brick under the
 * pointer.
 */
export function obstacle(pose: Pose, room: Room): string | null {
  if (pose.z < 0) return "it would be below the ground";
  if (cellsOf(pose).some((cell) => room.filled.has(keyOf(cell)))) return "another brick is in the way";
  const { studs, sockets } = jointsOf(pose);
  const joined = studs.some((cell) => room.sockets.has(cell)) || sockets.some((cell) => room.studs.has(cell));
  return joined || room.filled.size === 0 ? null : "no stud would hold it";
}

/** The brick that covers a cell and can be placed, its middle as near to it as possible; else the one centred there. */
export function fittingAt(cell: Cell, part: string, d: number, room: Room): Pose {
  const centred = centredAt(cell, part, d);
  const [alongX, alongY] = extentOf({ part, d });
  const covering: Pose[] = [];
  for (let x = cell[0] - alongX + 1; x <= cell[0]; x++) {
    for (let y = cell[1] - alongY + 1; y <= cell[1]; y++) {
      for (let z = cell[2] - partOf(part).height + 1; z <= cell[2]; z++) covering.push({ ...centred, x, y, z });
    }
  }
  const away = (pose: Pose): number => Math.hypot(pose.x - centred.x, pose.y - centred.y, pose.z - centred.z);
  covering.sort((one, other) => away(one) - away(other));
  return covering.find((pose) => obstacle(pose, room) === null) ?? centred;
}

/** Plates that the layers of the grid are high in which all of some bricks lie: a brick's, unless any is finer. */
export function layerOf(poses: Iterable<Pose>): number {
  for (const pose of poses) if (pose.z % BRICK_HIGH || partOf(pose.part).height % BRICK_HIGH) return 1;
  return BRICK_HIGH;
}

/** Cells of a target, whose layers may be several plates high. */
export interface Volume {
  readonly cells: readonly Cell[]; // z counts its layers
  readonly layer: number; // plates
}

export const NOTHING: Volume = { cells: [], layer: BRICK_HIGH };

/** The plates, from the ground, that a cell of a volume takes. */
export function platesOf({ layer }: Volume, [x, y, z]: Cell): Cell[] {
  return Array.from({ length: layer }, (_, up) => [x, y, z * layer + up]);
}

export interface Box {
  readonly low: Cell;
  readonly high: Cell; // one past the last cell
}

/** The box around bricks and other boxes; null around nothing. */
export function boxAround(poses: Iterable<Pose>, boxes: Iterable<Box> = []): Box | null {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const include = (first: Cell, end: Cell): void => {
    for (const axis of [0, 1, 2] as const) {
      low[axis] = Math.min(low[axis], first[axis]);
      high[axis] = Math.max(high[axis], end[axis]);
    }
  };
  for (const pose of poses) {
    const [alongX, alongY] = extentOf(pose);
    include([pose.x, pose.y, pose.z], [pose.x + alongX, pose.y + alongY, topOf(pose)]);
  }
  for (const box of boxes) include(box.low, box.high);
  return low[0] === Infinity ? null : { low, high };
}

/** The boxes of a volume's cells. */
export function boxesOf({ cells, layer }: Volume): Box[] {
  return cells.map(([x, y, z]) => ({ low: [x, y, z * layer], high: [x + 1, y + 1, (z + 1) * layer] }));
}
