/** Taking over: bricks placed, painted and removed by hand, with the pointer on faces or with keys. */

import "./by_hand.css";
import { el, need } from "../controls/dom";
import {
  centredAt,
  covers,
  directionOf,
  fittingAt,
  layerOf,
  obstacle,
  roomAmong,
  type Brick,
  type Cell,
  type Pose,
  type Room,
} from "../model/brick";
import { FAULT, RED, hexOf } from "../model/colours";
import { parts, type Part } from "../model/parts";
import type { Picked } from "../viewer/picking";
import type { LanePanel } from "./lane_panel";
import { Swatches } from "./swatches";

const FREE = "#2fa84f";
const CHOSEN = "#ffd21f";
const FIRST = "2x4"; // the part at hand until somebody chooses another

export interface HandActions {
  shown(panel: LanePanel): number; // bricks that are seen
  place(panel: LanePanel, pose: Pose, colour: number): void;
  paint(panel: LanePanel, brick: number, colour: number): void;
  remove(panel: LanePanel, brick: number): void;
  tell(message: string): void;
}

type Mode = "place" | "paint" | "remove";

export class ByHand {
  on = false;
  private readonly swatches = new Swatches("Colour of bricks", RED);
  private readonly part = need("#hand-part", HTMLSelectElement);
  private known: { readonly bricks: readonly Brick[]; readonly shown: number; readonly room: Room } = {
    bricks: [],
    shown: 0,
    room: roomAmong([]),
  };
  private direction = 0;
  private cell: Cell = [6, 1, 0]; // where the brick at hand is
  private exact = false; // whether keys have put it there
  private panel: LanePanel | null = null; // over which lane
  private readonly tools = need("#hand-tools", HTMLElement);

  constructor(private readonly actions: HandActions) {
    need("#rotate", HTMLButtonElement).addEventListener("click", () => this.rotate());
    need("#hand-colours", HTMLElement).append(this.swatches.element);
    this.tools.addEventListener("change", () => this.layTools());
    this.layTools();
  }

  /** Offers the parts, by their kinds, and the colours that are known by now. */
  layChoices(): void {
    this.swatches.lay();
    const kinds = [...new Set(parts.all.map(({ kind }) => kind))];
    this.part.replaceChildren(
      ...kinds.map((kind) => {
        const ofKind = parts.all.filter((part) => part.kind === kind);
        return el("optgroup", { label: inWords(kind) }, ...ofKind.map(optionOf));
      }),
    );
    this.part.value = FIRST;
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

  private get mode(): Mode {
    return need('input[name="hand"]:checked', HTMLInputElement).value as Mode;
  }

  private layTools(): void {
    const { mode } = this;
    need("#hand-brick", HTMLElement).hidden = mode !== "place";
    this.swatches.element.hidden = mode === "remove";
  }

  /** The brick at hand: exactly where keys have put it, or where it fits near the pointer. */
  private poseIn(panel: LanePanel): Pose {
    const part = this.part.value || FIRST;
    const direction = directionOf(part, this.direction);
    if (this.exact) return centredAt(this.cell, part, direction);
    return fittingAt(this.cell, part, direction, this.roomIn(panel));
  }

  /** The room that the bricks shown leave, worked out once for each model that a pointer moves over. */
  private roomIn(panel: LanePanel): Room {
    const { bricks } = panel.lane;
    const shown = this.actions.shown(panel);
    if (this.known.bricks !== bricks || this.known.shown !== shown) {
      this.known = { bricks, shown, room: roomAmong(bricks.slice(0, shown)) };
    }
    return this.known.room;
  }

  /** Plates that keys move the brick at hand up or down: a brick's height, unless something finer is there. */
  private layerIn(panel: LanePanel): number {
    return layerOf([...panel.lane.bricks.slice(0, this.actions.shown(panel)), this.poseIn(panel)]);
  }

  private rotate(): void {
    this.direction = (this.direction + 1) % 4;
    if (this.panel) this.showCursor(this.panel);
  }

  private hover(panel: LanePanel, picked: Picked | null): void {
    this.panel = panel;
    if (!picked) panel.viewer.setCursor(null);
    else if (this.mode !== "place") {
      const brick = picked.brick === null ? undefined : panel.lane.bricks[picked.brick];
      const colour = this.mode === "paint" ? hexOf(this.swatches.colour) : CHOSEN;
      panel.viewer.setCursor(brick ? { pose: brick, colour } : null);
    } else {
      this.cell = picked.beside;
      this.exact = false;
      this.showCursor(panel);
    }
  }

  private pick(panel: LanePanel, picked: Picked | null): void {
    if (!picked) return;
    this.panel = panel;
    if (this.mode === "place") {
      this.cell = picked.beside;
      this.exact = false;
      this.actions.place(panel, this.poseIn(panel), this.swatches.colour);
    } else if (picked.brick !== null) this.change(panel, picked.brick);
    panel.viewer.setCursor(null);
  }

  private change(panel: LanePanel, brick: number): void {
    if (this.mode === "paint") this.actions.paint(panel, brick, this.swatches.colour);
    else this.actions.remove(panel, brick);
  }

  private showCursor(panel: LanePanel): void {
    const pose = this.poseIn(panel);
    panel.viewer.setCursor({ pose, colour: obstacle(pose, this.roomIn(panel)) === null ? FREE : FAULT });
  }

  private key(panel: LanePanel, event: KeyboardEvent): void {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const [x, y, z] = this.cell;
    const layer = this.layerIn(panel);
    const moves: Record<string, Cell> = {
      ArrowLeft: [x - 1, y, z],
      ArrowRight: [x + 1, y, z],
      ArrowUp: [x, y + 1, z],
      ArrowDown: [x, y - 1, z],
      PageUp: [x, y, z + layer],
      PageDown: [x, y, Math.max(0, z - layer)],
    };
    const move = moves[event.key];
    this.panel = panel;
    if (move) {
      this.cell = move;
      this.exact = true;
      this.showCursor(panel);
      const where = `column ${move[0] + 1}, depth ${move[1] + 1}, layer ${Math.floor(move[2] / layer) + 1}`;
      this.actions.tell(`${where}: ${obstacle(this.poseIn(panel), this.roomIn(panel)) ?? "free"}`);
    } else if (event.key === "r" || event.key === "R") this.rotate();
    else if (event.key === "Enter" && this.mode === "place") {
      this.actions.place(panel, this.poseIn(panel), this.swatches.colour);
    } else if (event.key === "Enter") this.atHand(panel, (brick) => this.change(panel, brick));
    else if (event.key === "Delete" || event.key === "Backspace") {
      this.atHand(panel, (brick) => this.actions.remove(panel, brick));
    } else return;
    event.preventDefault();
  }

  /** Does something with the brick in the cell of the brick at hand. */
  private atHand(panel: LanePanel, act: (brick: number) => void): void {
    const index = panel.lane.bricks
      .slice(0, this.actions.shown(panel))
      .findIndex((brick) => covers(brick, this.cell));
    if (index < 0) this.actions.tell("there is no brick here");
    else act(index);
  }
}

function optionOf({ name }: Part): HTMLOptionElement {
  return el("option", { value: name }, name.replace(/(\d)x(\d)/, "$1 × $2"));
}

function inWords(kind: string): string {
  return `${kind[0]!.toUpperCase()}${kind.slice(1)}`;
}
