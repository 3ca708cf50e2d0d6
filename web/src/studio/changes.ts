/** Undo and redo of builds and edits. Each lane keeps its own past; this knows which of them each change was about. */

import { iconButton, need } from "../controls/dom";
import { listenToUndo } from "../controls/undo_keys";
import type { Lane } from "./lane";

export class Changes {
  private done: (readonly Lane[])[] = [];
  private undone: (readonly Lane[])[] = [];
  private readonly undoButton = iconButton("undo", "Undo the last change (Ctrl+Z)", () => this.undo());
  private readonly redoButton = iconButton("redo", "Do it again (Ctrl+Shift+Z)", () => this.redo());

  constructor(private readonly turnedBack: (message: string) => void) {
    need("#history", HTMLElement).append(this.undoButton, this.redoButton);
    // What is drawn has an undo of its own, which hears the keys first.
    listenToUndo(
      document,
      () => this.undoButton.click(),
      () => this.redoButton.click(),
    );
  }

  /** Some lanes are about to change. */
  record(lanes: readonly Lane[]): void {
    this.done.push(lanes);
    this.undone = [];
  }

  update(allowed: boolean): void {
    this.undoButton.disabled = !allowed || !this.done.length;
    this.redoButton.disabled = !allowed || !this.undone.length;
  }

  private undo(): void {
    const lanes = this.done.pop();
    if (!lanes) return;
    this.undone.push(lanes);
    for (const lane of lanes) lane.undo();
    this.turnedBack("Undone.");
  }

  private redo(): void {
    const lanes = this.undone.pop();
    if (!lanes) return;
    this.done.push(lanes);
    for (const lane of lanes) lane.redo();
    this.turnedBack("Done again.");
  }
}
