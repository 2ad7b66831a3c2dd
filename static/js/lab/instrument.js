// One frame of live parts that are fed the same events: phases, numbers, strip, text, announcer.
import { find } from "../dom.js";
import { Announcer } from "./announcer.js";
import { Answer } from "./answer.js";
import { Numbers } from "./numbers.js";
import { Phases } from "./phases.js";
import { Strip } from "./strip.js";
import { Trace } from "./trace.js";

export class Instrument {
  constructor(frame, region) {
    this.trace = new Trace();
    const mostTokens = Number(frame.dataset.mostTokens) || null;
    this.phases = new Phases(find("[data-phases]", frame), mostTokens);
    this.numbers = new Numbers(find("[data-numbers]", frame));
    this.strip = new Strip(find("[data-strip]", frame), mostTokens);
    this.answer = new Answer(find("[data-answer]", frame));
    this.announcer = new Announcer(region);
  }

  take(event) {
    this.trace.take(event);
    this.answer.take(event);
  }

  draw(nowUs) {
    this.phases.draw(this.trace, nowUs);
    this.numbers.draw(this.trace, nowUs);
    this.strip.draw(this.trace);
    this.answer.draw();
    this.announcer.draw(this.trace);
  }

  clear() {
    this.trace.clear();
    this.answer.clear();
    this.announcer.clear();
  }
}
