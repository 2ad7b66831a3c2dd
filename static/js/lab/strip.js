// The live strip: a bar per token event, its height the gap, its width the tokens in it.
import { find } from "../dom.js";
import uPlot from "../../vendor/uplot/uPlot.esm.js";
import { fine, plural } from "./format.js";
import { isStall } from "./trace.js";

const MOST_BARS = 2000;
const CUT_FACTOR = 4;
const HEIGHT = 170;

/** The next round number at or above `value`: 1, 2, 2.5, 5 times a power of ten. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((top) => top >= value * (1 - 1e-9));
}

export class Strip {
  constructor(box) {
    this.box = box;
    this.plot = null;
    this.drawn = -1;
    this.medianMs = null;
    const limit = Number(box.dataset.limit);
    this.limitMs = limit > 0 ? limit : null;
    new ResizeObserver(() => this.plot?.setSize(this.#size())).observe(box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.plot?.redraw());
  }

  draw(trace) {
    if (trace.gaps.length === this.drawn) return;
    this.drawn = trace.gaps.length;
    const gaps = trace.gaps.slice(-MOST_BARS);
    this.gaps = gaps;
    this.medianMs = trace.gapMs(50);
    const stalls = gaps.map((gap) => isStall(gap.ms, this.medianMs));
    this.plot ??= new uPlot(this.#options(), [[], [], []], find("[data-canvas]", this.box));
    this.plot.setData([
      gaps.map((gap) => gap.token),
      gaps.map((gap, i) => (stalls[i] ? null : gap.ms)),
      gaps.map((gap, i) => (stalls[i] ? gap.ms : null)),
    ]);
    const said = stalls.filter(Boolean).length;
    find("[data-canvas]", this.box).setAttribute(
      "aria-label",
      `Gap before each token event: ${plural(gaps.length, "gap")}, median ${fine(this.medianMs)} ms, ${plural(said, "stall")}`,
    );
  }

  #size() {
    return { width: Math.max(200, find("[data-canvas]", this.box).clientWidth), height: HEIGHT };
  }

  #colour(role) {
    return getComputedStyle(find(`[data-colour="${role}"]`, this.box))[role === "ink" ? "color" : "backgroundColor"];
  }

  #options() {
    const ink = () => this.#colour("ink");
    const axis = { stroke: ink, font: "12px Inter, system-ui, sans-serif", ticks: { show: false } };
    const bars = (role) => ({ fill: () => this.#colour(role), width: 0, points: { show: false }, paths: (u, series, from, to) => this.#bars(u, series, from, to) });
    return {
      ...this.#size(),
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: () => this.#reach() }, y: { range: () => [0, this.#top()] } },
      axes: [
        { ...axis, size: 28, grid: { show: false }, space: 80, values: (u, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? `token ${tick}` : "")) },
        { ...axis, size: 44, space: 36, grid: { stroke: () => this.#colour("line"), width: 1 } },
      ],
      series: [{}, bars("decode"), bars("stall")],
      hooks: { draw: [(u) => this.#lines(u)] },
    };
  }

  /** First to last token on the axis; it grows in steps, so that the bars hold still. */
  #reach() {
    const first = this.gaps[0]?.token ?? 2;
    const last = this.gaps.at(-1) ?? { token: 2, tokens: 1 };
    return [first, first + Math.max(32, roundUp(last.token + last.tokens - first))];
  }

  #top() {
    const longest = Math.max(0, ...this.gaps.map((gap) => gap.ms));
    const middle = this.medianMs ?? 1;
    return roundUp(Math.max(Math.min(longest, CUT_FACTOR * middle), 1.25 * middle, this.limitMs ?? 0, 1));
  }

  #bars(u, series, from, to) {
    const fill = new Path2D();
    const floor = u.valToPos(0, "y", true);
    for (let i = from; i <= to; i++) {
      const value = u.data[series][i];
      if (value == null) continue;
      const left = u.valToPos(u.data[0][i], "x", true);
      const right = u.valToPos(u.data[0][i] + this.gaps[i].tokens, "x", true);
      const top = Math.max(u.valToPos(value, "y", true), u.bbox.top);
      fill.rect(left, top, Math.max(1, (right - left) * 0.8), floor - top);
    }
    return { fill, stroke: null, clip: null, band: null, gaps: null, flags: 0 };
  }

  #lines(u) {
    for (const [value, dash] of [[this.medianMs, []], [this.limitMs, [2, 4]]]) {
      if (value == null) continue;
      const y = Math.round(u.valToPos(value, "y", true)) + 0.5;
      u.ctx.save();
      u.ctx.strokeStyle = this.#colour("ink");
      u.ctx.lineWidth = devicePixelRatio;
      u.ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
      u.ctx.beginPath();
      u.ctx.moveTo(u.bbox.left, y);
      u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
      u.ctx.stroke();
      u.ctx.restore();
    }
  }
}
