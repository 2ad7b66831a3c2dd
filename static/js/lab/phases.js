// The phase bar: what was waited for, how long, and what is waited for now.
import { all, find } from "../dom.js";
import { count, fine, MISSING, ms, plural, tenths, write } from "./format.js";

// A silence this many medians long is named while it lasts.
const SILENCE = 5;
const STEPS = [
  { name: "connect", from: "connecting", to: "sent", show: connected },
  { name: "accept", from: "sent", to: "accepted", show: accepted },
  { name: "wait", from: "accepted", to: "first-token", show: prefilled, words: "waiting for the first token" },
];

export class Phases {
  constructor(bar, mostTokens) {
    this.cells = new Map(all("[data-phase]", bar).map((cell) => [cell.dataset.phase, cell]));
    this.mostTokens = mostTokens;
  }

  /** `nowUs` is the present on the measuring clock, as well as this browser knows it. */
  draw(trace, nowUs) {
    const started = trace.phases.has("connecting");
    this.#mark("queue", started ? "past" : "now");
    // What the client does before it sends: preparing, warming-up, measuring.
    if (trace.stage) this.#time("queue", started ? "" : `now ${trace.stage}`);
    for (const step of STEPS) this.#step(trace, nowUs, step);
    this.#decode(trace, nowUs);
  }

  queue(text) {
    this.#time("queue", text);
  }

  #step(trace, nowUs, { name, from, to, show, words }) {
    const took = trace.between(from, to);
    const start = trace.phases.get(from);
    if (took !== null) {
      this.#mark(name, "past");
      this.#time(name, show(took, trace));
    } else if (start != null && trace.endUs === null && trace.firstUs === null) {
      this.#mark(name, "now");
      const waited = ms(Math.max(0, nowUs - start) / 1000);
      this.#time(name, words ? `${waited}, ${words}` : waited);
    } else {
      this.#mark(name, "");
      this.#time(name, "");
    }
  }

  #decode(trace, nowUs) {
    if (trace.firstUs === null) {
      this.#mark("decode", "");
      this.#time("decode", "");
      return;
    }
    const silentMs = (nowUs - trace.lastUs) / 1000;
    const isSilent = trace.endUs === null && silentMs > SILENCE * (trace.gapMs(50) ?? Infinity);
    const end = isSilent ? ` · silent for ${ms(silentMs)}` : "";
    const most = this.mostTokens ? ` of ${count(this.mostTokens)}` : "";
    this.#mark("decode", trace.endUs === null ? "now" : "past");
    this.#time("decode", `${ms(trace.decodeMs)} · token ${count(trace.tokens)}${most}${end}`);
  }

  #mark(name, state) {
    const cell = this.cells.get(name);
    if (cell.dataset.state !== state) cell.dataset.state = state;
  }

  #time(name, text) {
    write(find("[data-time]", this.cells.get(name)), text);
  }
}

/** Only the request's end tells a new connection from a kept one; until then, the time it took to send. */
function connected(tookMs, trace) {
  if (trace.connectMs === undefined) return `${tenths(tookMs)} until sent`;
  if (trace.connectMs !== null) return tenths(trace.connectMs);
  return trace.between("sent", "accepted") === null ? MISSING : "· kept open";
}

/** When head and first token come in one read, nothing tells acceptance from prefill. */
function accepted(tookMs, trace) {
  return trace.between("accepted", "first-token") === 0 ? "with the first token" : tenths(tookMs);
}

function prefilled(tookMs, trace) {
  return tookMs === 0 ? `up to ${ms(trace.ttftMs)}` : ms(tookMs);
}

/** One sentence about the stream so far, for those who do not see the drawing. */
export function sentence(trace) {
  if (trace.firstUs === null) return "Waiting for the first token.";
  const speed = trace.tpotMs === null ? "" : `, ${fine(trace.tpotMs)} ms per token`;
  return `${plural(trace.tokens, "token")}${speed}.`;
}
