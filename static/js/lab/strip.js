// The live strip: a bar per token event, its height the gap, its width the tokens in it.
import { find } from "../dom.js";
import uPlot from "../../vendor/uplot/uPlot.esm.js";
import { tokenRange, topMs } from "./axis.js";
import { fine, plural } from "./format.js";
import { isStall } from "./trace.js";

const MOST_BARS = 2000;
const HEIGHT = 170;
const FONT = "12px Inter, system-ui, sans-serif";

export class Strip {
  constructor(box, mostTokens) {
    this.box = box;
    this.canvas = find("[data-canvas]", box);
    this.mostTokens = mostTokens ?? Infinity;
    this.limitMs = Number(box.dataset.limitMs) || null;
    this.plot = null;
    this.drawn = -1;
    new ResizeObserver(() => this.plot?.setSize(this.#size())).observe(box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.plot?.redraw());
  }

  draw(trace) {
    // No axis before there is something on it.
    if (trace.gaps.length === this.drawn || (!trace.gaps.length && !this.plot)) return;
    this.drawn = trace.gaps.length;
    this.gaps = trace.gaps.slice(-MOST_BARS);
    this.medianMs = trace.gapMs(50);
    const stalls = this.gaps.map((gap) => isStall(gap.ms, this.medianMs));
    this.plot ??= new uPlot(this.#options(), [[], [], []], this.canvas);
    this.plot.setData([
      this.gaps.map((gap) => gap.token),
      this.gaps.map((gap, i) => (stalls[i] ? null : gap.ms)),
      this.gaps.map((gap, i) => (stalls[i] ? gap.ms : null)),
    ]);
    const words = [plural(this.gaps.length, "gap"), `median ${fine(this.medianMs)} ms`, plural(stalls.filter(Boolean).length, "stall")];
    if (this.limitMs) words.push(`limit ${fine(this.limitMs)} ms`);
    this.canvas.setAttribute("aria-label", `Gap before each token event: ${words.join(", ")}`);
  }

  #size() {
    return { width: Math.max(200, this.canvas.clientWidth), height: HEIGHT };
  }

  /** Tokens as the canvas needs them: resolved, in the theme of the moment. */
  #colour(role) {
    if (role === "line") return getComputedStyle(this.box).borderTopColor;
    const style = getComputedStyle(find(`[data-colour="${role}"]`, this.box));
    return role === "ink" ? style.color : style.backgroundColor;
  }

  #options() {
    const axis = { stroke: () => this.#colour("ink"), font: FONT, ticks: { show: false } };
    const paths = (u, series, from, to) => this.#bars(u, series, from, to);
    const bars = (role) => ({ fill: () => this.#colour(role), width: 0, points: { show: false }, paths });
    const names = (u, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? `token ${tick}` : ""));
    return {
      ...this.#size(),
      // Room for the half of the last label that stands beyond the axis.
      padding: [12, 32, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: () => tokenRange(this.gaps, this.mostTokens) },
        y: { range: () => [0, topMs(this.gaps, this.medianMs, this.limitMs)] },
      },
      axes: [
        { ...axis, size: 28, grid: { show: false }, space: 80, values: names },
        { ...axis, size: 44, space: 36, grid: { stroke: () => this.#colour("line"), width: 1 } },
      ],
      series: [{}, bars("decode"), bars("stall")],
      hooks: { draw: [(u) => this.#marks(u)] },
    };
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

  #marks(u) {
    u.ctx.save();
    this.#line(u, this.medianMs, []);
    this.#line(u, this.limitMs, [2, 4]);
    u.ctx.fillStyle = this.#colour("stall");
    u.ctx.textAlign = "center";
    u.data[2].forEach((ms, i) => {
      if (ms == null) return;
      const middle = u.valToPos(u.data[0][i] + this.gaps[i].tokens * 0.4, "x", true);
      u.ctx.fillText("▾", middle, Math.max(u.valToPos(ms, "y", true), u.bbox.top) - devicePixelRatio);
    });
    u.ctx.restore();
  }

  #line(u, ms, dash) {
    if (ms == null) return;
    const y = Math.round(u.valToPos(ms, "y", true)) + 0.5;
    u.ctx.strokeStyle = this.#colour("ink");
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
    u.ctx.beginPath();
    u.ctx.moveTo(u.bbox.left, y);
    u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
    u.ctx.stroke();
  }
}
