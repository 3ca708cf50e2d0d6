/** Elements in one line each. Styles come from the style sheets alone, so that a strict policy can forbid all others. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | null | undefined | false;

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The element that a page must have. */
export function need<Kind extends Element>(
  selector: string,
  kind: new () => Kind,
  within: ParentNode = document,
): Kind {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z",
  first: "M5 5h2.6v14H5zM19 5v14l-10-7z",
  last: "M16.4 5H19v14h-2.6zM5 5v14l10-7z",
  back: "M16.5 5v14l-10-7z",
  next: "M7.5 5v14l10-7z",
  undo: "M9.5 5 4 10.2l5.5 5.2v-3.3h4.2a3.4 3.4 0 0 1 0 6.8H8v2.4h5.7a5.8 5.8 0 0 0 0-11.6H9.5z",
  redo: "M14.5 5 20 10.2l-5.5 5.2v-3.3h-4.2a3.4 3.4 0 0 0 0 6.8H16v2.4h-5.7a5.8 5.8 0 0 1 0-11.6h4.2z",
  pen: "M4 20l1.2-4.8L16.6 3.8a1.7 1.7 0 0 1 2.4 0l1.2 1.2a1.7 1.7 0 0 1 0 2.4L8.8 18.8z",
  eraser: "M3.6 14.4 13 5a2 2 0 0 1 2.8 0l4.4 4.4a2 2 0 0 1 0 2.8L14 18.4h6V21H8.6l-5-4.2a1.7 1.7 0 0 1 0-2.4z",
  fill: "M11 3l8 8-7.2 7.2a2 2 0 0 1-2.8 0L4 13.2a2 2 0 0 1 0-2.8L9.6 4.8 8 3.2 9.4 1.8zM20 14s2 2.4 2 4a2 2 0 0 1-4 0c0-1.6 2-4 2-4z",
  clear: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z",
  home: "M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM4 15h2v3h3v2H4zM18 15h2v5h-5v-2h3z",
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  picture.append(path);
  return picture;
}

export function iconButton(name: IconName, label: string, pressed: () => void): HTMLButtonElement {
  const button = el("button", { type: "button", class: "icon-button", "aria-label": label, title: label }, icon(name));
  button.addEventListener("click", pressed);
  return button;
}

export function percent(share: number | null | undefined, digits = 0): string {
  if (share === null || share === undefined) return "–";
  const least = 10 ** -digits;
  if (share > 0 && 100 * share < least / 2) return `< ${least} %`;
  return `${(100 * share).toFixed(digits)} %`;
}
