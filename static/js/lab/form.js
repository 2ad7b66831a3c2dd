// The form of a run: remembers the press, and says about how long the run will take.
import { find, mount } from "../dom.js";
import "./click.js";
import { seconds, write } from "./format.js";

/** TTFT + N x TPOT, with the last run's numbers; nothing where there is no last run. */
function expect(form) {
  const ttftMs = Number(form.dataset.lastTtftMs);
  const tpotMs = Number(form.dataset.lastTpotMs);
  if (!ttftMs || !tpotMs) return;
  const most = Number(form.dataset.mostTokens);
  const length = find("[name=max_tokens]", form);
  const show = () => {
    const tokens = Number(length.value);
    const text = tokens > 0 && tokens <= most ? `about ${seconds(ttftMs + tokens * tpotMs)} at the last run’s pace, less if the answer ends sooner` : "";
    write(find("[data-expected]", form), text);
  };
  length.addEventListener("input", show);
  show();
}

mount("lab-form", expect);
