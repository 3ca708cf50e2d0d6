/**
 * The shapes of bricks. Every vertex carries its distances to the edges of its face, so that the material can draw
 * outlines without a draw call of their own.
 */

import { BufferAttribute, BufferGeometry } from "three";
import type { Cell } from "../model/brick";
import { BRICK_HEIGHT, STUD_HEIGHT, STUD_RADIUS, type Vector } from "./space";

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

/** The body of a brick of so many studs along x and along y. */
export function bodyGeometry(alongX: number, alongY: number): BufferGeometry {
  return boxGeometry(alongX, alongY, BRICK_HEIGHT - GAP / 2);
}

/** The studs on top of that body, or on the ground. */
export function studsGeometry(alongX: number, alongY: number, sides: number, ground = BRICK_HEIGHT): BufferGeometry {
  const shape = new Shape();
  for (let x = 0; x < alongX; x++) {
    for (let y = 0; y < alongY; y++) stud(shape, [x + 0.5 - alongX / 2, ground, y + 0.5 - alongY / 2], sides);
  }
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
export function surfaceGeometry(cells: readonly Cell[]): BufferGeometry {
  const shape = new Shape();
  const key = (x: number, y: number, z: number): number => ((x + 512) * 1024 + (y + 512)) * 1024 + (z + 512);
  const filled = new Set(cells.map(([x, y, z]) => key(x, y, z)));
  const h = BRICK_HEIGHT;
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
