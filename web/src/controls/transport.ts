/** Play, pause, step, speed and the slider for a timeline, and the clock that drives it. */

import "./transport.css";
import { SPEEDS, type Timeline } from "../model/timeline";
import { el, icon, iconButton } from "./dom";

export class Transport {
  readonly element: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly counter: HTMLOutputElement;
  private readonly steps: readonly HTMLButtonElement[];
  private running = false;

  constructor(private readonly timeline: Timeline) {
    this.playButton = el("button", { type: "button", class: "icon-button play" });
    this.playButton.addEventListener("click", () => timeline.toggle());
    this.slider = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Bricks shown" });
    this.slider.addEventListener("input", () => timeline.show(Number(this.slider.value)));
    this.counter = el("output", { class: "counter", "aria-live": "off" });
    const speed = el("select", { "aria-label": "Speed", class: "speed" });
    for (const each of SPEEDS) speed.append(el("option", { value: each, selected: each === 1 }, `${each}×`));
    speed.addEventListener("change", () => (timeline.speed = Number(speed.value)));
    this.steps = [
      iconButton("first", "To the start (Home)", () => timeline.show(0)),
      iconButton("back", "One brick back (left arrow)", () => timeline.step(-1)),
      iconButton("next", "One brick on (right arrow)", () => timeline.step(1)),
      iconButton("last", "To the end (End)", () => timeline.show(timeline.total)),
    ];
    this.element = el(
      "div",
      { class: "transport", role: "group", "aria-label": "Playback" },
      el("div", { class: "transport-buttons" }, ...this.steps.slice(0, 2), this.playButton, ...this.steps.slice(2)),
      this.slider,
      this.counter,
      speed,
    );
    this.update();
  }

  /** Shows where the timeline is, and starts the clock where it plays. */
  update(): void {
    const { timeline } = this;
    this.slider.max = String(timeline.total);
    this.slider.value = String(timeline.shown);
    const empty = timeline.total === 0;
    this.slider.disabled = empty;
    this.playButton.disabled = empty && !timeline.open;
    for (const button of this.steps) button.disabled = empty;
    this.slider.setAttribute("aria-valuetext", `${timeline.shown} of ${timeline.total} bricks`);
    this.counter.value = `${timeline.shown} / ${timeline.total}`;
    const label = timeline.playing ? "Pause (space)" : "Play (space)";
    if (this.playButton.title !== label) {
      this.playButton.title = label;
      this.playButton.setAttribute("aria-label", label);
      this.playButton.replaceChildren(icon(timeline.playing ? "pause" : "play"));
    }
    if (timeline.playing && !this.running) this.run();
  }

  /** Keys that work wherever the focus is, except where they have a meaning of their own. */
  listen(target: Document): void {
    const actions: Record<string, () => void> = {
      " ": () => this.timeline.toggle(),
      ArrowLeft: () => this.timeline.step(-1),
      ArrowRight: () => this.timeline.step(1),
      Home: () => this.timeline.show(0),
      End: () => this.timeline.show(this.timeline.total),
    };
    target.addEventListener("keydown", (event) => {
      const action = actions[event.key];
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      if (!action || !plain || event.defaultPrevented || hasOwnKeys(event.target, event.key)) return;
      event.preventDefault();
      action();
    });
  }

  private run(): void {
    this.running = true;
    let before = performance.now();
    const tick = (now: number): void => {
      // A tab in the background gets no frames; what it has missed is not made up for.
      const seconds = Math.min((now - before) / 1000, 0.25);
      before = now;
      this.running = this.timeline.advance(seconds);
      if (this.running) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}

function hasOwnKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("[data-own-keys], textarea, select, input:not([type=range])")) return true;
  return key === " " ? target.closest("button, summary, a") !== null : target.matches("input[type=range]");
}
