// Stop and Run again: which of them is there, and their keys. A watcher in a room has neither.
import { find } from "../dom.js";
import { bind } from "../keys.js";

const KEYS = { ".": "[data-stop]", r: "[data-again]" };

function press(selector) {
  const form = find(selector);
  if (!form || form.hidden) return false;
  form.requestSubmit();
  return true;
}

export function pressKeys() {
  for (const [key, selector] of Object.entries(KEYS)) bind(key, () => press(selector));
}

/** When a run is over; the focus stays where it was. */
export function swapStopForAgain() {
  const stop = find("[data-stop]");
  const again = find("[data-again]");
  if (!stop || !again) return;
  const hadFocus = stop.contains(document.activeElement);
  stop.hidden = true;
  again.hidden = false;
  if (hadFocus) find("button", again).focus();
}
