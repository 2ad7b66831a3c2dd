// The page of a load while it waits and runs; when it is done htmx puts the result in its place.
import { all, find, mount } from "../dom.js";
import { clickedAt } from "./click.js";
import { Feed } from "./feed.js";
import { plural, seconds, write } from "./format.js";
import { loop } from "./frame.js";
import { LoadInstrument } from "./load-instrument.js";
import { fetchResult } from "./result.js";
import { pressKeys, swapStopForAgain } from "./stop.js";

function run(page) {
  const say = (name, text) => {
    const element = find(`[data-live="${name}"]`, page);
    write(element, text);
    element.hidden = !text;
  };
  const instrument = new LoadInstrument(find("[data-instrument]", page), find("[data-announcer]", page));
  const clicked = clickedAt(page.dataset.slug);
  const since = clicked ?? Date.now();
  const words = clicked ? "since Run was pressed" : "since this page was opened";
  const drawing = loop(() => {
    if (!page.isConnected) return leave();
    instrument.draw();
    say("clock", `${seconds(Date.now() - since)} ${words}, this browser’s clock`);
  });

  // A room puts something else in its place while it runs.
  function leave() {
    feed.end();
    drawing.stop();
  }

  function batch(events) {
    for (const event of events) instrument.take(event);
    const isEnd = (event) => event.k === "level" && event.state === "ended";
    if (events.some(isEnd)) find("#levels", page)?.dispatchEvent(new Event("lab:level"));
  }

  function state({ status, waits, watchers, worker }) {
    // The header was written while the load still waited.
    if (status === "running" && page.dataset.status !== status) find("[data-header]", page)?.dispatchEvent(new Event("lab:begun"));
    page.dataset.status = status;
    say("status", status === "queued" && waits ? `queued, ${waits}` : status);
    say("watchers", watchers > 1 ? `${plural(watchers, "window")} watch this run.` : "");
    for (const note of all("[data-no-worker]", page)) note.hidden = worker !== false;
  }

  function done(status) {
    drawing.stop();
    state({ status, watchers: 0 });
    say("link", "");
    instrument.announcer.end(status);
    swapStopForAgain();
    fetchResult(page, () => say("link", "The result has not come yet. It is asked for again and again."));
  }

  const feed = new Feed(page.dataset.events, { batch, state, done, link: (text) => say("link", text) });
  feed.open();
}

mount("lab-load", (page) => {
  pressKeys();
  if (page.dataset.events) run(page);
});
