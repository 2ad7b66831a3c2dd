// The parts of a room's page, taken anew from its own address: `data-room-part` is "revision" for what may
// change at any time, "stage" for what is before everybody. A part inside another one is taken by itself.
// What somebody is writing, where they read and what they have unfolded stays.
import { all, find, takesText } from "../dom.js";

const TOKEN = /(name="csrfmiddlewaretoken" value=")[^"]*/g;
const STAGE = "stage";
const PARTS = "[data-room-part]";
const SPREAD_MS = 500;

export class Parts {
  /** What the server wrote, by element: the page may have changed it since. */
  #told = new WeakMap();
  #late = new Map();
  #isWanted = false;
  #isStageWanted = false;
  #isLoading = false;

  /** `on` has swapped(isStage) and gone(). */
  constructor(root, on) {
    this.root = root;
    this.on = on;
    // A part in which somebody writes waits until they are done.
    document.addEventListener("focusout", () => this.#late.size && setTimeout(() => this.#swapLate()));
  }

  /** Takes what changed; calls in quick succession are one. After an error the next call takes what was missed, too. */
  async take(isStage) {
    this.#want(isStage);
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (this.#isWanted) await this.#load();
    } finally {
      this.#isLoading = false;
    }
  }

  #want(isStage) {
    this.#isWanted = true;
    this.#isStageWanted ||= isStage;
  }

  async #load() {
    // All hear of a change at once and would ask at once.
    if (!this.#isStageWanted) await new Promise((done) => setTimeout(done, Math.random() * SPREAD_MS));
    const isStage = this.#isStageWanted;
    this.#isWanted = this.#isStageWanted = false;
    try {
      const page = await this.#fetch(isStage);
      if (page) this.#swap(page, isStage);
      else this.on.gone();
    } catch (error) {
      this.#isStageWanted ||= isStage;
      throw error;
    }
  }

  /** The page, or of a revision its frame alone; null when this seat may not have it. */
  async #fetch(isStage) {
    const here = new URL(this.root.dataset.here ?? location.href, location.href);
    if (!isStage) here.searchParams.set("part", "frame");
    const response = await fetch(here, {
      headers: { "HX-Request": "true", "HX-Request-Type": "partial" },
      cache: "no-store",
    });
    if (response.status === 403 || response.status === 404) return null;
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return new DOMParser().parseFromString(await response.text(), "text/html");
  }

  #swap(page, isStage) {
    const root = find("#room, #presenter", page);
    if (isStage && !root) throw new Error("the server answered with something else");
    if (isStage) Object.assign(this.root.dataset, root.dataset);
    // Something else is before all: what is in there comes with it.
    const isAhead = Number(root?.dataset.stage) > Number(this.root.dataset.stage);
    if (isAhead) this.#want(true);
    const parts = all(PARTS, page);
    for (const part of parts) {
      const old = document.getElementById(part.id);
      if (!old || old === part) continue;
      if (isStage || (part.dataset.roomPart !== STAGE && !(isAhead && isInStage(old)))) this.#offer(old, part);
    }
    if (isStage) this.#drop(new Set(parts.map((part) => part.id)));
    this.on.swapped(isStage);
  }

  /** A room that has ended has no hands to raise. */
  #drop(fresh) {
    for (const old of all(PARTS)) if (!fresh.has(old.id)) old.remove();
  }

  #offer(old, part) {
    const { activeElement } = document;
    if (this.#told.get(old) === written(part)) this.#late.delete(part.id);
    else if (part.dataset.roomPart !== STAGE && old.contains(activeElement) && takesText(activeElement)) this.#late.set(part.id, part);
    else this.#put(old, part);
  }

  #put(old, part) {
    for (const one of [part, ...all(PARTS, part)]) this.#told.set(one, written(one));
    for (const id of this.#late.keys()) {
      const late = document.getElementById(id);
      if (!late || old.contains(late)) this.#late.delete(id);
    }
    put(old, part);
  }

  #swapLate() {
    for (const [id, part] of this.#late) {
      const old = document.getElementById(id);
      if (old?.contains(document.activeElement) && takesText(document.activeElement)) continue;
      this.#late.delete(id);
      if (old) this.#put(old, part);
    }
  }
}

const written = (part) => part.outerHTML.replace(TOKEN, "$1");

const isInStage = (part) => part.parentElement.closest(`[data-room-part="${STAGE}"]`);

/** Puts `part` in the place of `old`, with what was written, unfolded and in focus there. */
function put(old, part) {
  const kept = keep(old);
  // What was typed at one step is no answer to the next one.
  if (old.dataset.step !== part.dataset.step) Object.assign(kept, { open: [], values: [], checked: [] });
  const top = anchorTop();
  // Modules that hold a stream or a drawing let go of it.
  for (const module of [old, ...all("[data-module]", old)]) module.dispatchEvent(new Event("lab:gone"));
  old.replaceWith(part);
  restore(part, kept);
  if (scrollY > 0) scrollBy(0, anchorTop() - top);
  globalThis.htmx?.process(part);
  document.dispatchEvent(new Event("htmx:after:swap"));
}

const anchorTop = () => find("#room-step")?.getBoundingClientRect().top ?? 0;

const name = (field) => (field.id ? `#${CSS.escape(field.id)}` : field.name && `${field.localName}[name="${CSS.escape(field.name)}"][value="${CSS.escape(field.value)}"]`);

function keep(old) {
  const { activeElement: active } = document;
  const isDirty = (field) => field.type !== "hidden" && (field.localName === "select" ? field.selectedIndex > 0 : field.value !== field.defaultValue);
  return {
    open: all("details[open][id]", old).map((fold) => fold.id),
    values: all("input[id]:not([type=radio], [type=checkbox]), textarea[id], select[id]", old).filter(isDirty).map(({ id, value }) => [id, value]),
    checked: all("input:checked[id]", old).map(({ id }) => id),
    focus: old.contains(active) ? name(active) || "" : null,
  };
}

function restore(part, { open, values, checked, focus }) {
  for (const id of open) inPart(part, id)?.setAttribute("open", "");
  for (const [id, value] of values) {
    const field = inPart(part, id);
    if (field && (field.localName !== "select" || [...field.options].some((option) => option.value === value))) field.value = value;
  }
  for (const id of checked) inPart(part, id)?.setAttribute("checked", "");
  if (focus === null) return;
  const target = (focus && find(focus, part)) || find("[data-step-title], h2", part) || find("button, a[href]", part);
  // A heading takes the focus only with a place in the order.
  if (target?.localName === "h2") target.setAttribute("tabindex", "-1");
  target?.focus({ preventScroll: true });
}

const inPart = (part, id) => find(`#${CSS.escape(id)}`, part);
