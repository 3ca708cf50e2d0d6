/** Taking over: bricks placed and removed by hand, with the pointer on faces or with keys. */

import { need } from "../controls/dom";
import { centredAt, cellsOf, fittingAt, obstacle, type Brick, type Cell, type Pose } from "../model/brick";
import { FAULT } from "../model/colours";
import type { Picked } from "../viewer/picking";
import type { LaneView } from "./lane_view";

const PART = "2x4";
const FREE = "#2fa84f";
const CHOSEN = "#ffd21f";

export interface HandActions {
  shown(view: LaneView): number; // bricks that are seen
  place(view: LaneView, pose: Pose): void;
  remove(view: LaneView, brick: number): void;
  tell(message: string): void;
}

export class ByHand {
  on = false;
  private direction = 0;
  private cell: Cell = [6, 1, 0]; // where the brick at hand is
  private exact = false; // whether keys have put it there
  private view: LaneView | null = null; // over which lane
  private readonly tools = need("#hand-tools", HTMLElement);

  constructor(private readonly actions: HandActions) {
    need("#rotate", HTMLButtonElement).addEventListener("click", () => this.rotate());
  }

  /** Listens to a lane's picture. */
  attach(view: LaneView): void {
    view.viewer.onHover = (picked) => this.on && this.hover(view, picked);
    view.viewer.onPick = (picked) => this.on && this.pick(view, picked);
    view.viewer.canvas.addEventListener("keydown", (event) => this.on && this.key(view, event));
  }

  toggle(on: boolean, views: readonly LaneView[]): void {
    this.on = on;
    this.tools.hidden = !on;
    if (!on) for (const view of views) view.viewer.setCursor(null);
  }

  private get removing(): boolean {
    return need('input[name="hand"][value="remove"]', HTMLInputElement).checked;
  }

  /** The brick at hand: exactly where keys have put it, or where it fits near the pointer. */
  private poseIn(view: LaneView): Pose {
    if (this.exact) return centredAt(this.cell, PART, this.direction);
    return fittingAt(this.cell, PART, this.direction, this.bricksOf(view));
  }

  private bricksOf(view: LaneView): Brick[] {
    return view.lane.bricks.slice(0, this.actions.shown(view));
  }

  private rotate(): void {
    this.direction = 1 - this.direction;
    if (this.view) this.showCursor(this.view);
  }

  private hover(view: LaneView, picked: Picked | null): void {
    this.view = view;
    if (!picked) view.viewer.setCursor(null);
    else if (this.removing) {
      const brick = picked.brick === null ? undefined : view.lane.bricks[picked.brick];
      view.viewer.setCursor(brick ? { pose: brick, colour: CHOSEN } : null);
    } else {
      this.cell = picked.beside;
      this.exact = false;
      this.showCursor(view);
    }
  }

  private pick(view: LaneView, picked: Picked | null): void {
    if (!picked) return;
    this.view = view;
    if (!this.removing) {
      this.cell = picked.beside;
      this.exact = false;
      this.actions.place(view, this.poseIn(view));
    } else if (picked.brick !== null) this.actions.remove(view, picked.brick);
    view.viewer.setCursor(null);
  }

  private showCursor(view: LaneView): void {
    const pose = this.poseIn(view);
    view.viewer.setCursor({ pose, colour: obstacle(pose, this.bricksOf(view)) === null ? FREE : FAULT });
  }

  private key(view: LaneView, event: KeyboardEvent): void {
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
    this.view = view;
    if (move) {
      this.cell = move;
      this.exact = true;
      this.showCursor(view);
      const place = `column ${move[0] + 1}, depth ${move[1] + 1}, layer ${move[2] + 1}`;
      this.actions.tell(`${place}: ${obstacle(this.poseIn(view), this.bricksOf(view)) ?? "free"}`);
    } else if (event.key === "r" || event.key === "R") this.rotate();
    else if (event.key === "Enter") this.actions.place(view, this.poseIn(view));
    else if (event.key === "Delete" || event.key === "Backspace") this.removeHere(view);
    else return;
    event.preventDefault();
  }

  /** Removes the brick in the cell of the brick at hand. */
  private removeHere(view: LaneView): void {
    const [x, y, z] = this.cell;
    const index = this.bricksOf(view).findIndex((brick) =>
      cellsOf(brick).some((cell) => cell[0] === x && cell[1] === y && cell[2] === z),
    );
    if (index < 0) this.actions.tell("there is no brick to remove");
    else this.actions.remove(view, index);
  }
}
