// How sure somebody is, kept when it is tapped, so that another device finds it, too.
import { find } from "../dom.js";

export function keepSure(article) {
  const choices = find("[data-confidence]", article);
  choices?.addEventListener("change", ({ target }) => {
    const body = new FormData(target.form);
    // Without a connection the form of the answer takes it along.
    fetch(choices.dataset.confidence, { method: "POST", body, redirect: "manual", keepalive: true }).catch(() => {});
  });
}
