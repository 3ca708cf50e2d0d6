/** A sheet of paper to draw on, by pointer or by keys, with undo and redo. */

import "./pad.css";
import { el } from "../controls/dom";
import type { Rgb } from "../model/colours";
import { History } from "../model/history";
import { PAPER, blank, copyOf, coverOf, flood, isBlank, line, type Ink, type Point } from "../model/ink";

export type Tool = "pen" | "eraser" | "fill";

export interface Hand {
  tool: Tool;
  width: number; // of the pen, in pixels of the paper
  colour: Rgb;
}

/** Where other views have ink, in pixels: this one should end there too. */
export interface Guides {
  readonly across: readonly [number, number] | null;
  readonly down: readonly [number, number] | null;
}

const STEP = 6; // pixels that an arrow key moves

export class Pad {
  readonly canvas: HTMLCanvasElement;
  onChange: () => void = () => undefined;
  private readonly history = new History<Ink>(blank());
  private wet: Ink | null = null; // what is being drawn
  private last: Point | null = null;
  private keyPoint: Point | null = null;
  private keyDrawing = false;
  private guides: Guides = { across: null, down: null };

  constructor(
    label: string,
    private readonly hand: Hand,
  ) {
    this.canvas = el("canvas", {
      class: "pad",
      width: PAPER * 2,
      height: PAPER * 2,
      tabindex: 0,
      role: "application",
      "aria-label": `${label}: drawing area. Arrow keys move, space puts the pen down or lifts it.`,
      "data-own-keys": true,
    });
    this.listen();
    this.show();
  }

  get ink(): Ink {
    return this.wet ?? this.history.current;
  }

  get isBlank(): boolean {
    return isBlank(this.ink);
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  undo(): void {
    if (this.history.undo()) this.changed();
  }

  redo(): void {
    if (this.history.redo()) this.changed();
  }

  /** Begins with what was drawn another time. */
  open(ink: Ink): void {
    this.history.push(ink);
    this.show();
  }

  clear(): void {
    if (!this.isBlank) this.history.push(blank());
    this.changed();
  }

  setGuides(guides: Guides): void {
    this.guides = guides;
    this.show();
  }

  /** The first and the last row and column with ink. */
  get span(): { columns: [number, number]; rows: [number, number] } | null {
    const { width, height } = this.ink;
    const cover = coverOf(this.ink);
    let [left, right, top, bottom] = [width, -1, height, -1];
    for (let pixel = 0; pixel < cover.length; pixel++) {
      if (cover[pixel]! < 128) continue;
      const [column, row] = [pixel % width, Math.floor(pixel / width)];
      [left, right] = [Math.min(left, column), Math.max(right, column)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
    }
    return right < 0 ? null : { columns: [left, right + 1], rows: [top, bottom + 1] };
  }

  /** Draws the paper anew, in the page's colours. */
  show(): void {
    const paper = this.canvas.getContext("2d");
    if (!paper) return;
    const style = getComputedStyle(this.canvas);
    const scale = this.canvas.width / PAPER;
    paper.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.rule(paper, style.getPropertyValue("--line"), scale);
    const { width, height, pixels } = this.ink;
    const sheet = new OffscreenCanvas(width, height);
    const wet = sheet.getContext("2d");
    if (!wet) return;
    wet.putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
    paper.drawImage(sheet, 0, 0, this.canvas.width, this.canvas.height);
    if (this.keyPoint) this.showKeyPoint(paper, style.getPropertyValue("--accent"), scale);
  }

  private rule(paper: CanvasRenderingContext2D, colour: string, scale: number): void {
    const style = getComputedStyle(this.canvas);
    paper.fillStyle = style.getPropertyValue("--accent-soft");
    const { across, down } = this.guides;
    const whole = this.canvas.width;
    if (across) paper.fillRect(across[0] * scale, 0, (across[1] - across[0]) * scale, whole);
    if (down) paper.fillRect(0, down[0] * scale, whole, (down[1] - down[0]) * scale);
    paper.strokeStyle = colour;
    paper.lineWidth = 1;
    paper.beginPath();
    for (let at = 1; at < 14; at++) {
      const ruled = Math.round((at * whole) / 14) + 0.5;
      paper.moveTo(ruled, 0);
      paper.lineTo(ruled, whole);
      paper.moveTo(0, ruled);
      paper.lineTo(whole, ruled);
    }
    paper.globalAlpha = 0.55;
    paper.stroke();
    paper.globalAlpha = 1;
  }

  private showKeyPoint(paper: CanvasRenderingContext2D, colour: string, scale: number): void {
    const { x, y } = this.keyPoint!;
    paper.strokeStyle = colour;
    paper.lineWidth = 3;
    paper.beginPath();
    paper.arc(x * scale, y * scale, Math.max(4, this.hand.width / 2) * scale, 0, 2 * Math.PI);
    paper.stroke();
  }

  private begin(at: Point): void {
    this.wet = copyOf(this.history.current);
    this.last = at;
    if (this.hand.tool === "fill") flood(this.wet, at, this.hand.colour);
    else this.stroke(at);
    this.show();
  }

  private stroke(to: Point): void {
    if (!this.wet || !this.last) return;
    const erase = this.hand.tool === "eraser";
    line(this.wet, this.last, to, (erase ? 1.6 : 1) * (this.hand.width / 2), erase ? null : this.hand.colour);
    this.last = to;
  }

  private end(): void {
    if (!this.wet) return;
    this.history.push(this.wet);
    this.wet = null;
    this.last = null;
    this.changed();
  }

  private changed(): void {
    this.show();
    this.onChange();
  }

  private pointOf(event: PointerEvent): Point {
    const bounds = this.canvas.getBoundingClientRect();
    return {
      x: ((event.clientX - bounds.left) * PAPER) / bounds.width,
      y: ((event.clientY - bounds.top) * PAPER) / bounds.height,
    };
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.wet) return;
      canvas.setPointerCapture(event.pointerId);
      this.keyPoint = null;
      this.begin(this.pointOf(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.wet || this.keyDrawing || this.hand.tool === "fill") return;
      const strokes = "getCoalescedEvents" in event ? event.getCoalescedEvents() : [event]; // Safari had none for long
      for (const each of strokes) this.stroke(this.pointOf(each));
      this.show();
    });
    canvas.addEventListener("pointerup", () => this.end());
    canvas.addEventListener("pointercancel", () => this.end());
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("blur", () => {
      this.keyPoint = null;
      this.lift();
      this.show();
    });
  }

  private lift(): void {
    if (this.keyDrawing) this.end();
    this.keyDrawing = false;
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey) return;
    if (event.ctrlKey || event.metaKey) return;
    const moves: Record<string, Point> = {
      ArrowLeft: { x: -STEP, y: 0 },
      ArrowRight: { x: STEP, y: 0 },
      ArrowUp: { x: 0, y: -STEP },
      ArrowDown: { x: 0, y: STEP },
    };
    const move = moves[event.key];
    const at = this.keyPoint ?? { x: PAPER / 2, y: PAPER / 2 };
    const within = (value: number): number => Math.min(Math.max(value, 0), PAPER - 1);
    if (move) {
      this.keyPoint = { x: within(at.x + move.x), y: within(at.y + move.y) };
      if (this.keyDrawing) this.stroke(this.keyPoint);
    } else if (event.key === " ") {
      this.keyPoint = at;
      if (this.keyDrawing) this.lift();
      else {
        this.begin(at);
        if (this.hand.tool === "fill") this.end();
        else this.keyDrawing = true;
      }
    } else return;
    event.preventDefault();
    this.show();
  }
}
