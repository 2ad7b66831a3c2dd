// What a screen reader hears: the first token, then a sentence at most every five seconds, then the end.
import { ms } from "./format.js";
import { sentence } from "./phases.js";

const EVERY_MS = 5000;

export class Announcer {
  constructor(region) {
    this.region = region;
    this.clear();
  }

  clear() {
    this.heardFirst = false;
    this.lastAt = 0;
  }

  draw(trace) {
    if (trace.firstUs === null || trace.endUs !== null) return;
    const now = performance.now();
    if (!this.heardFirst) {
      this.heardFirst = true;
      this.#say(`First token after ${ms(trace.ttftMs)}.`, now);
    } else if (now - this.lastAt >= EVERY_MS) this.#say(sentence(trace), now);
  }

  end(status, trace) {
    const numbers = trace.firstUs === null ? "" : ` TTFT ${ms(trace.ttftMs)}, ${sentence(trace)}`;
    this.#say(`The run has ended: ${status}.${numbers}`, performance.now());
  }

  #say(text, now) {
    this.region.textContent = text;
    this.lastAt = now;
  }
}
