/** Undo and redo: states of which one is current. Takes states as they are, so they must not be changed afterwards. */

export class History<State> {
  private past: State[] = [];
  private future: State[] = [];

  constructor(
    private _current: State,
    private readonly most = 50,
  ) {}

  get current(): State {
    return this._current;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Makes a state current; the one before can be had back. */
  push(state: State): void {
    this.past.push(this._current);
    if (this.past.length > this.most) this.past.shift();
    this.future = [];
    this._current = state;
  }

  /** Makes a state current without a way back to the one before, for changes still under way. */
  replace(state: State): void {
    this._current = state;
  }

  undo(): boolean {
    const state = this.past.pop();
    if (state === undefined) return false;
    this.future.push(this._current);
    this._current = state;
    return true;
  }

  redo(): boolean {
    const state = this.future.pop();
    if (state === undefined) return false;
    this.past.push(this._current);
    this._current = state;
    return true;
  }

  /** Forgets everything but one state. */
  reset(state: State): void {
    this.past = [];
    this.future = [];
    this._current = state;
  }
}
