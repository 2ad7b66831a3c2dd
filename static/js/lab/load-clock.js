// The measuring clock's present, as well as this browser can know it: a steady clock for the drawing.
export class Clock {
  #aheadUs = null;

  /** Learns from an event's stamp; the event that came quickest counts, so that the present never jumps. */
  take(us) {
    const aheadUs = us - performance.now() * 1000;
    if (this.#aheadUs === null || aheadUs > this.#aheadUs) this.#aheadUs = aheadUs;
  }

  /** Microseconds on the measuring clock; 0 before the first event. */
  get nowUs() {
    return this.#aheadUs === null ? 0 : performance.now() * 1000 + this.#aheadUs;
  }
}
