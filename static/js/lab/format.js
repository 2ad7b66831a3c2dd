// Numbers as the pages write them: a comma for thousands, a no-break space before the unit.
const NBSP = "\u00a0";
const decimals = (digits) =>
  new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const whole = decimals(0);
const tenth = decimals(1);

export const MISSING = "–";

/** 1,234 */
export const count = (value) => (value == null ? MISSING : whole.format(value));

/** One decimal: TPOT, ITL and tok/s. */
export const fine = (value) => (value == null ? MISSING : tenth.format(value));

/** Whole milliseconds: TTFT, E2E and phases. */
export const ms = (value) => (value == null ? MISSING : whole.format(value) + NBSP + "ms");

/** Milliseconds with one decimal. */
export const tenths = (value) => (value == null ? MISSING : tenth.format(value) + NBSP + "ms");

/** Seconds with one decimal: a running clock. */
export const seconds = (valueMs) => tenth.format(valueMs / 1000) + NBSP + "s";

/** "1 gap", "2 gaps" */
export const plural = (value, noun) => `${whole.format(value)}${NBSP}${noun}${value === 1 ? "" : "s"}`;

/** Writes text into an element only when it changes, so that nothing is laid out twice. */
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}
