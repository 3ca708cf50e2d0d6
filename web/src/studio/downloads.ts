/** Models as files: a zip that the server packs, and the replay page and the project, which are put together here. */

import "./downloads.css";
import { el, need } from "../controls/dom";
import { looksOf } from "../model/colours";
import { parts } from "../model/parts";
import { replayHtml } from "../model/replay_file";
import * as api from "./api";
import type { LanePanel } from "./lane_panel";

// What the server can make: its name there, what it is, and whether it is wanted at first.
const KINDS: readonly (readonly [kind: string, label: string, wanted: boolean])[] = [
  ["pdf", "Building instructions (PDF)", true],
  ["csv", "Parts list (Rebrickable)", true],
  ["xml", "Parts list (BrickLink)", true],
  ["ldr", "LDraw model", true],
  ["mpd", "LDraw model with sub-assemblies (MPD)", true],
  ["io", "Studio model (.io)", false],
  ["glb", "3D model (GLB)", true],
  ["png", "Picture (PNG)", true],
  ["gif", "Animation (GIF)", false],
  ["svg", "Drawing (SVG)", false],
  ["html", "Replay (HTML)", true],
  ["json", "The bricks (JSON)", true],
];

const BY_STEPS = new Set(["pdf", "gif"]);
const MOST_BY_STEPS = 600; // bricks of models that the server draws step by step

export interface DownloadActions {
  /** The whole project, as a text. */
  project(): Promise<string>;
  tell(message: string): void;
}

export class Downloads {
  private readonly zip = el("button", { type: "button", class: "secondary", disabled: true }, "Kit (.zip)");
  private readonly replay = el("button", { type: "button", class: "secondary", disabled: true }, "Replay (.html)");
  private readonly project = el("button", { type: "button", class: "secondary", disabled: true }, "Project (.b3.json)");
  private readonly which = el("select", { "aria-label": "Whose model", hidden: true });
  private readonly boxes = KINDS.map(([kind, label, wanted]) => {
    const box = el("input", { type: "checkbox", value: kind, checked: wanted });
    return { kind, box, element: el("label", { class: "check" }, box, label) };
  });
  private panels: readonly LanePanel[] = [];

  constructor(private readonly actions: DownloadActions) {
    this.project.addEventListener("click", () => void this.run(this.project, () => this.packProject()));
    this.zip.addEventListener("click", () => void this.run(this.zip, () => this.packZip()));
    this.replay.addEventListener("click", () => void this.run(this.replay, () => this.packReplay()));
    need("#downloads", HTMLElement).append(
      el("div", { class: "download-row" }, this.which, this.zip, this.replay, this.project),
      el("details", {}, el("summary", {}, "What the kit holds"), ...this.boxes.map(({ element }) => element)),
    );
  }

  /** Offers what is in lanes that nobody builds in; a project can be saved before anything is built. */
  update(panels: readonly LanePanel[], begun: boolean): void {
    this.panels = panels.filter(({ lane }) => lane.length > 0);
    this.zip.disabled = this.replay.disabled = !this.panels.length;
    this.project.disabled = !begun && !this.panels.length;
    this.which.hidden = this.panels.length < 2;
    const chosen = this.which.value;
    this.which.replaceChildren(
      ...this.panels.map(({ lane }, index) => el("option", { value: index }, lane.state.builder)),
    );
    if (this.panels[Number(chosen)]) this.which.value = chosen;
    const large = this.panels.some(({ lane }) => lane.length > MOST_BY_STEPS);
    for (const { kind, box } of this.boxes) box.disabled = large && BY_STEPS.has(kind);
  }

  private async packZip(): Promise<void> {
    const chosen = this.panels[Number(this.which.value)] ?? this.panels[0];
    if (!chosen) return;
    const { bricks, state } = chosen.lane;
    const wanted = this.boxes.filter(({ box }) => box.checked);
    const kinds = wanted.filter(({ box }) => !box.disabled).map(({ kind }) => kind);
    const name = fileName(state.name);
    save(await api.exportZip(state.target?.id ?? null, bricks, state.walls, kinds, state.name), `${name}.zip`);
    const left = wanted.length > kinds.length ? ` Models of more than ${MOST_BY_STEPS} bricks have no PDF here.` : "";
    this.actions.tell(`The kit is in ${name}.zip.${left}`);
  }

  private async packReplay(): Promise<void> {
    const constructions = this.panels.map(({ lane }) => lane.construction);
    const title = this.panels[0]?.lane.state.name ?? "";
    const bricks = constructions.flatMap((construction) => construction.bricks);
    const html = replayHtml(await api.replayTemplate(), {
      title,
      constructions,
      colours: looksOf(bricks.map((brick) => brick.colour)),
      parts: parts.named(bricks.map((brick) => brick.part)),
    });
    const name = `${fileName(title)}.html`;
    save(new Blob([html], { type: "text/html" }), name);
    this.actions.tell(`The replay is in ${name}; it plays without a network.`);
  }

  private async packProject(): Promise<void> {
    const name = `${fileName(this.panels[0]?.lane.state.name ?? "project")}.b3.json`;
    save(new Blob([await this.actions.project()], { type: "application/json" }), name);
    this.actions.tell(`The project is in ${name}: drop it on this page to go on.`);
  }

  private async run(button: HTMLButtonElement, work: () => Promise<void>): Promise<void> {
    button.disabled = true;
    this.actions.tell("Packing …");
    try {
      await work();
    } catch (error) {
      this.actions.tell(api.sentenceOf(error));
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
