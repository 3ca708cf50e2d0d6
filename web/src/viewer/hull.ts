/** The target as far as no brick fills it yet, shown faintly. One draw call. */

import { Mesh } from "three";
import { NOTHING, filledBy, keyOf, platesOf, type Pose, type Volume } from "../model/brick";
import { brickMaterial } from "./material";
import { surfaceGeometry } from "./shapes";

const OPACITY = 0.17;
const BEHIND_GHOSTS = 0.05; // two kinds of ghosts at once confuse

export class Hull {
  volume: Volume = NOTHING; // what the target may fill
  visible = true;
  private readonly material = brickMaterial({ transparent: true, depthWrite: false, outline: 0.35, opacity: OPACITY });
  readonly mesh = new Mesh(surfaceGeometry(NOTHING), this.material);

  constructor() {
    this.mesh.renderOrder = 1;
  }

  paint(colour: string): void {
    this.material.color.set(colour);
  }

  /** Steps back while ghosts of bricks are shown. */
  set behindGhosts(behind: boolean) {
    this.material.opacity = behind ? BEHIND_GHOSTS : OPACITY;
  }

  /** Leaves out cells that bricks fill up. */
  shape(bricks: readonly Pose[]): void {
    const { volume } = this;
    const cells = this.visible ? volume.cells : [];
    const filled = filledBy(cells.length ? bricks : []);
    const missing = cells.filter((cell) => !platesOf(volume, cell).every((plate) => filled.has(keyOf(plate))));
    this.mesh.geometry.dispose();
    this.mesh.geometry = surfaceGeometry({ ...volume, cells: missing });
    this.mesh.visible = missing.length > 0;
  }
}
