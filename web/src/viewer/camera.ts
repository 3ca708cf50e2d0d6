/** The camera: frames what there is to see, and gives way to whoever turns the model. */

import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Box } from "../model/brick";
import { stanceBefore, type Stance } from "./framing";

const SHARE = 0.16; // of its way that the camera goes in one picture
const NEAR_ENOUGH = 0.02;
const UP = new Vector3(0, 1, 0);

export class Camera {
  readonly lens = new PerspectiveCamera(28, 1, 1, 400);
  /** Called when somebody turns the model. */
  onTurn: ((stance: Stance) => void) | null = null;
  framed: Box;
  private readonly controls: OrbitControls;
  private goal: Stance | null = null; // where it is on its way to
  private turned = false; // whether somebody has chosen another stance
  private adopting = false;

  constructor(
    canvas: HTMLCanvasElement,
    box: Box,
    private readonly calm: MediaQueryList, // whether people want things to keep still
    private readonly moved: () => void,
  ) {
    this.framed = box;
    this.controls = new OrbitControls(this.lens, canvas);
    this.controls.enableDamping = !calm.matches;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.62 * Math.PI;
    this.controls.minDistance = 4;
    this.controls.addEventListener("start", () => this.taken());
    this.controls.addEventListener("change", () => {
      if (this.turned && !this.adopting) this.onTurn?.({ position: this.lens.position, middle: this.controls.target });
      this.moved();
    });
    this.frame(box);
  }

  /** Stands before a box, so that it and the plate under it are seen whole. */
  frame(box: Box, smoothly = false): void {
    this.framed = box;
    this.turned = false;
    this.goal = stanceBefore(box, this.lens.fov, this.lens.aspect);
    this.controls.maxDistance = 4 * this.goal.position.distanceTo(this.goal.middle);
    if (!smoothly || this.calm.matches) this.approach(1);
    this.moved();
  }

  /** Makes room for a box, unless somebody has turned the model; true if it had to. */
  include(box: Box): boolean {
    if (this.turned || within(box, this.framed)) return false;
    this.frame(box, true);
    return true;
  }

  /** Takes the shape of a picture. */
  shape(aspect: number): void {
    const before = this.lens.aspect;
    this.lens.aspect = aspect;
    this.lens.updateProjectionMatrix();
    if (Math.abs(before - aspect) > 0.01 && !this.turned) this.frame(this.framed);
  }

  turn(yaw: number, pitch: number): void {
    this.taken();
    const offset = this.lens.position.clone().sub(this.controls.target).applyAxisAngle(UP, yaw);
    const level = new Vector3().crossVectors(UP, offset).normalize();
    const tilted = offset.clone().applyAxisAngle(level, -pitch);
    const polar = tilted.angleTo(UP);
    const allowed = polar > 0.1 && polar < this.controls.maxPolarAngle;
    this.lens.position.copy(this.controls.target).add(allowed ? tilted : offset);
    this.controls.update();
    this.moved();
  }

  zoom(factor: number): void {
    this.taken();
    const offset = this.lens.position.clone().sub(this.controls.target);
    const { minDistance, maxDistance } = this.controls;
    offset.setLength(Math.min(Math.max(offset.length() / factor, minDistance), maxDistance));
    this.lens.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.moved();
  }

  /** Looks from where another camera stands. */
  adopt({ position, middle }: Stance): void {
    this.taken();
    this.adopting = true;
    this.lens.position.copy(position);
    this.controls.target.copy(middle);
    this.controls.update();
    this.adopting = false;
    this.moved();
  }

  /** Goes on for one picture; true while it is on its way. */
  advance(): boolean {
    if (this.goal) this.approach(SHARE);
    this.controls.update();
    return this.goal !== null;
  }

  private taken(): void {
    this.turned = true;
    this.goal = null;
  }

  private approach(share: number): void {
    const { goal, lens, controls } = this;
    if (!goal) return;
    lens.position.lerp(goal.position, share);
    controls.target.lerp(goal.middle, share);
    if (lens.position.distanceTo(goal.position) < NEAR_ENOUGH) this.goal = null;
    controls.update();
  }
}

function within(box: Box, frame: Box): boolean {
  const axes = [0, 1, 2] as const;
  return axes.every((axis) => box.low[axis] >= frame.low[axis] && box.high[axis] <= frame.high[axis]);
}
