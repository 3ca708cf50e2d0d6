/** What the studio is doing right now, with a bar; said aloud when it changes, not at every per cent. */

import "./busy.css";
import { need } from "../controls/dom";

const AT_ONCE = 250; // milliseconds; what takes less is not worth a word

export interface Task {
  /** How far it is, 0 to 1, or null where nobody knows; and what it is at now, if that has changed. */
  progress(share: number | null, doing?: string): void;
  end(): void;
}

export class Busy {
  private readonly sign = need("#busy", HTMLElement);
  private readonly bar = need("#busy progress", HTMLProgressElement);
  private readonly words = need("#busy-words", HTMLElement);
  private readonly tasks: { doing: string; share: number | null }[] = [];

  /** Says what was begun, until its end. */
  begin(doing: string): Task {
    const task = { doing, share: null as number | null };
    this.tasks.push(task);
    window.setTimeout(() => this.show(), AT_ONCE);
    return {
      progress: (share, now) => {
        task.share = share;
        if (now !== undefined) task.doing = now;
        if (!this.sign.hidden) this.show();
      },
      end: () => {
        const at = this.tasks.indexOf(task);
        if (at >= 0) this.tasks.splice(at, 1);
        if (!this.sign.hidden) this.show();
      },
    };
  }

  /** Says what is done while it is done. */
  async during<Result>(doing: string, work: Promise<Result>): Promise<Result> {
    const task = this.begin(doing);
    try {
      return await work;
    } finally {
      task.end();
    }
  }

  private show(): void {
    const task = this.tasks.at(-1);
    this.sign.hidden = !task;
    const words = task ? `${task.doing} …` : "";
    if (this.words.textContent !== words) this.words.textContent = words;
    if (!task || task.share === null) this.bar.removeAttribute("value");
    else this.bar.value = task.share;
  }
}
