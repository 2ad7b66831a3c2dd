// The form of a load: says about how long it will take, as the server works it out.
import { all, find, mount } from "../dom.js";
import { write } from "./format.js";

const PAUSE_MS = 300;

mount("load-form", (form) => {
  let waiting = 0;
  let asked = null;

  async function ask() {
    asked?.abort();
    asked = new AbortController();
    const fields = new FormData(form);
    fields.delete("csrfmiddlewaretoken");
    try {
      const answer = await fetch(`${form.dataset.expectedAt}?${new URLSearchParams(fields)}`, { signal: asked.signal });
      if (answer.ok) write(find("[data-expected]", form), await answer.text());
    } catch {
      // A newer question took its place, or the server is away: the form works without.
    }
  }

  const isLoad = () => Boolean(find("[name=load]:checked", form)?.value);
  const soon = () => {
    clearTimeout(waiting);
    if (isLoad()) waiting = setTimeout(ask, PAUSE_MS);
  };
  form.addEventListener("input", soon);
  function single() {
    if (isLoad()) return;
    write(find("[data-expected]", form), "");
    // Of one request another module tells the time, when its length changes.
    find("[name=max_tokens]", form).dispatchEvent(new Event("input"));
  }
  for (const choice of all("[name=load]", form)) choice.addEventListener("change", single);
  soon();
});
