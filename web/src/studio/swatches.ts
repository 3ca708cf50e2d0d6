/** Colours to choose from: a box of paints, and all the others one click away. */

import "./swatches.css";
import { el } from "../controls/dom";
import { palette, type Colour } from "../model/colours";

let made = 0; // groups of choices need names of their own

/** A choice of one colour, or of several that are used in turn. */
export class Swatches {
  readonly element: HTMLElement;
  chosen: readonly number[];
  onChange: () => void = () => undefined;
  private readonly group = `swatches-${made++}`;

  constructor(
    legend: string,
    first: number,
    private readonly several = false,
  ) {
    this.chosen = [first];
    this.element = el("fieldset", { class: "swatches" }, el("legend", {}, legend));
  }

  /** The one that is used next. */
  get colour(): number {
    return this.chosen[0]!;
  }

  /** Lays out the colours that are known by now. */
  lay(): void {
    const basic = palette.basic;
    const others = palette.colours.filter((colour) => colour.common && !basic.includes(colour));
    const legend = this.element.querySelector("legend")!;
    const more = el("details", { class: "more-colours" }, el("summary", {}, "More colours"));
    more.append(el("div", { class: "swatch-grid" }, ...others.map((colour) => this.swatch(colour))));
    this.element.replaceChildren(
      legend,
      el("div", { class: "swatch-grid" }, ...basic.map((colour) => this.swatch(colour))),
      ...(others.length ? [more] : []),
    );
  }

  private swatch({ code, name, hex }: Colour): HTMLElement {
    const type = this.several ? "checkbox" : "radio";
    const box = el("input", { type, name: this.group, value: code, checked: this.chosen.includes(code) });
    const swatch = el("label", { class: "swatch", title: name }, box, el("span", { class: "visually-hidden" }, name));
    swatch.style.setProperty("--colour", hex);
    box.addEventListener("change", () => {
      this.choose(code, box.checked);
      if (!this.chosen.length) {
        this.chosen = [code]; // a brick has some colour
        box.checked = true;
      }
      this.onChange();
    });
    return swatch;
  }

  private choose(code: number, on: boolean): void {
    if (!this.several) this.chosen = [code];
    else this.chosen = on ? [...this.chosen, code] : this.chosen.filter((each) => each !== code);
  }
}
