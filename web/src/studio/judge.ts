/** Asks for the verdict on bricks that no build has ended with. */

import * as api from "./api";
import type { Busy } from "./busy";
import type { Lane } from "./lane";
import type { OrderPanel } from "./order_panel";

export class Judge {
  private readonly asking = new Map<Lane, AbortController>();

  constructor(
    private readonly order: OrderPanel,
    private readonly busy: Busy,
    private readonly judged: () => void,
    private readonly tell: (message: string) => void,
  ) {}

  async judge(lane: Lane): Promise<void> {
    this.asking.get(lane)?.abort();
    if (!lane.length || lane.state.judgement) return;
    const asking = new AbortController();
    this.asking.set(lane, asking);
    const { state } = lane;
    try {
      const budget = state.target?.byMason === false ? this.order.budget : null;
      const judgement = await this.busy.during("Checking", api.check(lane.bricks, budget, asking.signal));
      if (asking.signal.aborted || lane.state !== state) return;
      lane.judge(judgement);
      this.judged();
    } catch (error) {
      if (!api.isAbort(error)) this.tell(api.sentenceOf(error));
    }
  }
}
