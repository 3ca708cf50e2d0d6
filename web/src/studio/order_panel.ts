/** Who builds, with how many bricks, in which colours. */

import "./order_panel.css";
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
  private wished = ""; // the agent that somebody chose
  private chosen: number[] = [RED];

  constructor(actions: OrderActions) {
    this.laySwatches();
    need("#order", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.buildButton.disabled) actions.build();
    });
    this.budgetInput.addEventListener("input", () => actions.budgetChanged());
    this.stopButton.addEventListener("click", () => actions.stop());
    this.agentSelect.addEventListener("change", () => (this.wished = this.agentSelect.value));
    for (const select of [this.agentSelect, this.rivalSelect]) {
      select.addEventListener("change", () => actions.agentsChanged());
    }
  }

  setAgents(agents: readonly Agent[]): void {
    this.agents = agents;
    this.offer(agents);
  }

  /** Offers the agents that build from so many views; the first of them builds unless another was chosen. */
  setTarget(target: Target | null): void {
    if (target) {
      this.offer(this.agents.filter((agent) => agent.views.includes(target.views.length)));
      this.budgetInput.value = String(target.budget);
    }
    this.buildButton.disabled = target === null || !this.agentSelect.value;
  }

  private offer(agents: readonly Agent[]): void {
    const options = (): HTMLOptionElement[] =>
      agents.map(({ name, label, sees }) =>
        el("option", { value: name }, sees === "volume" ? `${label} (sees all)` : label),
      );
    const rival = this.rivalSelect.value;
    const offered = (name: string): boolean => agents.some((agent) => agent.name === name);
    this.agentSelect.replaceChildren(...options());
    this.agentSelect.value = offered(this.wished) ? this.wished : (agents[0]?.name ?? "");
    this.rivalSelect.replaceChildren(el("option", { value: "" }, "Nobody"), ...options());
    this.rivalSelect.value = offered(rival) ? rival : "";
  }

  setBuilding(building: boolean): void {
    this.stopButton.hidden = !building;
    this.buildButton.hidden = building;
  }

  labelOf(agent: string): string {
    return this.agents.find(({ name }) => name === agent)?.label ?? agent;
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
