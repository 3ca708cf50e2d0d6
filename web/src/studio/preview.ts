/** What was sent beside what will be built of it, before anything is built; and small beside the model afterwards. */

import "./preview.css";
import { el, need } from "../controls/dom";
import { BRICK_HIGH } from "../model/parts";
import { VIEW_NAMES } from "../model/views";
import type { Target } from "./api";
import { ViewPicture } from "./view_picture";

const NARROW = "(max-width: 720px)";

export class Preview {
  private readonly element = el("div", { class: "preview", id: "preview", hidden: true });
  private readonly notes = need("#notes", HTMLElement);

  constructor() {
    const narrow = window.matchMedia(NARROW);
    const place = (): void =>
      need(narrow.matches ? "#preview-narrow" : ".lanes-frame", HTMLElement).append(this.element);
    narrow.addEventListener("change", place);
    place();
  }

  show(target: Target | null): void {
    this.element.hidden = target === null;
    this.notes.replaceChildren(...(target?.notes ?? []).map((note) => el("p", { class: "note" }, note)));
    if (!target) return;
    const sent = target.source && framed(picture(target.source, "source"), "The picture");
    const seen = target.byMason && target.preview ? picture(target.preview, target.kind) : views(target);
    const built = framed(seen, target.byMason ? "What will be built" : "What the agent sees");
    built.classList.toggle("of-agent", !target.byMason);
    built.append(el("p", { class: "sees" }, `${target.name}: ${sizeInWords(target)}`));
    const arrow = el("span", { class: "arrow", "aria-hidden": true }, "→");
    const before = sent ?? (target.belief && believed(target.belief));
    this.element.replaceChildren(...(before ? [before, arrow] : []), built);
  }

  /** Makes room for a model, or for nothing. */
  update(shown: boolean, small: boolean): void {
    this.element.classList.toggle("away", !shown);
    this.element.classList.toggle("small", small);
  }
}

function framed(shown: HTMLElement, label: string): HTMLElement {
  return el("figure", {}, shown, el("figcaption", {}, label));
}

function picture(address: string, kind: string): HTMLElement {
  return el("img", { src: address, alt: "", "data-kind": kind });
}

/** What a network believes that silhouettes hide, and what its colours mean. */
function believed(address: string): HTMLElement {
  const shown = framed(picture(address, "belief"), "What is believed");
  const scale = el("span", { class: "scale", "aria-hidden": true });
  shown.append(el("p", { class: "shades" }, "hardly", scale, "surely a brick"));
  return shown;
}

/** What an agent sees. */
function views(target: Target): HTMLElement {
  const pictures = target.views.map((view, index) => {
    const shown = new ViewPicture(VIEW_NAMES[index] ?? "");
    shown.showTarget(view);
    return shown.canvas;
  });
  return el("div", { class: "sees-views", "data-views": target.views.length }, ...pictures);
}

/** How large it will be, for people: in studs and bricks, and in centimetres. */
export function sizeInWords({ byMason, views, budget, size, layer, millimetres }: Target): string {
  if (!byMason) {
    const side = views[0]?.rows.length ?? 14;
    return `${side} × ${side} pixels, ${budget ?? 0} bricks at most`;
  }
  const [wide, deep, high] = size;
  return `${wide} studs wide, ${heightInWords(high * layer)} high, ${deep} deep, ${inCentimetres(millimetres)}`;
}

/** So many plates, as far as they go in bricks. */
function heightInWords(plates: number): string {
  const counts = [
    [Math.floor(plates / BRICK_HIGH), "brick"],
    [plates % BRICK_HIGH, "plate"],
  ] as const;
  const words = counts.flatMap(([count, what]) => (count ? [`${count} ${what}${count === 1 ? "" : "s"}`] : []));
  return words.join(" and ");
}

/** Width, height and depth. */
export function inCentimetres([wide, deep, high]: Target["millimetres"]): string {
  return `${[wide, high, deep].map((each) => String(Math.max(1, Math.round(each / 10)))).join(" × ")} cm`;
}
