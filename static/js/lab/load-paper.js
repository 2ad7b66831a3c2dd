// A drawing that scrolls with time, as a strip of paper: each mark is drawn once, in a ring of columns.
export class Paper {
  #ring = document.createElement("canvas");
  #pen = this.#ring.getContext("2d");
  #head = null;

  /** Blank paper for `windowUs` of time. */
  fit(width, height, windowUs) {
    this.#ring.width = width;
    this.#ring.height = height;
    this.perUs = width / windowUs;
    this.#head = null;
  }

  set colour(colour) {
    this.#pen.fillStyle = colour;
  }

  /** Moves the present to `nowUs` and wipes the columns that it takes. */
  wind(nowUs) {
    const head = Math.floor(nowUs * this.perUs);
    const columns = this.#head === null ? Infinity : head - this.#head;
    if (columns <= 0) return;
    const wiped = Math.min(columns, this.#ring.width);
    this.#head = head;
    this.#each(head + 1 - wiped, wiped, (x, width) => this.#pen.clearRect(x, 0, width, this.#ring.height));
  }

  /** A bar between two moments, at least `least` pixels wide and ending at the later one. */
  bar(fromUs, toUs, top, height, least = 0) {
    const oldest = this.#head + 1 - this.#ring.width;
    const right = Math.min(toUs * this.perUs, this.#head + 1);
    const left = Math.max(Math.min(fromUs * this.perUs, right - least), oldest);
    if (right <= left) return;
    this.#each(left, right - left, (x, width) => this.#pen.fillRect(x, top, width, height));
  }

  /** Copies the window onto `pen`, the present at its right edge. */
  show(pen) {
    const { width, height } = this.#ring;
    if (!width || !height || this.#head === null) return;
    const oldest = this.#head + 1 - width;
    this.#each(oldest, width, (x, columns, done) =>
      pen.drawImage(this.#ring, x, 0, columns, height, done, 0, columns, height),
    );
  }

  /** The one or two parts of the ring that hold `width` columns from `left` on. */
  #each(left, width, draw) {
    const round = this.#ring.width;
    const x = ((left % round) + round) % round;
    const first = Math.min(width, round - x);
    draw(x, first, 0);
    if (width > first) draw(0, width - first, first);
  }
}
