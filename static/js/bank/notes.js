// Notes of the question at hand: each has a key of its own and is saved while it is typed.
import { all, find } from "../dom.js";
import { Draft } from "./draft.js";
import { uuid } from "./outbox.js";
import { elapsed } from "./clocks.js";

const PAUSE_MS = 800;

/** `on` has changed() and saved(what, told), to tell other tabs. */
export class Notes {
  drafts = new Map();

  constructor(form, outbox, on) {
    Object.assign(this, { form, outbox, on });
    this.block = find("[data-notes]", form);
    this.pattern = find("template", this.block);
    for (const element of all("[data-note-key]", this.block)) this.#take(element);
  }

  /** The empty note at the end, to type into. */
  begin() {
    const last = all("[data-note-key]", this.block).at(-1);
    if (!last) return false;
    const text = find("textarea", last);
    const about = find("[data-field=about]", last);
    if (!text.value) about.value = find("#now")?.dataset.rung ?? "";
    text.focus();
    return true;
  }

  restore(entry) {
    const key = entry.now.find(([name]) => name === "note")[1];
    this.#draft(key).restore(entry);
  }

  /** Another tab saved it. */
  hear(key, told) {
    this.#draft(key).hear(told);
  }

  #draft(key) {
    if (!this.drafts.has(key)) this.#take(this.#add(key));
    return this.drafts.get(key);
  }

  /** A note that this page does not show yet stands before the empty one. */
  #add(key) {
    const note = this.pattern.content.firstElementChild.cloneNode(true);
    const text = find("textarea", note);
    note.dataset.noteKey = key;
    note.id = `note-${key}`;
    text.id = find("label", note).htmlFor = `text-${key}`;
    for (const field of all("[data-field]", note)) field.name = field.dataset.field === "note" ? "note" : `${field.dataset.field}-${key}`;
    find("[data-field=note]", note).value = key;
    const last = all("[data-note-key]", this.block).at(-1);
    const isEmpty = last && !find("textarea", last).value;
    if (isEmpty) last.before(note);
    else this.block.append(note);
    return note;
  }

  #take(element) {
    this.drafts.set(element.dataset.noteKey, keepNote(this, element));
  }

  /** Somebody types into the last one. */
  begun(element) {
    const isLast = all("[data-note-key]", this.block).at(-1) === element;
    if (isLast) this.#take(this.#add(uuid()));
  }
}

function keepNote(notes, element) {
  const { form, outbox, on } = notes;
  const key = element.dataset.noteKey;
  const what = `note:${form.dataset.position}:${key}`;
  const field = (name) => find(`[data-field=${name}]`, element);
  const refusal = find("[data-note-refused]", element);
  let atS = null;

  const draft = new Draft(outbox, what, form.dataset.note, {
    read() {
      const entries = ["text", "about", "read"].map((name) => [`${name}-${key}`, field(name).value]);
      return [["note", key], ...entries, ...(atS === null ? [] : [[`at-${key}`, String(atS)]])];
    },
    taken() {},
    saved(told) {
      field("read").value = told.revision;
      find("[data-at]", element).textContent = told.at || "New note";
      refusal.hidden = true;
      on.saved(what, told);
    },
    refused,
    changed: on.changed,
  });

  function refused(told) {
    find("[data-note-reason]", element).textContent = told.sentence;
    find("[data-note-saved]", element).textContent = told.text;
    find("[data-note-hint]", element)?.remove();
    find("[data-note-choices]", element).hidden = draft.isMendable;
    const mine = find("[data-mine]", element);
    mine.hidden = told.is_final;
    mine.onclick = () => {
      field("read").value = told.revision;
      refusal.hidden = true;
      draft.insist();
    };
    find("[data-theirs]", element).onclick = () => {
      write(told);
      draft.yield(told);
    };
    refusal.hidden = false;
  }

  function write(told) {
    field("text").value = told.text;
    field("about").value = told.about;
  }

  element.addEventListener("input", () => {
    if (field("read").value === "0" && atS === null) atS = elapsed();
    notes.begun(element);
    draft.change(PAUSE_MS);
  });
  element.addEventListener("focusout", () => draft.send());

  draft.restore = (entry) => {
    const kept = new Map(entry.now);
    write({ text: kept.get(`text-${key}`), about: kept.get(`about-${key}`) });
    field("read").value = kept.get(`read-${key}`);
    atS = kept.has(`at-${key}`) ? Number(kept.get(`at-${key}`)) : null;
    draft.resume(entry);
  };
  draft.hear = (told) => {
    if (!draft.isClean) return;
    write(told);
    field("read").value = told.revision;
    find("[data-at]", element).textContent = told.at;
  };
  return draft;
}
