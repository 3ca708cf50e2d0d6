/** What to build: drawings, a file or the gallery. Asks the server as soon as there is something to ask about. */

import "./target_panel.css";
import { need } from "../controls/dom";
import { base64, bytesOf } from "../model/ink";
import type { Input } from "../model/project";
import * as api from "./api";
import type { Busy } from "./busy";
import { DrawingPanel } from "./drawing_panel";
import { GalleryPanel } from "./gallery_panel";

type Source = "one" | "three" | "file" | "gallery";
type Given =
  | { readonly kind: "drawings" }
  | { readonly kind: "gallery"; readonly name: string }
  | { readonly kind: "file"; readonly file: File };

const PATIENCE = 350; // milliseconds without a stroke or a change before the server is asked

export interface TargetActions {
  /** How inputs are to be read. */
  reading(): api.Reading;
  /** The question is answered, with a target or with none. */
  changed(target: api.Target | null): void;
  /** Opens a model or a project; false where the file is neither. */
  open(file: File): Promise<boolean>;
}

export class TargetPanel {
  readonly drawing = new DrawingPanel();
  readonly gallery = new GalleryPanel((name) => this.give({ kind: "gallery", name }));
  private given: Given | null = null;
  private known: string | null = null; // what the server calls the file that it was sent
  private encoded: { readonly file: File; readonly content: string } | null = null; // so that it is encoded once
  private asking: AbortController | null = null;
  private answered: Promise<void> = Promise.resolve(); // to the last question
  private readonly problem = need("#target-problem", HTMLElement);

  constructor(
    private readonly actions: TargetActions,
    private readonly busy: Busy,
  ) {
    this.drawing.onChange = () => {
      this.given = { kind: "drawings" };
      void this.ask();
    };
    this.listen();
  }

  /** Asks about the same again, because it is to be read otherwise. */
  again(): void {
    if (this.given) void this.ask();
  }

  /** What was given, for a project. */
  async input(): Promise<Input | null> {
    const { given } = this;
    if (!given) return null;
    if (given.kind === "gallery") return given;
    if (given.kind === "file") {
      if (this.encoded?.file !== given.file) {
        this.encoded = { file: given.file, content: base64(new Uint8Array(await given.file.arrayBuffer())) };
      }
      return { kind: "file", name: given.file.name, content: this.encoded.content };
    }
    return { kind: "drawings", name: "drawing", drawings: this.drawing.drawings(true) };
  }

  /** Takes what a project was about; resolves when the server has answered. */
  async restore(input: Input): Promise<void> {
    if (input.kind === "drawings") {
      const three = input.drawings.length === 3;
      this.choose(three ? "three" : "one");
      if (!this.drawing.open(input.drawings)) this.fail("the project's drawings cannot be read: draw them again");
      this.given = { kind: "drawings" };
    } else if (input.kind === "gallery") {
      this.choose("gallery");
      this.gallery.mark(input.name);
      this.given = input;
    } else {
      this.choose("file");
      this.takeUp(new File([bytesOf(input.content)], input.name));
    }
    await this.ask(0);
  }

  fail(problem: string): void {
    this.problem.textContent = problem;
    this.problem.hidden = !problem;
  }

  private give(given: Given): void {
    this.given = given;
    void this.ask(0);
  }

  private takeUp(file: File): void {
    need("#file-name", HTMLOutputElement).value = file.name;
    this.known = null;
    this.given = { kind: "file", file };
  }

  private choose(source: Source): void {
    need(`#source input[value="${source}"]`, HTMLInputElement).checked = true;
    const draws = source === "one" || source === "three";
    need("#drawing", HTMLElement).hidden = !draws;
    need("#file", HTMLElement).hidden = source !== "file";
    need("#gallery", HTMLElement).hidden = source !== "gallery";
    if (draws) {
      this.drawing.choose(source === "three");
      if (this.drawing.isReady) this.give({ kind: "drawings" });
      else if (this.given?.kind === "drawings") this.settle(null);
    }
  }

  /** Resolves when every question is answered, those too that are put meanwhile. */
  async settled(): Promise<void> {
    let last: Promise<void>;
    do {
      last = this.answered;
      await last;
    } while (last !== this.answered);
  }

  /** Asks once nothing has changed for a moment; whatever was asked before does not matter any more. */
  private ask(patience = PATIENCE): Promise<void> {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    this.answered = this.askAfter(patience, asking.signal);
    return this.answered;
  }

  private async askAfter(patience: number, signal: AbortSignal): Promise<void> {
    if (this.given?.kind === "drawings" && !this.drawing.isReady) {
      this.settle(null);
      return;
    }
    const matters = (): boolean => !signal.aborted;
    if (patience) await rest(patience, signal);
    if (!matters()) return;
    try {
      const target = await this.busy.during("Reading", this.question(signal));
      if (matters()) this.settle(target);
    } catch (error) {
      if (matters() && !api.isAbort(error)) this.settle(null, api.sentenceOf(error));
    }
  }

  private async question(signal: AbortSignal): Promise<api.Target | null> {
    const { given } = this;
    const reading = this.actions.reading();
    if (!given) return null;
    if (given.kind === "gallery") return api.targetOfGallery(given.name, reading, signal);
    if (given.kind === "drawings") {
      const coloured = reading.byMason && !this.drawing.isThree;
      return api.targetOfDrawings(this.drawing.drawings(coloured), reading, signal);
    }
    const target = await api.targetOfFile(given.file, this.known, reading, signal);
    if (this.given === given) this.known = target.id;
    return target;
  }

  private settle(target: api.Target | null, problem = ""): void {
    this.fail(problem);
    this.actions.changed(target);
  }

  private async take(file: File | undefined): Promise<void> {
    if (!file) return;
    this.choose("file");
    try {
      if (await this.actions.open(file)) {
        this.fail("");
        return;
      }
    } catch (error) {
      this.fail(api.sentenceOf(error));
      return;
    }
    this.takeUp(file);
    await this.ask(0);
  }

  private listen(): void {
    need("#source", HTMLElement).addEventListener("change", (event) => {
      if (event.target instanceof HTMLInputElement) this.choose(event.target.value as Source);
    });
    const input = need("#file-input", HTMLInputElement);
    const zone = need("#file", HTMLElement);
    input.addEventListener("change", () => {
      void this.take(input.files?.[0]).then(() => (input.value = "")); // so that the same file can be taken again
    });
    // Files can be dropped anywhere on the page; a miss must not make the browser leave it.
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    document.addEventListener("dragleave", () => zone.classList.remove("over"));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      void this.take(event.dataTransfer?.files[0]);
    });
  }
}

/** Waits for some milliseconds, or until that is called off. */
function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    window.setTimeout(done, milliseconds);
    signal.addEventListener("abort", () => done());
  });
}
