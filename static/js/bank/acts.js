// What is put before the candidate is sent from within the page, and what colleagues put appears by itself.
import { find } from "../dom.js";
import { setElapsed } from "./clocks.js";

const PARTS = ["now", "clocks", "questions"];
const LOOK_MS = 5000;
const LOST = "The server can’t be reached, so nothing changed for the candidate. Try again.";

/** `say(sentence)` shows what went wrong, "" nothing. */
export function actInPlace(form, say) {
  let isBusy = false;

  function show(page) {
    const fresh = find("#score", page);
    if (!fresh) return;
    for (const name of ["elapsed", "runs", "seen"]) {
      if (name in fresh.dataset) form.dataset[name] = fresh.dataset[name];
      else delete form.dataset[name];
    }
    setElapsed(form.dataset);
    for (const id of PARTS) swap(document.getElementById(id), page.getElementById(id));
  }

  async function take(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok) show(page);
    say(answer.ok ? "" : (find(".console__note[role=alert]", page)?.textContent ?? `The server did not take this (${answer.status}).`));
  }

  async function send(button) {
    const body = new URLSearchParams([
      ["csrfmiddlewaretoken", find("[name=csrfmiddlewaretoken]", form).value],
      ["position", form.dataset.position],
    ]);
    if (button.name) body.append(button.name, button.value);
    try {
      await take(await fetch(button.formAction, { method: "POST", body }));
    } catch {
      say(LOST);
    }
  }

  async function look() {
    if (document.hidden || isBusy) return;
    try {
      const answer = await fetch(`${form.action}?seen=${form.dataset.seen}`, { cache: "no-store" });
      if (answer.status === 200 && !isBusy) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // The next look comes by itself.
    }
  }

  form.addEventListener("submit", async (event) => {
    if (!event.submitter?.matches("[data-in-place]")) return;
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    await send(event.submitter).finally(() => (isBusy = false));
  });
  setInterval(look, LOOK_MS);
}

/** The focus stays at the button that does the same. */
function swap(old, fresh) {
  if (!old || !fresh || old.isEqualNode(fresh)) return;
  const isIn = old.contains(document.activeElement);
  const isOpen = find("details", old)?.open;
  old.replaceWith(fresh);
  if (isOpen) find("details", fresh)?.setAttribute("open", "");
  if (isIn) find("[data-next], button, a", fresh)?.focus({ preventScroll: true });
}
