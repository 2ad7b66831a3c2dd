// The keyboard: which keys a page knows, the help that lists them, the switch that turns them off.
import { all, find, mount, takesText } from "./dom.js";

const SWITCH = "prefill-keys";
const bound = new Map();

const areOn = () => localStorage.getItem(SWITCH) !== "off";

/**
 * Binds `key` (as KeyboardEvent.key) to `act(event)`; a later binding replaces an earlier one.
 * `act` returns false to leave the key to the browser. Keys rest while text is typed, while a
 * modifier is held, while a dialog is open and while the reader has switched them off.
 */
export function bind(key, act) {
  bound.set(key, act);
}

/** Presses what the page marks with `data-press="key"`; the last one, should several have it. */
function pressMarked(event) {
  const marked = all(`[data-press="${CSS.escape(event.key)}"]`).at(-1);
  if (!marked) return false;
  if (takesText(marked)) {
    marked.focus();
    marked.select();
  } else {
    marked.click();
  }
  return true;
}

function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (takesText(event.target) || find("dialog[open]") || !areOn()) return;
  const act = bound.get(event.key) ?? pressMarked;
  if (act(event) !== false) event.preventDefault();
}

function help(dialog) {
  const opener = find("[data-keys-open]");
  const toggle = find("[data-keys-switch]", dialog);
  const open = () => dialog.showModal();
  toggle.checked = areOn();
  toggle.addEventListener("change", () => localStorage.setItem(SWITCH, toggle.checked ? "on" : "off"));
  opener.hidden = false;
  opener.addEventListener("click", open);
  bind("?", open);
}

document.addEventListener("keydown", press);
mount("keys", help);
