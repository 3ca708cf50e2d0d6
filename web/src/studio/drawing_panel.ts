/** Paper and tools: one sheet in colours, or three that are linked, with pens, an eraser, a bucket and a way back. */

import { el, iconButton, need, type IconName } from "../controls/dom";
import { listenToUndo } from "../controls/undo_keys";
import { BLACK, hexOf, rgbOf } from "../model/colours";
import { inColours, inGrey, inkOf, type Drawing } from "../model/ink";
import { Pad, type Hand, type Tool } from "./pad";
import { Swatches } from "./swatches";

const TOOLS: readonly (readonly [Tool, string])[] = [
  ["pen", "Pen"],
  ["eraser", "Eraser"],
  ["fill", "Fill"],
];

export class DrawingPanel {
  /** Called when something was drawn. */
  onChange: () => void = () => undefined;
  private readonly hand: Hand = { tool: "pen", width: 22, colour: [0, 0, 0] };
  private readonly single = new Pad("Front view", this.hand);
  private readonly front = new Pad("Front view", this.hand);
  private readonly side = new Pad("Side view, seen from the right", this.hand);
  private readonly top = new Pad("Top view, the front below", this.hand);
  private readonly swatches = new Swatches("Colour of the pen", BLACK);
  private readonly undoButton = iconButton("undo", "Undo (Ctrl+Z)", () => this.touched.undo());
  private readonly redoButton = iconButton("redo", "Draw it again (Ctrl+Shift+Z)", () => this.touched.redo());
  private touched: Pad = this.single; // what undo is about
  private three = false;

  constructor() {
    for (const pad of [this.single, this.front, this.side, this.top]) {
      pad.onChange = () => {
        this.touched = pad;
        this.link();
        this.onChange();
      };
    }
    this.swatches.onChange = () => (this.hand.colour = rgbOf(hexOf(this.swatches.colour)));
    this.layTools();
    this.layPads();
    listenToUndo(
      need("#drawing", HTMLElement),
      () => this.touched.undo(),
      () => this.touched.redo(),
    );
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.pads.forEach((pad) => pad.show()));
  }

  /** Offers the colours that are known by now. */
  layColours(): void {
    this.swatches.lay();
    this.swatches.onChange();
  }

  /** Draws on one sheet or on three. */
  choose(three: boolean): void {
    this.three = three;
    this.touched = this.pads[0]!;
    this.layPads();
    this.link();
  }

  /** Whether every sheet has something on it. */
  get isReady(): boolean {
    return this.pads.every((pad) => !pad.isBlank);
  }

  get isThree(): boolean {
    return this.three;
  }

  /** What is drawn: with colours, or as silhouettes of those who do not see any. */
  drawings(coloured: boolean): Drawing[] {
    return this.pads.map(({ ink }) => (coloured ? inColours(ink) : inGrey(ink)));
  }

  /** Puts drawings of a project on the paper; false where they do not fit. */
  open(drawings: readonly Drawing[]): boolean {
    const inks = drawings.map(inkOf);
    this.choose(inks.length === 3);
    const { pads } = this;
    inks.forEach((ink, index) => ink && pads[index]?.open(ink));
    this.link();
    return inks.every((ink) => ink !== null);
  }

  private get pads(): Pad[] {
    return this.three ? [this.front, this.side, this.top] : [this.single];
  }

  private layPads(): void {
    const element = need("#pads", HTMLElement);
    const framed = (pad: Pad, name: string, kind: string): HTMLElement =>
      el("figure", { class: `sheet ${kind}` }, pad.canvas, el("figcaption", {}, name));
    element.classList.toggle("three", this.three);
    this.swatches.element.hidden = this.three; // silhouettes have no colours
    if (this.three) {
      const note = el("p", { class: "sheet-note" }, "The blue bands are what the other views leave room for.");
      element.replaceChildren(
        framed(this.top, "Top, front below", "top"),
        note,
        framed(this.front, "Front", "front"),
        framed(this.side, "Side, from the right", "side"),
      );
    } else element.replaceChildren(this.single.canvas);
    for (const pad of this.pads) pad.show();
  }

  /** Shades in each view what the other two leave room for: they share widths, depths and heights. */
  private link(): void {
    const [front, side, top] = [this.front.span, this.side.span, this.top.span];
    const mirrored = (span: readonly [number, number] | undefined): readonly [number, number] | null => {
      const whole = this.top.ink.height;
      return span ? [whole - span[1], whole - span[0]] : null;
    };
    this.front.setGuides({ across: top?.columns ?? null, down: side?.rows ?? null });
    this.side.setGuides({ across: mirrored(top?.rows), down: front?.rows ?? null });
    this.top.setGuides({ across: front?.columns ?? null, down: mirrored(side?.columns) });
    this.undoButton.disabled = !this.touched.canUndo;
    this.redoButton.disabled = !this.touched.canRedo;
  }

  private layTools(): void {
    const buttons = TOOLS.map(([tool, label]) => {
      const button = iconButton(tool satisfies IconName, label, () => {
        this.hand.tool = tool;
        buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === button)));
      });
      button.setAttribute("aria-pressed", String(tool === this.hand.tool));
      return button;
    });
    const width = el("input", {
      type: "range",
      min: 6,
      max: 48,
      value: this.hand.width,
      "aria-label": "Width of the pen",
      title: "Width of the pen",
      "data-own-keys": true,
    });
    width.addEventListener("input", () => (this.hand.width = Number(width.value)));
    this.undoButton.disabled = this.redoButton.disabled = true;
    const clear = iconButton("clear", "Clear", () => this.pads.forEach((pad) => pad.clear()));
    need("#tools", HTMLElement).append(...buttons, width, this.undoButton, this.redoButton, clear);
    need("#pen-colours", HTMLElement).append(this.swatches.element);
  }
}
