/** Things to build that come with the studio, in sections. */

import "./gallery_panel.css";
import { el, need } from "../controls/dom";
import { VIEW_NAMES } from "../model/views";
import type { GalleryItem, GallerySection } from "./api";
import { ViewPicture } from "./view_picture";

export class GalleryPanel {
  private readonly element = need("#gallery", HTMLElement);
  private readonly buttons = new Map<string, HTMLButtonElement>();

  constructor(private readonly chosen: (name: string) => void) {}

  show(sections: readonly GallerySection[]): void {
    this.buttons.clear();
    this.element.replaceChildren(
      ...sections.map(({ title, items }) =>
        el(
          "section",
          { "aria-label": title },
          el("h3", {}, title),
          el("div", { class: "gallery-grid" }, ...items.map((item) => this.button(item))),
        ),
      ),
    );
  }

  /** Marks what was chosen. */
  mark(name: string | null): void {
    for (const [each, button] of this.buttons) {
      if (each === name) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  private button(item: GalleryItem): HTMLButtonElement {
    const { name, title } = item;
    const button = el("button", { type: "button", class: "gallery-item" }, pictureOf(item), el("span", {}, title));
    button.addEventListener("click", () => {
      this.mark(name);
      this.chosen(name);
    });
    this.buttons.set(name, button);
    return button;
  }
}

function pictureOf({ title, preview, views = [] }: GalleryItem): HTMLElement {
  if (preview !== null) return el("img", { src: preview, alt: "", class: "gallery-picture", loading: "lazy" });
  const pictures = views.map((view, index) => {
    const picture = new ViewPicture(`${title}, ${VIEW_NAMES[index] ?? ""}`);
    picture.showTarget(view);
    return picture.canvas;
  });
  return el("span", { class: "gallery-views", "data-views": views.length }, ...pictures);
}
