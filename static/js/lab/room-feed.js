// How the room stands, from the server: now, and at each change. It knows no page.
const AGAIN_MS = 3000;
const SELDOM_MS = 60_000;
const ASLEEP_MS = 20_000;
const PATIENCE_MS = 2000;

export class RoomFeed {
  #source = null;
  #isOver = false;
  #again = 0;
  #refusals = 0;
  #worry = 0;
  #hiddenAt = 0;

  /** `on` has room(state), over(), removed(), link(isLost) and refused(): the server answered, and with no stream. */
  constructor(url, on) {
    this.url = url;
    this.on = on;
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    // A connection that the network forgot says nothing: after a change it is made anew.
    for (const change of ["online", "offline"]) addEventListener(change, () => this.#anew());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#hiddenAt = Date.now();
      else if (Date.now() - this.#hiddenAt > ASLEEP_MS) this.#anew();
    });
  }

  open() {
    if (this.#source || this.#isOver) return;
    const source = new EventSource(this.url);
    this.#source = source;
    source.onopen = () => this.#found();
    source.onerror = () => this.#broken(source);
    source.addEventListener("room", ({ data }) => {
      this.#found();
      this.on.room(JSON.parse(data));
    });
    for (const ending of ["over", "removed"]) {
      source.addEventListener(ending, () => {
        this.end();
        this.on[ending]();
      });
    }
  }

  /** For good: nothing more comes, or not for this seat. */
  end() {
    this.#isOver = true;
    this.#found();
    this.#close();
  }

  #anew() {
    this.#close();
    this.open();
  }

  #close() {
    clearTimeout(this.#again);
    this.#source?.close();
    this.#source = null;
  }

  #broken(source) {
    // A server that starts again is back before anybody need hear of it.
    this.#worry ||= setTimeout(() => this.#lost(), PATIENCE_MS);
    if (source.readyState !== EventSource.CLOSED) return;
    this.#close();
    this.#again = setTimeout(() => this.open(), Math.min(SELDOM_MS, AGAIN_MS * 2 ** this.#refusals++));
    this.on.refused();
  }

  #found() {
    clearTimeout(this.#worry);
    this.#worry = 0;
    this.#refusals = 0;
    this.on.link(false);
  }

  #lost() {
    if (!this.#isOver) this.on.link(true);
  }
}
