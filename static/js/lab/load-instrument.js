// One frame of live parts of a load that are fed the same events.
import { find } from "../dom.js";
import { Answer } from "./answer.js";
import { plural, write } from "./format.js";
import { LoadAnnouncer } from "./load-announcer.js";
import { Clock } from "./load-clock.js";
import { Lanes } from "./load-lanes.js";
import { LoadNumbers } from "./load-numbers.js";
import { LoadProgress } from "./load-progress.js";
import { LoadTable } from "./load-table.js";
import { LoadTrace } from "./load-trace.js";

const NUMBERS_MS = 250;
const WORDS_MS = 1000;

/** True once per period. */
function every(periodMs) {
  let due = 0;
  return (now) => now >= due && Boolean((due = now + periodMs));
}

export class LoadInstrument {
  constructor(frame, region) {
    this.trace = new LoadTrace();
    this.clock = new Clock();
    this.lanes = new Lanes(find("[data-lanes]", frame));
    this.numbers = new LoadNumbers(frame);
    this.progress = new LoadProgress(find("[data-levels]", frame));
    this.table = new LoadTable(find("[data-lane-table]", frame));
    this.answer = new Answer(find("[data-answer]", frame));
    this.followed = find("[data-followed]", frame);
    this.announcer = new LoadAnnouncer(region);
    this.numbersDue = every(NUMBERS_MS);
    this.wordsDue = every(WORDS_MS);
  }

  take(event) {
    if (event.k === "level" && event.state === "started") this.#level(event);
    for (const part of [this.trace, this.answer, this.progress, this.announcer]) part.take(event);
    if (event.t_us != null) this.clock.take(event.t_us);
  }

  draw(now = performance.now()) {
    const nowUs = this.clock.nowUs;
    this.lanes.draw(this.trace, nowUs);
    this.answer.draw();
    this.announcer.draw();
    if (this.numbersDue(now)) {
      this.numbers.draw(this.trace);
      this.progress.draw(this.trace, nowUs);
    }
    if (this.wordsDue(now)) {
      this.lanes.describe(this.trace, nowUs);
      this.table.draw(this.trace);
    }
  }

  #level({ name, users, neighbours }) {
    this.answer.clear();
    const where = name ? ` in “${name}”` : "";
    const others = users > 1 ? ` among ${plural(users - 1, "other")}` : neighbours ? "" : ", alone on the server";
    const beside = neighbours ? `, beside ${plural(neighbours, "neighbour")}` : "";
    write(this.followed, `Your own answer${where}${others}${beside}`);
  }
}
