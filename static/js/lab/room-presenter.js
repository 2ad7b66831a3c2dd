// A room on a projector: the numbers of the run that streams, and everything else as it changes.
import { all, find, mount } from "../dom.js";
import { bind } from "../keys.js";
import { Feed } from "./feed.js";
import { count, fine, MISSING, write } from "./format.js";
import { LoadTrace } from "./load-trace.js";
import { tick } from "./room-clock.js";
import { follow } from "./room-follow.js";
import { people } from "./room-people.js";
import { Trace } from "./trace.js";

const DRAW_MS = 200;

/** The numbers of one request and of a load, under the same names. */
const READ = {
  single: (trace) => ({ ttft: trace.ttftMs, gap: trace.gapMs(50), rate: trace.tokensPerS, users: trace.phases.size ? 1 : null }),
  load: (trace) => ({ ttft: trace.ttftMs, gap: trace.gaps.percentile(50), rate: trace.tokensPerS, users: trace.level?.users ?? null }),
};
const WRITE = { ttft: count, gap: fine, rate: fine, users: count };

function numbers(frame) {
  const isLoad = frame.dataset.kind === "load";
  const trace = isLoad ? new LoadTrace() : new Trace();
  const read = READ[isLoad ? "load" : "single"];
  const cells = all("[data-number]", frame);

  function draw() {
    const now = read(trace);
    for (const cell of cells) {
      const text = WRITE[cell.dataset.number](now[cell.dataset.number]);
      write(find("[data-value]", cell), text);
      const unit = find("[data-unit]", cell);
      if (unit) unit.hidden = text === MISSING;
    }
  }

  const timer = setInterval(draw, DRAW_MS);
  const feed = new Feed(frame.dataset.events, {
    batch: (events) => events.forEach((event) => trace.take(event)),
    state: ({ status, waits }) => write(find("[data-status]", frame), status === "queued" && waits ? `queued, ${waits}` : status),
    done: () => frame.dispatchEvent(new Event("lab:done", { bubbles: true })),
    link: () => {},
  });
  frame.addEventListener("lab:gone", () => {
    clearInterval(timer);
    feed.end();
  });
  feed.open();
}

function presenter(root) {
  bind("f", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.();
  });
  tick();
  if (!root.dataset.events) return;
  let latest = null;
  const told = (state) => people(root, (latest = state));
  const take = follow(root, {
    told,
    swapped: () => latest && told(latest),
    link: (isLost) => (find("[data-lost]", root).hidden = !isLost),
    gone: () => location.reload(),
  });
  root.addEventListener("lab:done", () => take(true));
}

mount("lab-presenter", presenter);
mount("lab-big", numbers);
