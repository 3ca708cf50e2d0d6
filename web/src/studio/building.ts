/** Builds: the agents of all lanes place bricks at once, until each has ended or somebody stops them. */

import { need, percent } from "../controls/dom";
import type { Timeline } from "../model/timeline";
import * as api from "./api";
import type { LanePanel } from "./lane_panel";
import type { Lanes } from "./lanes";
import type { OrderPanel } from "./order_panel";

export class Building {
  private running: AbortController | null = null;

  constructor(
    private readonly lanes: Lanes,
    private readonly timeline: Timeline,
    private readonly order: OrderPanel,
    private readonly tell: (message: string) => void,
  ) {}

  get idle(): boolean {
    return this.running === null;
  }

  stop(): void {
    this.running?.abort();
  }

  /** Builds a target in every lane, on the first bricks that are there, and says how it ended. */
  async run(target: api.Target, kept: number): Promise<void> {
    const { lanes, timeline, order } = this;
    const { signal } = (this.running = new AbortController());
    order.setBuilding(true);
    for (const { lane } of lanes.panels) lane.begin(Math.min(kept, lane.length));
    timeline.open = true;
    lanes.refresh();
    timeline.show(kept);
    timeline.play();
    this.tell(`Building ${target.name} …`);
    const narrow = window.matchMedia("(max-width: 720px)").matches;
    need(".scene", HTMLElement).scrollIntoView({ block: narrow ? "start" : "nearest" });
    const ends = await Promise.all(lanes.panels.map((panel) => this.runIn(panel, target, signal)));
    this.running = null;
    timeline.open = false;
    order.setBuilding(false);
    if (lanes.target === target) this.tell(signal.aborted ? "Stopped." : ends.join(" "));
  }

  /** Builds in one lane; returns how it ended, in a sentence. */
  private async runIn(panel: LanePanel, target: api.Target, signal: AbortSignal): Promise<string> {
    const { lane } = panel;
    const { seed, budget, colours } = this.order;
    const order: api.Order = { target: target.target, agent: lane.agent, seed, budget, colours, bricks: lane.bricks };
    const who = this.order.labelOf(lane.agent);
    try {
      for await (const event of api.build(order, signal)) {
        if (signal.aborted) break;
        if (event.kind === "problem") return `${who}: ${event.message}`;
        if (event.kind === "brick") lane.arrive(event.index, event);
        if (event.kind === "done") lane.finish(event.construction.bricks, event.iou, event);
        this.lanes.refresh([panel]);
        if (event.kind === "done") return `${who}: ${lane.length} bricks, IoU ${percent(event.iou, 1)}.`;
      }
      return signal.aborted ? "" : `${who}: the build broke off.`;
    } catch (error) {
      return api.isAbort(error) ? "" : `${who}: ${api.sentenceOf(error)}`;
    }
  }
}
