/** A brick and the cells it fills, in the words and the JSON of the Python package. */

export interface Brick {
  readonly part: string; // the size, as in "2x4"
  readonly x: number; // minimum corner cell, z up, low y in front
  readonly y: number;
  readonly z: number;
  readonly d: number; // 0: the long side along y; 1: along x
  readonly colour: number; // LDraw's code
  readonly step: number; // when it was placed, from 0
  readonly extra?: boolean; // put there so that the model stands; the target does not show it
}

export type Pose = Pick<Brick, "part" | "x" | "y" | "z" | "d">;
export type Cell = readonly [x: number, y: number, z: number];

/** How like what was wanted a model is. */
export interface Likeness {
  readonly shape: number; // 0 to 1
  readonly colour: number | null; // 0 to 1; null where nothing of a colour was wanted
  readonly mean_difference?: number | null;
  readonly bricks?: number;
}

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

const sizes = new Map<string, readonly [width: number, length: number]>();

/** Studs of the short and of the long side. */
export function sizeOf(part: string): readonly [width: number, length: number] {
  const known = sizes.get(part);
  if (known) return known;
  const match = /^(\d+)x(\d+)$/.exec(part);
  if (!match) throw new Error(`${part} is not a brick size: write it as 2x4`);
  const size = [Number(match[1]), Number(match[2])] as const;
  sizes.set(part, size);
  return size;
}

/** How a brick of a size can lie: a square one in one direction only. */
export function directionOf(part: string, d: number): number {
  const [width, length] = sizeOf(part);
  return width === length ? 0 : d;
}

/** Studs along x and along y. */
export function extentOf(pose: Pick<Pose, "part" | "d">): [alongX: number, alongY: number] {
  const [width, length] = sizeOf(pose.part);
  return pose.d === 0 ? [width, length] : [length, width];
}

export function cellsOf(pose: Pose): Cell[] {
  const [alongX, alongY] = extentOf(pose);
  const cells: Cell[] = [];
  for (let x = pose.x; x < pose.x + alongX; x++) {
    for (let y = pose.y; y < pose.y + alongY; y++) cells.push([x, y, pose.z]);
  }
  return cells;
}

/** A cell as the key of a set. */
export function keyOf([x, y, z]: Cell): string {
  return `${x},${y},${z}`;
}

export function filledBy(poses: Iterable<Pose>): Set<string> {
  const filled = new Set<string>();
  for (const pose of poses) for (const cell of cellsOf(pose)) filled.add(keyOf(cell));
  return filled;
}

/** The brick whose middle is at a cell, as far as studs allow. */
export function centredAt(cell: Cell, part: string, d: number): Pose {
  const [alongX, alongY] = extentOf({ part, d });
  return { part, d, x: cell[0] - ((alongX - 1) >> 1), y: cell[1] - ((alongY - 1) >> 1), z: cell[2] };
}

/**
 * Why a brick cannot be placed among cells that are filled, or null. The server has the last word; this colours the
 * brick under the pointer.
 */
export function obstacle(pose: Pose, filled: ReadonlySet<string>): string | null {
  const cells = cellsOf(pose);
  if (pose.z < 0) return "it would be below the ground";
  if (cells.some((cell) => filled.has(keyOf(cell)))) return "another brick is in the way";
  const joined = cells.some(([x, y, z]) => filled.has(keyOf([x, y, z + 1])) || filled.has(keyOf([x, y, z - 1])));
  return joined || filled.size === 0 ? null : "no stud would hold it";
}

/** The brick that covers a cell and can be placed, its middle as near to it as possible; else the one centred there. */
export function fittingAt(cell: Cell, part: string, d: number, filled: ReadonlySet<string>): Pose {
  const centred = centredAt(cell, part, d);
  const [alongX, alongY] = extentOf({ part, d });
  const covering: Pose[] = [];
  for (let x = cell[0] - alongX + 1; x <= cell[0]; x++) {
    for (let y = cell[1] - alongY + 1; y <= cell[1]; y++) covering.push({ ...centred, x, y });
  }
  const away = (pose: Pose): number => Math.hypot(pose.x - centred.x, pose.y - centred.y);
  covering.sort((one, other) => away(one) - away(other));
  return covering.find((pose) => obstacle(pose, filled) === null) ?? centred;
}

export interface Box {
  readonly low: Cell;
  readonly high: Cell; // one past the last cell
}

/** The box around cells and bricks; null around nothing. */
export function boxAround(poses: Iterable<Pose>, cells: Iterable<Cell> = []): Box | null {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const include = (cell: Cell, extent: Cell): void => {
    for (const axis of [0, 1, 2] as const) {
      low[axis] = Math.min(low[axis], cell[axis]);
      high[axis] = Math.max(high[axis], cell[axis] + extent[axis]);
    }
  };
  for (const pose of poses) include([pose.x, pose.y, pose.z], [...extentOf(pose), 1]);
  for (const cell of cells) include(cell, [1, 1, 1]);
  return low[0] === Infinity ? null : { low, high };
}
