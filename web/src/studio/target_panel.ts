/** What to build: drawings, a file or the gallery. Asks the server as soon as there is something to ask about. */

import "./target_panel.css";
import { el, iconButton, need, type IconName } from "../controls/dom";
import { VIEW_NAMES } from "../model/views";
import * as api from "./api";
import { Pad, type Hand, type Tool } from "./pad";
import { ViewPicture } from "./view_picture";

type Source = "one" | "three" | "file" | "gallery";

const PATIENCE = 350; // milliseconds without a stroke before the server is asked

export class TargetPanel {
  private readonly hand: Hand = { tool: "pen", width: 14 };
  private readonly single = new Pad("Front view", this.hand);
  private readonly front = new Pad("Front view", this.hand);
  private readonly side = new Pad("Side view, seen from the right", this.hand);
  private readonly top = new Pad("Top view, the front below", this.hand);
  private touched: Pad = this.single; // what undo is about
  private source: Source = "one";
  private waiting = 0;
  private asking: AbortController | null = null;
  private readonly padsElement = need("#pads", HTMLElement);
  private readonly problem = need("#target-problem", HTMLElement);
  private readonly sees = need("#sees", HTMLElement);
  private undoButton: HTMLButtonElement | null = null;

  constructor(private readonly changed: (target: api.Target | null) => void) {
    for (const pad of [this.single, this.front, this.side, this.top]) {
      pad.onChange = () => {
        this.touched = pad;
        this.link();
        this.askLater();
      };
    }
    this.layPads();
    this.layTools();
    this.listen();
    this.describe(null);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.pads.forEach((pad) => pad.show()));
  }

  showGallery(targets: readonly api.GalleryTarget[]): void {
    const gallery = need("#gallery", HTMLElement);
    gallery.replaceChildren(
      ...targets.map(({ name, views }) => {
        const pictures = views.map((view, index) => {
          const picture = new ViewPicture(`${name}, ${VIEW_NAMES[index] ?? ""}`);
          picture.showTarget(view);
          return picture.canvas;
        });
        const shown = el("span", { class: "gallery-views", "data-views": views.length }, ...pictures);
        const button = el("button", { type: "button", class: "gallery-item" }, shown, el("span", {}, name));
        button.addEventListener("click", () => {
          for (const other of gallery.querySelectorAll("button")) other.removeAttribute("aria-current");
          button.setAttribute("aria-current", "true");
          void this.ask((signal) => api.targetOfGallery(name, signal));
        });
        return button;
      }),
    );
  }

  private get pads(): Pad[] {
    return this.source === "three" ? [this.front, this.side, this.top] : [this.single];
  }

  private layPads(): void {
    const three = this.source === "three";
    const framed = (pad: Pad, name: string, kind: string): HTMLElement =>
      el("figure", { class: `sheet ${kind}` }, pad.canvas, el("figcaption", {}, name));
    this.padsElement.classList.toggle("three", three);
    if (three) {
      const note = el("p", { class: "sheet-note" }, "The blue bands are what the other views leave room for.");
      this.padsElement.replaceChildren(
        framed(this.top, "Top, front below", "top"),
        note,
        framed(this.front, "Front", "front"),
        framed(this.side, "Side, from the right", "side"),
      );
    } else this.padsElement.replaceChildren(this.single.canvas);
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
    if (this.undoButton) this.undoButton.disabled = !this.touched.canUndo;
  }

  private layTools(): void {
    const tools: readonly [Tool, string][] = [
      ["pen", "Pen"],
      ["eraser", "Eraser"],
      ["fill", "Fill an outline"],
    ];
    const buttons = tools.map(([tool, label]) => {
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
      max: 30,
      value: this.hand.width,
      "aria-label": "Width of the pen",
      title: "Width of the pen",
      "data-own-keys": true,
    });
    width.addEventListener("input", () => (this.hand.width = Number(width.value)));
    this.undoButton = iconButton("undo", "Undo", () => this.touched.undo());
    this.undoButton.disabled = true;
    const clear = iconButton("clear", "Clear", () => this.pads.forEach((pad) => pad.clear()));
    need("#tools", HTMLElement).append(...buttons, width, this.undoButton, clear);
  }

  private choose(source: Source): void {
    this.source = source;
    need("#drawing", HTMLElement).hidden = source === "file" || source === "gallery";
    need("#file", HTMLElement).hidden = source !== "file";
    need("#gallery", HTMLElement).hidden = source !== "gallery";
    if (source === "one" || source === "three") {
      this.touched = this.pads[0]!;
      this.layPads();
      this.link();
      if (this.pads.every((pad) => !pad.isBlank)) this.askLater(0);
    }
  }

  private askLater(patience = PATIENCE): void {
    window.clearTimeout(this.waiting);
    this.asking?.abort();
    const pads = this.pads;
    const blank = pads.filter((pad) => pad.isBlank).length;
    if (blank) {
      this.settle(null);
      return;
    }
    this.waiting = window.setTimeout(() => {
      void this.ask((signal) =>
        api.targetOfDrawings(
          pads.map((pad) => pad.ink),
          signal,
        ),
      );
    }, patience);
  }

  private async ask(question: (signal: AbortSignal) => Promise<api.Target>): Promise<void> {
    window.clearTimeout(this.waiting);
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    try {
      const target = await question(asking.signal);
      if (!asking.signal.aborted) this.settle(target);
    } catch (error) {
      if (!asking.signal.aborted && !api.isAbort(error)) this.settle(null, api.sentenceOf(error));
    }
  }

  /** The question is answered: with a target, with none, or with what is wrong. */
  private settle(target: api.Target | null, problem = ""): void {
    this.problem.textContent = problem;
    this.problem.hidden = !problem;
    this.describe(target);
    this.changed(target);
  }

  /** What the agent sees. */
  private describe(target: api.Target | null): void {
    if (!target) {
      const blank =
        this.source === "three"
          ? "Draw all three views; the model fits into all of them."
          : "Draw something: a digit, a letter, a shape.";
      this.sees.replaceChildren(el("p", { class: "soft" }, blank));
      return;
    }
    const pictures = target.views.map((view, index) => {
      const name = target.views.length > 1 ? VIEW_NAMES[index]! : "What the agent sees";
      const picture = new ViewPicture(name);
      picture.showTarget(view);
      return picture.canvas;
    });
    const side = target.views[0]?.rows.length ?? 14;
    this.sees.replaceChildren(
      el("div", { class: "sees-views", "data-views": target.views.length }, ...pictures),
      el(
        "div",
        { class: "sees-text" },
        el("strong", {}, "What the agent sees"),
        el("span", { class: "soft" }, `${target.name}: ${side} × ${side} pixels, ${target.budget} bricks at most`),
      ),
      ...target.notes.map((note) => el("p", { class: "note" }, note)),
    );
  }

  private listen(): void {
    need("#source", HTMLElement).addEventListener("change", (event) => {
      if (event.target instanceof HTMLInputElement) this.choose(event.target.value as Source);
    });
    const input = need("#file-input", HTMLInputElement);
    const zone = need("#file", HTMLElement);
    const take = (file: File | undefined): void => {
      if (!file) return;
      need("#file-name", HTMLOutputElement).value = file.name;
      void this.ask((signal) => api.targetOfFile(file, signal));
    };
    input.addEventListener("change", () => take(input.files?.[0]));
    // Files can be dropped anywhere on the page; a miss must not make the browser leave it.
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    document.addEventListener("dragleave", () => zone.classList.remove("over"));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      need('#source input[value="file"]', HTMLInputElement).checked = true;
      this.choose("file");
      take(file);
    });
  }
}
