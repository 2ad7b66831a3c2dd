// The newest marks of a drawing of lanes, in arrays of fixed size: the oldest makes room.
export const WAIT = 0;
export const TOKEN = 1;
export const STALL = 2;

const MOST = 32_768;

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
    /** Another drawing begins. */
    this.era = (this.era ?? 0) + 1;
  }

  /** The same marks in another drawing. */
  turn() {
    this.era++;
  }

  add(kind, lane, fromUs, toUs) {
    const at = this.count++ % MOST;
    this.#kind[at] = kind;
    this.#lane[at] = lane;
    this.#from[at] = fromUs;
    this.#to[at] = toUs;
  }

  /** Calls `draw(kind, lane, fromUs, toUs)` for each mark that is kept, from number `first` on. */
  each(first, draw) {
    for (let i = Math.max(first, this.count - MOST); i < this.count; i++) {
      const at = i % MOST;
      draw(this.#kind[at], this.#lane[at], this.#from[at], this.#to[at]);
    }
  }
}
