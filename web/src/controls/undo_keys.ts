/** Ctrl+Z and Ctrl+Shift+Z, or the Mac's, for what happens within an element. */

export function listenToUndo(within: Document | HTMLElement, undo: () => void, redo: () => void): void {
  const heard = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    const again = (key === "z" && event.shiftKey) || (key === "y" && !event.shiftKey);
    if ((key !== "z" && !again) || isText(event.target)) return;
    event.preventDefault();
    if (again) redo();
    else undo();
  };
  within.addEventListener("keydown", (event) => event instanceof KeyboardEvent && heard(event));
}

/** Whether something has an undo of its own. */
function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("textarea, input[type=text], input[type=number]");
}
