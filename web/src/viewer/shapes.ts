/**
 * The shapes of parts. Every vertex carries its distances to the edges of its face, so that the material can draw
 * outlines without a draw call of their own.
 */

import { BufferAttribute, BufferGeometry, Vector3 } from "three";
import type { Volume } from "../model/brick";
import type { Part } from "../model/parts";
import { PLATE_HEIGHT, STUD_HEIGHT, STUD_RADIUS, type Vector } from "./space";

const GAP = 0.012; // between a brick's walls and its cell, so that bricks can be told apart
const FAR = 9; // no edge near

type Edges = readonly [number, number, number, number];

class Shape {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly edges: number[] = [];
  private readonly indices: number[] = [];

  vertex(position: Vector, normal: Vector, edges: Edges): number {
    this.positions.push(...position);
    this.normals.push(...normal);
    this.edges.push(...edges);
    return this.positions.length / 3 - 1;
  }

  triangle(a: number, b: number, c: number): void {
    this.indices.push(a, b, c);
  }

  /** A rectangle from a corner along two sides, which turn counterclockwise as seen from outside. */
  rectangle(corner: Vector, across: Vector, up: Vector, normal: Vector): void {
    const width = Math.hypot(...across);
    const height = Math.hypot(...up);
    const at = (u: number, v: number): number =>
      this.vertex(
        [
          corner[0] + u * across[0] + v * up[0],
          corner[1] + u * across[1] + v * up[1],
          corner[2] + u * across[2] + v * up[2],
        ],
        normal,
        [u * width, (1 - u) * width, v * height, (1 - v) * height],
      );
    const [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
    this.triangle(a, b, c);
    this.triangle(a, c, d);
  }

  /** A convex outline, counterclockwise as seen from outside. */
  polygon(corners: readonly Vector[], normal: Vector): void {
    const distances = corners.map((from, side) => distanceTo(from, corners[(side + 1) % corners.length]!));
    for (let next = 1; next < corners.length - 1; next++) {
      const points = [corners[0]!, corners[next]!, corners[next + 1]!] as const;
      const sum = (distance: (point: Vector) => number): number =>
        points.reduce((total, point) => total + distance(point), 0);
      // Of more edges than a vertex has room for, the one that is left out is that which a triangle is farthest from.
      const near = [...distances].sort((one, other) => sum(one) - sum(other));
      const edge = (point: Vector, at: number): number => near[at]?.(point) ?? FAR;
      const [a, b, c] = points.map((point) =>
        this.vertex(point, normal, [edge(point, 0), edge(point, 1), edge(point, 2), edge(point, 3)]),
      ) as [number, number, number];
      this.triangle(a, b, c);
    }
  }

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute("edges", new BufferAttribute(new Float32Array(this.edges), 4));
    geometry.setIndex(this.indices);
    return geometry;
  }
}

/** A box on the ground around the origin. */
export function boxGeometry(alongX: number, alongY: number, height: number, gap = GAP): BufferGeometry {
  const [x, z] = [alongX / 2 - gap, alongY / 2 - gap];
  const [w, d] = [2 * x, 2 * z];
  const shape = new Shape();
  shape.rectangle([-x, 0, z], [w, 0, 0], [0, height, 0], [0, 0, 1]);
  shape.rectangle([x, 0, -z], [-w, 0, 0], [0, height, 0], [0, 0, -1]);
  shape.rectangle([x, 0, z], [0, 0, -d], [0, height, 0], [1, 0, 0]);
  shape.rectangle([-x, 0, -z], [0, 0, d], [0, height, 0], [-1, 0, 0]);
  shape.rectangle([-x, height, z], [w, 0, 0], [0, 0, -d], [0, 1, 0]);
  shape.rectangle([-x, 0, -z], [w, 0, 0], [0, 0, d], [0, -1, 0]);
  return shape.geometry();
}

/** How far points of a plane are from a line in it. */
function distanceTo(from: Vector, to: Vector): (point: Vector) => number {
  const along = new Vector3(...to).sub(new Vector3(...from)).normalize();
  return (point) => new Vector3(...point).sub(new Vector3(...from)).cross(along).length();
}

/** The body of a part in direction 0, on the ground around the origin: its profile through all of its length. */
export function bodyGeometry({ width, length, height, profile }: Part): BufferGeometry {
  const [narrower, lower] = [1 - (2 * GAP) / width, 1 - GAP / 2 / (height * PLATE_HEIGHT)];
  const outline = profile.map(
    ([along, up]) => [(along - width / 2) * narrower, up * PLATE_HEIGHT * lower] as const, // of the scene
  );
  const z = length / 2 - GAP;
  const shape = new Shape();
  const front = outline.map(([x, y]): Vector => [x, y, z]);
  const back = outline.map(([x, y]): Vector => [x, y, -z]);
  shape.polygon(front, [0, 0, 1]);
  shape.polygon(back.toReversed(), [0, 0, -1]);
  outline.forEach(([x, y], here) => {
    const there = (here + 1) % outline.length;
    const [right, up] = [outline[there]![0] - x, outline[there]![1] - y];
    const far = Math.hypot(right, up);
    shape.polygon([back[here]!, back[there]!, front[there]!, front[here]!], [up / far, -right / far, 0]);
  });
  return shape.geometry();
}

/** The studs on top of that body. */
export function studsGeometry({ width, length, height, studs }: Part, sides: number): BufferGeometry {
  const shape = new Shape();
  for (const [x, y] of studs) {
    stud(shape, [x + 0.5 - width / 2, height * PLATE_HEIGHT, length / 2 - y - 0.5], sides);
  }
  return shape.geometry();
}

/** A stud on the ground at the origin. */
export function studGeometry(sides: number): BufferGeometry {
  const shape = new Shape();
  stud(shape, [0, 0, 0], sides);
  return shape.geometry();
}

function stud(shape: Shape, [x, foot, z]: Vector, sides: number): void {
  const top = foot + STUD_HEIGHT;
  const middle = shape.vertex([x, top, z], [0, 1, 0], [STUD_RADIUS, FAR, FAR, FAR]);
  const ring = Array.from({ length: sides + 1 }, (_, side) => {
    const angle = (2 * Math.PI * side) / sides;
    const [outX, outZ] = [Math.cos(angle), Math.sin(angle)];
    const [rimX, rimZ] = [x + STUD_RADIUS * outX, z + STUD_RADIUS * outZ];
    return {
      lid: shape.vertex([rimX, top, rimZ], [0, 1, 0], [0, FAR, FAR, FAR]),
      high: shape.vertex([rimX, top, rimZ], [outX, 0, outZ], [FAR, STUD_HEIGHT, FAR, FAR]),
      low: shape.vertex([rimX, foot, rimZ], [outX, 0, outZ], [FAR, 0, FAR, FAR]),
    };
  });
  for (let side = 0; side < sides; side++) {
    const [here, next] = [ring[side]!, ring[side + 1]!];
    shape.triangle(middle, next.lid, here.lid);
    shape.triangle(here.low, here.high, next.high);
    shape.triangle(here.low, next.high, next.low);
  }
}

/** The surface of a set of cells, a little outside of it so that it never coincides with a brick's walls. */
export function surfaceGeometry({ cells, layer }: Volume): BufferGeometry {
  const shape = new Shape();
  const key = (x: number, y: number, z: number): number => ((x + 512) * 1024 + (y + 512)) * 1024 + (z + 512);
  const filled = new Set(cells.map(([x, y, z]) => key(x, y, z)));
  const h = layer * PLATE_HEIGHT;
  for (const [x, y, z] of cells) {
    const [low, high] = [z * h, (z + 1) * h];
    const [near, far] = [-y, -y - 1];
    if (!filled.has(key(x, y - 1, z))) shape.rectangle([x, low, near], [1, 0, 0], [0, h, 0], [0, 0, 1]);
    if (!filled.has(key(x, y + 1, z))) shape.rectangle([x + 1, low, far], [-1, 0, 0], [0, h, 0], [0, 0, -1]);
    if (!filled.has(key(x + 1, y, z))) shape.rectangle([x + 1, low, near], [0, 0, -1], [0, h, 0], [1, 0, 0]);
    if (!filled.has(key(x - 1, y, z))) shape.rectangle([x, low, far], [0, 0, 1], [0, h, 0], [-1, 0, 0]);
    if (!filled.has(key(x, y, z + 1))) shape.rectangle([x, high, near], [1, 0, 0], [0, 0, -1], [0, 1, 0]);
    if (!filled.has(key(x, y, z - 1))) shape.rectangle([x, low, far], [1, 0, 0], [0, 0, 1], [0, -1, 0]);
  }
  return shape.geometry();
}
