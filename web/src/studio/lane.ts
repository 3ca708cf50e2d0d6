/**
 * A lane: one agent's bricks on the target, with what is known after each of them, and every earlier state to go back
 * to. Pure data; `LanePanel` shows it.
 */

import type { Brick, Pose } from "../model/brick";
import { History } from "../model/history";
import { iouWith, viewsOf, type View } from "../model/views";
import type { Judgement, Target } from "./api";

export interface Step {
  readonly brick: Brick;
  readonly iou: number | null; // after this brick; null where a hand has placed it
  readonly views: readonly View[] | null;
}

export interface LaneState {
  readonly steps: readonly Step[];
  readonly judgement: Judgement | null; // on all bricks
  readonly iou: number | null; // of all bricks, when a build has ended
}

const NOTHING: LaneState = { steps: [], judgement: null, iou: null };

export class Lane {
  private readonly history = new History<LaneState>(NOTHING);

  constructor(public agent: string) {}

  get state(): LaneState {
    return this.history.current;
  }

  get bricks(): Brick[] {
    return this.state.steps.map((step) => step.brick);
  }

  get length(): number {
    return this.state.steps.length;
  }

  undo(): boolean {
    return this.history.undo();
  }

  redo(): boolean {
    return this.history.redo();
  }

  /** Begins anew with nothing, and forgets the past: for another target. */
  reset(): void {
    this.history.reset(NOTHING);
  }

  /** Keeps the first bricks, for a build that goes on from there. */
  begin(kept: number): void {
    this.history.push({ steps: this.state.steps.slice(0, kept), judgement: null, iou: null });
  }

  /** A brick of the build under way. */
  arrive(index: number, step: Step): void {
    this.history.replace({ ...this.state, steps: [...this.state.steps.slice(0, index), step] });
  }

  finish(bricks: readonly Brick[], iou: number | null, judgement: Judgement): void {
    const known = this.state.steps;
    const steps = bricks.map((brick, index) => ({ iou: null, views: null, ...known[index], brick }));
    this.history.replace({ steps, judgement, iou });
  }

  judge(judgement: Judgement): void {
    this.history.replace({ ...this.state, judgement });
  }

  /** Adds a brick by hand after the first so many; later ones go. */
  place(pose: Pose, colour: number, shown: number): void {
    const steps = this.state.steps.slice(0, shown);
    const { part, x, y, z, d } = pose;
    const brick = { part, x, y, z, d, colour, step: steps.length };
    this.history.push({ steps: [...steps, { brick, iou: null, views: null }], judgement: null, iou: null });
  }

  /** Takes a brick away by hand, of the first so many; later ones go. */
  remove(index: number, shown: number): void {
    const left = this.state.steps.slice(0, shown).filter((_, each) => each !== index);
    const steps = left.map(({ brick, iou, views }, step) => {
      const known = step < index;
      return { brick: { ...brick, step }, iou: known ? iou : null, views: known ? views : null };
    });
    this.history.push({ steps, judgement: null, iou: null });
  }

  /** How well the first bricks do: as the server said, or by the hull where it has not been asked. */
  scoreAt(shown: number, target: Target | null): { iou: number | null; byHull: boolean } {
    if (!target) return { iou: null, byHull: false };
    if (shown === 0) return { iou: 0, byHull: false };
    const told = this.state.steps[shown - 1]?.iou ?? (shown === this.length ? this.state.iou : null);
    if (told !== null) return { iou: told, byHull: false };
    const byHull = target.views.length > 1; // one view's hull is the target itself
    return { iou: iouWith(target.hull, this.bricks.slice(0, shown)), byHull };
  }

  viewsAt(shown: number, target: Target): readonly View[] {
    return this.state.steps[shown - 1]?.views ?? viewsOf(this.bricks.slice(0, shown), target.views);
  }
}
