// Finding elements and starting modules: all that the other files share.

/** The first match below `root`, or null. */
export const find = (selector, root = document) => root.querySelector(selector);

/** All matches below `root`, as an array. */
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** True where Space belongs to the element that has the focus; a radio that is checked has no use for it. */
export function takesKeys(element) {
  return Boolean(
    element.closest("input:not([type=radio]:checked), select, textarea, button, a[href], summary, [contenteditable]"),
  );
}

/** True where letters are typed. */
export function takesText(element) {
  return Boolean(
    element.closest("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])"),
  );
}

const inits = new Map();
const started = new WeakMap();

function start(name) {
  for (const element of all(`[data-module~="${name}"]`)) {
    const names = started.get(element) ?? new Set();
    if (names.has(name)) continue;
    started.set(element, names.add(name));
    inits.get(name)(element);
  }
}

/** Calls `init(element)` once for each `[data-module~=name]`, now and after htmx swaps. */
export function mount(name, init) {
  inits.set(name, init);
  start(name);
}

document.addEventListener("htmx:after:swap", () => [...inits.keys()].forEach(start));
