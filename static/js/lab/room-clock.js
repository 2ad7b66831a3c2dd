// Clocks of a page, up or down, from the seconds that the server or a stream told: `data-clock`, `data-clock-s`.
import { all } from "../dom.js";
import { write } from "./format.js";

const LOOK_MS = 250;
const begun = new WeakMap();
let timer = 0;

/** 0:42, 12:05, 1:02:09 */
export function clockText(seconds) {
  const whole = Math.max(0, seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, Math.floor(whole) % 60];
  const tail = String(s).padStart(2, "0");
  return h ? `${h}:${String(m).padStart(2, "0")}:${tail}` : `${m}:${tail}`;
}

/** Seconds that a clock shows now. */
function now(clock) {
  const start = begun.get(clock) ?? set(clock, Number(clock.dataset.clockS));
  const goneS = (Date.now() - start.at) / 1000;
  return clock.dataset.clock === "down" ? Math.ceil(start.seconds - goneS) : start.seconds + goneS;
}

/** Starts a clock anew at so many seconds. */
export function set(clock, seconds) {
  const start = { seconds, at: Date.now() };
  begun.set(clock, start);
  return start;
}

function draw() {
  for (const clock of all("[data-clock]")) write(clock, clockText(now(clock)));
}

/** Lets all clocks of the page run, those that come later, too. */
export function tick() {
  if (!timer) timer = setInterval(draw, LOOK_MS);
  draw();
}
