// How far the live strip's axes reach: pure numbers, the rules of the server's chart.
import { percentile } from "./trace.js";

const CUT_FACTOR = 4;
// Tokens closer than this came together; in a stream of batches most gaps are none.
const TOGETHER_MS = 0.5;
const FEWEST_TOKENS = 40;

/** The next number at or above `value` that is at most four round steps from zero. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value / 4));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n * 4 >= value * (1 - 1e-9));
  return step * Math.ceil(value / step - 1e-9);
}

/** First to last token on the axis; it grows in steps, so that the bars hold still. */
export function tokenRange(gaps, mostTokens) {
  const first = gaps[0]?.token ?? 2;
  const last = gaps.at(-1) ?? { token: first, tokens: 1 };
  const tokens = last.token + last.tokens - first;
  const step = Math.min(Math.max(FEWEST_TOKENS, roundUp(tokens)), mostTokens);
  return [first, first + Math.max(tokens, step)];
}

/** Top of the axis in ms: one long pause is cut, so that it does not flatten the rest. */
export function topMs(gaps, medianMs, limitMs) {
  const longest = gaps.reduce((most, gap) => Math.max(most, gap.ms), 0);
  const middle = medianMs ?? FEWEST_TOKENS;
  return roundUp(Math.max(Math.min(longest, CUT_FACTOR * apart(gaps, middle)), 1.25 * middle, limitMs ?? 0, 1));
}

/** The median; of a stream in batches that of the gaps between them. */
function apart(gaps, middle) {
  if (middle >= TOGETHER_MS) return middle;
  return percentile(gaps.map((gap) => gap.ms).filter((ms) => ms >= TOGETHER_MS), 50) ?? middle;
}
