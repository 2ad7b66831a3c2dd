// The newest marks of a drawing of lanes, in arrays of fixed size: the oldest makes room.
export const WAIT = 0;
export const TOKEN = 1;
export const STALL = 2;

const MOST = 32_768;
// Marks come in batches, so an older one may stand behind a newer one by this much.
const UNORDERED_US = 1_000_000;

export class Marks {
  #from = new Float64Array(MOST);
  #to = new Float64Array(MOST);
  #lane = new Uint16Array(MOST);
  #kind = new Uint8Array(MOST);

  constructor() {
    this.clear();
  }

  clear() {
    this.count = 0;
  }

  add(kind, lane, fromUs, toUs) {
    const at = this.count++ % MOST;
    this.#kind[at] = kind;
    this.#lane[at] = lane;
    this.#from[at] = fromUs;
    this.#to[at] = toUs;
  }

  /** Calls `draw(lane, fromUs, toUs)` for each mark of `kind` that ends at or after `sinceUs`. */
  each(kind, sinceUs, draw) {
    const oldest = Math.max(0, this.count - MOST);
    for (let i = this.count - 1; i >= oldest; i--) {
      const at = i % MOST;
      if (this.#to[at] < sinceUs - UNORDERED_US) return;
      if (this.#kind[at] !== kind || this.#to[at] < sinceUs) continue;
      draw(this.#lane[at], this.#from[at], this.#to[at]);
    }
  }
}
