// What somebody types stays in this tab until the server has it.
import { all, find } from "../dom.js";

const key = (article, field) => `prefill-typed/${article.dataset.step}/${rungOf(field)}`;
const rungOf = (field) => find(`input[name=rung][form="${field.form.id}"]`)?.value ?? "";

/** Saves in the background, so that another device finds it, too. */
async function save(article, field) {
  const body = new FormData(field.form);
  const answer = await fetch(field.dataset.attempt, { method: "POST", body, redirect: "manual", keepalive: true });
  if (answer.type === "opaqueredirect") sessionStorage.removeItem(key(article, field));
}

export function keepTyped(article) {
  for (const field of all("textarea[name=attempt]", article)) {
    const typed = sessionStorage.getItem(key(article, field));
    if (typed !== null) field.value = typed;
    field.addEventListener("input", () => sessionStorage.setItem(key(article, field), field.value));
    // Without a connection the tab keeps it, and the next form takes it along.
    field.addEventListener("change", () => field.dataset.attempt && save(article, field).catch(() => {}));
  }
}

/** The server has all that was typed into this page. */
export function forgetTyped(article) {
  for (const field of all("textarea[name=attempt]", article)) sessionStorage.removeItem(key(article, field));
}
