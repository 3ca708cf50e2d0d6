/** Opens the studio. */

import "../controls/base.css";
import "./studio.css";
import "./buttons.css";
import { need } from "../controls/dom";
import { CANNOT_DRAW, notice } from "../controls/notice";
import { Painter, canDraw } from "../viewer/painter";
import { Studio } from "./studio";

async function start(): Promise<void> {
  if (!canDraw()) {
    need("main", HTMLElement).replaceChildren(notice(CANNOT_DRAW));
    return;
  }
  await new Studio(new Painter(window.location.search)).open();
  requestAnimationFrame(() => requestAnimationFrame(() => (window.__ready = true)));
}

void start();
