/** The studio: joins what to build, who builds and what became of it. Each part knows the page's elements it is for. */

import { need } from "../controls/dom";
import { Transport } from "../controls/transport";
import { palette } from "../model/colours";
import { parts } from "../model/parts";
import { Timeline } from "../model/timeline";
import type { Painter } from "../viewer/painter";
import * as api from "./api";
import { Building } from "./building";
import { Busy } from "./busy";
import { ByHand } from "./by_hand";
import { Changes } from "./changes";
import { Downloads } from "./downloads";
import { Edits } from "./edits";
import { Judge } from "./judge";
import type { Lane } from "./lane";
import { Lanes } from "./lanes";
import { OrderPanel } from "./order_panel";
import { Preview } from "./preview";
import { Projects } from "./projects";
import { TargetPanel } from "./target_panel";
import { Toolbar } from "./toolbar";
import { Xray } from "./xray";

const HINT = "Draw something, drop a picture or choose from the gallery.";

export class Studio {
  private readonly status = need("#status", HTMLElement);
  private readonly tell = (message: string): void => {
    this.status.textContent = message;
  };
  private readonly busy = new Busy();
  private readonly timeline: Timeline = new Timeline(() => this.update());
  private readonly transport = new Transport(this.timeline);
  private readonly preview = new Preview();
  private readonly order = new OrderPanel({
    build: () => void this.build(0),
    stop: () => this.building.stop(),
    agentsChanged: () => this.agentsChanged(),
    readingChanged: () => this.targets.again(),
    budgetChanged: () => this.update(),
  });
  private readonly targets = new TargetPanel(
    {
      reading: () => this.order.reading,
      changed: (target) => this.setTarget(target),
      open: (file) => this.projects.open(file),
    },
    this.busy,
  );
  private readonly hand = new ByHand({
    shown: (panel) => this.lanes.shownIn(panel),
    place: (panel, pose, colour) => void this.edits.place(panel, pose, colour),
    paint: (panel, brick, colour) => this.edits.paint(panel, brick, colour),
    remove: (panel, brick) => this.edits.remove(panel, brick),
    tell: this.tell,
  });
  private readonly xray = new Xray({
    place: (panel, pose) => void this.edits.place(panel, pose, this.order.colours[0]!),
    tell: this.tell,
  });
  private targetShown = true;
  private starting = false; // somebody wants to build what is still being read
  private readonly toolbar = new Toolbar({
    xray: (on) => {
      this.xray.on = on;
      this.update();
    },
    byHand: (on) => {
      this.hand.toggle(on, this.lanes.panels);
      if (on) this.timeline.pause();
      this.update();
    },
    target: (on) => {
      this.targetShown = on;
      this.lanes.showTarget(on);
      this.update();
    },
    faults: (on) => this.lanes.showFaults(on),
    goOn: () => void this.build(this.timeline.shown),
  });
  private readonly changes = new Changes((message) => this.turnedBack(message));
  private readonly judge = new Judge(this.order, this.busy, () => this.update(), this.tell);
  private readonly lanes: Lanes;
  private readonly building: Building;
  private readonly edits: Edits;
  private readonly projects: Projects;
  private readonly downloads = new Downloads({ project: () => this.projects.text(), tell: this.tell });

  constructor(painter: Painter) {
    this.lanes = new Lanes(painter, this.timeline, this.order, this.hand);
    this.building = new Building(this.lanes, this.timeline, this.order, this.busy, this.tell);
    const watched = {
      before: (lane: Lane) => this.changes.record([lane]),
      after: (lane: Lane) => this.changed(lane),
      tell: this.tell,
    };
    this.edits = new Edits(this.lanes, this.timeline, { allowed: () => this.building.idle, ...watched });
    this.projects = new Projects(this.targets, this.order, this.lanes, this.busy, {
      ...watched,
      after: (lane) => {
        this.timeline.show(lane.length);
        this.changed(lane);
      },
    });
    need("#transport", HTMLElement).append(this.transport.element);
    this.transport.listen(document);
    need("#new", HTMLButtonElement).addEventListener("click", () => this.startAnew());
    // Views are drawn in the page's colours.
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.lanes.lay());
    this.lanes.lay();
    this.tell(HINT);
  }

  /** Asks the server for colours, parts, who can build and what there is to build; then goes on where the page was left. */
  async open(): Promise<void> {
    const gallery = api.gallery(); // which a server that was just started has to read first
    try {
      const [colours, offered, agents] = await Promise.all([api.colours(), api.partsOffered(), api.agents()]);
      palette.learn(colours);
      parts.learn(offered.parts);
      this.order.offerParts(offered);
      this.targets.drawing.layColours();
      this.hand.layChoices();
      this.order.swatches.lay();
      this.order.setAgents(agents);
      this.order.setTarget(this.lanes.target);
      this.lanes.lay();
      this.targets.gallery.show(await gallery);
      await this.projects.recall();
    } catch (error) {
      this.tell(api.sentenceOf(error));
    }
  }

  private startAnew(): void {
    const something = this.lanes.target !== null || !this.lanes.isEmpty;
    if (something && !window.confirm("Begin with an empty page? What you have not saved is lost.")) return;
    void this.projects.startAnew();
  }

  private setTarget(target: api.Target | null): void {
    this.order.setTarget(target);
    this.lanes.setTarget(target);
    this.preview.show(target);
    if (this.building.idle) this.tell(target ? `Ready to build ${target.name}.` : HINT);
    this.projects.keepLater();
    this.update();
  }

  private agentsChanged(): void {
    this.building.stop();
    this.order.setTarget(this.lanes.target);
    this.lanes.lay();
    this.update();
  }

  /** Builds in every lane, on the first bricks that are there. */
  private async build(kept: number): Promise<void> {
    if (this.starting) return;
    this.starting = true;
    this.tell("Building …");
    await this.targets.settled(); // what is built is what the settings say now
    this.starting = false;
    const { target, panels } = this.lanes;
    if (!target || !this.building.idle) return;
    this.changes.record(panels.map(({ lane }) => lane));
    await this.building.run(target, kept);
    this.update();
    for (const { lane } of panels) this.changed(lane); // a build that was stopped has no verdict yet
  }

  private turnedBack(message: string): void {
    this.lanes.refresh();
    this.timeline.show(this.timeline.total);
    this.tell(message);
    for (const { lane } of this.lanes.panels) this.changed(lane);
  }

  /** A lane has other bricks than before. */
  private changed(lane: Lane): void {
    void this.judge.judge(lane);
    this.projects.keepLater();
  }

  private update(): void {
    const { timeline, lanes, order } = this;
    const { target, panels } = lanes;
    const { idle } = this.building;
    const resting = idle && !timeline.playing;
    const begun = timeline.shown > 0 && timeline.shown < (order.budget ?? 0);
    const same = target !== null && panels.every(({ lane }) => !lane.length || lane.state.target === target);
    lanes.show();
    this.transport.update();
    const { isEmpty } = lanes;
    this.toolbar.update({
      hasTarget: target !== null,
      hasModel: !isEmpty,
      weighs: !order.byMason,
      hasFaults: lanes.hasFaults,
      canGoOn: same && !order.byMason && resting && begun,
    });
    need("#welcome", HTMLElement).hidden = target !== null || !isEmpty;
    this.preview.update(this.targetShown && !(isEmpty && this.hand.on), !isEmpty || !idle || !target?.byMason);
    this.changes.update(idle);
    this.xray.refresh(order.byMason || !same ? null : target, panels, timeline.shown, resting);
    this.downloads.update(idle ? panels : [], target !== null);
  }
}
