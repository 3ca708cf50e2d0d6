/** What was sent beside what will be built of it, before anything is built; and small beside the model afterwards. */

import "./preview.css";
import { el, need } from "../controls/dom";
import { VIEW_NAMES } from "../model/views";
import type { Target } from "./api";
import { ViewPicture } from "./view_picture";

const NARROW = "(max-width: 720px)";

export class Preview {
  private readonly element = el("div", { class: "preview", id: "preview", hidden: true });
  private readonly words = need("#sees", HTMLElement);

  constructor() {
    const narrow = window.matchMedia(NARROW);
    const place = (): void =>
      need(narrow.matches ? "#preview-narrow" : ".lanes-frame", HTMLElement).append(this.element);
    narrow.addEventListener("change", place);
    place();
  }

  show(target: Target | null): void {
    this.element.hidden = target === null;
    if (!target) {
      this.words.replaceChildren();
      return;
    }
    const sent = target.source && picture(target.source, "What you sent", "source");
    this.element.replaceChildren(
      ...(sent ? [sent, el("span", { class: "arrow", "aria-hidden": true }, "→")] : []),
      target.preview ? picture(target.preview, "What will be built", target.kind) : views(target),
    );
    this.words.replaceChildren(
      el("p", { class: "sees-text" }, el("strong", {}, target.name), ` ${sizeInWords(target)}`),
      ...target.notes.map((note) => el("p", { class: "note" }, note)),
    );
  }

  /** Makes room for a model, or for nothing. */
  update(shown: boolean, small: boolean): void {
    this.element.classList.toggle("away", !shown);
    this.element.classList.toggle("small", small);
  }
}

function picture(address: string, label: string, kind: string): HTMLElement {
  const image = el("img", { src: address, alt: label, "data-kind": kind });
  return el("figure", {}, image, el("figcaption", {}, label));
}

/** What an agent sees. */
function views(target: Target): HTMLElement {
  const pictures = target.views.map((view, index) => {
    const shown = new ViewPicture(target.views.length > 1 ? VIEW_NAMES[index]! : "What the agent sees");
    shown.showTarget(view);
    return shown.canvas;
  });
  const shown = el("div", { class: "sees-views", "data-views": target.views.length }, ...pictures);
  return el("figure", {}, shown, el("figcaption", {}, "What the agent sees"));
}

/** How large it will be, for people: in studs and bricks, and in centimetres. */
export function sizeInWords({ byMason, views, budget, size, millimetres }: Target): string {
  if (!byMason) {
    const side = views[0]?.rows.length ?? 14;
    return `${side} × ${side} pixels, ${budget ?? 0} bricks at most`;
  }
  const [wide, deep, high] = size;
  const centimetres = [millimetres[0], millimetres[2], millimetres[1]].map((each) => String(Math.round(each / 10)));
  return `${wide} studs wide, ${high} high, ${deep} deep: ${centimetres.join(" × ")} cm`;
}
