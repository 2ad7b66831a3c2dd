// Clocks that count up from the seconds the server told, and a word when a question's time is over.
import { all, find } from "../dom.js";
import { clockText } from "../lab/room-clock.js";

const EVERY_MS = 250;
const loadedAt = performance.now();

function draw() {
  const goneS = (performance.now() - loadedAt) / 1000;
  for (const clock of all("[data-clock]")) {
    const seconds = Number(clock.dataset.clock) + goneS;
    const shown = clockText(seconds);
    if (clock.textContent !== shown) clock.textContent = shown;
    clock.hidden = false;
    clock.classList.toggle("mock__clock--over", seconds >= Number(clock.dataset.planned));
  }
  const [question] = all("[data-clock]");
  const over = find("[data-over]");
  // Said once: an element that is shown in a live region is read out.
  if (over?.hidden && question?.classList.contains("mock__clock--over")) over.hidden = false;
}

draw();
setInterval(draw, EVERY_MS);
