/** X-ray: where the agent could put the next brick, and how likely it does. */

import { el, need, percent } from "../controls/dom";
import type { Pose } from "../model/brick";
import type { Ghost } from "../viewer/viewer";
import * as api from "./api";
import type { LaneView } from "./lane_view";

const PATIENCE = 180; // milliseconds of rest before the server is asked
const MOST_GHOSTS = 24; // more cannot be told apart
const MOST_LISTED = 5;

export interface XrayActions {
  place(view: LaneView, pose: Pose): void;
  problem(message: string): void;
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
  refresh(target: api.Target | null, views: readonly LaneView[], shown: number, resting: boolean): void {
    this.again = () => this.refresh(target, views, shown, resting);
    window.clearTimeout(this.waiting);
    this.asking?.abort();
    this.card.hidden = !this.on;
    if (!this.on || !target || !resting) {
      for (const view of views) view.viewer.setGhosts([]);
      this.list.replaceChildren();
      this.about.textContent = target ? "Shown when the model rests." : "There is nothing to build yet.";
      return;
    }
    this.waiting = window.setTimeout(() => {
      const asking = new AbortController();
      this.asking = asking;
      for (const view of views) void this.ask(target, view, shown, view === views[0], asking.signal);
    }, PATIENCE);
  }

  private async ask(
    target: api.Target,
    view: LaneView,
    shown: number,
    first: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const bricks = view.lane.bricks.slice(0, shown);
    try {
      const found = await api.candidates(target.target, view.lane.agent, bricks, this.masked.checked, signal);
      if (signal.aborted) return;
      const candidates = [...found.candidates].sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0));
      const masked = found.masked
        .slice(0, MOST_GHOSTS)
        .map((each): Ghost => ({ ...each, probability: null, masked: true }));
      view.viewer.setGhosts([...masked, ...candidates.slice(0, MOST_GHOSTS)]);
      if (first) this.show(view, candidates, found.masked.length);
    } catch (error) {
      if (!api.isAbort(error)) this.actions.problem(api.sentenceOf(error));
    }
  }

  private show(view: LaneView, candidates: readonly api.Candidate[], masked: number): void {
    const weighed = candidates.some((candidate) => candidate.probability !== null);
    const notAllowed = masked ? `, ${masked} are not allowed` : "";
    this.about.textContent = weighed
      ? `${candidates.length} places are possible${notAllowed}. The agent would most likely choose:`
      : `${candidates.length} places are possible${notAllowed}. This agent has no probabilities; some places:`;
    this.list.replaceChildren(
      ...candidates.slice(0, MOST_LISTED).map((candidate) => {
        const { x, y, z, d, probability } = candidate;
        const share = el("progress", { max: 1, value: probability ?? 0, "aria-hidden": true });
        const where = `layer ${z + 1}, column ${x + 1}, depth ${y + 1}, ${d ? "across" : "along"}`;
        const button = el("button", { type: "button", class: "candidate", title: "Place this brick" });
        button.append(el("b", {}, probability === null ? "?" : percent(probability, 1)), share, el("span", {}, where));
        button.addEventListener("click", () => this.actions.place(view, candidate));
        button.addEventListener("pointerenter", () => view.viewer.setCursor({ pose: candidate, colour: "#fac80a" }));
        button.addEventListener("focus", () => view.viewer.setCursor({ pose: candidate, colour: "#fac80a" }));
        for (const end of ["pointerleave", "blur"]) button.addEventListener(end, () => view.viewer.setCursor(null));
        return el("li", {}, button);
      }),
    );
  }
}
