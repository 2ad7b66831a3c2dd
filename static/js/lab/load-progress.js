// Which level and repetition is measured, how far it is and how long it may still take.
import { all, find } from "../dom.js";
import { count, fine, plural, write } from "./format.js";
import { percentile } from "./trace.js";

export class LoadProgress {
  constructor(list) {
    this.cells = all("[data-level]", list);
    this.next = { index: 0, repetition: 0, repetitions: 1 };
    this.rates = [];
  }

  take(event) {
    if (event.k === "level") this.#level(event);
    else if (event.k === "phase" && event.phase === "warming-up") this.#say(this.next, ["warming up"]);
  }

  draw(trace, nowUs) {
    const { level } = trace;
    if (level !== this.running) return;
    const leftMs = left(trace, nowUs);
    const time = leftMs > 0 ? [`about ${plural(Math.ceil(leftMs / 1000), "second")} left`] : [];
    this.#say(level, [`${count(trace.ended)} of ${plural(level.requests, "request")}`, ...time]);
  }

  #level(event) {
    const { index, repetition, repetitions, summary } = event;
    const isStart = event.state === "started";
    const isPast = !isStart && repetition + 1 >= repetitions;
    this.running = isStart ? event : null;
    this.next = isPast ? { ...event, index: index + 1, repetition: 0 } : { ...event, repetition: repetition + 1 };
    this.cells.forEach((cell, i) => this.#mark(cell, i < index || (i === index && isPast) ? "past" : i === index ? "now" : ""));
    if (isStart) this.rates = repetition ? this.rates : [];
    else if (summary?.output_tokens_per_s != null) this.rates.push(summary.output_tokens_per_s);
    // As the charts have it: the median of the repetitions.
    if (isPast) write(find("[data-time]", this.cells[index]), `${fine(percentile(this.rates, 50))} tok/s`);
  }

  #mark(cell, state) {
    if (cell.dataset.state !== state) cell.dataset.state = state;
    if (state === "now") cell.setAttribute("aria-current", "step");
    else cell.removeAttribute("aria-current");
  }

  #say({ index, repetition, repetitions }, parts) {
    const cell = this.cells[index];
    if (!cell) return;
    const which = repetitions > 1 ? [`${repetition + 1} of ${repetitions}`] : [];
    write(find("[data-time]", cell), [...which, ...parts].join(" · "));
  }
}

/** What this repetition may still take: as expected before it, then at its own pace; null when nobody knows. */
function left({ level, sentUs, ended, measured, tokens }, nowUs) {
  const goneMs = (nowUs - level.t_us) / 1000;
  const expectedMs = (level.expected_s ?? 0) * 1000;
  if (!ended) return expectedMs > goneMs ? expectedMs - goneMs : null;
  // Requests end in waves, tokens come all the time: they tell how far the load is.
  const streaming = measured.reduce((sum, stream) => sum + stream.tokens, 0);
  const all = (level.requests * (tokens - streaming)) / ended;
  return ((nowUs - sentUs) / 1000) * (all / tokens - 1);
}
