/** The studio: joins what to build, who builds and what became of it. */

import { iconButton, need, el, percent } from "../controls/dom";
import { Transport } from "../controls/transport";
import { boxAround, type Pose } from "../model/brick";
import { Timeline } from "../model/timeline";
import type { Painter } from "../viewer/painter";
import * as api from "./api";
import { ByHand } from "./by_hand";
import { Downloads } from "./downloads";
import { Lane } from "./lane";
import { LaneView } from "./lane_view";
import { OrderPanel } from "./order_panel";
import { TargetPanel } from "./target_panel";
import { Xray } from "./xray";

const HINT = "Draw something, then press Build.";

export class Studio {
  private target: api.Target | null = null;
  private views: LaneView[] = [];
  private building: AbortController | null = null;
  private readonly judging = new Map<Lane, AbortController>();
  private before = 0; // bricks shown at the last update
  private done: Lane[][] = []; // what can be undone: the lanes that each change was about
  private undone: Lane[][] = [];
  private ghostShown = true;

  private readonly timeline: Timeline = new Timeline(() => this.update());
  private readonly transport = new Transport(this.timeline);
  private readonly order = new OrderPanel({
    build: () => void this.build(0),
    stop: () => this.building?.abort(),
    agentsChanged: () => this.layLanes(),
    budgetChanged: () => this.update(),
  });
  private readonly targets = new TargetPanel((target) => this.setTarget(target));
  private readonly xray = new Xray({
    place: (view, pose) => void this.place(view, pose),
    problem: (message) => this.tell(message),
  });
  private readonly hand = new ByHand({
    shown: (view) => this.shownIn(view),
    place: (view, pose) => void this.place(view, pose),
    remove: (view, brick) => this.remove(view, brick),
    tell: (message) => this.tell(message),
  });
  private readonly downloads = new Downloads((message) => this.tell(message));
  private readonly status = need("#status", HTMLElement);
  private readonly continueButton = need("#continue", HTMLButtonElement);
  private readonly xrayButton = need("#xray", HTMLButtonElement);
  private readonly faultsButton = need("#show-faults", HTMLButtonElement);
  private readonly handButton = need("#by-hand", HTMLButtonElement);
  private readonly undoButton = iconButton("undo", "Undo the last change", () => this.undo());
  private readonly redoButton = iconButton("redo", "Do it again", () => this.redo());

  constructor(private readonly painter: Painter) {
    need("#transport", HTMLElement).append(this.transport.element);
    need("#history", HTMLElement).append(this.undoButton, this.redoButton);
    this.transport.listen(document);
    this.listen();
    this.layLanes();
    this.tell(HINT);
  }

  /** Asks the server who can build and what there is to build. */
  async open(): Promise<void> {
    const gallery = api.gallery(); // which a server that was just started has to read first
    try {
      this.order.setAgents(await api.agents());
      this.order.setTarget(this.target);
      this.layLanes();
      this.targets.showGallery(await gallery);
    } catch (error) {
      this.tell(api.sentenceOf(error));
    }
  }

  private tell(message: string): void {
    this.status.textContent = message;
  }

  private labelOf(agent: string): string {
    return this.order.agentNamed(agent)?.label ?? agent;
  }

  private setTarget(target: api.Target | null): void {
    this.building?.abort();
    this.target = target;
    this.order.setTarget(target);
    this.done = this.undone = [];
    for (const view of this.views) {
      view.lane.reset();
      view.viewer.setCursor(null);
      this.aim(view);
    }
    this.layLanes();
    this.timeline.extend(0);
    this.tell(target ? `Ready to build ${target.name} with ${target.budget} bricks at most.` : HINT);
  }

  /** Shows a lane's target and bricks, all of them in the picture. */
  private aim(view: LaneView): void {
    view.viewer.setHull(this.target?.hull ?? [], this.ghostShown);
    view.viewer.setBricks(view.lane.bricks);
    view.viewer.frame();
    view.setTarget(this.target, this.labelOf(view.lane.agent));
  }

  /** Has a lane for each agent that builds; a lane that changes its agent keeps its bricks. */
  private layLanes(): void {
    const builders = this.order.builders.length ? this.order.builders : [""];
    this.views = builders.map((agent, index) => {
      const there = this.views[index];
      if (there) {
        there.lane.agent = agent;
        there.setTarget(this.target, this.labelOf(agent));
        return there;
      }
      const view = new LaneView(new Lane(agent), this.painter);
      this.hand.attach(view);
      view.viewer.onTurn = (camera) => {
        for (const other of this.views) if (other !== view) other.viewer.adopt(camera);
      };
      this.aim(view);
      return view;
    });
    this.spread();
    this.views.forEach((view) => view.viewer.frame());
    const several = this.views.length > 1;
    need("#lanes", HTMLElement).replaceChildren(...this.views.map((view) => view.figure));
    need("#results", HTMLElement).replaceChildren(...this.views.map((view) => view.result));
    document.body.classList.toggle("several", several);
  }

  /** The timeline is as long as the longest lane, and all lanes are seen at one scale. */
  private spread(): void {
    const extents = this.views.map(({ lane }) => boxAround(lane.bricks, this.target?.hull ?? []));
    for (const { viewer } of this.views) viewer.setCompany(extents.filter((box) => box !== null));
    this.timeline.extend(Math.max(0, ...this.views.map(({ lane }) => lane.length)));
  }

  private shownIn(view: LaneView): number {
    return Math.min(this.timeline.shown, view.lane.length);
  }

  private update(): void {
    const { timeline, target } = this;
    const drop = timeline.playing || timeline.shown - this.before === 1;
    this.before = timeline.shown;
    for (const view of this.views) {
      view.viewer.dropSeconds = 0.45 / Math.max(1, timeline.speed / 2);
      view.update(timeline.shown, target, drop);
    }
    this.transport.update();
    const idle = this.building === null;
    this.xrayButton.disabled = this.handButton.disabled = target === null;
    const left = timeline.shown > 0 && timeline.shown < this.order.budget;
    this.continueButton.hidden = !target || !idle || timeline.playing || !left;
    this.undoButton.disabled = !idle || !this.done.length;
    this.redoButton.disabled = !idle || !this.undone.length;
    need("#welcome", HTMLElement).hidden = target !== null;
    this.faultsButton.hidden = !this.views.some((view) => view.hasFaults);
    this.xray.refresh(target, this.views, timeline.shown, idle && !timeline.playing);
    const state = target && {
      target,
      lanes: this.views,
      budget: this.order.budget,
      labelOf: (agent: string) => this.labelOf(agent),
    };
    this.downloads.update(idle ? state : null);
  }

  /** Builds in every lane, on the first bricks that are there. */
  private async build(kept: number): Promise<void> {
    const { target, timeline } = this;
    if (!target || this.building) return;
    const building = new AbortController();
    this.building = building;
    this.order.setBuilding(true);
    this.record(this.views.map(({ lane }) => lane));
    for (const { lane, viewer } of this.views) {
      lane.begin(Math.min(kept, lane.length));
      viewer.setBricks(lane.bricks);
    }
    timeline.open = true;
    this.spread();
    timeline.show(kept);
    timeline.play();
    this.tell(`Building ${target.name} …`);
    const narrow = window.matchMedia("(max-width: 720px)").matches;
    need(".scene", HTMLElement).scrollIntoView({ block: narrow ? "start" : "nearest" });
    const ends = await Promise.all(this.views.map((view) => this.buildLane(view, target, building.signal)));
    if (this.building === building) this.building = null;
    timeline.open = false;
    this.order.setBuilding(false);
    if (this.target === target) this.tell(building.signal.aborted ? "Stopped." : ends.join(" "));
    this.update();
    for (const { lane } of this.views) void this.judge(lane); // a build that was stopped has no verdict yet
  }

  /** Builds in one lane; returns how it ended, in a sentence. */
  private async buildLane(view: LaneView, target: api.Target, signal: AbortSignal): Promise<string> {
    const { lane, viewer } = view;
    const { seed, budget, colours } = this.order;
    const order: api.Order = { target: target.target, agent: lane.agent, seed, budget, colours, bricks: lane.bricks };
    const who = this.labelOf(lane.agent);
    try {
      for await (const event of api.build(order, signal)) {
        if (signal.aborted) break;
        if (event.kind === "problem") return `${who}: ${event.message}`;
        if (event.kind === "brick") lane.arrive(event.index, event);
        if (event.kind === "done") lane.finish(event.construction.bricks, event.iou, event);
        viewer.setBricks(lane.bricks);
        this.spread();
        if (event.kind === "done") return `${who}: ${lane.length} bricks, IoU ${percent(event.iou, 1)}.`;
      }
      return signal.aborted ? "" : `${who}: the build broke off.`;
    } catch (error) {
      return api.isAbort(error) ? "" : `${who}: ${api.sentenceOf(error)}`;
    }
  }

  private async place(view: LaneView, pose: Pose): Promise<void> {
    const { target, order } = this;
    if (!target || this.building) return;
    const shown = this.shownIn(view);
    const colour = order.colours[shown % order.colours.length] ?? 4;
    const { part, x, y, z, d } = pose;
    const bricks = view.lane.bricks.slice(0, shown);
    try {
      const reason = await api.place(bricks, { part, x, y, z, d, colour, step: shown });
      if (reason !== null) {
        this.tell(`Not there: ${reason}.`);
        return;
      }
    } catch (error) {
      this.tell(api.sentenceOf(error));
      return;
    }
    this.record([view.lane]);
    const later = laterBricks(view.lane.length - shown);
    view.lane.place(pose, colour, shown);
    this.edited(view, shown + 1, `Brick ${shown + 1} is placed.${later}`);
  }

  private remove(view: LaneView, brick: number): void {
    if (!this.target || this.building) return;
    const shown = this.shownIn(view);
    this.record([view.lane]);
    const later = laterBricks(view.lane.length - shown);
    view.lane.remove(brick, shown);
    this.edited(view, shown - 1, `Brick ${brick + 1} is removed.${later}`);
  }

  private edited(view: LaneView, shown: number, message: string): void {
    view.viewer.setBricks(view.lane.bricks);
    this.spread();
    this.timeline.show(shown);
    this.tell(message);
    void this.judge(view.lane);
  }

  /** Asks for the verdict on bricks that no build has ended with. */
  private async judge(lane: Lane): Promise<void> {
    this.judging.get(lane)?.abort();
    if (!lane.length || lane.state.judgement) return;
    const judging = new AbortController();
    this.judging.set(lane, judging);
    const { state } = lane;
    try {
      const judgement = await api.check(lane.bricks, this.order.budget, judging.signal);
      if (judging.signal.aborted || lane.state !== state) return;
      lane.judge(judgement);
      this.update();
    } catch (error) {
      if (!api.isAbort(error)) this.tell(api.sentenceOf(error));
    }
  }

  private record(lanes: Lane[]): void {
    this.done.push(lanes);
    this.undone = [];
  }

  private undo(): void {
    const lanes = this.done.pop();
    if (!lanes) return;
    this.undone.push(lanes);
    for (const lane of lanes) lane.undo();
    this.turnedBack("Undone.");
  }

  private redo(): void {
    const lanes = this.undone.pop();
    if (!lanes) return;
    this.done.push(lanes);
    for (const lane of lanes) lane.redo();
    this.turnedBack("Done again.");
  }

  private turnedBack(message: string): void {
    for (const { lane, viewer } of this.views) {
      viewer.setBricks(lane.bricks);
      void this.judge(lane);
    }
    this.spread();
    this.timeline.show(this.timeline.total);
    this.tell(message);
  }

  private listen(): void {
    const toggled = (button: HTMLButtonElement, change: (on: boolean) => void): void => {
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        change(on);
      });
    };
    toggled(this.xrayButton, (on) => {
      this.xray.on = on;
      this.update();
    });
    toggled(this.handButton, (on) => {
      this.hand.toggle(on, this.views);
      if (on) this.timeline.pause();
    });
    toggled(need("#ghost", HTMLButtonElement), (on) => {
      this.ghostShown = on;
      for (const { viewer } of this.views) viewer.setHull(this.target?.hull ?? [], on);
    });
    toggled(this.faultsButton, (on) => this.views.forEach((view) => view.showFaults(on)));
    this.continueButton.addEventListener("click", () => void this.build(this.timeline.shown));
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.layLanes());
  }
}

/** What became of the bricks that were not shown when a hand changed something. */
function laterBricks(count: number): string {
  return count > 0
    ? ` ${count === 1 ? "The brick" : `The ${count} bricks`} after it went too; undo brings them back.`
    : "";
}

/** What a browser without 3D graphics is told. */
export function apology(): HTMLElement {
  return el("p", { class: "notice" }, "This browser cannot draw in three dimensions: WebGL 2 is off.");
}
