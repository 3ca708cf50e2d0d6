/** Builds: the agents of all lanes place bricks at once, until each has ended or somebody stops them. */

import { need, percent } from "../controls/dom";
import type { Timeline } from "../model/timeline";
import * as api from "./api";
import type { Busy, Task } from "./busy";
import type { Lane } from "./lane";
import type { LanePanel } from "./lane_panel";
import type { Lanes } from "./lanes";
import type { OrderPanel } from "./order_panel";

export class Building {
  private running: AbortController | null = null;

  constructor(
    private readonly lanes: Lanes,
    private readonly timeline: Timeline,
    private readonly order: OrderPanel,
    private readonly busy: Busy,
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
    for (const { lane } of lanes.panels) {
      lane.begin(Math.min(kept, lane.length), target, order.labelOf(lane.agent));
    }
    timeline.open = true;
    lanes.refresh();
    if (!kept) for (const { viewer } of lanes.panels) viewer.frame(); // what was there may have been larger
    timeline.show(kept);
    timeline.play();
    this.tell(`Building ${target.name} …`);
    const task = this.busy.begin("Building");
    const narrow = window.matchMedia("(max-width: 720px)").matches;
    need(".scene", HTMLElement).scrollIntoView({ block: narrow ? "start" : "nearest" });
    const ends = await Promise.all(lanes.panels.map((panel) => this.runIn(panel, target, task, signal)));
    task.end();
    this.running = null;
    timeline.open = false;
    order.setBuilding(false);
    this.tell(signal.aborted ? "Stopped." : ends.join(" "));
  }

  /** Builds in one lane; returns how it ended, in a sentence. */
  private async runIn(panel: LanePanel, target: api.Target, task: Task, signal: AbortSignal): Promise<string> {
    const { lane } = panel;
    const { seed, budget, colours, buildSettings: settings } = this.order;
    const { agent, bricks } = lane;
    const who = this.order.labelOf(agent);
    try {
      const order = { target: target.id, agent, seed, budget, colours, bricks, settings };
      for await (const event of api.build(order, signal)) {
        if (signal.aborted) break;
        if (event.kind === "problem") return `${who}: ${event.message}.`;
        if (event.kind === "progress") task.progress(event.share, DOING[event.doing] ?? "Building");
        else if (event.kind !== "start") {
          this.takeIn(panel, event, task);
          this.lanes.refresh([panel]);
        }
        if (event.kind === "done") return `${who}: ${lane.length} bricks, ${likenessOf(lane)}.`;
      }
      return signal.aborted ? "" : `${who}: the build broke off.`;
    } catch (error) {
      return api.isAbort(error) ? "" : `${who}: ${api.sentenceOf(error)}`;
    }
  }

  private takeIn({ lane }: LanePanel, event: api.BuildEvent, task: Task): void {
    if (event.kind === "bricks") lane.receive(event.bricks);
    else if (event.kind === "brick") {
      lane.arrive(event.index, event);
      task.progress(lane.length / (this.order.budget ?? lane.length));
    } else if (event.kind === "done") {
      const { construction, iou, likeness = null } = event;
      lane.finish(construction.bricks, { judgement: event, iou, likeness, walls: construction.walls ?? null });
    }
  }
}

// What the server says it is at, in the words of people.
const DOING: Readonly<Record<string, string>> = {
  waiting: "Waiting for others",
  laying: "Building",
  joining: "Joining bricks",
  propping: "Looking for pillars",
  checking: "Checking whether it stands",
};

/** How like what was wanted a model is, in words. */
function likenessOf(lane: Lane): string {
  const { share } = lane.scoreAt(lane.length);
  const { likeness } = lane.state;
  const colour = likeness?.colour ? `, ${percent(likeness.colour)} of the colour` : "";
  return `${percent(share)} of the shape${colour}`;
}
