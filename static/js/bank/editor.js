// The text of a card: a problem leads to its place, and what is not saved is not left by mistake.
import { find, mount } from "../dom.js";

/** Where a line and a column, both counted from 1, are in a text. */
function offset(text, line, column) {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
}

function editor(form) {
  const field = find("textarea", form);
  const begun = "unsaved" in form.dataset ? null : field.value;
  let isSent = false;

  document.addEventListener("click", (event) => {
    const place = event.target.closest("[data-line]");
    if (!place) return;
    event.preventDefault();
    const { line, column } = place.dataset;
    const at = Math.min(offset(field.value, line, Number(column)), field.value.length);
    // The browser scrolls to a caret that was set before the field has the focus.
    field.blur();
    field.setSelectionRange(at, at);
    field.focus();
  });
  // What was opened or closed stays so; the preview for another reader is another element.
  window.htmx?.config.morphIgnore.push("open");
  form.addEventListener("submit", () => (isSent = true));
  window.addEventListener("beforeunload", (event) => {
    if (!isSent && field.value !== begun) event.preventDefault();
  });
}

mount("editor", editor);
