/** The lanes side by side: one for each agent that builds, all seen at one scale and from one side. */

import "./lanes.css";
import { need } from "../controls/dom";
import { NOTHING, boxAround, boxesOf, type Volume } from "../model/brick";
import type { Timeline } from "../model/timeline";
import { secondsToDrop } from "../viewer/drop";
import type { Painter } from "../viewer/painter";
import type { Target } from "./api";
import type { ByHand } from "./by_hand";
import { Lane } from "./lane";
import { LanePanel } from "./lane_panel";
import type { OrderPanel } from "./order_panel";

export class Lanes {
  panels: readonly LanePanel[] = [];
  target: Target | null = null;
  private targetShown = true;
  private before = 0; // bricks shown at the last update

  constructor(
    private readonly painter: Painter,
    private readonly timeline: Timeline,
    private readonly order: OrderPanel,
    private readonly hand: ByHand,
  ) {}

  /** What is built next. Models that are there stay, with what they were built for. */
  setTarget(target: Target | null): void {
    this.target = target;
    for (const panel of this.panels) {
      panel.viewer.setCursor(null);
      if (!panel.lane.length) this.aim(panel);
    }
    this.spread();
  }

  /** Has a lane for each agent that builds; a lane that changes its agent keeps its bricks. */
  lay(): void {
    const { builders } = this.order;
    this.panels = (builders.length ? builders : [""]).map((agent, index) => {
      const there = this.panels[index];
      if (!there) return this.open(agent);
      there.lane.agent = agent;
      there.repaint();
      return there;
    });
    this.spread();
    for (const { viewer } of this.panels) viewer.frame();
    need("#lanes", HTMLElement).replaceChildren(...this.panels.map((panel) => panel.figure));
    need("#results", HTMLElement).replaceChildren(...this.panels.map((panel) => panel.result));
    document.body.classList.toggle("several", this.panels.length > 1);
  }

  /** Takes over what became of the bricks of some lanes. */
  refresh(panels: readonly LanePanel[] = this.panels): void {
    for (const panel of panels) {
      this.haunt(panel);
      panel.viewer.setBricks(panel.lane.bricks);
    }
    this.spread();
  }

  /** Shows as many bricks as the timeline does. */
  show(): void {
    const { shown, playing, speed } = this.timeline;
    const drop = playing || shown - this.before === 1;
    this.before = shown;
    for (const panel of this.panels) {
      panel.viewer.dropSeconds = secondsToDrop(speed);
      panel.update(shown, this.target, this.order.labelOf(panel.lane.agent), drop);
    }
  }

  showTarget(on: boolean): void {
    this.targetShown = on;
    for (const panel of this.panels) this.haunt(panel);
  }

  get isEmpty(): boolean {
    return this.panels.every(({ lane }) => lane.length === 0);
  }

  showFaults(on: boolean): void {
    for (const panel of this.panels) panel.showFaults(on);
  }

  get hasFaults(): boolean {
    return this.panels.some((panel) => panel.hasFaults);
  }

  /** How many bricks of a lane are seen. */
  shownIn({ lane }: LanePanel): number {
    return Math.min(this.timeline.shown, lane.length);
  }

  private open(agent: string): LanePanel {
    const panel = new LanePanel(new Lane(agent), this.painter);
    this.hand.attach(panel);
    panel.viewer.onTurn = (stance) => {
      for (const other of this.panels) if (other !== panel) other.viewer.adopt(stance);
    };
    this.aim(panel);
    return panel;
  }

  /** Shows a lane's target and bricks, all of them in the picture. */
  private aim(panel: LanePanel): void {
    this.haunt(panel);
    panel.viewer.setBricks(panel.lane.bricks);
    panel.viewer.frame();
  }

  /** Shows what a model lacks, unless it lacks nothing: views allow more than what they are of. */
  private haunt({ lane, viewer }: LanePanel): void {
    const { judgement, iou } = lane.state;
    const complete = judgement !== null && iou === 1;
    viewer.setHull(this.hullOf(lane), this.targetShown && !complete);
  }

  private hullOf(lane: Lane): Volume {
    return (lane.length ? lane.state.target : this.target)?.hull ?? NOTHING;
  }

  /** The timeline is as long as the longest lane, and all lanes are seen at one scale. */
  private spread(): void {
    const extents = this.panels.map(({ lane }) => boxAround(lane.bricks, boxesOf(this.hullOf(lane))));
    for (const { viewer } of this.panels) viewer.setCompany(extents.filter((box) => box !== null));
    this.timeline.extend(Math.max(0, ...this.panels.map(({ lane }) => lane.length)));
  }
}
