// The page of a run while it waits and streams; when it is done htmx puts the result in its place.
import { all, find, mount } from "../dom.js";
import { bind } from "../keys.js";
import { clickedAt } from "./click.js";
import { Feed } from "./feed.js";
import { plural, seconds, write } from "./format.js";
import { loop } from "./frame.js";
import { Instrument } from "./instrument.js";

const LATE_MS = 10_000;

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

  function state({ status, place, watchers, worker }) {
    // The header was written while the run still waited.
    if (status === "running" && page.dataset.status !== status) find("[data-header]", page)?.dispatchEvent(new Event("lab:begun"));
    page.dataset.status = status;
    say("status", status);
    say("watchers", watchers > 1 ? `${plural(watchers, "browser")} watch this run.` : "");
    for (const note of all("[data-no-worker]", page)) note.hidden = worker !== false;
    instrument.phases.queue(status === "queued" && place ? `place ${place}` : "");
  }

  const drawing = loop(draw);

  function done(status) {
    drawing.stop();
    instrument.trace.endUs ??= latest?.us ?? 0;
    draw();
    state({ status, watchers: 0 });
    say("link", "");
    instrument.announcer.end(status, instrument.trace);
    const stop = find("[data-stop]");
    const again = find("[data-again]");
    const hadFocus = stop.contains(document.activeElement);
    stop.hidden = true;
    again.hidden = false;
    if (hadFocus) find("button", again).focus();
    const result = find("#result", page);
    result.dispatchEvent(new Event("lab:done"));
    setTimeout(() => result.isConnected && say("link", "The result did not come. Reload the page to see it."), LATE_MS);
  }

  const feed = new Feed(page.dataset.events, {
    batch,
    state,
    done,
    link: (words) => say("link", words),
  });
  feed.open();
}

function keys() {
  const press = (selector) => () => {
    const form = find(selector);
    if (form.hidden) return false;
    form.requestSubmit();
    return true;
  };
  bind(".", press("[data-stop]"));
  bind("r", press("[data-again]"));
}

mount("lab-run", (page) => {
  keys();
  if (page.dataset.events) run(page);
});
