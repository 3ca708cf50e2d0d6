/** Projects and models from files, and the last project over a reload. */

import { projectOf, projectText, type Project } from "../model/project";
import * as api from "./api";
import type { Busy } from "./busy";
import { forget, keep, lastKept } from "./keeper";
import type { Lane } from "./lane";
import type { Lanes } from "./lanes";
import type { OrderPanel } from "./order_panel";
import type { TargetPanel } from "./target_panel";

const MODEL = /\.(ldr|mpd|io|json)$/i;
const PATIENCE = 800; // milliseconds of rest before the project is kept

export interface ProjectActions {
  before(lane: Lane): void; // it is about to change
  after(lane: Lane): void;
  tell(message: string): void;
}

export class Projects {
  private waiting = 0;

  constructor(
    private readonly targets: TargetPanel,
    private readonly order: OrderPanel,
    private readonly lanes: Lanes,
    private readonly busy: Busy,
    private readonly actions: ProjectActions,
  ) {}

  /** Opens a model or a project; false where the file is neither. */
  async open(file: File): Promise<boolean> {
    if (!MODEL.test(file.name)) return false;
    const project = file.name.toLowerCase().endsWith(".json") ? projectOf(await file.text()) : null;
    if (project) {
      await this.restore(project);
      this.actions.tell(`${file.name} is open.`);
    } else await this.openModel(file);
    return true;
  }

  /** The whole project, as a text. */
  async text(): Promise<string> {
    const input = await this.targets.input();
    const lane = this.lanes.panels[0]?.lane;
    const agent = this.order.builders[0] ?? "";
    return projectText({ input, settings: this.order.settings, agent, model: lane?.length ? lane.construction : null });
  }

  /** Keeps the project once nothing has changed for a moment. */
  keepLater(): void {
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => void this.text().then(keep), PATIENCE);
  }

  /** Goes on with what was there before a reload. */
  async recall(): Promise<void> {
    const text = await lastKept();
    if (text === null) return;
    try {
      const project = projectOf(text);
      if (!project || (!project.input && !project.model)) return;
      await this.restore(project);
      this.actions.tell("This is what you had here last. New begins with an empty page.");
    } catch {
      await forget(); // a studio of another version has left it
    }
  }

  /** Begins with an empty page. */
  async startAnew(): Promise<void> {
    window.clearTimeout(this.waiting);
    await forget();
    window.location.reload();
  }

  private async openModel(file: File): Promise<void> {
    const signal = new AbortController().signal;
    const opened = await this.busy.during(`Opening ${file.name}`, api.openModel(file, signal));
    const { name, bricks, builder = "", verdict, faults, sentences, notes } = opened;
    const judgement = { verdict, faults, sentences: [...notes, ...sentences] };
    this.put((lane) => lane.open(bricks, { name, builder: builder || `opened from ${name}`, judgement }));
    this.actions.tell(`${name} is open: ${bricks.length} bricks.`);
  }

  private async restore({ input, settings, agent, model }: Project): Promise<void> {
    this.order.restore(settings, agent);
    if (input) await this.targets.restore(input);
    if (!model) return;
    const { bricks, target: name, builder, iou, likeness = null, walls = null } = model;
    const { target } = this.lanes;
    const about = { name, builder: this.order.labelOf(builder), iou, likeness, walls };
    this.put((lane) => lane.open(bricks, { ...about, target: target?.name === name ? target : null }));
  }

  private put(change: (lane: Lane) => void): void {
    const panel = this.lanes.panels[0];
    if (!panel) return;
    this.actions.before(panel.lane);
    change(panel.lane);
    this.lanes.refresh([panel]);
    panel.viewer.frame();
    this.actions.after(panel.lane);
  }
}
