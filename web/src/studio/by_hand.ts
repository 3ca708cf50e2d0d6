/** Taking over: bricks placed and removed by hand, with the pointer on faces or with keys. */

import "./by_hand.css";
import { need } from "../controls/dom";
import { centredAt, cellsOf, fittingAt, obstacle, type Brick, type Cell, type Pose } from "../model/brick";
import { FAULT } from "../model/colours";
import type { Picked } from "../viewer/picking";
import type { LanePanel } from "./lane_panel";

const PART = "2x4";
const FREE = "#2fa84f";
const CHOSEN = "#ffd21f";

export interface HandActions {
  shown(panel: LanePanel): number; // bricks that are seen
  place(panel: LanePanel, pose: Pose): void;
  remove(panel: LanePanel, brick: number): void;
  tell(message: string): void;
}

export class ByHand {
  on = false;
  private direction = 0;
  private cell: Cell = [6, 1, 0]; // where the brick at hand is
  private exact = false; // whether keys have put it there
  private panel: LanePanel | null = null; // over which lane
  private readonly tools = need("#hand-tools", HTMLElement);

  constructor(private readonly actions: HandActions) {
    need("#rotate", HTMLButtonElement).addEventListener("click", () => this.rotate());
  }

  /** Listens to a lane's picture. */
  attach(panel: LanePanel): void {
    panel.viewer.onHover = (picked) => this.on && this.hover(panel, picked);
    panel.viewer.onPick = (picked) => this.on && this.pick(panel, picked);
    panel.viewer.canvas.addEventListener("keydown", (event) => this.on && this.key(panel, event));
  }

  toggle(on: boolean, panels: readonly LanePanel[]): void {
    this.on = on;
    this.tools.hidden = !on;
    if (!on) for (const panel of panels) panel.viewer.setCursor(null);
  }

  private get removing(): boolean {
    return need('input[name="hand"][value="remove"]', HTMLInputElement).checked;
  }

  /** The brick at hand: exactly where keys have put it, or where it fits near the pointer. */
  private poseIn(panel: LanePanel): Pose {
    if (this.exact) return centredAt(this.cell, PART, this.direction);
    return fittingAt(this.cell, PART, this.direction, this.bricksOf(panel));
  }

  private bricksOf(panel: LanePanel): Brick[] {
    return panel.lane.bricks.slice(0, this.actions.shown(panel));
  }

  private rotate(): void {
    this.direction = 1 - this.direction;
    if (this.panel) this.showCursor(this.panel);
  }

  private hover(panel: LanePanel, picked: Picked | null): void {
    this.panel = panel;
    if (!picked) panel.viewer.setCursor(null);
    else if (this.removing) {
      const brick = picked.brick === null ? undefined : panel.lane.bricks[picked.brick];
      panel.viewer.setCursor(brick ? { pose: brick, colour: CHOSEN } : null);
    } else {
      this.cell = picked.beside;
      this.exact = false;
      this.showCursor(panel);
    }
  }

  private pick(panel: LanePanel, picked: Picked | null): void {
    if (!picked) return;
    this.panel = panel;
    if (!this.removing) {
      this.cell = picked.beside;
      this.exact = false;
      this.actions.place(panel, this.poseIn(panel));
    } else if (picked.brick !== null) this.actions.remove(panel, picked.brick);
    panel.viewer.setCursor(null);
  }

  private showCursor(panel: LanePanel): void {
    const pose = this.poseIn(panel);
    panel.viewer.setCursor({ pose, colour: obstacle(pose, this.bricksOf(panel)) === null ? FREE : FAULT });
  }

  private key(panel: LanePanel, event: KeyboardEvent): void {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const [x, y, z] = this.cell;
    const moves: Record<string, Cell> = {
      ArrowLeft: [x - 1, y, z],
      ArrowRight: [x + 1, y, z],
      ArrowUp: [x, y + 1, z],
      ArrowDown: [x, y - 1, z],
      PageUp: [x, y, z + 1],
      PageDown: [x, y, Math.max(0, z - 1)],
    };
    const move = moves[event.key];
    this.panel = panel;
    if (move) {
      this.cell = move;
      this.exact = true;
      this.showCursor(panel);
      const where = `column ${move[0] + 1}, depth ${move[1] + 1}, layer ${move[2] + 1}`;
      this.actions.tell(`${where}: ${obstacle(this.poseIn(panel), this.bricksOf(panel)) ?? "free"}`);
    } else if (event.key === "r" || event.key === "R") this.rotate();
    else if (event.key === "Enter") this.actions.place(panel, this.poseIn(panel));
    else if (event.key === "Delete" || event.key === "Backspace") this.removeHere(panel);
    else return;
    event.preventDefault();
  }

  /** Removes the brick in the cell of the brick at hand. */
  private removeHere(panel: LanePanel): void {
    const [x, y, z] = this.cell;
    const index = this.bricksOf(panel).findIndex((brick) =>
      cellsOf(brick).some((cell) => cell[0] === x && cell[1] === y && cell[2] === z),
    );
    if (index < 0) this.actions.tell("there is no brick to remove");
    else this.actions.remove(panel, index);
  }
}
