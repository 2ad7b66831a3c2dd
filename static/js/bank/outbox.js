// What was marked and typed at a console and the server does not have yet, kept in this browser.
// It is erased as soon as the server has it, and when somebody signs out or another person signs in.
import { all, find, mount } from "../dom.js";

const PREFIX = "prefill-console:";
const PAGE = uuid();

/** Works without TLS, too, where crypto.randomUUID is not there. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

const keys = (prefix) => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

/** Of one interview. Each open page writes under names of its own, so that no tab overwrites another one's. */
export class Outbox {
  constructor(interview, user) {
    this.prefix = `${PREFIX}${interview}:`;
    this.user = user;
  }

  #key(what) {
    return `${this.prefix}${what}:${PAGE}`;
  }

  /** False when this browser keeps nothing. */
  keep(what, entry) {
    try {
      localStorage.setItem(this.#key(what), JSON.stringify({ ...entry, what, user: this.user }));
      return true;
    } catch {
      return false;
    }
  }

  drop(what) {
    localStorage.removeItem(this.#key(what));
  }

  /** What other pages left here, as this page's from now on; of two tabs that left the same, one at a time. */
  adopt() {
    const found = new Map();
    for (const key of keys(this.prefix)) {
      const entry = read(key);
      if (entry?.user !== this.user || key.endsWith(PAGE) || found.has(entry.what)) continue;
      found.set(entry.what, entry);
      if (this.keep(entry.what, entry)) localStorage.removeItem(key);
    }
    return [...found.values()];
  }
}

/** Erases what is not of `user`; all of it for "". */
function forget(user) {
  for (const key of keys(PREFIX)) if (!user || read(key)?.user !== user) localStorage.removeItem(key);
}

mount("outbox", (element) => {
  forget(element.dataset.user);
});
for (const form of all("form[data-signs-out]")) form.addEventListener("submit", () => forget(""));
