// What a screen reader hears of a load: each level's end, a sentence at most every five seconds, and the end.
import { fine, ms, plural, tenths } from "./format.js";

const EVERY_MS = 5000;

export class LoadAnnouncer {
  constructor(region) {
    this.region = region;
    this.waiting = "";
    this.lastAt = -EVERY_MS;
  }

  take(event) {
    if (event.k !== "level" || event.state !== "ended" || !event.summary) return;
    // Of milestones that come too fast, the newest is said.
    this.waiting = milestone(event);
  }

  draw() {
    if (this.waiting && performance.now() - this.lastAt >= EVERY_MS) this.#say(this.waiting);
  }

  end(status) {
    this.#say(`${this.waiting} The load has ended: ${status}. The results follow.`.trim());
  }

  #say(text) {
    this.region.textContent = text;
    this.waiting = "";
    this.lastAt = performance.now();
  }
}

function milestone({ users, repetition, repetitions, summary }) {
  const part = repetitions > 1 ? `, repetition ${repetition + 1} of ${repetitions}` : "";
  const rate = summary.output_tokens_per_s;
  return `${plural(users, "user")}${part} ended: TTFT ${ms(summary.ttft_ms?.p50)}, TPOT ${tenths(summary.tpot_ms?.p50)}, ${fine(rate)} tokens per second.`;
}
