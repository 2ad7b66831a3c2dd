// The page of a run while it waits and streams; when it is done htmx puts the result in its place.
import { all, find, mount } from "../dom.js";
import { clickedAt } from "./click.js";
import { Feed } from "./feed.js";
import { plural, seconds, write } from "./format.js";
import { loop } from "./frame.js";
import { Instrument } from "./instrument.js";
import { fetchResult } from "./result.js";
import { pressKeys, swapStopForAgain } from "./stop.js";

function run(page) {
  const frame = find("[data-instrument]", page);
  const say = (name, text) => {
    const element = find(`[data-live="${name}"]`, page);
    write(element, text);
    element.hidden = !text;
  };
  const instrument = new Instrument(frame, find("[data-announcer]", page));
  const clicked = clickedAt(page.dataset.slug);
  const since = clicked ?? Date.now();
  let latest = null;

  /** The measuring clock's present: its last stamp plus what this browser waited since. */
  const nowUs = () => (latest ? latest.us + (performance.now() - latest.at) * 1000 : 0);

  function draw() {
    instrument.draw(nowUs());
    const words = clicked ? "since Run was pressed" : "since this page was opened";
    say("clock", `${seconds(Date.now() - since)} ${words}, this browser’s clock`);
  }

  function batch(events) {
    for (const event of events) {
      instrument.take(event);
      if (event.t_us != null) latest = { us: event.t_us, at: performance.now() };
    }
  }

  function state({ status, waits, watchers, worker }) {
    // The header was written while the run still waited.
    if (status === "running" && page.dataset.status !== status) find("[data-header]", page)?.dispatchEvent(new Event("lab:begun"));
    page.dataset.status = status;
    say("status", status);
    say("watchers", watchers > 1 ? `${plural(watchers, "window")} watch this run.` : "");
    for (const note of all("[data-no-worker]", page)) note.hidden = worker !== false;
    instrument.phases.queue(status === "queued" ? waits : "");
  }

  // A room puts something else in its place while it runs.
  const drawing = loop(() => (page.isConnected ? draw() : leave()));

  function leave() {
    feed.end();
    drawing.stop();
  }

  function done(status) {
    drawing.stop();
    instrument.trace.endUs ??= latest?.us ?? 0;
    draw();
    state({ status, watchers: 0 });
    say("link", "");
    instrument.announcer.end(status, instrument.trace);
    swapStopForAgain();
    fetchResult(page, () => say("link", "The result has not come yet. It is asked for again and again."));
  }

  const feed = new Feed(page.dataset.events, {
    batch,
    state,
    done,
    link: (words) => say("link", words),
  });
  feed.open();
}

mount("lab-run", (page) => {
  pressKeys();
  if (page.dataset.events) run(page);
});
