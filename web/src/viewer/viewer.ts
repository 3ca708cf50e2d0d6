/**
 * Shows a model on its base plate: bricks in order, ghosts of possible ones, faults, and what of the target is still
 * missing. Draws when something has changed, never otherwise, and with a constant number of draw calls.
 */

import {
  Color,
  DirectionalLight,
  HemisphereLight,
  InstancedMesh,
  Matrix3,
  Matrix4,
  Mesh,
  PerspectiveCamera,
  PlaneGeometry,
  Raycaster,
  Scene,
  ShadowMaterial,
  Vector2,
  Vector3,
  type Intersection,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { boxAround, filledBy, keyOf, type Box, type Brick, type Cell, type Pose } from "../model/brick";
import { FAULT, heat, hexOf } from "../model/colours";
import { BasePlate } from "./base_plate";
import { middleOf, viewOf, type CameraView } from "./framing";
import { BrickSet } from "./brick_set";
import { DROP_SECONDS, arrivalOf, distanceLeft } from "./drop";
import { listenToKeys, listenToPointer } from "./gestures";
import { brickMaterial } from "./material";
import type { Painter } from "./painter";
import { surfaceGeometry } from "./shapes";
import { BRICK_HEIGHT, cellsAtFace, type Vector } from "./space";

const HULL_OPACITY = 0.17;
const EMPTY_PLATE: Box = { low: [0, 0, 0], high: [14, 6, 6] };
const THEMES = {
  light: { plate: "#c9ced3", hull: "#2f6fc4", shadow: 0.22 },
  dark: { plate: "#4a525c", hull: "#7db4ff", shadow: 0.3 },
} as const;

export interface Ghost extends Pose {
  readonly probability: number | null;
  readonly masked?: boolean;
}

export interface Picked {
  readonly brick: number | null; // null: the base plate
  readonly beside: Cell; // the cell next to the face
}

export interface Cursor {
  readonly pose: Pose;
  readonly colour: string;
}

export class Viewer {
  calls = 0; // draw calls of the last picture
  /** Called when the picture is clicked or tapped without being turned, and where the pointer is. */
  onPick: ((picked: Picked | null) => void) | null = null;
  onHover: ((picked: Picked | null) => void) | null = null;
  /** Called when somebody turns the model. */
  onTurn: ((camera: CameraView) => void) | null = null;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(28, 1, 1, 400);
  private readonly controls: OrbitControls;
  private readonly sun = new DirectionalLight("#fff7ea", 2.3);
  private readonly sky = new HemisphereLight("#ffffff", "#b9b2a6", 1.75);
  private readonly ground: Mesh<PlaneGeometry, ShadowMaterial>;
  private readonly plate: BasePlate;
  private readonly model: BrickSet;
  private readonly ghosts: BrickSet;
  private readonly cursor: BrickSet;
  private readonly hullMaterial = brickMaterial({ transparent: true, depthWrite: false, opacity: HULL_OPACITY, outline: 0.35 });
  private readonly hullMesh: Mesh;
  private bricks: readonly Brick[] = [];
  private shown = 0;
  private faults: ReadonlySet<number> = new Set();
  private faultsShown = true;
  private hull: readonly Cell[] = [];
  private hullShown = true;
  private company: readonly Cell[] = []; // corners of what other pictures show
  private framed: Box | null = null;
  private goal: CameraView | null = null; // where the camera is on its way to
  private adopting = false;
  private turned = false; // whether somebody has chosen another view
  private readonly falling = new Map<number, { since: number; from: Vector }>();
  private shadowsMoved = true;
  private waiting = false;
  private readonly calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  dropSeconds = DROP_SECONDS;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly painter: Painter,
  ) {
    const { lite } = painter;
    const studSides = lite ? 8 : 20;
    const common = { shadows: !lite, fading: false };
    this.plate = new BasePlate(lite ? 8 : 14, !lite);
    this.model = new BrickSet({ ...common, material: brickMaterial(), studSides });
    const faint = { transparent: true, depthWrite: false, fading: true };
    this.ghosts = new BrickSet({ material: brickMaterial(faint), studSides: 0, shadows: false, fading: true });
    this.cursor = new BrickSet({ material: brickMaterial(faint), studSides: 0, shadows: false, fading: true });
    this.hullMesh = new Mesh(surfaceGeometry([]), this.hullMaterial);
    this.hullMesh.renderOrder = 1;
    this.ghosts.group.renderOrder = this.cursor.group.renderOrder = 2;
    this.ground = new Mesh(new PlaneGeometry(400, 400), new ShadowMaterial({ opacity: 0.2 }));
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.position.y = -0.33;
    this.ground.receiveShadow = true;
    this.ground.visible = !lite;
    const fill = new DirectionalLight("#dfe9ff", 0.55);
    fill.position.set(10, 4, 6);
    this.scene.add(this.sky, this.sun, this.sun.target, fill, this.ground);
    this.scene.add(this.plate.group, this.model.group, this.hullMesh, this.ghosts.group, this.cursor.group);
    this.sun.castShadow = !lite;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 7;
    this.sun.shadow.normalBias = 0.03;

    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !this.calm.matches;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.62 * Math.PI;
    this.controls.addEventListener("change", () => {
      if (this.turned && !this.adopting) this.onTurn?.({ position: this.camera.position, target: this.controls.target });
      this.redraw();
    });
    this.controls.addEventListener("start", () => this.taken());
    this.listen();
    this.frame(EMPTY_PLATE);
    this.setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);
  }

  /** Replaces the bricks; how many are shown stays as it is where possible. */
  setBricks(bricks: readonly Brick[]): void {
    for (const index of [...this.falling.keys()]) {
      if (!samePose(this.bricks[index], bricks[index])) this.falling.delete(index);
    }
    this.bricks = bricks;
    this.model.set(bricks);
    this.repaint();
    this.shown = Math.min(this.shown, bricks.length);
    this.model.show(this.shown);
    this.shapeHull();
    this.layPlate();
    this.keepWhole();
    this.redraw();
  }

  /** Shows the first bricks of the order; further ones can drop into place. */
  show(count: number, drop = false): void {
    const before = this.shown;
    this.shown = Math.max(0, Math.min(count, this.bricks.length));
    for (const index of [...this.falling.keys()]) if (index >= this.shown || !drop) this.land(index);
    if (drop && !this.calm.matches && this.shown > before && this.shown - before <= 4) {
      const filled = filledBy(this.bricks.slice(0, before));
      for (let index = before; index < this.shown; index++) {
        this.falling.set(index, { since: performance.now(), from: arrivalOf(this.bricks[index]!, filled) });
      }
    }
    this.model.show(this.shown);
    if (this.shown !== before) this.shapeHull();
    this.shadowsMoved = true;
    this.redraw();
  }

  /** Paints bricks bright red, and the others pale. */
  setFaults(faults: Iterable<number>, visible = this.faultsShown): void {
    this.faults = new Set(faults);
    this.faultsShown = visible;
    this.repaint();
    this.redraw();
  }

  /** What the target may fill; what of it no brick fills yet is shown faintly. */
  setHull(cells: readonly Cell[], visible = this.hullShown): void {
    this.hull = cells;
    this.hullShown = visible;
    this.shapeHull();
    this.layPlate();
    this.redraw();
  }

  /** Possible bricks: the more probable the brighter and the less transparent; masked ones are grey. */
  setGhosts(ghosts: readonly Ghost[]): void {
    const most = Math.max(1e-9, ...ghosts.map((ghost) => ghost.probability ?? 0));
    this.ghosts.set(ghosts);
    ghosts.forEach((ghost, index) => {
      const share = ghost.probability === null ? 0.5 : ghost.probability / most;
      const colour = ghost.masked ? new Color("#8a8f98") : new Color().setRGB(...heat(share), "srgb");
      this.ghosts.paint(index, colour);
      this.ghosts.fade(index, ghost.masked ? 0.07 : 0.06 + 0.56 * share);
    });
    this.hullMaterial.opacity = ghosts.length ? 0.05 : HULL_OPACITY; // two kinds of ghosts at once confuse
    this.redraw();
  }

  /** The brick at hand. */
  setCursor(cursor: Cursor | null): void {
    this.cursor.set(cursor ? [cursor.pose] : []);
    if (cursor) {
      this.cursor.paint(0, new Color(cursor.colour));
      this.cursor.fade(0, 0.6);
    }
    this.redraw();
  }

  /** Turns the camera to its first place, so that a box and the plate under it are seen whole. */
  frame(box: Box | null = this.framed, smoothly = false): void {
    this.framed = box ?? EMPTY_PLATE;
    this.turned = false;
    this.goal = viewOf(this.framed, this.camera.fov, this.camera.aspect);
    this.controls.minDistance = 4;
    this.controls.maxDistance = 4 * this.goal.position.distanceTo(this.goal.target);
    if (!smoothly || this.calm.matches) this.approach(1);
    this.aimSun();
    this.redraw();
  }

  /** The box around the target, all bricks and the company, to be framed. */
  get extent(): Box | null {
    return boxAround(this.bricks, [...this.hull, ...this.company]);
  }

  /** What stands in other pictures that are to be seen at the same scale. */
  setCompany(boxes: readonly Box[]): void {
    const ends = boxes.flatMap(({ low, high }): Cell[] => [low, [high[0] - 1, high[1] - 1, high[2] - 1]]);
    if (ends.join() === this.company.join()) return;
    this.company = ends;
    this.layPlate();
    this.keepWhole();
    this.redraw();
  }

  /** Looks from where another camera stands. */
  adopt({ position, target }: CameraView): void {
    this.goal = null;
    this.turned = true;
    this.adopting = true;
    this.camera.position.copy(position);
    this.controls.target.copy(target);
    this.controls.update();
    this.adopting = false;
    this.redraw();
  }

  turn(yaw: number, pitch: number): void {
    this.taken();
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(new Vector3(0, 1, 0), yaw);
    const level = new Vector3().crossVectors(new Vector3(0, 1, 0), offset).normalize();
    const turned = offset.clone().applyAxisAngle(level, -pitch);
    const polar = turned.angleTo(new Vector3(0, 1, 0));
    this.camera.position.copy(this.controls.target).add(polar > 0.1 && polar < 1.9 ? turned : offset);
    this.controls.update();
    this.redraw();
  }

  zoom(factor: number): void {
    this.taken();
    const offset = this.camera.position.clone().sub(this.controls.target);
    const away = Math.min(Math.max(offset.length() / factor, this.controls.minDistance), this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).add(offset.setLength(away));
    this.controls.update();
    this.redraw();
  }

  setTheme(dark: boolean): void {
    const theme = THEMES[dark ? "dark" : "light"];
    this.plate.paint(theme.plate);
    this.ground.material.opacity = theme.shadow;
    this.hullMaterial.color.set(theme.hull);
    this.redraw();
  }

  /** What is seen at a point of the window. */
  pick(clientX: number, clientY: number): Picked | null {
    const bounds = this.canvas.getBoundingClientRect();
    const point = new Vector2(
      (2 * (clientX - bounds.left)) / bounds.width - 1,
      1 - (2 * (clientY - bounds.top)) / bounds.height,
    );
    const ray = new Raycaster();
    ray.setFromCamera(point, this.camera);
    const plate = this.plate.plate;
    const hit = ray.intersectObjects([...this.model.bodies, ...(plate ? [plate] : [])], false)[0];
    return hit ? this.picked(hit) : null;
  }

  /** Asks for a new picture; many wishes in one frame make one picture. */
  redraw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      this.draw(now);
    });
  }

  dispose(): void {
    this.controls.dispose();
    for (const set of [this.model, this.ghosts, this.cursor]) set.dispose();
  }

  private draw(now: number): void {
    this.resize();
    this.fall(now);
    if (this.goal) this.approach(0.16);
    this.controls.update();
    this.calls = this.painter.paint(this.scene, this.camera, this.canvas, this.shadowsMoved);
    this.shadowsMoved = false;
    this.canvas.dataset["calls"] = String(this.calls);
    if (this.falling.size || this.goal) this.redraw();
  }

  private resize(): void {
    const sharpness = this.painter.sharpness;
    const width = Math.round(this.canvas.clientWidth * sharpness);
    const height = Math.round(this.canvas.clientHeight * sharpness);
    if (!width || !height || (this.canvas.width === width && this.canvas.height === height)) return;
    this.canvas.width = width;
    this.canvas.height = height;
    const before = this.camera.aspect;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (Math.abs(before - this.camera.aspect) > 0.01 && !this.turned) this.frame();
  }

  /** A model that outgrows the picture moves the camera, unless somebody has turned it. */
  private keepWhole(): void {
    const { extent } = this;
    if (extent && !this.turned && !within(extent, this.framed)) this.frame(extent, true);
  }

  /** Moves the camera a share of its way. */
  private approach(share: number): void {
    const { goal, camera, controls } = this;
    if (!goal) return;
    camera.position.lerp(goal.position, share);
    controls.target.lerp(goal.target, share);
    if (camera.position.distanceTo(goal.position) < 0.02) this.goal = null;
    controls.update();
  }

  private fall(now: number): void {
    for (const [index, { since, from }] of [...this.falling]) {
      const share = (now - since) / (1000 * this.dropSeconds);
      if (share >= 1) this.land(index);
      else {
        const left = distanceLeft(Math.max(0, share));
        this.model.move(index, [left * from[0], left * from[1], left * from[2]], Math.min(1, 0.3 + 4 * share));
      }
      this.shadowsMoved = true;
    }
  }

  private land(index: number): void {
    this.falling.delete(index);
    this.model.move(index);
  }

  private repaint(): void {
    const pale = new Color("#ffffff");
    const faults = this.faultsShown ? this.faults : new Set<number>();
    this.bricks.forEach((brick, index) => {
      const faulty = faults.has(index);
      const colour = new Color(faulty ? FAULT : hexOf(brick.colour));
      this.model.paint(index, faults.size && !faulty ? colour.lerp(pale, 0.5) : colour);
    });
  }

  private shapeHull(): void {
    const filled = filledBy(this.bricks.slice(0, this.shown));
    const missing = this.hullShown ? this.hull.filter((cell) => !filled.has(keyOf(cell))) : [];
    this.hullMesh.geometry.dispose();
    this.hullMesh.geometry = surfaceGeometry(missing);
    this.hullMesh.visible = missing.length > 0;
  }

  private layPlate(): void {
    this.plate.cover(this.extent ?? EMPTY_PLATE);
    this.shadowsMoved = true;
  }

  private aimSun(): void {
    const { low, high } = this.framed ?? EMPTY_PLATE;
    const middle = middleOf({ low, high });
    const reach = 0.75 * Math.hypot(high[0] - low[0] + 6, high[1] - low[1] + 6, (high[2] - low[2]) * BRICK_HEIGHT + 6);
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).add(new Vector3(-0.5, 1.45, 0.7).multiplyScalar(reach));
    const { camera } = this.sun.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.1;
    camera.far = 5 * reach;
    camera.updateProjectionMatrix();
    this.shadowsMoved = true;
  }

  private picked(hit: Intersection): Picked | null {
    if (!hit.face) return null;
    const normal = hit.face.normal.clone();
    const instanced = hit.object instanceof InstancedMesh ? hit.object : null;
    if (instanced && hit.instanceId !== undefined) {
      const matrix = new Matrix4();
      instanced.getMatrixAt(hit.instanceId, matrix);
      normal.applyMatrix3(new Matrix3().getNormalMatrix(matrix)).normalize();
    }
    const { beside } = cellsAtFace(hit.point.toArray(), normal.toArray());
    return { brick: instanced ? this.model.brickOf(instanced, hit.instanceId ?? -1) : null, beside };
  }

  private taken(): void {
    this.turned = true;
    this.goal = null;
  }

  private listen(): void {
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
    window
      .matchMedia("(prefers-color-scheme: dark)")
      .addEventListener("change", (event) => this.setTheme(event.matches));
    this.painter.onRestored(() => {
      this.shadowsMoved = true;
      this.redraw();
    });
    listenToPointer(this.canvas, {
      press: (x, y) => this.onPick?.(this.pick(x, y)),
      move: (x, y) => this.onHover?.(this.pick(x, y)),
      leave: () => this.onHover?.(null),
    });
    listenToKeys(this.canvas, {
      turn: (yaw, pitch) => this.turn(yaw, pitch),
      zoom: (factor) => this.zoom(factor),
      seeAll: () => this.frame(),
    });
  }
}

function within(box: Box, frame: Box | null): boolean {
  const axes = [0, 1, 2] as const;
  return frame !== null && axes.every((axis) => box.low[axis] >= frame.low[axis] && box.high[axis] <= frame.high[axis]);
}

function samePose(one: Pose | undefined, other: Pose | undefined): boolean {
  if (!one || !other) return false;
  return one.part === other.part && one.x === other.x && one.y === other.y && one.z === other.z && one.d === other.d;
}
