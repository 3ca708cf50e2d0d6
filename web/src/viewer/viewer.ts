/**
 * Shows a model on its base plate: bricks in order, ghosts of possible ones, faults, and what of the target is still
 * missing. Draws when something has changed, never otherwise, and with a constant number of draw calls.
 */

import { Color, Scene } from "three";
import { asideOf, boxAside, type Aside } from "../model/asides";
import { boxAround, boxesOf, type Box, type Brick, type Pose, type Volume } from "../model/brick";
import { FAULT, heat, hexOf } from "../model/colours";
import { BasePlate } from "./base_plate";
import { BrickSet } from "./brick_set";
import { Camera } from "./camera";
import { arrivalOf, distanceLeft, secondsToDrop } from "./drop";
import type { Stance } from "./framing";
import { listenToKeys, listenToPointer } from "./gestures";
import { Hull } from "./hull";
import { Light } from "./light";
import { brickMaterial } from "./material";
import type { Painter } from "./painter";
import { pickAt, pointOn, type Picked } from "./picking";
import type { Vector } from "./space";

const MOST_DROPPING = 4; // bricks at once; a longer way on the slider drops none
const EMPTY_PLATE: Box = { low: [0, 0, 0], high: [14, 6, 18] };
const THEMES = {
  light: { plate: "#c9ced3", hull: "#2f6fc4", shadow: 0.22 },
  dark: { plate: "#4a525c", hull: "#7db4ff", shadow: 0.3 },
} as const;

export interface Ghost extends Pose {
  readonly probability: number | null;
  readonly masked?: boolean;
}

export interface Cursor {
  readonly pose: Pose;
  readonly colour: string;
}

export class Viewer {
  calls = 0; // draw calls of the last picture
  dropSeconds = secondsToDrop(1);
  /** Called when the picture is clicked or tapped without being turned, and where the pointer is. */
  onPick: ((picked: Picked | null) => void) | null = null;
  onHover: ((picked: Picked | null) => void) | null = null;
  private readonly calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  private readonly scene = new Scene();
  private readonly camera: Camera;
  private readonly light: Light;
  private readonly plate: BasePlate;
  private readonly model: BrickSet;
  private readonly ghosts: BrickSet;
  private readonly cursor: BrickSet;
  private readonly hull = new Hull();
  private bricks: readonly Brick[] = [];
  private shown = 0;
  private faults: ReadonlySet<number> = new Set();
  private faultsShown = true;
  private hullBox: Box | null = null; // around what the target may fill
  private company: readonly Box[] = []; // around what other pictures show
  private asides: readonly Aside[] = []; // chunks that are built beside the model
  private lying = new Map<number, Aside | null>(); // where the bricks of chunks are shown by now
  private readonly falling = new Map<number, { since: number; from: Vector }>();
  private shadowsMoved = true;
  private waiting = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly painter: Painter,
  ) {
    const { lite } = painter;
    const faint = { transparent: true, depthWrite: false, fading: true };
    const ghostly = { studSides: 0, shadows: false, fading: true };
    this.light = new Light(!lite);
    this.plate = new BasePlate(lite ? 8 : 14, !lite);
    const solid = { material: brickMaterial({ hatching: true }), hatching: true, fading: false };
    this.model = new BrickSet({ ...solid, studSides: lite ? 8 : 20, shadows: !lite });
    this.ghosts = new BrickSet({ material: brickMaterial(faint), ...ghostly });
    this.cursor = new BrickSet({ material: brickMaterial(faint), ...ghostly });
    this.ghosts.group.renderOrder = this.cursor.group.renderOrder = 2;
    this.scene.add(this.light.group, this.plate.group, this.model.group);
    this.scene.add(this.hull.mesh, this.ghosts.group, this.cursor.group);
    this.camera = new Camera(canvas, EMPTY_PLATE, this.calm, () => this.redraw());
    this.light.aim(EMPTY_PLATE);
    this.layPlate();
    this.listen();
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
  }

  /** Chunks of these bricks that lie beside the model until they are put on. */
  setAsides(asides: readonly Aside[]): void {
    this.asides = asides;
    this.lying = new Map(asides.flatMap(({ bricks }) => bricks.map((index) => [index, null] as const)));
    this.layAside(false);
    this.layPlate();
    this.keepWhole();
  }

  /** Shows the first bricks of the order; further ones can drop. */
  show(count: number, drop = false): void {
    const before = this.shown;
    this.shown = Math.max(0, Math.min(count, this.bricks.length));
    for (const index of [...this.falling.keys()]) if (index >= this.shown || !drop) this.land(index);
    if (drop && !this.calm.matches && this.shown > before && this.shown - before <= MOST_DROPPING) {
      for (let index = before; index < this.shown; index++) {
        this.falling.set(index, { since: performance.now(), from: this.arrival(index, before) });
      }
    }
    this.layAside(drop && !this.calm.matches && this.shown > before);
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

  /** What the target may fill. */
  setHull(volume: Volume, visible: boolean): void {
    if (this.hull.volume !== volume) this.hullBox = boxAround([], boxesOf(volume));
    this.hull.volume = volume;
    this.hull.visible = visible;
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
    this.hull.behindGhosts = ghosts.length > 0;
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

  /** What stands in other pictures that are to be seen at the same scale. */
  setCompany(boxes: readonly Box[]): void {
    if (JSON.stringify(boxes) === JSON.stringify(this.company)) return;
    this.company = boxes;
    this.layPlate();
    this.keepWhole();
  }

  /** Turns the camera back, so that the target, all bricks and the company are seen whole. */
  frame(): void {
    const box = this.extent;
    this.camera.frame(box);
    this.light.aim(box);
    this.shadowsMoved = true;
  }

  /** Looks from where another picture's camera stands. */
  adopt(stance: Stance): void {
    this.camera.adopt(stance);
  }

  /** Called when somebody turns the model. */
  set onTurn(listener: (stance: Stance) => void) {
    this.camera.onTurn = listener;
  }

  setTheme(dark: boolean): void {
    const theme = THEMES[dark ? "dark" : "light"];
    this.plate.paint(theme.plate);
    this.light.shadowStrength = theme.shadow;
    this.hull.paint(theme.hull);
    this.redraw();
  }

  /** What is seen at a point of the window. */
  pick(clientX: number, clientY: number): Picked | null {
    const point = pointOn(this.canvas, clientX, clientY);
    return pickAt(point, this.camera.lens, this.model, this.plate.plate);
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

  private get extent(): Box {
    const asides = this.asides.map((aside) => {
      const box = boxAround(aside.bricks.flatMap((index) => this.bricks[index] ?? []));
      return box ? [boxAside(box, aside)] : [];
    });
    const around = [...(this.hullBox ? [this.hullBox] : []), ...this.company, ...asides.flat()];
    return boxAround(this.bricks, around) ?? EMPTY_PLATE;
  }

  /** Hands put everything on from above; agents do not. */
  private arrival(index: number, before: number): Vector {
    return this.asides.length ? [0, 1, 0] : arrivalOf(this.bricks[index]!, this.bricks, before);
  }

  /** Puts chunks on that are done, which can drop, and lays those aside that are not. */
  private layAside(drop: boolean): void {
    for (const [index, before] of this.lying) {
      const aside = asideOf(this.asides, index, this.shown);
      if (aside === before) continue;
      this.lying.set(index, aside);
      this.model.layAside(index, aside);
      if (drop && before) this.falling.set(index, { since: performance.now(), from: [0, 1, 0] });
    }
  }

  private draw(now: number): void {
    this.resize();
    this.fall(now);
    const moving = this.camera.advance();
    this.calls = this.painter.paint(this.scene, this.camera.lens, this.canvas, this.shadowsMoved);
    this.shadowsMoved = false;
    this.canvas.dataset["calls"] = String(this.calls);
    if (this.falling.size || moving) this.redraw();
  }

  private resize(): void {
    const sharpness = this.painter.sharpness;
    const width = Math.round(this.canvas.clientWidth * sharpness);
    const height = Math.round(this.canvas.clientHeight * sharpness);
    if (!width || !height || (this.canvas.width === width && this.canvas.height === height)) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.camera.shape(width / height);
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
      this.model.hatch(index, brick.extra ?? false);
    });
  }

  private shapeHull(): void {
    this.hull.shape(this.bricks.slice(0, this.shown));
  }

  private layPlate(): void {
    this.plate.cover(this.extent);
    this.shadowsMoved = true;
  }

  /** A model that outgrows the picture moves the camera. */
  private keepWhole(): void {
    if (this.camera.include(this.extent)) this.light.aim(this.extent);
    this.redraw();
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
      turn: (yaw, pitch) => this.camera.turn(yaw, pitch),
      zoom: (factor) => this.camera.zoom(factor),
      seeAll: () => this.frame(),
    });
  }
}

function samePose(one: Pose | undefined, other: Pose | undefined): boolean {
  if (!one || !other) return false;
  return one.part === other.part && one.x === other.x && one.y === other.y && one.z === other.z && one.d === other.d;
}
