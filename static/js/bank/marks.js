// The marks of the question at hand: saved as soon as one is set, and filled in from a rating by the server.
import { all, find } from "../dom.js";
import { Draft } from "./draft.js";
import { showConflict } from "./conflict.js";

/** A radio goes with its group; a box stands for itself. */
const nameOf = (field) => (field.type === "radio" ? field.name : `${field.name}=${field.value}`);

function isSaved(field, told) {
  if (field.type === "radio") return told.marks[field.name.slice("mark-".length)] === field.value;
  return field.name === "not_asked" ? told.not_asked : told[field.name].includes(field.value);
}

/** `on` has changed() and saved(what, told), to tell other tabs. Returns the draft. */
export function keepMarks(form, outbox, on) {
  const what = `marks:${form.dataset.position}`;
  const block = find("[data-marks]", form);
  const fields = () => all("input[type=radio], input[type=checkbox]", block);
  const revision = find("[data-revision]", block);
  const touched = new Set();
  let rate = "";
  let sentRate = "";

  const draft = new Draft(outbox, what, form.action, {
    read() {
      const checked = fields().filter((field) => field.checked);
      const entries = [["revision", revision.value], ...checked.map(({ name, value }) => [name, value])];
      return rate ? [...entries, ["rate", rate]] : entries;
    },
    taken() {
      sentRate = rate;
      rate = "";
      touched.clear();
    },
    saved(told) {
      take(told);
      on.saved(what, told);
    },
    refused(told) {
      rate ||= sentRate;
      showConflict(form, told, { insist: () => insist(told), yield: () => draft.yield(told) });
    },
    changed: on.changed,
  });

  /** What was set since the marks were sent stays as it is. */
  function take(told) {
    revision.value = told.revision;
    for (const field of fields()) if (!touched.has(nameOf(field))) field.checked = isSaved(field, told);
    for (const words of all("[data-rated], [data-line-state]")) words.textContent = told.rated;
  }

  function insist(told) {
    revision.value = told.revision;
    draft.insist();
  }

  function touch(field) {
    touched.add(nameOf(field));
    const skipped = find("[name=not_asked]", block);
    // Who marks a follow-up asked the question.
    if (field.type === "radio" && skipped.checked) {
      skipped.checked = false;
      touched.add(nameOf(skipped));
    }
    draft.change();
  }

  /** The button is gone with the mark, so the focus goes to the choices. */
  function unmark(button) {
    const choices = all("input[type=radio]", button.closest("[data-rung]"));
    for (const radio of choices) radio.checked = false;
    touched.add(nameOf(choices[0]));
    choices[0].focus();
    draft.change();
  }

  block.addEventListener("change", (event) => touch(event.target));
  block.addEventListener("click", (event) => {
    const button = event.target.closest("[data-rate], [data-unmark]");
    if (!button) return;
    event.preventDefault();
    if ("unmark" in button.dataset) return unmark(button);
    rate = button.value;
    draft.change();
  });

  draft.restore = (entry) => {
    const kept = entry.now;
    for (const field of fields()) field.checked = kept.some(([name, value]) => name === field.name && value === field.value);
    revision.value = kept.find(([name]) => name === "revision")[1];
    rate = kept.find(([name]) => name === "rate")?.[1] ?? "";
    if (entry.isDirty) for (const field of fields()) touched.add(nameOf(field));
    draft.resume(entry);
  };
  draft.hear = (told) => draft.isClean && take(told);
  return draft;
}
