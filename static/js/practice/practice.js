// A practice page by keys alone; the focus goes to what was revealed.
import { all, find, mount, takesKeys } from "../dom.js";
import { bind } from "../keys.js";
import { keepTyped } from "./typed.js";
import { keepSure } from "./sure.js";
import { sendInPlace } from "./send.js";

const KEYS = [" ", "1", "2", "3", "z", "f", "s", "e", "l", "n"];

/** Presses what the page offers for a key: an element whose `data-key` names it, among others. */
function press(key) {
  const target = find(`[data-key~="${key === " " ? "Space" : key}"]`);
  const ladder = key === "l" && find("#ladder [data-begin]");
  if (target) target.click();
  else if (ladder) focus(ladder, "center");
  return Boolean(target || ladder);
}

function focus(element, where) {
  if (!element.matches("a[href], button, input, textarea, [tabindex]")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: where });
}

/**
 * What a reader wants next: a refusal, the grade, what was just revealed, or the beginning.
 * `before` is what the page showed; `pressed` finds a button that had the focus.
 */
function guideFocus(before, pressed) {
  const article = find("[data-module~=practice]");
  const refusal = find("#main .messages");
  const graded = find("#graded");
  const revealed = all("[data-revealed]", article).at(-1);
  const isSame = before.step === article.dataset.step && before.stage === article.dataset.stage;
  if (refusal) focus(refusal, "center");
  else if (isSame && graded && !before.graded) focus(graded, "nearest");
  else if (isSame && pressed && find(pressed)) find(pressed).focus({ preventScroll: true });
  else if (revealed) focus(revealed, "nearest");
  else focus(find("[data-begin]", article) ?? find("h1", article), isSame ? "nearest" : "center");
}

for (const key of KEYS) {
  for (const pressed of new Set([key, key.toUpperCase()])) {
    bind(pressed, (event) => !(key === " " && takesKeys(event.target)) && press(key));
  }
}
mount("practice", (article) => {
  keepTyped(article);
  keepSure(article);
});
sendInPlace(guideFocus);
