// The page of a load while it waits and runs; when it is done htmx puts the result in its place.
import { all, find, mount } from "../dom.js";
import { bind } from "../keys.js";
import { clickedAt } from "./click.js";
import { Feed } from "./feed.js";
import { plural, seconds, write } from "./format.js";
import { loop } from "./frame.js";
import { LoadInstrument } from "./load-instrument.js";

const LATE_MS = 10_000;

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
    instrument.draw();
    say("clock", `${seconds(Date.now() - since)} ${words}, this browser’s clock`);
  });

  function batch(events) {
    for (const event of events) instrument.take(event);
    const isEnd = (event) => event.k === "level" && event.state === "ended";
    if (events.some(isEnd)) find("#levels", page)?.dispatchEvent(new Event("lab:level"));
  }

  function state({ status, place, watchers, worker }) {
    page.dataset.status = status;
    say("status", status === "queued" && place ? `queued, place ${place}` : status);
    say("watchers", watchers > 1 ? `${plural(watchers, "browser")} watch this run.` : "");
    for (const note of all("[data-no-worker]", page)) note.hidden = worker !== false;
  }

  function done(status) {
    drawing.stop();
    state({ status, watchers: 0 });
    say("link", "");
    instrument.announcer.end(status);
    const hadFocus = find("[data-stop]").contains(document.activeElement);
    find("[data-stop]").hidden = true;
    find("[data-again]").hidden = false;
    if (hadFocus) find("[data-again] button").focus();
    const result = find("#result", page);
    result.dispatchEvent(new Event("lab:done"));
    setTimeout(() => result.isConnected && say("link", "The result did not come. Reload the page to see it."), LATE_MS);
  }

  new Feed(page.dataset.events, { batch, state, done, link: (text) => say("link", text) }).open();
}

mount("lab-load", (page) => {
  for (const [key, selector] of [[".", "[data-stop]"], ["r", "[data-again]"]]) {
    bind(key, () => !find(selector).hidden && (find(selector).requestSubmit(), true));
  }
  if (page.dataset.events) run(page);
});
