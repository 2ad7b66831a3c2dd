// The gaps of single streams as they come, and what all streams got in the last seconds: told by ticks alone.
import { percentile } from "./trace.js";

const NEWEST = 24;
const RATE_US = 3_000_000;

export class OwnGaps {
  /** By user, from 0. */
  #users = new Map();
  #of = new Map();

  take({ t_us: us, starts, ticks }) {
    for (const [stream, user] of starts) this.#of.set(stream, user);
    for (const [stream, n, agoUs] of ticks) this.#tick(stream, n, us + agoUs);
  }

  /** The newest gaps of one user's stream in ms, the last one last. */
  of(user) {
    return this.#users.get(user)?.gapsMs ?? [];
  }

  medianMs(user) {
    return percentile(this.of(user), 50);
  }

  #tick(stream, n, us) {
    const user = this.#of.get(stream);
    const seen = this.#users.get(user);
    const isSame = seen?.stream === stream;
    const gapsMs = seen?.gapsMs ?? [];
    if (isSame) gapsMs.push((us - seen.lastUs) / 1000 / n);
    if (gapsMs.length > NEWEST) gapsMs.shift();
    this.#users.set(user, { stream, lastUs: us, gapsMs });
  }
}

export class Rate {
  #ticks = [];

  take({ t_us: us, ticks }) {
    for (const [, n, agoUs] of ticks) this.#ticks.push([us + agoUs, n]);
    this.#drop(us);
  }

  /** Tokens per second of all streams in the last three; null before there are any. */
  perS(nowUs) {
    this.#drop(nowUs);
    if (this.#ticks.length < 2) return null;
    const [[firstUs], ...rest] = this.#ticks;
    const lastUs = Math.max(...rest.map(([us]) => us));
    const tokens = rest.reduce((sum, [, n]) => sum + n, 0);
    return lastUs > firstUs ? (tokens * 1e6) / (lastUs - firstUs) : null;
  }

  #drop(nowUs) {
    const old = this.#ticks.findIndex(([us]) => us > nowUs - RATE_US);
    this.#ticks.splice(0, old < 0 ? this.#ticks.length : old);
  }
}
