/** A view as a small picture of square pixels. */

import "./view_picture.css";
import { el } from "../controls/dom";
import { pixelOf, type Pixel, type View } from "../model/views";

const CELL = 8; // device pixels; the style sheet decides how large it is shown

export class ViewPicture {
  readonly canvas: HTMLCanvasElement;

  constructor(private readonly label: string) {
    this.canvas = el("canvas", {
      class: "view",
      width: 14 * CELL,
      height: 14 * CELL,
      role: "img",
      "aria-label": label,
    });
  }

  /** Shows a target's view. */
  showTarget(view: View | undefined): void {
    this.paint(view, (row, column) => (view?.rows[row]?.[column] === "1" ? "both" : "none"));
  }

  /** Shows a model's view: what fits, what is too much and what is missing in colours of their own. */
  showModel(model: View | undefined, target: View | undefined): void {
    this.paint(target ?? model, (row, column) => pixelOf(target, model, row, column));
  }

  private paint(frame: View | undefined, pixel: (row: number, column: number) => Pixel): void {
    const paper = this.canvas.getContext("2d");
    if (!paper) return;
    const style = getComputedStyle(document.documentElement);
    const colours: Record<Pixel, string> = {
      both: style.getPropertyValue("--ink"),
      missing: style.getPropertyValue("--missing"),
      extra: style.getPropertyValue("--extra"),
      none: style.getPropertyValue("--card"),
    };
    const counts: Record<Pixel, number> = { both: 0, missing: 0, extra: 0, none: 0 };
    const side = frame?.rows.length ?? 14;
    this.canvas.width = this.canvas.height = side * CELL;
    paper.fillStyle = style.getPropertyValue("--line");
    paper.fillRect(0, 0, side * CELL, side * CELL);
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        const kind = pixel(row, column);
        counts[kind]++;
        paper.fillStyle = colours[kind];
        paper.fillRect(column * CELL, row * CELL, CELL - 0.75, CELL - 0.75);
      }
    }
    const told = [`${counts.both} filled`];
    if (counts.missing) told.push(`${counts.missing} missing`);
    if (counts.extra) told.push(`${counts.extra} too many`);
    this.canvas.setAttribute("aria-label", `${this.label}: ${told.join(", ")} pixels`);
  }
}
