/** Some parts as the server tells them, for tests. */

import { parts, type Column, type Part, type Point } from "../src/model/parts.ts";

function columns(width: number, length: number): Column[] {
  return Array.from({ length: width * length }, (_, at) => [Math.floor(at / length), at % length]);
}

function box(name: string, width: number, length: number, height: number, studded = true): Part {
  const profile: Point[] = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
  const [sockets, directions] = [columns(width, length), width === length ? 1 : 2];
  const kind = name.replace(/ ?\d+x\d+$/, "") || "brick";
  return { name, kind, width, length, height, directions, profile, studs: studded ? sockets : [], sockets };
}

/** Falls towards +x from its stud. */
export const SLOPE: Part = {
  ...box("slope 45 2x1", 2, 1, 3),
  directions: 4,
  profile: [
    [0, 0],
    [2, 0],
    [2, 0.5],
    [1, 3],
    [0, 3],
  ],
  studs: [[0, 0]],
};
export const INVERTED: Part = { ...box("inverted slope 45 2x1", 2, 1, 3), directions: 4, sockets: [[0, 0]] };
export const BRICK = box("2x4", 2, 4, 3);
export const PLATE = box("plate 2x4", 2, 4, 1);
export const TILE = box("tile 1x2", 1, 2, 1, false);

export function learnSome(): void {
  parts.learn([BRICK, box("2x2", 2, 2, 3), box("1x6", 1, 6, 3), PLATE, TILE, SLOPE, INVERTED]);
}
