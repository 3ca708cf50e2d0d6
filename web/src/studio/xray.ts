/** X-ray: where the agent could put the next brick, and how likely it does. */

import "./xray.css";
import { el, need, percent } from "../controls/dom";
import type { Pose } from "../model/brick";
import { BRICK_HIGH } from "../model/parts";
import type { Ghost } from "../viewer/viewer";
import * as api from "./api";
import type { LanePanel } from "./lane_panel";

const PATIENCE = 180; // milliseconds of rest before the server is asked
const MOST_GHOSTS = 24; // more cannot be told apart
const MOST_LISTED = 5;
const POINTED_AT = "#fac80a";

export interface XrayActions {
  place(panel: LanePanel, pose: Pose): void;
  tell(message: string): void;
}

export class Xray {
  on = false;
  private readonly card = need("#next", HTMLElement);
  private readonly about = need("#next-about", HTMLElement);
  private readonly list = need("#next-list", HTMLElement);
  private readonly masked = need("#masked", HTMLInputElement);
  private waiting = 0;
  private asking: AbortController | null = null;
  private again: (() => void) | null = null;

  constructor(private readonly actions: XrayActions) {
    this.masked.addEventListener("change", () => this.again?.());
  }

  /** Asks about every lane once nothing has moved for a moment. */
  refresh(target: api.Target | null, panels: readonly LanePanel[], shown: number, resting: boolean): void {
    this.again = () => this.refresh(target, panels, shown, resting);
    window.clearTimeout(this.waiting);
    this.asking?.abort();
    this.card.hidden = !this.on;
    if (!this.on || !target || !resting) {
      for (const panel of panels) panel.viewer.setGhosts([]);
      this.list.replaceChildren();
      this.about.textContent = target ? "Shown when the model rests." : "There is nothing to build yet.";
      return;
    }
    this.waiting = window.setTimeout(() => {
      const asking = new AbortController();
      this.asking = asking;
      for (const panel of panels) void this.ask(target, panel, shown, panel === panels[0], asking.signal);
    }, PATIENCE);
  }

  private async ask(
    target: api.Target,
    panel: LanePanel,
    shown: number,
    first: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const bricks = panel.lane.bricks.slice(0, shown);
    try {
      const found = await api.candidates(target.id, panel.lane.agent, bricks, this.masked.checked, signal);
      if (signal.aborted) return;
      const candidates = [...found.candidates].sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0));
      const masked = found.masked
        .slice(0, MOST_GHOSTS)
        .map((each): Ghost => ({ ...each, probability: null, masked: true }));
      panel.viewer.setGhosts([...masked, ...candidates.slice(0, MOST_GHOSTS)]);
      if (first) this.show(panel, candidates, found.masked.length);
    } catch (error) {
      if (!api.isAbort(error)) this.actions.tell(api.sentenceOf(error));
    }
  }

  private show(panel: LanePanel, candidates: readonly api.Candidate[], masked: number): void {
    const weighed = candidates.some((candidate) => candidate.probability !== null);
    const notAllowed = masked ? `, ${masked} are not allowed` : "";
    this.about.textContent = weighed
      ? `${candidates.length} places are possible${notAllowed}. The agent would most likely choose:`
      : `${candidates.length} places are possible${notAllowed}. This agent has no probabilities; some places:`;
    this.list.replaceChildren(
      ...candidates.slice(0, MOST_LISTED).map((candidate) => {
        const { x, y, z, d, probability } = candidate;
        const share = el("progress", { max: 1, value: probability ?? 0, "aria-hidden": true });
        const where = `layer ${z / BRICK_HIGH + 1}, column ${x + 1}, depth ${y + 1}, ${d ? "across" : "along"}`;
        const button = el("button", { type: "button", class: "candidate", title: "Place this brick" });
        button.append(el("b", {}, probability === null ? "?" : percent(probability, 1)), share, el("span", {}, where));
        button.addEventListener("click", () => this.actions.place(panel, candidate));
        const cursor = { pose: candidate, colour: POINTED_AT };
        for (const event of ["pointerenter", "focus"]) {
          button.addEventListener(event, () => panel.viewer.setCursor(cursor));
        }
        for (const event of ["pointerleave", "blur"]) {
          button.addEventListener(event, () => panel.viewer.setCursor(null));
        }
        return el("li", {}, button);
      }),
    );
  }
}
