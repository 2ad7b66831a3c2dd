// Which level and repetition is measured, how far it is and how long it may still take.
import { all, find } from "../dom.js";
import { count, fine, plural, seconds, write } from "./format.js";

export class LoadProgress {
  constructor(list) {
    this.cells = all("[data-level]", list);
  }

  take(event) {
    if (event.k !== "level") return;
    const at = event.index ?? 0;
    const isLast = event.repetition + 1 >= event.repetitions;
    const isPast = event.state === "ended" && isLast;
    this.cells.forEach((cell, i) => {
      const state = i < at || (i === at && isPast) ? "past" : i === at ? "now" : "";
      if (cell.dataset.state !== state) cell.dataset.state = state;
      if (i === at) cell.toggleAttribute("aria-current", state === "now");
    });
    const rate = event.summary?.output_tokens_per_s;
    if (isPast) this.#say(at, rate == null ? "ended" : `${fine(rate)} tok/s`);
  }

  draw(trace, nowUs) {
    const { level } = trace;
    const cell = level && this.cells[level.index ?? 0];
    if (cell?.dataset.state !== "now") return;
    const parts = [`${count(trace.ended)} of ${plural(level.requests, "request")}`];
    if (level.repetitions > 1) parts.unshift(`${level.repetition + 1} of ${level.repetitions}`);
    const leftMs = left(trace, nowUs);
    if (leftMs !== null) parts.push(`about ${seconds(leftMs)} left`);
    this.#say(level.index ?? 0, parts.join(" · "));
  }

  #say(at, text) {
    if (this.cells[at]) write(find("[data-time]", this.cells[at]), text);
  }
}

/** What this repetition may still take: as expected before it, else at its own pace; null when nobody knows. */
function left({ level, ended, users, tokens }, nowUs) {
  const goneMs = (nowUs - level.t_us) / 1000;
  if (level.expected_s != null && goneMs < level.expected_s * 1000) return level.expected_s * 1000 - goneMs;
  // Requests end in waves of all users, so one wave at least must have ended to tell a pace.
  if (ended < users.length || !tokens) return null;
  return (goneMs * (level.requests - ended)) / ended;
}
