// What the users of a load have done so far, told by events alone: it knows no page and reads no clock.
// Numbers are of the level, over its repetitions so far; the rate is of the repetition.
// Neighbours have lanes and marks, and are in no number.
import { Gaps } from "./load-gaps.js";
import { Marks, STALL, TOKEN, WAIT } from "./load-marks.js";
import { isStall, percentile } from "./trace.js";

const tpot = (stream) =>
  stream.tokens > 1 ? (stream.lastUs - stream.firstUs) / 1000 / (stream.tokens - 1) : null;

export class LoadTrace {
  constructor() {
    this.gaps = new Gaps();
    this.marks = new Marks();
    this.level = this.gauge = null;
    this.isWarmingUp = false;
    this.#clearLevel();
    this.#clearRepetition();
  }

  take(event) {
    if (event.k === "phase" && event.phase === "warming-up") this.isWarmingUp = true;
    if (event.k === "level") this.#level(event);
    else if (event.k === "gauge") this.gauge = event;
    else if (event.k === "ticks") this.#ticks(event);
    // One user alone is followed event by event; of many, one is, and his are in the ticks as well.
    else if (this.level?.users === 1 && !this.level.neighbours && !this.level.joined && event.stream != null && !event.warmup) this.#alone(event);
  }

  /** Measured requests in flight. */
  get measured() {
    return [...this.flying.values()].filter((stream) => !stream.isNeighbour);
  }

  get ttftMs() {
    return percentile(this.ttftsMs, 50);
  }

  /** Median over the requests so far, those that still stream with what they have. */
  get tpotMs() {
    const streaming = this.measured.map(tpot).filter((ms) => ms !== null);
    return percentile([...this.tpotsMs, ...streaming], 50);
  }

  /** Tokens of all users over the time from the first request to the last token. */
  get tokensPerS() {
    return this.lastUs > this.sentUs ? (this.tokens * 1e6) / (this.lastUs - this.sentUs) : null;
  }

  #level(event) {
    if (event.state !== "started") return;
    this.isWarmingUp = false;
    if (event.joined) return this.#joined(event);
    if (this.level?.index !== event.index) this.#clearLevel();
    this.level = event;
    this.#clearRepetition();
  }

  /** One stream more: those that run go on in their lanes, and numbers begin anew. */
  #joined(event) {
    this.level = event;
    this.users.push({ ended: 0, tokens: 0, isNeighbour: false });
    this.marks.turn();
    this.gaps.clear();
    this.medianMs = null;
    this.ended = this.tokens = this.lastUs = 0;
    this.sentUs = event.t_us;
  }

  #clearLevel() {
    this.gaps.clear();
    this.marks.clear();
    this.medianMs = null;
    this.ttftsMs = [];
    this.tpotsMs = [];
  }

  #clearRepetition() {
    /** Requests in flight by their number. */
    this.flying = new Map();
    const { users = 0, neighbours } = this.level ?? {};
    /** One a lane: the users, then the neighbours of one request. */
    this.users = Array.from({ length: users + (neighbours ?? 0) }, (_, i) => ({ ended: 0, tokens: 0, isNeighbour: i >= users }));
    this.ended = this.tokens = this.lastUs = 0;
    this.sentUs = Infinity;
  }

  #ticks({ t_us: us, starts, ticks, ends }) {
    for (const [number, user, agoUs] of starts) this.#start(number, user, us + agoUs);
    for (const [number, n, agoUs] of ticks) this.#tick(number, n, us + agoUs);
    for (const [number, status] of ends) this.#end(number, status);
    this.medianMs = this.gaps.percentile(50);
  }

  #alone(event) {
    if (event.k === "tokens") this.#tick(event.stream, event.n, event.t_us);
    else if (event.k === "request") this.#end(event.stream, event.request.status);
    else if (event.phase === "sent") this.#start(event.stream, 0, event.t_us);
    this.medianMs = this.gaps.percentile(50);
  }

  #start(number, user, us) {
    const isNeighbour = user >= this.level.users;
    this.flying.set(number, { user, isNeighbour, sentUs: us, firstUs: null, lastUs: null, tokens: 0 });
    this.sentUs = Math.min(this.sentUs, us);
  }

  #tick(number, n, us) {
    const stream = this.flying.get(number);
    if (!stream || !n) return;
    if (stream.firstUs === null) this.#first(stream, us);
    else this.#gap(stream, us);
    this.marks.add(TOKEN, stream.user, us, us);
    stream.tokens += n;
    stream.lastUs = us;
    this.users[stream.user].tokens += n;
    if (stream.isNeighbour) return;
    this.tokens += n;
    this.lastUs = Math.max(this.lastUs, us);
  }

  #first(stream, us) {
    stream.firstUs = us;
    if (!stream.isNeighbour) this.ttftsMs.push((us - stream.sentUs) / 1000);
    this.marks.add(WAIT, stream.user, stream.sentUs, us);
  }

  #gap(stream, us) {
    const gapMs = (us - stream.lastUs) / 1000;
    if (!stream.isNeighbour) this.gaps.add(gapMs);
    if (this.medianMs !== null && isStall(gapMs, this.medianMs)) {
      this.marks.add(STALL, stream.user, stream.lastUs, us);
    }
  }

  #end(number, status) {
    const stream = this.flying.get(number);
    if (!stream) return;
    this.flying.delete(number);
    this.users[stream.user].ended++;
    if (stream.isNeighbour) return;
    this.ended++;
    const ms = tpot(stream);
    if (status === "completed" && ms !== null) this.tpotsMs.push(ms);
  }
}
