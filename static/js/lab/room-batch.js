// A run that the people of a room make together: its lanes, the gaps of one's own streams, the tokens of all.
import { all, find, mount } from "../dom.js";
import { Feed } from "./feed.js";
import { count, fine, MISSING, plural, seconds, write } from "./format.js";
import { loop } from "./frame.js";
import { Clock } from "./load-clock.js";
import { Lanes } from "./load-lanes.js";
import { LoadTable } from "./load-table.js";
import { LoadTrace } from "./load-trace.js";
import { fetchResult } from "./result.js";
import { OwnGaps, Rate } from "./room-own.js";

const NUMBERS_MS = 250;
const WORDS_MS = 1000;
const SPEAK_MS = 5000;
const REST_MS = 1000;

/** True once per period. */
function every(periodMs) {
  let due = 0;
  return (now) => now >= due && Boolean((due = now + periodMs));
}

function batch(page) {
  const frame = find("[data-instrument]", page);
  const trace = new LoadTrace();
  const clock = new Clock();
  const lanes = new Lanes(find("[data-lanes]", frame));
  const table = new LoadTable(find("[data-lane-table]", frame));
  const own = new OwnGaps();
  const rate = new Rate();
  const numbersDue = every(NUMBERS_MS);
  const wordsDue = every(WORDS_MS);
  const speakDue = every(SPEAK_MS);
  const announcer = find("[data-announcer]", page);
  let spoken = 0;
  let restsUntilMs = 0;

  const say = (name, text) => {
    const element = find(`[data-live="${name}"]`, page);
    write(element, text);
    if (element) element.hidden = !text;
  };

  function show(cell, text, origin) {
    write(find("[data-value]", cell), text);
    find("[data-unit]", cell)?.toggleAttribute("hidden", text === MISSING);
    write(find("[data-origin]", cell), text === MISSING ? "" : origin);
  }

  function numbers(nowUs) {
    const users = trace.level?.users ?? 0;
    const cell = (name) => find(`[data-number="${name}"]`, frame);
    show(cell("streams"), count(users), "");
    show(cell("rate"), fine(rate.perS(nowUs)), "all streams, the last 3 s");
    show(cell("gap"), fine(trace.gaps.percentile(50)), `${plural(trace.gaps.count, "gap")} since the last one joined`);
    show(cell("p99"), fine(trace.gaps.percentile(99)), "of the same gaps");
    for (const cell of all("[data-own]", page)) mine(cell);
  }

  /** One of this seat's streams: its gap now, as a median of the newest few. */
  function mine(cell) {
    const user = Number(cell.dataset.own) - 1;
    const gapsMs = own.of(user);
    show(cell, fine(own.medianMs(user)), gapsMs.length ? `median of ${plural(gapsMs.length, "gap")}; the last ${fine(gapsMs.at(-1))}` : "");
  }

  /** The server draws cells anew at each press: they are filled at once, not at the next turn. */
  function fresh() {
    for (const cell of all("[data-own]:not([data-filled])", page)) {
      cell.dataset.filled = "";
      mine(cell);
    }
  }

  /** A double click is one press, also when the server has drawn the button anew between its halves. */
  function press(event) {
    const now = performance.now();
    if (event.target.id !== "batch-press-form") return;
    if (now >= restsUntilMs) {
      restsUntilMs = now + REST_MS;
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function rest(now) {
    find("#batch-press-form button", page)?.toggleAttribute("data-rests", now < restsUntilMs);
  }

  function words(nowUs) {
    trace.names = all("[data-stream]", page).map((one) => one.dataset.stream);
    lanes.describe(trace, nowUs);
    table.draw(trace);
    say("clock", trace.level ? `${seconds((nowUs - trace.level.t_us) / 1000)} since the last one joined` : "");
    const users = trace.level?.users ?? 0;
    if (users !== spoken && speakDue(performance.now())) {
      spoken = users;
      announcer.textContent = `${plural(users, "stream")}, ${fine(rate.perS(nowUs))} tokens per second of all.`;
    }
  }

  const drawing = loop(() => {
    if (!page.isConnected) return leave();
    const now = performance.now();
    const nowUs = clock.nowUs;
    lanes.draw(trace, nowUs);
    fresh();
    rest(now);
    if (numbersDue(now)) numbers(nowUs);
    if (wordsDue(now)) words(nowUs);
  });

  // The room puts something else in its place while it runs.
  function leave() {
    feed.end();
    drawing.stop();
  }

  function take(events) {
    for (const event of events) {
      trace.take(event);
      if (event.k === "ticks") [own, rate].forEach((part) => part.take(event));
      if (event.t_us != null) clock.take(event.t_us);
    }
    const isEnd = (event) => event.k === "level" && event.state === "ended";
    if (events.some(isEnd)) find("#levels", page)?.dispatchEvent(new Event("lab:level"));
  }

  function state({ status, waits, worker }) {
    if (status === "running" && page.dataset.status !== status) find("[data-header]", page)?.dispatchEvent(new Event("lab:begun"));
    page.dataset.status = status;
    say("status", status === "queued" && waits ? `queued, ${waits}` : status);
    for (const note of all("[data-no-worker]", page)) note.hidden = worker !== false;
  }

  function done(status) {
    drawing.stop();
    state({ status });
    say("link", "");
    announcer.textContent = `The run has ended: ${status}. The table follows.`;
    fetchResult(page, () => say("link", "The result has not come yet. It is asked for again and again."));
  }

  const feed = new Feed(page.dataset.events, { batch: take, state, done, link: (text) => say("link", text) });
  page.addEventListener("submit", press, true);
  feed.open();
}

mount("room-batch", (page) => {
  if (page.dataset.events) batch(page);
});
