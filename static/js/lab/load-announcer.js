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

function milestone({ name, users, repetition, repetitions, summary }) {
  const part = repetitions > 1 ? `, repetition ${repetition + 1} of ${repetitions}` : "";
  const said = numbers(summary);
  return `${name ?? plural(users, "user")}${part} ended: ${said || "no request was completed"}.`;
}

/** Those that there are; "" when nothing was completed. */
function numbers({ ttft_ms, tpot_ms, output_tokens_per_s }) {
  const said = [];
  if (ttft_ms?.p50 != null) said.push(`TTFT ${ms(ttft_ms.p50)}`);
  if (tpot_ms?.p50 != null) said.push(`TPOT ${tenths(tpot_ms.p50)}`);
  if (output_tokens_per_s != null) said.push(`${fine(output_tokens_per_s)} tokens per second`);
  return said.join(", ");
}
