// Something that is marked or typed here, on its way to the server. What was sent is sent again
// unchanged until it was answered: the server takes it once, so nothing is saved twice or refused as somebody else's.
import { find } from "../dom.js";

const AGAIN_MS = [2000, 4000, 8000, 15000];
const TIMEOUT_MS = 10_000;

/** The status and what the server told; status 0 when no answer came. */
async function post(address, entries) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      body: new URLSearchParams(entries),
      headers: { Accept: "application/json", "X-CSRFToken": find("[name=csrfmiddlewaretoken]").value },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const isTold = answer.headers.get("Content-Type")?.startsWith("application/json");
    return { status: answer.status, told: isTold ? await answer.json() : null };
  } catch {
    return { status: 0, told: null };
  }
}

export class Draft {
  state = "saved";
  #pending = null;
  #isDirty = false;
  #isBusy = false;
  #tries = 0;
  #timer = 0;

  /**
   * `of` has read() as entries of a form, taken() when they are sent, saved(told), refused(told), and
   * changed() when `state` is another one: saved, sending, lost, out (nobody is signed in), refused.
   */
  constructor(outbox, what, address, of) {
    Object.assign(this, { outbox, what, address, of });
  }

  get isClean() {
    return !this.#isDirty && !this.#pending;
  }

  /** Something was marked or typed; it is sent after a moment without more of it. */
  change(delayMs = 0) {
    this.#isDirty = true;
    if (this.state !== "refused" || this.isMendable) this.#later(delayMs);
    this.#keep();
  }

  /** Goes on with what another page left; the form shows it already. */
  resume({ pending, isDirty }) {
    this.#pending = pending;
    this.#isDirty = isDirty;
    this.#keep();
    this.send();
  }

  /** What was refused is sent once more, with what the form says by now. */
  insist() {
    this.#isDirty = true;
    this.#say("sending");
    this.send();
  }

  /** What the server has stands. */
  yield(told) {
    this.#pending = null;
    this.#isDirty = false;
    this.of.taken();
    this.of.saved(told);
    this.#settle();
  }

  async send() {
    clearTimeout(this.#timer);
    if (this.#isBusy || (this.state === "refused" && !this.isMendable)) return;
    if (!this.#pending && !this.#isDirty) return;
    if (!this.#pending) {
      this.#pending = this.of.read();
      this.#isDirty = false;
      this.of.taken();
    }
    this.#keep();
    if (this.state !== "lost") this.#say("sending");
    this.#isBusy = true;
    const answer = await post(this.address, this.#pending);
    this.#isBusy = false;
    this.#hear(answer);
  }

  #hear({ status, told }) {
    if (status === 200 && told) return this.#saved(told);
    if (told) return this.#refused(status, told);
    const isOut = status >= 400 && status < 500;
    this.#say(isOut ? "out" : "lost");
    this.#later(AGAIN_MS[Math.min(this.#tries++, AGAIN_MS.length - 1)]);
  }

  #saved(told) {
    this.#pending = null;
    this.#tries = 0;
    this.of.saved(told);
    if (!this.#isDirty) return this.#settle();
    this.#keep();
    this.send();
  }

  #refused(status, told) {
    // A text that is too long is mended by typing; what somebody else saved is not.
    this.isMendable = status === 422;
    this.#pending = null;
    this.#isDirty = true;
    this.#say("refused");
    this.of.refused(told);
    this.#keep();
  }

  #settle() {
    this.outbox.drop(this.what);
    this.#say("saved");
  }

  #keep() {
    const entry = { address: this.address, pending: this.#pending, isDirty: this.#isDirty, now: this.of.read() };
    this.isKept = this.outbox.keep(this.what, entry);
  }

  #later(delayMs) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), delayMs);
  }

  #say(state) {
    this.state = state;
    this.of.changed();
  }
}
