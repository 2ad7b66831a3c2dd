// The text as it comes: always as text, never as markup; reasoning stands apart.
import { find } from "../dom.js";

export class Answer {
  constructor(box) {
    this.box = box;
    this.waiting = { content: "", reasoning: "" };
  }

  clear() {
    this.waiting = { content: "", reasoning: "" };
    for (const channel of ["content", "reasoning"]) {
      const part = find(`[data-channel="${channel}"]`, this.box);
      find("[data-settled]", part).textContent = find("[data-newest]", part).textContent = "";
    }
    find('[data-channel="reasoning"]', this.box).hidden = true;
  }

  take(event) {
    if (event.k !== "tokens" || !event.text || (event.stream ?? 0) !== 0) return;
    this.waiting[event.channel === "reasoning" ? "reasoning" : "content"] += event.text;
  }

  draw() {
    for (const [channel, text] of Object.entries(this.waiting)) {
      if (!text) continue;
      const part = find(`[data-channel="${channel}"]`, this.box);
      const newest = find("[data-newest]", part);
      // One text node grows: a node a token would make long answers slow.
      find("[data-settled]", part).append(newest.textContent);
      newest.textContent = text;
      part.hidden = false;
      this.waiting[channel] = "";
    }
  }
}
