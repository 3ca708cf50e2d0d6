/** What is said where there is nothing to show. */

import { el } from "./dom";

export const CANNOT_DRAW = "This browser cannot draw in three dimensions: WebGL 2 is off.";

export function notice(sentence: string): HTMLElement {
  return el("p", { class: "notice" }, sentence);
}
