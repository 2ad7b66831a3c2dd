// The lanes: one a user, time from left to right; what many lanes do at once stands in one column.
import { find } from "../dom.js";
import { plural } from "./format.js";
import { STALL, TOKEN, WAIT } from "./load-marks.js";
import { Paper } from "./load-paper.js";

const WINDOW_US = 6_000_000;
const TALLEST_LANE = 52;
const TICK_WIDTH = 2;

export class Lanes {
  constructor(box) {
    this.box = box;
    this.canvas = find("canvas", box);
    this.pen = this.canvas.getContext("2d");
    this.paper = new Paper();
    this.era = null;
    new ResizeObserver(() => (this.era = null)).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (this.era = null));
  }

  draw(trace, nowUs) {
    if (this.era !== trace.marks.era) this.#begin(trace);
    this.pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (!trace.level) return;
    this.paper.wind(nowUs);
    trace.marks.each(this.drawn, (...mark) => this.#mark(...mark));
    this.drawn = trace.marks.count;
    this.paper.show(this.pen);
    this.#waiting(trace, nowUs);
  }

  /** The drawing in a sentence, for those who do not see it. */
  describe(trace, nowUs) {
    if (!trace.level) return;
    let stalls = 0;
    trace.marks.each(0, (kind, user, fromUs, toUs) => (stalls += kind === STALL && toUs > nowUs - WINDOW_US));
    const flying = [...trace.flying.values()];
    const waiting = flying.filter((stream) => stream.firstUs === null).length;
    const words = [`${flying.length - waiting} streaming`, `${waiting} waiting for the first token`, `${plural(stalls, "stall")} in the last 6 s`];
    this.canvas.setAttribute("aria-label", `Lanes of ${plural(trace.level.users, "user")}: ${words.join(", ")}`);
  }

  /** New paper: for another level, another size or other colours. */
  #begin({ marks, level }) {
    const width = (this.canvas.width = Math.round(this.canvas.clientWidth * devicePixelRatio));
    const height = (this.canvas.height = Math.round(this.canvas.clientHeight * devicePixelRatio));
    this.paper.fit(width, height, WINDOW_US);
    this.era = marks.era;
    this.drawn = 0;
    this.colours = this.#colours();
    // Lanes fill the height; few of them stand in its middle.
    const users = level?.users ?? 1;
    this.lane = Math.min(TALLEST_LANE * devicePixelRatio, height / users);
    this.top = (height - this.lane * users) / 2;
    this.thick = Math.max(1, this.lane * 0.78);
  }

  #mark(kind, user, fromUs, toUs) {
    const top = this.top + this.lane * user;
    const thin = Math.max(1, this.thick * 0.4);
    this.paper.colour = this.colours[kind];
    if (kind === STALL) this.paper.bar(fromUs, toUs, top + (this.thick - thin) / 2, thin);
    else this.paper.bar(fromUs, toUs, top, this.thick, kind === TOKEN ? TICK_WIDTH * devicePixelRatio : 0);
  }

  /** Requests without a first token, whose bars still grow. */
  #waiting(trace, nowUs) {
    const { width } = this.canvas;
    this.pen.fillStyle = this.colours[WAIT];
    for (const { user, firstUs, sentUs } of trace.flying.values()) {
      if (firstUs !== null) continue;
      const left = Math.max(0, width - (nowUs - sentUs) * this.paper.perUs);
      this.pen.fillRect(left, this.top + this.lane * user, width - left, this.thick);
    }
  }

  /** As the canvas needs them: resolved, in the theme of the moment. */
  #colours() {
    const of = (role) => getComputedStyle(find(`[data-colour="${role}"]`, this.box)).backgroundColor;
    return { [WAIT]: of("wait"), [TOKEN]: of("token"), [STALL]: of("stall") };
  }
}
