/** What a pointer and a keyboard do on a picture besides turning it: OrbitControls turns and zooms. */

export interface PointerActions {
  press(clientX: number, clientY: number): void; // a click or a tap that did not turn anything
  move(clientX: number, clientY: number): void;
  leave(): void;
}

export interface KeyActions {
  turn(yaw: number, pitch: number): void;
  zoom(factor: number): void;
  seeAll(): void;
}

const STILL = 6; // pixels within which a press is not a turn
const ANGLE = Math.PI / 16;
const ZOOM = 1.15;

export function listenToPointer(canvas: HTMLCanvasElement, actions: PointerActions): void {
  let pressed: { x: number; y: number } | null = null;
  canvas.addEventListener("pointerdown", (event) => (pressed = { x: event.clientX, y: event.clientY }));
  canvas.addEventListener("pointerup", (event) => {
    const still = pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < STILL;
    pressed = null;
    if (still && event.button === 0) actions.press(event.clientX, event.clientY);
  });
  canvas.addEventListener("pointercancel", () => (pressed = null));
  canvas.addEventListener("pointermove", (event) => {
    if (!pressed && event.pointerType !== "touch") actions.move(event.clientX, event.clientY);
  });
  canvas.addEventListener("pointerleave", () => actions.leave());
}

/** Shift and arrows turn, plus and minus zoom, 0 shows all; plain arrows are left to the page. */
export function listenToKeys(canvas: HTMLCanvasElement, actions: KeyActions): void {
  const turns: Record<string, () => void> = {
    ArrowLeft: () => actions.turn(-ANGLE, 0),
    ArrowRight: () => actions.turn(ANGLE, 0),
    ArrowUp: () => actions.turn(0, ANGLE),
    ArrowDown: () => actions.turn(0, -ANGLE),
  };
  const others: Record<string, () => void> = {
    "+": () => actions.zoom(ZOOM),
    "=": () => actions.zoom(ZOOM),
    "-": () => actions.zoom(1 / ZOOM),
    "0": () => actions.seeAll(),
  };
  canvas.addEventListener("keydown", (event) => {
    const action = (event.shiftKey ? turns[event.key] : undefined) ?? others[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
}
