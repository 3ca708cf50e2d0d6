/** Who builds: the mason, or the paper's agents with how many bricks; and in which colours what has none. */

import "./order_panel.css";
import { el, need } from "../controls/dom";
import { RED } from "../model/colours";
import { forBuilding, forReading, type Settings } from "../model/settings";
import type { Agent, PartsOffered, Reading, Target, TargetSettings } from "./api";
import { SettingsPanel } from "./settings_panel";
import { Swatches } from "./swatches";

export interface OrderActions {
  build(): void;
  stop(): void;
  agentsChanged(): void;
  readingChanged(): void; // what was given is to be read otherwise
  budgetChanged(): void;
}

export class OrderPanel {
  readonly swatches = new Swatches("Colours, in turn", RED, true);
  private readonly agentSelect = need("#agent", HTMLSelectElement);
  private readonly rivalSelect = need("#rival", HTMLSelectElement);
  private readonly budgetInput = need("#budget", HTMLInputElement);
  private readonly seedInput = need("#seed", HTMLInputElement);
  private readonly buildButton = need("#build", HTMLButtonElement);
  private readonly stopButton = need("#stop", HTMLButtonElement);
  private readonly mason = need('#who input[value="mason"]', HTMLInputElement);
  private readonly panel = new SettingsPanel(() => this.reread());
  private agents: readonly Agent[] = [];
  private wished = ""; // the agent that somebody chose
  private read = ""; // how the server was last asked to read

  constructor(private readonly actions: OrderActions) {
    need("#colours", HTMLElement).append(this.swatches.element);
    need("#order", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.buildButton.disabled) actions.build();
    });
    need("#who", HTMLElement).addEventListener("change", () => this.choose(this.mason.checked));
    this.budgetInput.addEventListener("input", () => actions.budgetChanged());
    this.stopButton.addEventListener("click", () => actions.stop());
    this.agentSelect.addEventListener("change", () => (this.wished = this.agentSelect.value));
    for (const select of [this.agentSelect, this.rivalSelect]) {
      select.addEventListener("change", () => actions.agentsChanged());
    }
  }

  setAgents(agents: readonly Agent[]): void {
    this.agents = agents;
    this.offer(this.others);
    this.read = JSON.stringify(this.reading);
  }

  offerParts(offered: PartsOffered): void {
    this.panel.offerParts(offered);
  }

  /** Offers the agents that build from so many views; the first of them builds unless another was chosen. */
  setTarget(target: Target | null): void {
    if (target && !target.byMason) {
      this.offer(this.others.filter((agent) => agent.views.includes(target.views.length)));
      this.budgetInput.value = String(target.budget ?? 1);
    }
    this.panel.setTarget(target);
    this.swatches.element.hidden = this.byMason && (target === null || target.coloured);
    this.buildButton.disabled = target === null || !this.builders.length;
  }

  setBuilding(building: boolean): void {
    this.stopButton.hidden = !building;
    this.buildButton.hidden = building;
  }

  labelOf(agent: string): string {
    return this.agents.find(({ id }) => id === agent)?.label ?? agent;
  }

  get byMason(): boolean {
    return this.mason.checked;
  }

  /** Who builds: the mason alone, or one or two agents. */
  get builders(): string[] {
    if (this.byMason) return this.masons.slice(0, 1).map(({ id }) => id);
    return [this.agentSelect.value, this.rivalSelect.value].filter((name) => name !== "");
  }

  get reading(): Reading {
    const { byMason } = this;
    // All agents read alike; the one that is named decides nothing but that it is not the mason.
    const agent = byMason ? (this.builders[0] ?? "mason") : (this.others[0]?.id ?? "");
    return { settings: forReading(this.settings, agent, byMason), byMason };
  }

  get buildSettings(): TargetSettings {
    return forBuilding(this.settings, this.byMason);
  }

  get settings(): Settings {
    return this.panel.settings;
  }

  /** Takes over how a project is to be built, and by whom. */
  restore(settings: Settings, agent: string): void {
    this.panel.settings = settings;
    const byMason = !this.others.some(({ id }) => id === agent);
    if (!byMason) this.wished = agent;
    need(`#who input[value="${byMason ? "mason" : "agents"}"]`, HTMLInputElement).checked = true;
    this.choose(byMason);
  }

  get seed(): number {
    return wholeNumber(this.seedInput, 0);
  }

  /** Bricks at most; the mason takes as many as it needs. */
  get budget(): number | null {
    return this.byMason ? null : Math.max(1, wholeNumber(this.budgetInput, 1));
  }

  get colours(): readonly number[] {
    return this.swatches.chosen;
  }

  private get masons(): readonly Agent[] {
    return this.agents.filter(({ cells }) => cells === null);
  }

  private get others(): readonly Agent[] {
    return this.agents.filter(({ cells }) => cells !== null);
  }

  private choose(byMason: boolean): void {
    need("#mason-settings", HTMLElement).hidden = !byMason;
    need("#agent-settings", HTMLElement).hidden = byMason;
    this.actions.agentsChanged();
    this.reread();
  }

  /** Tells that inputs are to be read otherwise, unless what has changed decides nothing about that. */
  private reread(): void {
    const read = JSON.stringify(this.reading);
    if (read === this.read) return;
    this.read = read;
    this.actions.readingChanged();
  }

  private offer(agents: readonly Agent[]): void {
    const options = (): HTMLOptionElement[] =>
      agents.map(({ id, label, sees }) =>
        el("option", { value: id }, sees === "volume" ? `${label} (sees all)` : label),
      );
    const rival = this.rivalSelect.value;
    const offered = (wish: string): boolean => agents.some(({ id }) => id === wish);
    this.agentSelect.replaceChildren(...options());
    this.agentSelect.value = offered(this.wished) ? this.wished : (agents[0]?.id ?? "");
    this.rivalSelect.replaceChildren(el("option", { value: "" }, "Nobody"), ...options());
    this.rivalSelect.value = offered(rival) ? rival : "";
  }
}

function wholeNumber(input: HTMLInputElement, otherwise: number): number {
  const value = Math.round(input.valueAsNumber);
  return Number.isFinite(value) ? Math.max(0, value) : otherwise;
}
