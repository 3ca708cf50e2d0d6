/** A toy in place of the Python server, for tests of the page: it builds in a simple way, and by the same contract. */

import { cellsOf, filledBy, keyOf, obstacle, type Brick, type Cell, type Pose } from "../src/model/brick.ts";
import { hullOf, iouWith, viewsOf, type View } from "../src/model/views.ts";

export const SIDE = 14;

export interface MockTarget {
  readonly target: string;
  readonly name: string;
  readonly views: readonly View[];
  readonly budget: number;
  readonly notes: readonly string[];
  readonly hull: readonly Cell[];
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly pixels: string; // base64
}

type Filled = (column: number, row: number) => boolean;

export function viewWhere(filled: Filled): View {
  const row = (_: unknown, r: number): string =>
    Array.from({ length: SIDE }, (_, c) => (filled(c, r) ? "1" : "0")).join("");
  return { rows: Array.from({ length: SIDE }, row) };
}

const heart: Filled = (c, r) => {
  const [x, y] = [(c - 6.5) / 5, (5.8 - r) / 5];
  return (x * x + y * y - 1) ** 3 - x * x * y ** 3 < 0;
};
const three: Filled = (c, r) =>
  (r >= 1 && r <= 2 && c >= 3 && c <= 9) ||
  (r >= 11 && r <= 12 && c >= 3 && c <= 9) ||
  (r >= 6 && r <= 7 && c >= 5 && c <= 9) ||
  (c >= 9 && c <= 10 && r >= 2 && r <= 11) ||
  (c === 3 && (r === 3 || r === 10));
const invader: Filled = (c, r) => {
  const rows = [
    "00100000100",
    "00010001000",
    "00111111100",
    "01101110110",
    "11111111111",
    "10111111101",
    "10100000101",
    "00011011000",
  ];
  return rows[r - 3]?.[c - 1] === "1";
};

export const GALLERY: readonly { name: string; views: View[] }[] = [
  { name: "three", views: [viewWhere(three)] },
  { name: "heart", views: [viewWhere(heart)] },
  { name: "invader", views: [viewWhere(invader)] },
  {
    name: "table",
    views: [
      viewWhere(
        (c, r) =>
          (r >= 4 && r <= 6 && c >= 1 && c <= 12) || (r > 6 && r <= 11 && (c === 2 || c === 3 || c === 10 || c === 11)),
      ),
      viewWhere(
        (c, r) =>
          (r >= 4 && r <= 6 && c >= 2 && c <= 11) || (r > 6 && r <= 11 && (c === 3 || c === 4 || c === 9 || c === 10)),
      ),
      viewWhere((c, r) => c >= 1 && c <= 12 && r >= 2 && r <= 11),
    ],
  },
];

export function targetOf(id: string, name: string, views: readonly View[]): MockTarget {
  const hull = hullOf(views);
  const notes = views.length === 3 ? ["the views contradict each other in 2 pixels, which are left out"] : [];
  return { target: id, name, views, budget: Math.ceil((1.1 * hull.length) / 8), notes, hull };
}

/** A drawing cropped to its ink and brought to 14 x 14. */
export function viewOfDrawing({ width, height, pixels }: Drawing): View {
  const grey = Buffer.from(pixels, "base64");
  const ink = (x: number, y: number): boolean => (grey[y * width + x] ?? 0) >= 128;
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!ink(x, y)) continue;
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    }
  }
  if (right < left) throw new Error("the drawing is empty: draw something first");
  const scale = Math.max(right - left + 1, bottom - top + 1) / 12;
  const [midX, midY] = [(left + right + 1) / 2, (top + bottom + 1) / 2];
  return viewWhere((c, r) => ink(Math.floor(midX + (c - 6.5) * scale), Math.floor(midY + (r - 6.5) * scale)));
}

export interface Option extends Pose {
  readonly pivot: number;
  readonly offset: number;
  readonly gain: number;
}

/** Every brick that a stud could hold, with what it would gain; and what is in the way of the others. */
export function options(
  target: MockTarget,
  bricks: readonly Brick[],
): { free: Option[]; masked: (Pose & { reason: string })[] } {
  const wanted = new Set(target.hull.map(keyOf));
  const filled = filledBy(bricks);
  const seen = new Set<string>();
  const free: Option[] = [];
  const masked: (Pose & { reason: string })[] = [];
  bricks.forEach((pivot, index) => {
    let offset = 0;
    for (const d of [0, 1]) {
      for (const up of [1, -1]) {
        for (let x = pivot.x - 3; x <= pivot.x + 3; x++) {
          for (let y = pivot.y - 3; y <= pivot.y + 3; y++) {
            const pose = { part: "2x4", x, y, z: pivot.z + up, d };
            const key = [x, y, pose.z, d].join(" ");
            const overlaps = cellsOf(pose).some((cell) =>
              cellsOf(pivot).some((own) => own[0] === cell[0] && own[1] === cell[1]),
            );
            offset++;
            if (seen.has(key) || !overlaps) continue;
            seen.add(key);
            const reason = obstacle(pose, bricks);
            if (reason) masked.push({ ...pose, reason });
            else {
              const inside = cellsOf(pose).filter((cell) => wanted.has(keyOf(cell)) && !filled.has(keyOf(cell))).length;
              free.push({ ...pose, pivot: index, offset, gain: inside - 0.6 * (8 - inside) });
            }
          }
        }
      }
    }
  });
  return { free, masked };
}

export function firstBrick(target: MockTarget): Pose {
  const wanted = new Set(target.hull.map(keyOf));
  let best: Pose = { part: "2x4", x: 0, y: 0, z: 0, d: 0 };
  let most = -1;
  for (let x = 0; x < SIDE; x++) {
    for (let y = 0; y < SIDE; y++) {
      const pose = { part: "2x4", x, y, z: 0, d: 0 };
      const covered = cellsOf(pose).filter((cell) => wanted.has(keyOf(cell))).length;
      if (covered > most) [best, most] = [pose, covered];
    }
  }
  return best;
}

export function nextBrick(
  target: MockTarget,
  bricks: readonly Brick[],
  agent: string,
  random: () => number,
): Pose | null {
  if (!bricks.length) return firstBrick(target);
  const { free } = options(target, bricks);
  if (agent === "random") return free[Math.floor(random() * free.length)] ?? null;
  const noise = new Map(free.map((option) => [option, option.gain + random()]));
  return free.reduce<Option | null>((best, each) => (best && noise.get(best)! >= noise.get(each)! ? best : each), null);
}

export function shares(free: readonly Option[]): number[] {
  const weights = free.map((option) => Math.exp(option.gain));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / all);
}

export function judge(bricks: readonly Brick[], budget: number): object {
  const filled = filledBy(bricks);
  const faults = bricks.flatMap((brick, index) => {
    const held = brick.z === 0 || cellsOf(brick).some(([x, y, z]) => filled.has(keyOf([x, y, z - 1])));
    return held ? [] : [{ brick: index, reason: "hangs from the brick above, nothing is below it" }];
  });
  const stands = faults.length === 0;
  return {
    verdict: {
      joined: true,
      no_overlap: true,
      above_ground: true,
      in_budget: bricks.length <= budget,
      insertable: true,
      stands,
      stands_on_plate: true,
      load_factor: stands ? 0.31 : null,
    },
    faults,
    sentences: [
      "All bricks hang together by studs, and none overlap.",
      stands
        ? "It stands on a table; the tightest stud bears 31 % of what it can."
        : "It topples on a table; on a base plate it stands.",
    ],
  };
}

export function scoreOf(target: MockTarget, bricks: readonly Brick[]): { iou: number; views: View[] } {
  return { iou: iouWith(target.hull, bricks), views: viewsOf(bricks, target.views) };
}
