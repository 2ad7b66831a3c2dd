// The clock of an answer: it counts up, can be hidden, and this browser remembers that.
import { find, mount } from "../dom.js";
import { clockText } from "../lab/room-clock.js";

const SWITCH = "prefill-practice-clock";
const TICK_MS = 500;

/** `data-now` and `data-since` are seconds of the server's clock, `data-face` shows their difference. */
function clock(clock) {
  const face = find("[data-face]", clock);
  const button = find("[data-hide]", clock);
  const goneMs = 1000 * (Number(clock.dataset.now) - Number(clock.dataset.since));
  const startMs = performance.now() - goneMs;

  function show() {
    face.hidden = localStorage.getItem(SWITCH) === "hidden";
    button.textContent = face.hidden ? "Show the clock" : "Hide the clock";
  }

  function tick() {
    face.textContent = clockText((performance.now() - startMs) / 1000);
    if (!clock.isConnected) clearInterval(timer);
  }

  button.addEventListener("click", () => {
    localStorage.setItem(SWITCH, face.hidden ? "shown" : "hidden");
    show();
  });
  clock.hidden = false;
  const timer = setInterval(tick, TICK_MS);
  tick();
  show();
}

mount("practice-clock", clock);
