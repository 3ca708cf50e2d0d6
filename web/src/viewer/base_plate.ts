/** The studded plate under a model. Two draw calls, whatever its size. */

import { Color, Group, InstancedMesh, Matrix4, Mesh, type MeshLambertMaterial } from "three";
import type { Box } from "../model/brick";
import { brickMaterial } from "./material";
import { boxGeometry, studGeometry } from "./shapes";

const THICKNESS = 0.32;
export const PLATE_MARGIN = 2; // studs around what stands on it

export class BasePlate {
  readonly group = new Group();
  plate: Mesh | null = null;
  private readonly meshes: Mesh[] = [];
  private readonly material: MeshLambertMaterial = brickMaterial({ outline: 0.25 });
  private covered = "";

  constructor(
    private readonly studSides: number,
    private readonly shadows: boolean,
  ) {}

  paint(colour: string): void {
    this.material.color = new Color(colour);
  }

  /** Lies under a box; does nothing if it does already. */
  cover(box: Box): void {
    const [x0, y0] = [box.low[0] - PLATE_MARGIN, box.low[1] - PLATE_MARGIN];
    const [x1, y1] = [box.high[0] + PLATE_MARGIN, box.high[1] + PLATE_MARGIN];
    const covered = [x0, y0, x1, y1].join(" ");
    if (covered === this.covered) return;
    this.covered = covered;
    this.clear();
    const [alongX, alongY] = [x1 - x0, y1 - y0];
    const plate = new Mesh(boxGeometry(alongX, alongY, THICKNESS, 0), this.material);
    plate.position.set((x0 + x1) / 2, -THICKNESS, -(y0 + y1) / 2);
    const studs = new InstancedMesh(studGeometry(this.studSides), this.material, alongX * alongY);
    for (let stud = 0; stud < alongX * alongY; stud++) {
      const [column, row] = [stud % alongX, Math.floor(stud / alongX)];
      studs.setMatrixAt(stud, new Matrix4().makeTranslation(x0 + column + 0.5, 0, -(y0 + row + 0.5)));
    }
    studs.frustumCulled = false;
    plate.receiveShadow = studs.receiveShadow = this.shadows;
    this.plate = plate;
    this.meshes.push(plate, studs);
    this.group.add(plate, studs);
  }

  private clear(): void {
    for (const mesh of this.meshes.splice(0)) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
    }
  }
}
