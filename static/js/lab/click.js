// When Run was pressed, so that the running clock counts from the click and not from the page.
import { mount } from "../dom.js";

const PRESSED = "prefill-run-pressed";
const FRESH_MS = 30_000;

/** Date.now() of the press that led to this run, or null when it was not pressed in this tab. */
export function clickedAt(slug) {
  const pressed = Number(sessionStorage.getItem(PRESSED));
  sessionStorage.removeItem(PRESSED);
  const key = `${PRESSED}:${slug}`;
  if (pressed && Date.now() - pressed < FRESH_MS) sessionStorage.setItem(key, pressed);
  return Number(sessionStorage.getItem(key)) || null;
}

mount("lab-press", (form) => {
  form.addEventListener("submit", () => sessionStorage.setItem(PRESSED, Date.now()));
});
