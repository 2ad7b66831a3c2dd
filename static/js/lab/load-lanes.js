// The lanes: one a user, time from left to right; what many lanes do at once stands in one column.
import { find } from "../dom.js";
import { plural } from "./format.js";
import { STALL, TOKEN, WAIT } from "./load-marks.js";
import { Paper } from "./load-paper.js";

const WINDOW_US = 6_000_000;
const TALLEST_LANE = 52;
const TICK_WIDTH = 2;
const WIDEST_NAMES = 120;
const CUT = "…";

/** There is more than users, so that whose lane is whose has to be said. */
const isNamed = ({ level, names }) => Boolean(names || level?.neighbours);

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
    if (this.era !== trace.marks.era || this.isNamed !== isNamed(trace)) this.#begin(trace);
    this.pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (!trace.level) return;
    this.paper.wind(nowUs);
    trace.marks.each(this.drawn, (...mark) => this.#mark(...mark));
    this.drawn = trace.marks.count;
    this.pen.save();
    this.pen.translate(this.names, 0);
    this.paper.show(this.pen);
    this.#waiting(trace, nowUs);
    this.pen.restore();
    this.#names(trace);
  }

  /** The drawing in a sentence, for those who do not see it. */
  describe(trace, nowUs) {
    if (!trace.level) return;
    let stalls = 0;
    trace.marks.each(0, (kind, user, fromUs, toUs) => (stalls += kind === STALL && toUs > nowUs - WINDOW_US));
    const flying = trace.measured;
    const waiting = flying.filter((stream) => stream.firstUs === null).length;
    const words = [`${flying.length - waiting} streaming`, `${waiting} waiting for the first token`, `${plural(stalls, "stall")} in the last 6 s`];
    const { users, neighbours } = trace.level;
    const beside = neighbours ? ` and ${plural(neighbours, "neighbour")}` : "";
    this.canvas.setAttribute("aria-label", `Lanes of ${plural(users, "user")}${beside}: ${words.join(", ")}`);
  }

  /** New paper: for another level, another size or other colours. */
  #begin(trace) {
    const { marks, level } = trace;
    const width = (this.canvas.width = Math.round(this.canvas.clientWidth * devicePixelRatio));
    const height = (this.canvas.height = Math.round(this.canvas.clientHeight * devicePixelRatio));
    this.isNamed = isNamed(trace);
    // Names stand in a column of their own, left of the lanes and of their axis.
    const namesPx = this.isNamed ? Math.min(WIDEST_NAMES, this.canvas.clientWidth / 4) : 0;
    this.names = Math.round(namesPx * devicePixelRatio);
    const axis = find(".lanes__axis", this.box);
    if (axis) axis.style.paddingInlineStart = `${namesPx}px`;
    this.paper.fit(width - this.names, height, WINDOW_US);
    this.era = marks.era;
    this.drawn = 0;
    this.colours = this.#colours();
    // Lanes fill the height; few of them stand in its middle.
    const lanes = level ? level.users + (level.neighbours ?? 0) : 1;
    this.lane = Math.min(TALLEST_LANE * devicePixelRatio, height / lanes);
    this.top = (height - this.lane * lanes) / 2;
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
    const width = this.canvas.width - this.names;
    this.pen.fillStyle = this.colours[WAIT];
    for (const { user, firstUs, sentUs } of trace.flying.values()) {
      if (firstUs !== null) continue;
      const left = Math.max(0, width - (nowUs - sentUs) * this.paper.perUs);
      this.pen.fillRect(left, this.top + this.lane * user, width - left, this.thick);
    }
  }

  /** Whose lane is whose. The table has a name that is cut here as a whole. */
  #names({ level, names }) {
    if (!this.isNamed) return;
    this.pen.font = `${12 * devicePixelRatio}px Inter, system-ui, sans-serif`;
    this.pen.textBaseline = "middle";
    for (let i = 0; i < level.users + (level.neighbours ?? 0); i++) {
      const words = names ? (names[i] ?? "") : i < level.users ? (level.users > 1 ? `user ${i + 1}` : "you") : `neighbour ${i + 1 - level.users}`;
      const middle = this.top + this.lane * i + this.thick / 2;
      this.pen.fillStyle = this.colours.ink;
      this.pen.fillText(this.#cut(words), 0, middle);
    }
  }

  #cut(words) {
    const most = this.names - 8 * devicePixelRatio;
    if (this.pen.measureText(words).width <= most) return words;
    const letters = [...words];
    while (letters.length && this.pen.measureText(letters.join("") + CUT).width > most) letters.pop();
    return letters.join("").trimEnd() + CUT;
  }

  /** As the canvas needs them: resolved, in the theme of the moment. */
  #colours() {
    const of = (role) => getComputedStyle(find(`[data-colour="${role}"]`, this.box)).backgroundColor;
    const ink = getComputedStyle(find(".label", this.box)).color;
    return { [WAIT]: of("wait"), [TOKEN]: of("token"), [STALL]: of("stall"), ink };
  }
}
