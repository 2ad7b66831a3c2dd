// The clocks of a console, from the seconds that the server told; they can be hidden, which this browser remembers.
import { all, find } from "../dom.js";
import { clockText } from "../lab/room-clock.js";

const SWITCH = "prefill-console-clocks";
const EVERY_MS = 500;
const begun = new WeakMap();
let interview = { elapsedS: 0, runs: false, at: 0 };

/** Whole seconds since the interview began, as the server's clock would say. */
export function elapsed() {
  const goneS = interview.runs ? (performance.now() - interview.at) / 1000 : 0;
  return Math.floor(interview.elapsedS + goneS);
}

/** What a page told of the interview's time. */
export function setElapsed({ elapsed: seconds, runs }) {
  interview = { elapsedS: Number(seconds), runs: runs !== undefined, at: performance.now() };
}

function draw() {
  for (const clock of all("[data-clock][data-ticks]")) {
    if (!begun.has(clock)) begun.set(clock, performance.now());
    const seconds = Number(clock.dataset.clock) + (performance.now() - begun.get(clock)) / 1000;
    const text = clockText(seconds);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("console__clock--over", seconds >= Number(clock.dataset.planned));
  }
}

export function runClocks(form) {
  const button = find("[data-hide-clocks]", form);
  const show = () => {
    const isHidden = localStorage.getItem(SWITCH) === "hidden";
    form.classList.toggle("console--timeless", isHidden);
    button.textContent = isHidden ? "Show the clocks" : "Hide the clocks";
  };
  button.addEventListener("click", () => {
    localStorage.setItem(SWITCH, form.classList.contains("console--timeless") ? "shown" : "hidden");
    show();
  });
  button.hidden = false;
  setElapsed(form.dataset);
  setInterval(draw, EVERY_MS);
  draw();
  show();
}
