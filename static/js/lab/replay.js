// A finished run once more at true speed, from its stored events, with no endpoint.
import { all, find, mount } from "../dom.js";
import { bind } from "../keys.js";
import { seconds, write } from "./format.js";
import { loop } from "./frame.js";
import { Instrument } from "./instrument.js";

class Player {
  constructor(page, events) {
    this.page = page;
    this.events = events;
    this.endUs = events.at(-1)?.t_us ?? 0;
    this.instrument = new Instrument(find("[data-instrument]", page), find("[data-announcer]", page));
    this.speed = 1;
    this.drawing = null;
    this.restart();
  }

  /** Where the replay stands on the measuring clock. */
  get nowUs() {
    const played = this.drawing ? (performance.now() - this.since) * 1000 * this.speed : 0;
    return Math.min(this.endUs, this.fromUs + played);
  }

  play() {
    if (this.drawing) return;
    if (this.fromUs >= this.endUs) this.restart();
    this.since = performance.now();
    this.drawing = loop(() => this.draw());
    this.#name();
  }

  pause() {
    this.fromUs = this.nowUs;
    this.drawing?.stop();
    this.drawing = null;
    this.#name();
  }

  restart() {
    this.next = 0;
    this.fromUs = 0;
    this.since = performance.now();
    this.instrument.clear();
    this.draw();
  }

  setSpeed(speed) {
    this.fromUs = this.nowUs;
    this.since = performance.now();
    this.speed = speed;
  }

  draw() {
    const nowUs = this.nowUs;
    while (this.next < this.events.length && this.events[this.next].t_us <= nowUs) {
      this.instrument.take(this.events[this.next++]);
    }
    this.instrument.draw(nowUs);
    write(find("[data-live=clock]", this.page), `${seconds(nowUs / 1000)} of ${seconds(this.endUs / 1000)}, our client’s clock`);
    if (this.drawing && nowUs >= this.endUs) {
      this.pause();
      this.instrument.announcer.end("replayed", this.instrument.trace);
    }
  }

  #name() {
    write(find("[data-play-label]", this.page), this.drawing ? "Pause" : "Play");
  }
}

function controls(page, player) {
  const toggle = () => (player.drawing ? player.pause() : player.play());
  find("[data-play]", page).addEventListener("click", toggle);
  find("[data-restart]", page).addEventListener("click", () => player.restart());
  for (const choice of all("[name=speed]", page)) {
    choice.addEventListener("change", () => player.setSpeed(Number(choice.value)));
  }
  bind("p", toggle);
  bind("0", () => player.restart());
}

mount("lab-replay", async (page) => {
  const problem = find("[data-live=link]", page);
  try {
    const response = await fetch(page.dataset.log);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const { batches } = await response.json();
    const events = batches.flatMap(([, batch]) => batch).filter((event) => event.t_us != null);
    if (!events.length) throw new Error("its events are no longer kept");
    const player = new Player(page, events);
    controls(page, player);
    find("[data-controls]", page).hidden = false;
  } catch (error) {
    problem.hidden = false;
    write(problem, `This run cannot be replayed: ${error.message}. Its numbers are on its page.`);
  }
});
