/** The replay page: constructions side by side, brick by brick, from data inside the page itself. */

import "../controls/base.css";
import "./replay.css";
import { asideOf, type Aside } from "../model/asides";
import type { Construction } from "../model/brick";
import { coloursOf, palette } from "../model/colours";
import { parts } from "../model/parts";
import type { Replay } from "../model/replay_file";
import { Timeline } from "../model/timeline";
import { el, iconButton, need, percent } from "../controls/dom";
import { CANNOT_DRAW, notice } from "../controls/notice";
import { Transport } from "../controls/transport";
import { secondsToDrop } from "../viewer/drop";
import { Painter, canDraw } from "../viewer/painter";
import { Viewer } from "../viewer/viewer";

interface Panel {
  readonly construction: Construction;
  readonly asides: readonly Aside[];
  readonly viewer: Viewer;
  readonly progress: HTMLElement;
}

/** What the file holds, which may be anything; null unless it holds models. */
function read(): Replay | null {
  const text = need("#replay-data", HTMLScriptElement).textContent;
  try {
    const replay = JSON.parse(text) as Partial<Replay>;
    const { title = "", constructions = [], colours = {}, parts = [], asides = [] } = replay;
    return constructions.length ? { title, constructions, colours, parts, asides } : null;
  } catch {
    return null;
  }
}

function panelOf(
  construction: Construction,
  asides: readonly Aside[],
  painter: Painter,
): { panel: Panel; element: HTMLElement } {
  const name = construction.target || "A model";
  const canvas = el("canvas", {
    tabindex: 0,
    role: "img",
    "aria-label": `${name}, ${construction.bricks.length} bricks. Drag or hold shift and press arrows to turn, plus and minus to zoom, 0 to see all.`,
  });
  const progress = el("span", { class: "chip" });
  const facts = el("p", { class: "facts" }, progress);
  if (construction.iou !== null) {
    facts.append(el("span", { class: "chip", title: "Shared cells by all cells" }, `IoU ${percent(construction.iou)}`));
  }
  if (construction.builder) facts.append(el("span", { class: "chip quiet" }, construction.builder));
  const viewer = new Viewer(canvas, painter);
  const element = el(
    "figure",
    { class: "panel" },
    el(
      "div",
      { class: "stage" },
      canvas,
      iconButton("home", "See all", () => viewer.frame()),
    ),
    el("figcaption", {}, el("h2", {}, name), facts),
  );
  return { panel: { construction, asides, viewer, progress }, element };
}

function start(): void {
  const main = need("main", HTMLElement);
  const replay = read();
  if (!replay) {
    main.replaceChildren(notice("There is no model in this page."));
    return;
  }
  palette.learn(coloursOf(replay.colours));
  parts.learn(replay.parts);
  const title = replay.title || replay.constructions[0]!.target || "Brick by brick";
  document.title = title;
  need("h1", HTMLElement).textContent = title;
  if (!canDraw()) {
    main.replaceChildren(notice(CANNOT_DRAW));
    return;
  }
  const painter = new Painter(window.location.search);
  // A single model's name is the heading already.
  document.body.classList.toggle(
    "single",
    replay.constructions.length === 1 && title === replay.constructions[0]!.target,
  );
  const grid = el("div", { class: "panels", "data-count": replay.constructions.length });
  main.replaceChildren(grid);
  const panels = replay.constructions.map((construction, index) => {
    const { panel, element } = panelOf(construction, replay.asides?.[index] ?? [], painter);
    grid.append(element);
    return panel;
  });

  let before = 0;
  const timeline: Timeline = new Timeline(() => update());
  const transport = new Transport(timeline);
  const update = (): void => {
    const drop = timeline.playing || Math.abs(timeline.shown - before) === 1;
    for (const { construction, asides, viewer, progress } of panels) {
      const shown = Math.min(timeline.shown, construction.bricks.length);
      viewer.dropSeconds = secondsToDrop(timeline.speed);
      viewer.show(shown, drop);
      const chunk = asideOf(asides, shown - 1, shown);
      progress.textContent = `${shown} of ${construction.bricks.length} bricks${chunk ? `: ${chunk.says}` : ""}`;
    }
    before = timeline.shown;
    transport.update();
  };
  for (const { construction, asides, viewer } of panels) {
    viewer.setBricks(construction.bricks);
    viewer.setAsides(asides);
    viewer.frame();
  }
  timeline.extend(Math.max(...panels.map(({ construction }) => construction.bricks.length)));
  timeline.show(timeline.total);
  need("footer", HTMLElement).append(transport.element);
  transport.listen(document);
  requestAnimationFrame(() => requestAnimationFrame(() => (window.__ready = true)));
}

start();
