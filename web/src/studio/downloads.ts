/** Models as files: a zip that the server packs, and the replay page, which is put together here. */

import "./downloads.css";
import { el, need } from "../controls/dom";
import type { Construction } from "../model/brick";
import { replayHtml } from "../model/replay_file";
import * as api from "./api";
import type { LanePanel } from "./lane_panel";
import type { OrderPanel } from "./order_panel";

// What the server can make: its name there, what it is, and whether it is wanted at first.
const KINDS: readonly (readonly [kind: string, label: string, wanted: boolean])[] = [
  ["pdf", "Building instructions (PDF)", true],
  ["csv", "Parts list (Rebrickable)", true],
  ["xml", "Parts list (BrickLink)", true],
  ["ldr", "LDraw model", true],
  ["glb", "3D model (GLB)", true],
  ["png", "Picture (PNG)", true],
  ["gif", "Animation (GIF)", false],
  ["svg", "Drawing (SVG)", false],
  ["html", "Replay (HTML)", true],
  ["json", "The bricks (JSON)", true],
];

export interface DownloadState {
  readonly target: api.Target;
  readonly panels: readonly LanePanel[];
  readonly order: OrderPanel;
}

export class Downloads {
  private readonly zip = el("button", { type: "button", class: "secondary", disabled: true }, "Kit (.zip)");
  private readonly replay = el("button", { type: "button", class: "secondary", disabled: true }, "Replay (.html)");
  private readonly which = el("select", { "aria-label": "Whose model", hidden: true });
  private readonly boxes = KINDS.map(([kind, label, wanted]) => {
    const box = el("input", { type: "checkbox", value: kind, checked: wanted });
    return { kind, box, element: el("label", { class: "check" }, box, label) };
  });
  private state: DownloadState | null = null;

  constructor(private readonly tell: (message: string) => void) {
    this.zip.addEventListener("click", () => void this.run(this.zip, () => this.packZip()));
    this.replay.addEventListener("click", () => void this.run(this.replay, () => this.packReplay()));
    need("#downloads", HTMLElement).append(
      el("div", { class: "download-row" }, this.zip, this.replay, this.which),
      el("details", {}, el("summary", {}, "What the kit holds"), ...this.boxes.map(({ element }) => element)),
    );
  }

  update(state: DownloadState | null): void {
    this.state = state;
    const panels = state?.panels ?? [];
    const ready = panels.some(({ lane }) => lane.length > 0);
    this.zip.disabled = this.replay.disabled = !ready;
    this.which.hidden = panels.length < 2;
    const chosen = this.which.value;
    this.which.replaceChildren(
      ...panels.map(({ lane }, index) => el("option", { value: index }, state?.order.labelOf(lane.agent))),
    );
    if (panels[Number(chosen)]) this.which.value = chosen;
  }

  private async packZip(): Promise<void> {
    const { state } = this;
    const chosen = state?.panels[Number(this.which.value)] ?? state?.panels[0];
    if (!state || !chosen) return;
    const kinds = this.boxes.filter(({ box }) => box.checked).map(({ kind }) => kind);
    const name = fileName(state.target.name);
    save(await api.exportZip(state.target.target, chosen.lane.bricks, kinds, state.target.name), `${name}.zip`);
    this.tell(`The kit is in ${name}.zip.`);
  }

  private async packReplay(): Promise<void> {
    const { state } = this;
    if (!state) return;
    const constructions = state.panels.map(({ lane }): Construction => ({
      schema: 1,
      bricks: lane.bricks,
      target: state.target.name,
      builder: state.order.labelOf(lane.agent),
      budget: state.order.budget,
      iou: lane.scoreAt(lane.length, state.target).iou,
    }));
    const html = replayHtml(await api.replayTemplate(), { title: state.target.name, constructions });
    const name = `${fileName(state.target.name)}.html`;
    save(new Blob([html], { type: "text/html" }), name);
    this.tell(`The replay is in ${name}; it plays without a network.`);
  }

  private async run(button: HTMLButtonElement, work: () => Promise<void>): Promise<void> {
    button.disabled = true;
    this.tell("Packing …");
    try {
      await work();
    } catch (error) {
      this.tell(api.sentenceOf(error));
    } finally {
      button.disabled = false;
    }
  }
}

function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "") || "model";
}

function save(content: Blob, name: string): void {
  const link = el("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  // The browser needs the address until the download has begun.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
