/** The buttons above the model: what is shown of it, and who goes on with it. */

import "./toolbar.css";
import { need } from "../controls/dom";

export interface ToolbarActions {
  xray(on: boolean): void;
  byHand(on: boolean): void;
  target(on: boolean): void;
  faults(on: boolean): void;
  goOn(): void;
}

export interface ToolbarState {
  readonly hasTarget: boolean;
  readonly hasModel: boolean;
  readonly weighs: boolean; // whether those who build can say what they think of
  readonly hasFaults: boolean;
  readonly canGoOn: boolean;
}

export class Toolbar {
  private readonly xray = need("#xray", HTMLButtonElement);
  private readonly byHand = need("#by-hand", HTMLButtonElement);
  private readonly faults = need("#show-faults", HTMLButtonElement);
  private readonly goOn = need("#continue", HTMLButtonElement);

  constructor(actions: ToolbarActions) {
    onToggle(this.xray, (on) => actions.xray(on));
    onToggle(this.byHand, (on) => actions.byHand(on));
    onToggle(need("#ghost", HTMLButtonElement), (on) => actions.target(on));
    onToggle(this.faults, (on) => actions.faults(on));
    this.goOn.addEventListener("click", () => actions.goOn());
  }

  update({ hasTarget, hasModel, weighs, hasFaults, canGoOn }: ToolbarState): void {
    this.xray.hidden = !weighs;
    this.xray.disabled = !hasTarget;
    this.byHand.disabled = !hasTarget && !hasModel;
    this.faults.hidden = !hasFaults;
    this.goOn.hidden = !canGoOn;
  }
}

function onToggle(button: HTMLButtonElement, change: (on: boolean) => void): void {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    change(on);
  });
}
