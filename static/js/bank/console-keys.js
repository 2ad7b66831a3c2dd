// The console by keys alone.
import { all, find } from "../dom.js";
import { bind } from "../keys.js";

const DIGITS = 10;
const WAIT_MS = 3000;

function bindBoth(key, act) {
  for (const each of new Set([key, key.toUpperCase()])) bind(each, act);
}

/** Presses the first match; false when there is none, or none that may be pressed. */
function press(selector) {
  const found = find(selector);
  found?.click();
  return Boolean(found) && !found.matches(":disabled");
}

/** What the candidate is asked, else the first follow-up without a mark, else the last one. */
function rungAtHand(form) {
  const now = find("#now", form);
  const put = now && "here" in now.dataset && now.dataset.rung;
  const rungs = all("fieldset[data-rung]", form);
  const open = rungs.find((rung) => !find("input[type=radio]:checked", rung));
  return rungs.find((rung) => rung.dataset.rung === put) ?? open ?? rungs.at(-1);
}

/** `say(sentence)` tells what a key waits for; `begin()` goes to a new note. */
export function bindConsole(form, { say, begin }) {
  let waitsUntil = 0;

  function digit(number) {
    if (performance.now() < waitsUntil) {
      waitsUntil = 0;
      say("");
      return press(`[data-wrong="${number}"]`);
    }
    return press(`[data-rate][value="${number}"]`);
  }

  function waitForWrong() {
    const wrongs = all("[data-wrong]", form);
    if (!wrongs.length) return false;
    waitsUntil = performance.now() + WAIT_MS;
    say(`Which wrong answer was heard? 1 to ${wrongs.length}.`);
    setTimeout(() => performance.now() >= waitsUntil && say(""), WAIT_MS);
  }

  for (let number = 0; number < DIGITS; number++) bind(String(number), () => digit(number));
  bindBoth("w", waitForWrong);
  bindBoth("j", () => press("[data-go=j]"));
  bindBoth("k", () => press("[data-go=k]"));
  bindBoth("p", () => press("[data-next]"));
  bindBoth("x", () => press("[name=not_asked]"));
  bindBoth("n", begin);
  bindBoth("h", () => {
    const rung = rungAtHand(form);
    if (!rung) return false;
    find("[name=hinted]", rung).click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && press("[data-go=review]")) event.preventDefault();
    if (event.key === "Escape" && event.target.matches("textarea")) event.target.blur();
  });
}
