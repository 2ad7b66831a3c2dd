// What one stream has done so far, told by its events alone: it knows no page and reads no clock.
// Stamps are microseconds on the measuring clock; TTFT, TPOT and ITL as the server defines them.

const STALL_FACTOR = 2;
const STALL_MARGIN_MS = 10;
export const ENOUGH_FOR_P99 = 100;

/** Linear interpolation between closest ranks; null for no values. */
export function percentile(values, percent) {
  if (!values.length) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const rank = ((sorted.length - 1) * percent) / 100;
  const low = sorted[Math.floor(rank)];
  return low + (sorted[Math.ceil(rank)] - low) * (rank % 1);
}

export class Trace {
  constructor(stream = 0) {
    this.stream = stream;
    this.clear();
  }

  clear() {
    this.phases = new Map();
    this.gaps = [];
    this.tokens = 0;
    this.firstUs = this.lastUs = this.endUs = null;
    // Known at the request's end; null then when its connection was open already.
    this.connectMs = undefined;
    this.stage = "";
  }

  /** Adds one event; other streams, and warm-ups, are passed over. */
  take(event) {
    if (event.k === "phase" && event.stream == null) this.stage = event.phase;
    else if (event.stream !== this.stream || event.warmup) return;
    else if (event.k === "phase") this.#phase(event);
    else if (event.k === "tokens") this.#tokens(event);
    else if (event.k === "request") this.#end(event);
  }

  #phase({ phase, t_us: us }) {
    // A request that is sent once more starts over, with a new t0.
    if (phase === "connecting") this.phases.clear();
    this.phases.set(phase, us);
  }

  #tokens({ n, t_us: us }) {
    if (!n) return;
    if (this.firstUs === null) this.firstUs = us;
    else this.gaps.push({ token: this.tokens + 1, tokens: n, ms: (us - this.lastUs) / 1000 });
    this.tokens += n;
    this.lastUs = us;
  }

  #end({ request, t_us: us }) {
    this.endUs = us;
    this.connectMs = request?.connect_ms ?? null;
  }

  /** Milliseconds from one phase to the next stamp, or null while either is missing. */
  between(from, to) {
    const start = this.phases.get(from);
    const end = to === "first-token" ? this.firstUs : this.phases.get(to);
    return start == null || end == null ? null : (end - start) / 1000;
  }

  get ttftMs() {
    return this.between("sent", "first-token");
  }

  /** (last - first) / (N - 1) over the tokens so far. */
  get tpotMs() {
    return this.tokens > 1 ? (this.lastUs - this.firstUs) / 1000 / (this.tokens - 1) : null;
  }

  get decodeMs() {
    return this.firstUs === null ? null : (this.lastUs - this.firstUs) / 1000;
  }

  /** Tokens so far over the time from the request to the last of them. */
  get tokensPerS() {
    const sent = this.phases.get("sent");
    return sent == null || this.lastUs === null || this.lastUs === sent
      ? null
      : (this.tokens * 1e6) / (this.lastUs - sent);
  }

  gapMs(percent) {
    return percentile(this.gaps.map((gap) => gap.ms), percent);
  }
}

export const isStall = (gapMs, medianMs) =>
  gapMs > STALL_FACTOR * medianMs && gapMs > medianMs + STALL_MARGIN_MS;
