/** Soft light: a sky, a sun whose shadows reach as far as the model, and a little light from the other side. */

import { DirectionalLight, Group, HemisphereLight, Mesh, PlaneGeometry, ShadowMaterial, Vector3 } from "three";
import type { Box } from "../model/brick";
import { middleOf } from "./framing";
import { PLATE_HEIGHT } from "./space";

const TOWARDS_SUN = new Vector3(-0.5, 1.45, 0.7);

export class Light {
  readonly group = new Group();
  private readonly sun = new DirectionalLight("#fff7ea", 2.3);
  private readonly ground = new Mesh(new PlaneGeometry(400, 400), new ShadowMaterial({ opacity: 0.2 }));

  constructor(shadows: boolean) {
    const fill = new DirectionalLight("#dfe9ff", 0.55);
    fill.position.set(10, 4, 6);
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.position.y = -0.33; // under the base plate
    this.ground.receiveShadow = true;
    this.ground.visible = shadows;
    this.sun.castShadow = shadows;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 7;
    this.sun.shadow.normalBias = 0.03;
    this.group.add(new HemisphereLight("#ffffff", "#b9b2a6", 1.75), this.sun, this.sun.target, fill, this.ground);
  }

  set shadowStrength(strength: number) {
    this.ground.material.opacity = strength;
  }

  /** Lets the shadows of a box fall wherever they can be seen. */
  aim(box: Box): void {
    const { low, high } = box;
    const middle = middleOf(box);
    const height = (high[2] - low[2]) * PLATE_HEIGHT;
    const reach = 0.75 * Math.hypot(high[0] - low[0] + 6, high[1] - low[1] + 6, height + 6);
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).addScaledVector(TOWARDS_SUN, reach);
    const { camera } = this.sun.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.1;
    camera.far = 5 * reach;
    camera.updateProjectionMatrix();
  }
}
