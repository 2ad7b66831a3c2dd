// The four numbers, each with where it comes from and how far it can be trusted.
import { all, find } from "../dom.js";
import { count, fine, MISSING, plural, write } from "./format.js";
import { ENOUGH_FOR_P99 } from "./trace.js";

export class Numbers {
  constructor(list) {
    this.cells = new Map(all("[data-number]", list).map((cell) => [cell.dataset.number, cell]));
  }

  draw(trace, nowUs) {
    this.#ttft(trace, nowUs);
    const gaps = trace.gaps.length;
    const { limit } = this.cells.get("tpot").dataset;
    const beside = limit ? ` · limit ${limit}` : "";
    this.#show("tpot", fine(trace.tpotMs), gaps ? `mean over ${plural(trace.tokens - 1, "token")} after the first${beside}` : "");
    const few = gaps < ENOUGH_FOR_P99 ? ": fewer than 100, take with care" : "";
    this.#show("p99", fine(trace.gapMs(99)), gaps ? `${plural(gaps, "gap")}${few}` : "");
    this.#show("rate", fine(trace.tokensPerS), trace.tokens ? "this request alone, from the request on" : "");
  }

  #ttft(trace, nowUs) {
    const sent = trace.phases.get("sent");
    const waiting = trace.firstUs === null && trace.endUs === null && sent != null;
    this.cells.get("ttft").classList.toggle("numbers__cell--waiting", waiting);
    if (waiting) this.#show("ttft", count(Math.max(0, nowUs - sent) / 1000), "so far, this browser’s clock");
    else this.#show("ttft", count(trace.ttftMs), trace.firstUs === null ? "" : "our client’s clock");
  }

  #show(name, text, origin) {
    const cell = this.cells.get(name);
    write(find("[data-value]", cell), text);
    find("[data-unit]", cell).hidden = text === MISSING;
    write(find("[data-origin]", cell), text === MISSING ? "" : origin);
  }
}
