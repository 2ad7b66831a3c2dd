// The run's events from the server: in order, each once, resumed where they were cut.
const HIDDEN_FOR_MS = 30_000;
const AGAIN_MS = 3_000;
// A minute: long enough for a server that starts again.
const MOST_TRIES = 20;

export class Feed {
  /** `on` has batch(events), state(state), done(status) and link(words, isLost). */
  constructor(url, on) {
    this.url = url;
    this.on = on;
    this.seq = 0;
    this.isOver = false;
    this.source = null;
    this.tries = 0;
    let rest = 0;
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    document.addEventListener("visibilitychange", () => {
      clearTimeout(rest);
      if (document.hidden) rest = setTimeout(() => this.close(), HIDDEN_FOR_MS);
      else this.open();
    });
  }

  open() {
    if (this.source || this.isOver) return;
    // A new EventSource cannot send Last-Event-ID, so the address says where to go on.
    const source = new EventSource(`${this.url}?after=${this.seq}`);
    this.source = source;
    source.onopen = () => {
      this.tries = 0;
      this.on.link("");
    };
    source.onmessage = (message) => this.#batch(message);
    source.onerror = () => this.#broken(source);
    source.addEventListener("state", (message) => this.on.state(JSON.parse(message.data)));
    source.addEventListener("removed", () => this.end());
    source.addEventListener("done", (message) => {
      this.end();
      this.on.done(JSON.parse(message.data).status);
    });
  }

  /** For good: nothing more comes, or nobody looks any more. */
  end() {
    this.isOver = true;
    this.close();
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  #batch(message) {
    const seq = Number(message.lastEventId);
    if (seq <= this.seq) return;
    this.seq = seq;
    this.on.batch(JSON.parse(message.data));
  }

  /** A broken line comes back by itself; of one that was refused the browser lets go, so it is asked for again here. */
  #broken(source) {
    if (source !== this.source) return;
    const isRefused = source.readyState === EventSource.CLOSED;
    if (isRefused) this.close();
    const isLost = isRefused && ++this.tries > MOST_TRIES;
    if (isRefused && !isLost) setTimeout(() => !document.hidden && this.open(), AGAIN_MS);
    this.on.link(
      isLost
        ? "The live line is closed by the server. Reload the page to see where the run is."
        : "The live line broke; it comes back by itself and nothing is lost.",
    );
  }
}
