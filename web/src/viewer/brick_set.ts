/** Many bricks with few draw calls: for each part one instanced mesh of bodies and one of studs. */

import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  Quaternion,
  Vector3,
  type BufferGeometry,
  type Material,
} from "three";
import type { Aside } from "../model/asides";
import type { Pose } from "../model/brick";
import { partOf } from "../model/parts";
import { bodyGeometry, studsGeometry } from "./shapes";
import { footOf, toScene, type Vector } from "./space";

const UP = new Vector3(0, 1, 0);
const ORIGIN: Vector = [0, 0, 0];

interface PartMeshes {
  readonly meshes: InstancedMesh[]; // bodies first; they share positions and colours
  readonly capacity: number;
  indices: number[]; // of the bricks that are of this part, in their order
}

interface Slot {
  readonly meshes: PartMeshes;
  readonly instance: number; // which of their instances a brick is
}

export interface BrickSetOptions {
  readonly material: Material;
  readonly studSides: number; // 0 leaves the studs away
  readonly shadows: boolean;
  readonly fading: boolean; // whether each brick has an opacity
  readonly hatching?: boolean; // whether bricks can be hatched
}

export class BrickSet {
  readonly group = new Group();
  private readonly parts = new Map<string, PartMeshes>();
  private bricks: readonly Pose[] = [];
  private slots: Slot[] = []; // of each brick
  private asides: (Aside | null)[] = []; // that bricks lie with

  constructor(private readonly options: BrickSetOptions) {}

  /** Replaces all bricks. Positions and colours are set anew; all are shown. */
  set(bricks: readonly Pose[]): void {
    this.bricks = bricks;
    this.asides = [];
    const byPart = new Map<string, number[]>([...this.parts.keys()].map((part) => [part, []]));
    bricks.forEach((brick, index) => {
      const indices = byPart.get(brick.part);
      if (indices) indices.push(index);
      else byPart.set(brick.part, [index]);
    });
    this.slots = new Array<Slot>(bricks.length);
    for (const [part, indices] of byPart) {
      const meshes = this.meshesFor(part, indices.length);
      meshes.indices = indices;
      indices.forEach((index, instance) => (this.slots[index] = { meshes, instance }));
    }
    bricks.forEach((_, index) => this.move(index));
    this.show(bricks.length);
  }

  /** Shows the first bricks only. */
  show(count: number): void {
    for (const { meshes, indices } of this.parts.values()) {
      let shown = 0;
      while (shown < indices.length && indices[shown]! < count) shown++;
      for (const mesh of meshes) {
        mesh.count = shown;
        mesh.visible = shown > 0;
      }
    }
  }

  /** Lays a brick beside the model with its chunk, or where it belongs. */
  layAside(index: number, aside: Aside | null): void {
    this.asides[index] = aside;
    this.move(index);
  }

  /** Moves a brick away from its place, or back to it. */
  move(index: number, by: Vector = ORIGIN, scale = 1): void {
    const slot = this.slots[index];
    const brick = this.bricks[index];
    if (!slot || !brick) return;
    const foot = footOf(brick);
    const matrix = new Matrix4().compose(
      new Vector3(...foot),
      new Quaternion().setFromAxisAngle(UP, (brick.d * Math.PI) / 2),
      new Vector3(scale, scale, scale),
    );
    const aside = this.asides[index];
    if (aside) matrix.premultiply(asideMatrix(aside));
    matrix.premultiply(new Matrix4().makeTranslation(...by));
    const [bodies] = slot.meshes.meshes;
    bodies!.setMatrixAt(slot.instance, matrix);
    bodies!.instanceMatrix.needsUpdate = true;
    bodies!.boundingSphere = null; // which picking would take from the old places
  }

  paint(index: number, colour: Color): void {
    const slot = this.slots[index];
    const bodies = slot?.meshes.meshes[0];
    if (!slot || !bodies?.instanceColor) return;
    bodies.setColorAt(slot.instance, colour);
    bodies.instanceColor.needsUpdate = true;
  }

  fade(index: number, strength: number): void {
    const slot = this.slots[index];
    const attribute = slot?.meshes.meshes[0]?.geometry.getAttribute("strength");
    if (!slot || !(attribute instanceof InstancedBufferAttribute)) return;
    attribute.setX(slot.instance, strength);
    attribute.needsUpdate = true;
  }

  hatch(index: number, on: boolean): void {
    const slot = this.slots[index];
    const attribute = slot?.meshes.meshes[0]?.geometry.getAttribute("hatched");
    if (!slot || !(attribute instanceof InstancedBufferAttribute)) return;
    attribute.setX(slot.instance, on ? 1 : 0);
    attribute.needsUpdate = true;
  }

  /** The meshes to pick from, and which brick an instance is. */
  get bodies(): InstancedMesh[] {
    return [...this.parts.values()].flatMap(({ meshes }) => meshes.slice(0, 1)).filter((mesh) => mesh.visible);
  }

  brickOf(mesh: InstancedMesh, instance: number): number {
    const found = [...this.parts.values()].find(({ meshes }) => meshes[0] === mesh);
    return found?.indices[instance] ?? -1;
  }

  private meshesFor(name: string, count: number): PartMeshes {
    const there = this.parts.get(name);
    if (there && there.capacity >= count) return there;
    this.remove(name);
    const capacity = Math.max(64, 2 ** Math.ceil(Math.log2(count)));
    const part = partOf(name);
    const geometries = [bodyGeometry(part)];
    if (this.options.studSides && part.studs.length) geometries.push(studsGeometry(part, this.options.studSides));
    if (this.options.hatching) {
      const hatched = new InstancedBufferAttribute(new Float32Array(capacity), 1); // bodies and studs share it
      for (const geometry of geometries) geometry.setAttribute("hatched", hatched);
    }
    const meshes = geometries.map((geometry) => this.mesh(geometry, capacity));
    const [bodies, studs] = meshes;
    bodies!.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * capacity).fill(1), 3);
    if (studs) {
      studs.instanceMatrix = bodies!.instanceMatrix;
      studs.instanceColor = bodies!.instanceColor;
    }
    const made = { meshes, capacity, indices: [] };
    this.parts.set(name, made);
    this.group.add(...meshes);
    return made;
  }

  private mesh(geometry: BufferGeometry, capacity: number): InstancedMesh {
    const { material, shadows, fading } = this.options;
    if (fading) {
      geometry.setAttribute("strength", new InstancedBufferAttribute(new Float32Array(capacity).fill(1), 1));
    }
    const mesh = new InstancedMesh(geometry, material, capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = shadows;
    return mesh;
  }

  private remove(part: string): void {
    for (const mesh of this.parts.get(part)?.meshes ?? []) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.parts.delete(part);
  }
}

/** From where bricks belong to where they lie aside: half a turn about the x axis turns them upside down. */
function asideMatrix({ turned, by }: Aside): Matrix4 {
  const moved = new Matrix4().makeTranslation(...toScene(by));
  return turned ? moved.multiply(new Matrix4().makeScale(1, -1, -1)) : moved;
}
