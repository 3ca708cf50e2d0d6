/** Which bricks are shown, and when the next one comes. Knows no clock: it is told how much time has passed. */

export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
const BRICKS_PER_SECOND = 3; // at speed 1, of a model so small that this shows all of it in time
const LONGEST = 100 / 3; // seconds that a whole model takes at speed 1

export class Timeline {
  private _total = 0;
  private _shown = 0;
  private _playing = false;
  private waited = 0; // share of a brick's time that has passed
  speed = 1;
  /** More bricks may come: playing waits for them at the end instead of stopping. */
  open = false;

  constructor(private readonly changed: () => void = () => undefined) {}

  get total(): number {
    return this._total;
  }

  get shown(): number {
    return this._shown;
  }

  get playing(): boolean {
    return this._playing;
  }

  get atEnd(): boolean {
    return this._shown >= this._total;
  }

  /** Sets how many bricks there are; what is shown stays within them. */
  extend(total: number): void {
    this._total = Math.max(0, total);
    this._shown = Math.min(this._shown, this._total);
    this.changed();
  }

  /** Plays on; from the end it begins anew. */
  play(): void {
    if (this.atEnd && !this.open) this._shown = 0;
    this._playing = this._total > 0 || this.open;
    this.waited = 1; // the first brick comes at once
    this.changed();
  }

  pause(): void {
    this._playing = false;
    this.changed();
  }

  toggle(): void {
    if (this._playing) this.pause();
    else this.play();
  }

  /** Shows exactly so many bricks and stops. */
  show(count: number): void {
    this._shown = Math.min(Math.max(0, Math.round(count)), this._total);
    this._playing = false;
    this.changed();
  }

  step(by: number): void {
    this.show(this._shown + by);
  }

  /** Lets time pass; true while there is reason to call again. */
  advance(seconds: number): boolean {
    if (!this._playing) return false;
    this.waited += seconds * this.speed * Math.max(BRICKS_PER_SECOND, this._total / LONGEST);
    if (this.atEnd && this.open) {
      this.waited = Math.min(this.waited, 1); // a brick that was waited for comes at once, and alone
      return true;
    }
    const due = Math.floor(this.waited);
    if (due > 0) {
      this.waited -= due;
      const before = this._shown;
      this._shown = Math.min(this._shown + due, this._total);
      if (this.atEnd && !this.open) this._playing = false;
      if (this._shown !== before || !this._playing) this.changed();
    }
    return this._playing;
  }
}
