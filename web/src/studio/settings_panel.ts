/** How the mason builds: size, depth, colours, and under "More" what is seldom asked for. */

import "./settings_panel.css";
import { el, need } from "../controls/dom";
import { BRICK_HIGH } from "../model/parts";
import { USUAL, partsIn, type Settings } from "../model/settings";
import type { PartsOffered, Target } from "./api";

// The server's choices of parts, in the words of people.
const PARTS: Readonly<Record<string, string>> = { bricks: "Bricks", plates: "Plates too", all: "All parts" };
const FLAT_KINDS = new Set(["picture", "drawing"]);

export class SettingsPanel {
  private readonly size = need("#size", HTMLInputElement);
  private readonly sizeText = need("#size-text", HTMLOutputElement);
  private readonly automatic = need("#size-auto", HTMLButtonElement);
  private readonly contrast = need("#contrast", HTMLInputElement);
  private readonly contrastText = need("#contrast-text", HTMLOutputElement);
  private readonly inventory = need("#inventory", HTMLInputElement);
  private readonly parts = need("#parts", HTMLFieldSetElement);
  private usualParts = "";
  private current: Settings = USUAL;
  private target: Target | null = null;

  constructor(private readonly changed: () => void) {
    this.size.addEventListener("input", () => this.change({ size: Number(this.size.value) }));
    this.automatic.addEventListener("click", () => this.change({ size: null }));
    this.contrast.addEventListener("input", () => this.change({ contrast: Number(this.contrast.value) }));
    this.inventory.addEventListener("change", () => this.change({ inventory: this.inventory.value.trim() }));
    need("#lying", HTMLElement).addEventListener("change", () =>
      this.change({ mosaic: need('#lying input[value="mosaic"]', HTMLInputElement).checked }),
    );
    this.parts.addEventListener("change", () =>
      this.change({ parts: need("#parts input:checked", HTMLInputElement).value }),
    );
    this.onSelect("depth", (value) => ({ depth: value ? Number(value) : null }));
    this.onSelect("hollow", (value) => ({ hollow: value ? Number(value) : null }));
    this.onSelect("palette", (palette) => ({ palette }));
    this.onSelect("proportions", (value) => ({ proportions: value as Settings["proportions"] }));
    this.onSelect("background", (value) => ({ background: value as Settings["background"] }));
    this.onSelect("hidden", (value) => ({ hidden: value as Settings["hidden"] }));
    this.onCheck("smooth", (smooth) => ({ smooth }));
    this.onCheck("repair", (repair) => ({ repair }));
    this.onCheck("dither", (dither) => ({ dither }));
    this.show();
  }

  get settings(): Settings {
    return this.current;
  }

  set settings(settings: Settings) {
    this.current = settings;
    this.show();
  }

  /** Shows what was made of the settings, and offers those that matter for what is to be built. */
  setTarget(target: Target | null): void {
    this.target = target;
    this.show();
  }

  /** Offers the parts that the server builds with. */
  offerParts({ choices, usual }: PartsOffered): void {
    this.usualParts = usual;
    const labels = choices.map((value) =>
      el("label", {}, el("input", { type: "radio", name: "parts", value }), PARTS[value] ?? value),
    );
    this.parts.replaceChildren(need("#parts legend", HTMLElement), ...labels);
    this.show();
  }

  private change(changes: Partial<Settings>): void {
    this.current = { ...this.current, ...changes };
    this.show();
    this.changed();
  }

  private onSelect(id: string, changes: (value: string) => Partial<Settings>): void {
    const select = need(`#${id}`, HTMLSelectElement);
    select.addEventListener("change", () => this.change(changes(select.value)));
  }

  private onCheck(id: string, changes: (on: boolean) => Partial<Settings>): void {
    const box = need(`#${id}`, HTMLInputElement);
    box.addEventListener("change", () => this.change(changes(box.checked)));
  }

  private show(): void {
    const { size, depth, hollow, palette, proportions, background, hidden, mosaic, dither, smooth, repair, contrast } =
      this.current;
    this.inventory.value = this.current.inventory;
    const { target } = this;
    const cameOut = target?.byMason ? longestOf(target, mosaic) : null;
    const asked = typeof target?.settings["size"] === "number" ? target.settings["size"] : cameOut;
    this.size.value = String(size ?? asked ?? 32);
    this.sizeText.value = size === null ? `${asked ? `${asked} studs, ` : ""}chosen for you` : `${size} studs`;
    this.automatic.hidden = size === null;
    this.contrast.value = String(contrast);
    this.contrastText.value = contrast === 1 ? "as it is" : `× ${contrast.toFixed(1)}`;
    const chosen = { depth: depth ?? "", hollow: hollow ?? "", palette, proportions, background, hidden };
    for (const [id, value] of Object.entries(chosen)) need(`#${id}`, HTMLSelectElement).value = String(value);
    this.parts.disabled = proportions === "cubic";
    const withParts = partsIn(this.current) || (target?.byMason ? target.settings["parts"] : null) || this.usualParts;
    for (const choice of this.parts.querySelectorAll("input")) choice.checked = choice.value === withParts;
    need("#smooth", HTMLInputElement).checked = smooth;
    need("#smooth", HTMLInputElement).disabled = withParts === "bricks";
    need("#repair", HTMLInputElement).checked = repair;
    need("#dither", HTMLInputElement).checked = dither;
    need(`#lying input[value="${mosaic ? "mosaic" : "standing"}"]`, HTMLInputElement).checked = true;
    const flat = target === null || FLAT_KINDS.has(target.kind);
    for (const element of document.querySelectorAll<HTMLElement>("[data-for]")) {
      const [kind, lying] = (element.dataset["for"] ?? "").split(" ");
      const ofOthers = (kind === "flat" && !flat) || (kind === "silhouettes" && target?.kind !== kind);
      element.hidden = ofOthers || (lying === "mosaic" && !mosaic) || (lying === "standing" && mosaic);
    }
  }
}

/** Studs of the longest side, or as many bricks as it is high. */
function longestOf({ size: [wide, deep, high], layer }: Target, mosaic: boolean): number {
  return Math.max(wide, deep, mosaic ? 0 : Math.ceil((high * layer) / BRICK_HIGH));
}
