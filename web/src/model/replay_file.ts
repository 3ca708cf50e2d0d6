/** The replay page's data: the mark that it replaces in the template, and JSON that is safe inside a script element. */

import type { Aside } from "./asides.ts";
import type { Construction } from "./brick.ts";
import type { Part } from "./parts.ts";

export interface Replay {
  readonly title: string;
  readonly constructions: readonly Construction[];
  readonly colours: Readonly<Record<string, string>>; // what the codes of their colours look like, as in "#b40000"
  readonly parts: readonly Part[]; // those that they are built of
  readonly asides?: readonly (readonly Aside[])[]; // of each construction, if hands are to follow it
}

// In two parts, so that the page's own code does not hold the mark that is replaced.
export const MARK = ["__REPLAY", "DATA__"].join("_");

/** JSON that no HTML parser takes for markup: `<`, and two line ends that JSON knows and old scripts do not. */
export function safeJson(value: unknown): string {
  const escaped: Record<string, string> = { "<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029" };
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => escaped[character]!);
}

/** The whole page, from the template and what it is to play. */
export function replayHtml(template: string, replay: Replay): string {
  if (template.split(MARK).length !== 2) throw new Error("the replay page was not built with room for a model");
  return template.replace(MARK, () => safeJson(replay));
}
