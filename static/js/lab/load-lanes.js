// The lanes: one a user, time from left to right; what many lanes do at once stands in one column.
import { find } from "../dom.js";
import { plural } from "./format.js";
import { STALL, TOKEN, WAIT } from "./load-marks.js";

const WINDOW_US = 6_000_000;
const TALLEST_LANE = 52;
const TICK_WIDTH = 2;

export class Lanes {
  constructor(box) {
    this.box = box;
    this.canvas = find("canvas", box);
    this.pen = this.canvas.getContext("2d");
    this.colours = null;
    new ResizeObserver(() => this.#fit()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (this.colours = null));
    this.#fit();
  }

  draw(trace, nowUs) {
    const { width, height } = this.canvas;
    this.colours ??= this.#colours();
    this.pen.clearRect(0, 0, width, height);
    if (!trace.level) return;
    const sinceUs = nowUs - WINDOW_US;
    const scale = { sinceUs, perUs: width / WINDOW_US, ...this.#rows(trace.level.users, height) };
    this.#spans(trace, nowUs, scale);
    this.#ticks(trace, scale);
  }

  /** The drawing in a sentence, for those who do not see it. */
  describe(trace, nowUs) {
    if (!trace.level) return;
    let stalls = 0;
    trace.marks.each(STALL, nowUs - WINDOW_US, () => stalls++);
    const flying = [...trace.flying.values()];
    const waiting = flying.filter((stream) => stream.firstUs === null).length;
    const words = [`${flying.length - waiting} streaming`, `${waiting} waiting for the first token`, `${plural(stalls, "stall")} in the last 6 s`];
    this.canvas.setAttribute("aria-label", `Lanes of ${plural(trace.level.users, "user")}: ${words.join(", ")}`);
  }

  /** Lanes fill the height; few of them stand in its middle. */
  #rows(users, height) {
    const lane = Math.min(TALLEST_LANE * devicePixelRatio, height / users);
    return { lane, top: (height - lane * users) / 2, thick: Math.max(1, lane * 0.78) };
  }

  #spans(trace, nowUs, { sinceUs, perUs, lane, top, thick }) {
    const bar = (height) => (user, fromUs, toUs) => {
      const left = Math.max(0, (fromUs - sinceUs) * perUs);
      const middle = top + lane * user + thick / 2;
      this.pen.fillRect(left, middle - height / 2, (toUs - sinceUs) * perUs - left, height);
    };
    this.pen.fillStyle = this.colours.wait;
    const wait = bar(thick);
    trace.marks.each(WAIT, sinceUs, wait);
    for (const stream of trace.flying.values()) {
      if (stream.firstUs === null) wait(stream.user, stream.sentUs, nowUs);
    }
    this.pen.fillStyle = this.colours.stall;
    trace.marks.each(STALL, sinceUs, bar(Math.max(1, thick * 0.4)));
  }

  #ticks(trace, { sinceUs, perUs, lane, top, thick }) {
    const width = TICK_WIDTH * devicePixelRatio;
    this.pen.fillStyle = this.colours.token;
    trace.marks.each(TOKEN, sinceUs, (user, us) => {
      this.pen.fillRect((us - sinceUs) * perUs - width, top + lane * user, width, thick);
    });
  }

  #fit() {
    this.canvas.width = Math.round(this.canvas.clientWidth * devicePixelRatio);
    this.canvas.height = Math.round(this.canvas.clientHeight * devicePixelRatio);
  }

  /** As the canvas needs them: resolved, in the theme of the moment. */
  #colours() {
    const of = (role) => getComputedStyle(find(`[data-colour="${role}"]`, this.box)).backgroundColor;
    return { wait: of("wait"), token: of("token"), stall: of("stall") };
  }
}
