/**
 * A lane: bricks with what is known after each of them, what they were built for and by whom, and every earlier state
 * to go back to. Pure data; `LanePanel` shows it.
 */

import { SCHEMA, type Brick, type Construction, type Likeness, type Pose } from "../model/brick";
import { History } from "../model/history";
import { iouWith, viewsOf, type View } from "../model/views";
import type { Judgement, Target } from "./api";

export interface Step {
  readonly brick: Brick;
  readonly iou: number | null; // after this brick; null where nobody has told
  readonly views: readonly View[] | null;
}

export interface LaneState {
  readonly steps: readonly Step[];
  readonly name: string; // of the model
  readonly builder: string; // who built it, in words
  readonly target: Target | null; // what it was built for, if that is known
  readonly judgement: Judgement | null; // on all bricks
  readonly iou: number | null; // of all bricks, when a build has ended
  readonly likeness: Likeness | null;
  readonly walls: number | null; // cells of the walls of a hollow model
}

const UNTOLD = { judgement: null, iou: null, likeness: null };
const NOTHING: LaneState = { steps: [], name: "", builder: "", target: null, walls: null, ...UNTOLD };
const BY_HAND = "by hand";

export class Lane {
  private readonly history = new History<LaneState>(NOTHING);
  private listed: { readonly steps: readonly Step[]; readonly bricks: readonly Brick[] } = { steps: [], bricks: [] };

  /** `agent` is who builds here next; what is there keeps the name of who built it. */
  constructor(public agent: string) {}

  get state(): LaneState {
    return this.history.current;
  }

  get bricks(): readonly Brick[] {
    const { steps } = this.state;
    if (this.listed.steps !== steps) this.listed = { steps, bricks: steps.map((step) => step.brick) };
    return this.listed.bricks;
  }

  /** The model as the package writes it. */
  get construction(): Construction {
    const { name, builder, target, likeness, walls } = this.state;
    const iou = this.scoreAt(this.length).share;
    const budget = target?.budget ?? null;
    return { schema: SCHEMA, bricks: this.bricks, target: name, builder, budget, iou, likeness, walls };
  }

  get length(): number {
    return this.state.steps.length;
  }

  /** Bricks that are there only so that the model stands. */
  get extras(): number {
    return this.bricks.filter((brick) => brick.extra).length;
  }

  undo(): boolean {
    return this.history.undo();
  }

  redo(): boolean {
    return this.history.redo();
  }

  /** Keeps the first bricks, for a build that goes on from there. */
  begin(kept: number, target: Target, builder: string): void {
    const steps = this.state.steps.slice(0, kept);
    const before = kept ? this.state.builder : "";
    const both = before && before !== builder ? `${before}, then ${builder}` : builder;
    this.history.push({ steps, name: target.name, builder: both, target, walls: null, ...UNTOLD });
  }

  /** A brick of the build under way. */
  arrive(index: number, step: Step): void {
    this.history.replace({ ...this.state, steps: [...this.state.steps.slice(0, index), step] });
  }

  /** Further bricks of the build under way. */
  receive(bricks: readonly Brick[]): void {
    const steps = bricks.map((brick) => ({ brick, iou: null, views: null }));
    this.history.replace({ ...this.state, steps: [...this.state.steps, ...steps] });
  }

  /** The build has ended with these bricks. */
  finish(bricks: readonly Brick[], told: Pick<LaneState, "judgement" | "iou" | "likeness" | "walls">): void {
    const known = this.state.steps;
    const steps = bricks.map((brick, index) => ({ iou: null, views: null, ...known[index], brick }));
    this.history.replace({ ...this.state, ...told, steps });
  }

  /** Takes over a model that was built elsewhere or earlier. */
  open(bricks: readonly Brick[], about: Partial<Omit<LaneState, "steps">>): void {
    const steps = bricks.map((brick, step) => ({ brick: { ...brick, step }, iou: null, views: null }));
    this.history.push({ ...NOTHING, ...about, steps });
  }

  judge(judgement: Judgement): void {
    this.history.replace({ ...this.state, judgement });
  }

  /** Adds a brick by hand after the first so many; later ones go. */
  place(pose: Pose, colour: number, shown: number): void {
    const steps = this.state.steps.slice(0, shown);
    const { part, x, y, z, d } = pose;
    const brick = { part, x, y, z, d, colour, step: steps.length };
    this.edited([...steps, { brick, iou: null, views: null }]);
  }

  /** Takes a brick away by hand, of the first so many; later ones go. */
  remove(index: number, shown: number): void {
    const left = this.state.steps.slice(0, shown).filter((_, each) => each !== index);
    this.edited(
      left.map(({ brick, iou, views }, step) => {
        const known = step < index;
        return { brick: { ...brick, step }, iou: known ? iou : null, views: known ? views : null };
      }),
    );
  }

  /** Gives a brick another colour; all bricks stay, and so does what is known of how they stand. */
  paint(index: number, colour: number): void {
    const { state } = this;
    const steps = state.steps.map((step, each) =>
      each === index ? { ...step, brick: { ...step.brick, colour } } : step,
    );
    const likeness = state.likeness && { ...state.likeness, colour: null };
    this.history.push({ ...state, steps, likeness, builder: byHand(state.builder) });
  }

  /** How much of the shape the first bricks are: as the server said, or by the hull where it has not been asked. */
  scoreAt(shown: number): { share: number | null; byHull: boolean } {
    const { target, likeness, iou, steps } = this.state;
    const atEnd = shown === this.length;
    const told = (atEnd ? (likeness?.shape ?? iou) : null) ?? steps[shown - 1]?.iou ?? null;
    if (told !== null || !target?.hull.cells.length || !shown) return { share: told, byHull: false };
    const byHull = target.views.length > 1; // one view's hull is the target itself
    return { share: iouWith(target.hull, this.bricks.slice(0, shown)), byHull };
  }

  viewsAt(shown: number, target: Target): readonly View[] {
    return this.state.steps[shown - 1]?.views ?? viewsOf(this.bricks.slice(0, shown), target.views);
  }

  private edited(steps: readonly Step[]): void {
    const { state } = this;
    this.history.push({ ...state, steps, builder: byHand(state.builder), name: state.name || "model", ...UNTOLD });
  }
}

function byHand(builder: string): string {
  if (builder.endsWith(BY_HAND)) return builder;
  return builder ? `${builder}, then ${BY_HAND}` : BY_HAND;
}
