// Marks that somebody else, or another tab, saved first: both stand side by side until one is chosen.
import { find } from "../dom.js";

function row({ of, saved, sent }) {
  const line = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = of;
  line.append(head, ...[saved, sent].map((text) => Object.assign(document.createElement("td"), { textContent: text })));
  return line;
}

/** `choose` has insist() and yield(); what can never be saved can only be yielded. */
export function showConflict(form, told, choose) {
  const panel = find("[data-conflict]", form);
  find("[data-conflict-reason]", panel).textContent = told.sentence;
  find("[data-conflict-rows]", panel).replaceChildren(...told.differs.map(row));
  find("[data-conflict-hint]", panel)?.remove();
  find("[data-conflict-choices]", panel).hidden = false;
  const mine = find("[data-mine]", panel);
  mine.hidden = told.is_final;
  const close = (act) => () => {
    panel.hidden = true;
    act();
  };
  mine.onclick = close(choose.insist);
  find("[data-theirs]", panel).onclick = close(choose.yield);
  panel.hidden = false;
  panel.scrollIntoView({ block: "nearest" });
}
