/** Opens the studio. */

import "../../styles/base.css";
import "../../styles/transport.css";
import "../../styles/studio.css";
import { need } from "../controls/dom";
import { Painter, canDraw } from "../viewer/painter";
import { Studio, apology } from "./studio";

async function start(): Promise<void> {
  if (!canDraw()) {
    need("main", HTMLElement).replaceChildren(apology());
    return;
  }
  await new Studio(new Painter(window.location.search)).open();
  requestAnimationFrame(() => requestAnimationFrame(() => (window.__ready = true)));
}

void start();
