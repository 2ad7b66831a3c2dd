// The four numbers of the level so far, each with where it comes from; and the engine's own gauges.
import { all, find } from "../dom.js";
import { count, fine, MISSING, plural, write } from "./format.js";
import { ENOUGH_FOR_P99 } from "./trace.js";

const WARMING_UP = "Warm-up requests run now: they are not drawn, and no number counts them.";

export class LoadNumbers {
  constructor(frame) {
    this.cells = new Map(all("[data-number]", frame).map((cell) => [cell.dataset.number, cell]));
    this.gauges = find("[data-gauges]", frame);
  }

  draw(trace) {
    const { gaps } = trace;
    const few = gaps.count < ENOUGH_FOR_P99 ? ": fewer than 100, take with care" : "";
    const ended = trace.tpotsMs.length;
    this.#show("ttft", count(trace.ttftMs), `median of ${plural(trace.ttftsMs.length, "request")}, our client’s clock`);
    this.#show("tpot", fine(trace.tpotMs), ended ? `median, ${plural(ended, "request")} ended` : "median of those that stream");
    this.#show("p99", fine(gaps.percentile(99)), `${plural(gaps.count, "gap")} of all streams${few}`);
    this.#show("rate", fine(trace.tokensPerS), "all users, this repetition");
    if (trace.isWarmingUp) write(this.gauges, WARMING_UP);
    else write(this.gauges, trace.gauge ? sentence(trace.gauge) : "");
  }

  #show(name, text, origin) {
    const cell = this.cells.get(name);
    write(find("[data-value]", cell), text);
    find("[data-unit]", cell).hidden = text === MISSING;
    write(find("[data-origin]", cell), text === MISSING ? "" : origin);
  }
}

function sentence({ running, waiting, kv_cache_usage: used, others }) {
  const parts = [];
  if (running != null) parts.push(`${count(running)} running`);
  if (waiting != null) parts.push(`${count(waiting)} waiting`);
  if (used != null) parts.push(`${count(used * 100)}\u00a0% of the KV cache used`);
  if (others > 0) parts.push(`${plural(others, "request")} of somebody else`);
  return parts.length ? `The engine’s own gauges: ${parts.join(", ")}` : "";
}
