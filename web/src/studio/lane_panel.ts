/** What is seen of a lane: its picture on the stage, and its score, views and verdict among the results. */

import "./lane_panel.css";
import { el, iconButton, percent } from "../controls/dom";
import { VIEW_NAMES } from "../model/views";
import type { Painter } from "../viewer/painter";
import { Viewer } from "../viewer/viewer";
import type { Judgement, Target } from "./api";
import type { Lane } from "./lane";
import { inCentimetres } from "./preview";
import { ViewPicture } from "./view_picture";

// What a verdict says, in the words of people; what is not listed is for programs.
const QUESTIONS: Readonly<Record<string, readonly [good: string, bad: string]>> = {
  joined: ["all joined", "not all joined"],
  no_overlap: ["no overlap", "bricks overlap"],
  in_budget: ["within budget", "over budget"],
  insertable: ["can be built by hand", "cannot be built by hand"],
  stands: ["balances on a table", "topples on a table"],
  steady: ["stands when touched", "tips over when touched"],
  stands_on_plate: ["stands on a plate", "falls off a plate"],
};

const LEGEND = [
  ["both", "fits"],
  ["missing", "missing"],
  ["extra", "too much"],
] as const;

export class LanePanel {
  readonly viewer: Viewer;
  readonly figure: HTMLElement;
  readonly result: HTMLElement;
  private readonly caption = el("span", { class: "lane-name" });
  private readonly badge = el("span", { class: "lane-score" });
  private readonly title = el("h3", {});
  private readonly likeness = el("p", { class: "score-line" });
  private readonly about = el("p", { class: "soft" });
  private readonly meter = el("progress", { class: "meter", max: 1, value: 0, "aria-label": "How much of the shape" });
  private readonly views = el("div", { class: "compare" });
  private readonly legend = el(
    "p",
    { class: "legend", hidden: true },
    ...LEGEND.flatMap(([kind, label]) => [el("span", { class: `key ${kind}` }), label]),
  );
  private readonly extras = el("p", { class: "legend extras", hidden: true });
  private readonly verdict = el("div", { class: "verdict" });
  private target: Target | null = null; // that the views are of
  private pictures: { target: ViewPicture; model: ViewPicture }[] = [];
  private told: Judgement | null = null;

  constructor(
    readonly lane: Lane,
    painter: Painter,
  ) {
    const canvas = el("canvas", {
      tabindex: 0,
      role: "application",
      "aria-label": "The model. Hold shift and press arrows to turn, plus and minus to zoom, 0 to see all.",
    });
    this.figure = el(
      "figure",
      { class: "stage" },
      canvas,
      el("figcaption", { class: "lane-caption" }, this.caption, this.badge),
      iconButton("home", "See all", () => this.viewer.frame()),
    );
    this.viewer = new Viewer(canvas, painter);
    this.result = el(
      "article",
      { class: "result" },
      this.title,
      this.likeness,
      this.meter,
      this.about,
      this.views,
      this.legend,
      this.extras,
      this.verdict,
    );
  }

  /** Has a picture for each view of an agent's target; the mason is told more than views. */
  private layViews(target: Target | null): void {
    this.target = target;
    this.pictures = (target?.views ?? []).map((view, index) => {
      const name = VIEW_NAMES[index]!;
      const pair = { target: new ViewPicture(`Target, ${name}`), model: new ViewPicture(`Model, ${name}`) };
      pair.target.showTarget(view);
      return pair;
    });
    this.legend.hidden = target === null;
    this.views.dataset["views"] = String(this.pictures.length);
    const labelled = (picture: ViewPicture, label: string): HTMLElement =>
      el("figure", {}, picture.canvas, el("figcaption", {}, label));
    const several = this.pictures.length > 1;
    this.views.replaceChildren(
      ...this.pictures.map(({ target: picture }, index) => labelled(picture, several ? VIEW_NAMES[index]! : "Target")),
      ...this.pictures.map(({ model }) => labelled(model, "Model")),
    );
  }

  /** Shows the lane after its first bricks, or who will build here and for what. */
  update(shown: number, awaited: Target | null, agentLabel: string, drop: boolean): void {
    const { lane, viewer } = this;
    const { state } = lane;
    const here = Math.min(shown, lane.length);
    viewer.show(here, drop);
    const who = lane.length ? state.builder : agentLabel;
    this.caption.textContent = who;
    this.title.textContent = who;
    const target = lane.length ? state.target : awaited;
    const seen = target?.byMason ? null : target;
    if (seen !== this.target) this.layViews(seen);
    this.showScore(here);
    if (seen) {
      const views = lane.viewsAt(here, seen);
      this.pictures.forEach(({ model }, index) => model.showModel(views[index], seen.views[index]));
    }
    const judgement = here === lane.length ? state.judgement : null;
    if (judgement !== this.told) this.judge(judgement);
  }

  /** Draws views anew, in the page's colours. */
  repaint(): void {
    this.layViews(this.target);
  }

  private showScore(here: number): void {
    const { lane } = this;
    const { share, byHull } = lane.scoreAt(here);
    const atEnd = here === lane.length;
    const colour = atEnd ? lane.state.likeness?.colour : null;
    const count = `${here === lane.length ? here : `${here} of ${lane.length}`} ${lane.length === 1 ? "brick" : "bricks"}`;
    this.badge.textContent = lane.length ? (share === null ? count : `${percent(share)} of the shape`) : "";
    this.likeness.hidden = this.meter.hidden = share === null;
    const shape = byHull ? "of what the views allow" : atEnd ? "of the shape" : "of the shape so far";
    this.likeness.replaceChildren(
      el("span", {}, el("strong", { class: "score" }, percent(share)), ` ${shape}`),
      ...(colour ? [el("span", {}, el("strong", { class: "score-colour" }, percent(colour)), " of the colour")] : []),
    );
    this.meter.value = share ?? 0;
    const { target } = lane.state;
    const large = target?.byMason && atEnd ? `, ${inCentimetres(target.millimetres)}` : "";
    this.about.textContent = lane.length ? count + large : "Nothing is built yet.";
    const { extras } = lane;
    this.extras.hidden = extras === 0;
    const added = `${extras} ${extras === 1 ? "brick" : "bricks"} more so that it stands: hatched`;
    this.extras.replaceChildren(el("span", { class: "key hatched" }), added);
  }

  get hasFaults(): boolean {
    return Boolean(this.told?.faults.length);
  }

  showFaults(visible: boolean): void {
    this.viewer.setFaults(this.told?.faults.map((fault) => fault.brick) ?? [], visible);
  }

  private judge(judgement: Judgement | null): void {
    this.told = judgement;
    this.viewer.setFaults(judgement?.faults.map((fault) => fault.brick) ?? []);
    if (!judgement) {
      this.verdict.replaceChildren();
      return;
    }
    const badges = Object.entries(QUESTIONS).flatMap(([name, [good, bad]]) => {
      const answer = judgement.verdict[name];
      if (name === "in_budget" && !this.lane.state.target?.budget) return []; // there was none
      if (answer === null) return [el("li", { class: "open" }, `? ${good}`)];
      return typeof answer === "boolean"
        ? [el("li", { class: answer ? "good" : "bad" }, `${answer ? "✓" : "✗"} ${answer ? good : bad}`)]
        : [];
    });
    const faults = judgement.faults.map(({ brick, reason }) =>
      el("li", {}, el("b", {}, `Brick ${brick + 1}`), `: ${reason}`),
    );
    const count = `${faults.length} ${faults.length === 1 ? "brick" : "bricks"} in red`;
    const listed = el(
      "details",
      { class: "faults", open: faults.length <= 3 },
      el("summary", {}, count),
      el("ul", {}, ...faults),
    );
    this.verdict.replaceChildren(
      el("ul", { class: "badges", "aria-label": "Verdict" }, ...badges),
      ...judgement.sentences.map((sentence) => el("p", { class: "sentence" }, sentence)),
      ...(faults.length ? [listed] : []),
    );
  }
}
