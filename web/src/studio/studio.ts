/** The studio: joins what to build, who builds and what became of it. Each part knows the page's elements it is for. */

import { need } from "../controls/dom";
import { Transport } from "../controls/transport";
import { Timeline } from "../model/timeline";
import type { Painter } from "../viewer/painter";
import * as api from "./api";
import { Building } from "./building";
import { ByHand } from "./by_hand";
import { Changes } from "./changes";
import { Downloads } from "./downloads";
import { Edits } from "./edits";
import { Judge } from "./judge";
import { Lanes } from "./lanes";
import { OrderPanel } from "./order_panel";
import { TargetPanel } from "./target_panel";
import { Toolbar } from "./toolbar";
import { Xray } from "./xray";

const HINT = "Draw something, then press Build.";

export class Studio {
  private readonly status = need("#status", HTMLElement);
  private readonly tell = (message: string): void => {
    this.status.textContent = message;
  };
  private readonly timeline: Timeline = new Timeline(() => this.update());
  private readonly transport = new Transport(this.timeline);
  private readonly targets = new TargetPanel((target) => this.setTarget(target));
  private readonly order = new OrderPanel({
    build: () => void this.build(0),
    stop: () => this.building.stop(),
    agentsChanged: () => this.lanes.lay(),
    budgetChanged: () => this.update(),
  });
  private readonly hand = new ByHand({
    shown: (panel) => this.lanes.shownIn(panel),
    place: (panel, pose) => void this.edits.place(panel, pose),
    remove: (panel, brick) => this.edits.remove(panel, brick),
    tell: this.tell,
  });
  private readonly xray = new Xray({
    place: (panel, pose) => void this.edits.place(panel, pose),
    tell: this.tell,
  });
  private readonly toolbar = new Toolbar({
    xray: (on) => {
      this.xray.on = on;
      this.update();
    },
    byHand: (on) => {
      this.hand.toggle(on, this.lanes.panels);
      if (on) this.timeline.pause();
    },
    target: (on) => this.lanes.showTarget(on),
    faults: (on) => this.lanes.showFaults(on),
    goOn: () => void this.build(this.timeline.shown),
  });
  private readonly changes = new Changes((message) => this.turnedBack(message));
  private readonly judge = new Judge(this.order, () => this.update(), this.tell);
  private readonly downloads = new Downloads(this.tell);
  private readonly lanes: Lanes;
  private readonly building: Building;
  private readonly edits: Edits;

  constructor(painter: Painter) {
    this.lanes = new Lanes(painter, this.timeline, this.order, this.hand);
    this.building = new Building(this.lanes, this.timeline, this.order, this.tell);
    this.edits = new Edits(this.lanes, this.timeline, this.order, {
      allowed: () => this.lanes.target !== null && this.building.idle,
      before: (lane) => this.changes.record([lane]),
      after: (lane) => void this.judge.judge(lane),
      tell: this.tell,
    });
    need("#transport", HTMLElement).append(this.transport.element);
    this.transport.listen(document);
    // Views are drawn in the page's colours.
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.lanes.lay());
    this.lanes.lay();
    this.tell(HINT);
  }

  /** Asks the server who can build and what there is to build. */
  async open(): Promise<void> {
    const gallery = api.gallery(); // which a server that was just started has to read first
    try {
      this.order.setAgents(await api.agents());
      this.order.setTarget(this.lanes.target);
      this.lanes.lay();
      this.targets.showGallery(await gallery);
    } catch (error) {
      this.tell(api.sentenceOf(error));
    }
  }

  private setTarget(target: api.Target | null): void {
    this.building.stop();
    this.order.setTarget(target);
    this.changes.forget();
    this.lanes.setTarget(target);
    this.lanes.lay();
    this.tell(target ? `Ready to build ${target.name} with ${target.budget} bricks at most.` : HINT);
  }

  /** Builds in every lane, on the first bricks that are there. */
  private async build(kept: number): Promise<void> {
    const { target, panels } = this.lanes;
    if (!target || !this.building.idle) return;
    this.changes.record(panels.map(({ lane }) => lane));
    await this.building.run(target, kept);
    this.update();
    this.judgeAll(); // a build that was stopped has no verdict yet
  }

  private turnedBack(message: string): void {
    this.lanes.refresh();
    this.timeline.show(this.timeline.total);
    this.tell(message);
    this.judgeAll();
  }

  private judgeAll(): void {
    for (const { lane } of this.lanes.panels) void this.judge.judge(lane);
  }

  private update(): void {
    const { timeline, lanes, order } = this;
    const { target, panels } = lanes;
    const { idle } = this.building;
    const resting = idle && !timeline.playing;
    const begun = timeline.shown > 0 && timeline.shown < order.budget;
    lanes.show();
    this.transport.update();
    this.toolbar.update({
      hasTarget: target !== null,
      hasFaults: lanes.hasFaults,
      canGoOn: target !== null && resting && begun,
    });
    this.changes.update(idle);
    this.xray.refresh(target, panels, timeline.shown, resting);
    this.downloads.update(idle && target ? { target, panels, order } : null);
  }
}
