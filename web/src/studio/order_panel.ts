/** Who builds, with how many bricks, in which colours. */

import { el, need } from "../controls/dom";
import { COLOURS, RED } from "../model/colours";
import type { Agent, Target } from "./api";

export interface OrderActions {
  build(): void;
  stop(): void;
  agentsChanged(): void;
  budgetChanged(): void;
}

export class OrderPanel {
  private readonly agentSelect = need("#agent", HTMLSelectElement);
  private readonly rivalSelect = need("#rival", HTMLSelectElement);
  private readonly budgetInput = need("#budget", HTMLInputElement);
  private readonly seedInput = need("#seed", HTMLInputElement);
  private readonly buildButton = need("#build", HTMLButtonElement);
  private readonly stopButton = need("#stop", HTMLButtonElement);
  private agents: readonly Agent[] = [];
  private chosen: number[] = [RED];

  constructor(actions: OrderActions) {
    this.laySwatches();
    need("#order", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.buildButton.disabled) actions.build();
    });
    this.budgetInput.addEventListener("input", () => actions.budgetChanged());
    this.stopButton.addEventListener("click", () => actions.stop());
    for (const select of [this.agentSelect, this.rivalSelect]) {
      select.addEventListener("change", () => actions.agentsChanged());
    }
  }

  setAgents(agents: readonly Agent[]): void {
    this.agents = agents;
    const options = (): HTMLOptionElement[] =>
      agents.map(({ name, label, sees }) =>
        el("option", { value: name }, sees === "volume" ? `${label} (knows the volume)` : label),
      );
    this.agentSelect.replaceChildren(...options());
    this.rivalSelect.replaceChildren(el("option", { value: "" }, "Nobody"), ...options());
  }

  /** Only agents that can build from so many views can be chosen. */
  setTarget(target: Target | null): void {
    const views = target?.views.length;
    for (const select of [this.agentSelect, this.rivalSelect]) {
      for (const option of select.options) {
        const agent = this.agentNamed(option.value);
        option.disabled = views !== undefined && agent !== undefined && !agent.views.includes(views);
      }
      if (select.selectedOptions[0]?.disabled)
        select.value = [...select.options].find((each) => !each.disabled)?.value ?? "";
    }
    if (target) this.budgetInput.value = String(target.budget);
    this.buildButton.disabled = target === null || !this.agentSelect.value;
  }

  setBuilding(building: boolean): void {
    this.stopButton.hidden = !building;
    this.buildButton.hidden = building;
  }

  agentNamed(name: string): Agent | undefined {
    return this.agents.find((agent) => agent.name === name);
  }

  /** The agents that build, one or two. */
  get builders(): string[] {
    return [this.agentSelect.value, this.rivalSelect.value].filter((name) => name !== "");
  }

  get seed(): number {
    return wholeNumber(this.seedInput, 0);
  }

  get budget(): number {
    return Math.max(1, wholeNumber(this.budgetInput, 1));
  }

  get colours(): readonly number[] {
    return this.chosen;
  }

  private laySwatches(): void {
    const field = need("#colours", HTMLElement);
    for (const { code, name, hex } of COLOURS) {
      const box = el("input", { type: "checkbox", value: code, checked: code === RED });
      const swatch = el("label", { class: "swatch", title: name }, box, el("span", { class: "visually-hidden" }, name));
      swatch.style.setProperty("--colour", hex);
      box.addEventListener("change", () => {
        this.chosen = box.checked ? [...this.chosen, code] : this.chosen.filter((each) => each !== code);
        if (!this.chosen.length) {
          this.chosen = [code]; // a brick has some colour
          box.checked = true;
        }
      });
      field.append(swatch);
    }
  }
}

function wholeNumber(input: HTMLInputElement, otherwise: number): number {
  const value = Math.round(input.valueAsNumber);
  return Number.isFinite(value) ? Math.max(0, value) : otherwise;
}
