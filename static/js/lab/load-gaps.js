// Gaps between token events, counted in bins of 0.1 ms, as finely as they are written: any number in 256 kB.
const BINS = 65_536;
const BINS_PER_MS = 10;

export class Gaps {
  #bins = new Uint32Array(BINS);

  constructor() {
    this.clear();
  }

  clear() {
    this.#bins.fill(0);
    this.count = 0;
    this.longestMs = 0;
  }

  add(ms) {
    this.#bins[Math.min(BINS - 1, Math.round(ms * BINS_PER_MS))]++;
    this.count++;
    this.longestMs = Math.max(this.longestMs, ms);
  }

  /** Linear interpolation between closest ranks, as the server's; null for no gaps. */
  percentile(percent) {
    if (!this.count) return null;
    const rank = ((this.count - 1) * percent) / 100;
    const low = this.#ranked(Math.floor(rank));
    return low + (this.#ranked(Math.ceil(rank)) - low) * (rank % 1);
  }

  #ranked(rank) {
    let bin = 0;
    for (let seen = this.#bins[0]; seen <= rank; seen += this.#bins[++bin]);
    // The last bin holds all that is longer than the bins reach.
    return bin === BINS - 1 ? this.longestMs : bin / BINS_PER_MS;
  }
}
