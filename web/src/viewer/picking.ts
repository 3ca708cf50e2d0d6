/** What a ray from the eye through a point of the picture meets first: a brick or the base plate. */

import { Matrix3, Matrix4, Raycaster, Vector2, type Mesh, type PerspectiveCamera } from "three";
import type { Cell } from "../model/brick";
import type { BrickSet } from "./brick_set";
import { cellsAtFace } from "./space";

export interface Picked {
  readonly brick: number | null; // null: the base plate
  readonly beside: Cell; // the cell next to the face
}

/** A point of the window as a point of a canvas, where x and y go from -1 to 1. */
export function pointOn(canvas: HTMLCanvasElement, clientX: number, clientY: number): Vector2 {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
}

export function pickAt(point: Vector2, lens: PerspectiveCamera, bricks: BrickSet, plate: Mesh | null): Picked | null {
  const ray = new Raycaster();
  ray.setFromCamera(point, lens);
  const { bodies } = bricks;
  const hit = ray.intersectObjects([...bodies, ...(plate ? [plate] : [])], false)[0];
  if (!hit?.face) return null;
  const normal = hit.face.normal.clone();
  const body = bodies.find((each) => each === hit.object);
  let brick: number | null = null;
  if (body && hit.instanceId !== undefined) {
    const matrix = new Matrix4();
    body.getMatrixAt(hit.instanceId, matrix);
    normal.applyMatrix3(new Matrix3().getNormalMatrix(matrix)).normalize();
    brick = bricks.brickOf(body, hit.instanceId);
  }
  return { brick, beside: cellsAtFace(hit.point.toArray(), normal.toArray()).beside };
}
