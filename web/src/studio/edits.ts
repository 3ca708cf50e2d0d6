/** A brick more or one less by hand, among the bricks shown, so that those after them go; or one of another colour. */

import type { Pose } from "../model/brick";
import { palette } from "../model/colours";
import { parts } from "../model/parts";
import type { Timeline } from "../model/timeline";
import * as api from "./api";
import type { Lane } from "./lane";
import type { LanePanel } from "./lane_panel";
import type { Lanes } from "./lanes";

export interface EditActions {
  allowed(): boolean;
  before(lane: Lane): void; // it is about to change
  after(lane: Lane): void;
  tell(message: string): void;
}

export class Edits {
  constructor(
    private readonly lanes: Lanes,
    private readonly timeline: Timeline,
    private readonly actions: EditActions,
  ) {}

  /** Places a brick if the server allows it. */
  async place(panel: LanePanel, pose: Pose, colour: number): Promise<void> {
    const { actions } = this;
    if (!actions.allowed()) return;
    const { lane } = panel;
    const shown = this.lanes.shownIn(panel);
    const { part, x, y, z, d } = pose;
    try {
      const reason = await api.place(lane.bricks.slice(0, shown), { part, x, y, z, d, colour, step: shown });
      if (reason !== null) {
        actions.tell(`Not there: ${reason}.`);
        return;
      }
    } catch (error) {
      actions.tell(api.sentenceOf(error));
      return;
    }
    const change = (): void => lane.place(pose, colour, shown);
    this.edit(panel, change, shown, shown + 1, `Brick ${shown + 1} is placed.`);
  }

  remove(panel: LanePanel, brick: number): void {
    if (!this.actions.allowed()) return;
    const shown = this.lanes.shownIn(panel);
    const change = (): void => panel.lane.remove(brick, shown);
    this.edit(panel, change, shown, shown - 1, `Brick ${brick + 1} is removed.`);
  }

  /** Gives a brick another colour. */
  paint(panel: LanePanel, index: number, colour: number): void {
    const { actions } = this;
    const { lane } = panel;
    const brick = lane.bricks[index];
    if (!actions.allowed() || !brick || brick.colour === colour) return;
    actions.before(lane);
    lane.paint(index, colour);
    this.lanes.refresh([panel]);
    const name = palette.get(colour)?.name ?? "painted";
    const made = parts.get(brick.part)?.colours?.includes(colour) ?? true;
    actions.tell(`Brick ${index + 1} is ${name} now.${made ? "" : ` No ${brick.part} was made in ${name}.`}`);
    actions.after(lane);
  }

  private edit(panel: LanePanel, change: () => void, shown: number, left: number, message: string): void {
    const { lane } = panel;
    const later = laterBricks(lane.length - shown);
    this.actions.before(lane);
    change();
    this.lanes.refresh([panel]);
    this.timeline.show(left);
    this.actions.tell(message + later);
    this.actions.after(lane);
  }
}

/** What became of the bricks that were not shown when a hand changed something. */
function laterBricks(count: number): string {
  return count > 0
    ? ` ${count === 1 ? "The brick" : `The ${count} bricks`} after it went too; undo brings them back.`
    : "";
}
