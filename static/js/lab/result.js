// The result of a run that is over: asked for until it is there, because the network may be gone just then.
import { find } from "../dom.js";

const AGAIN_MS = 3_000;
const LATE_MS = 10_000;

/** htmx puts it in the place of `#result`; `late` is told once when that takes long. */
export function fetchResult(page, late) {
  const result = find("#result", page);
  const since = Date.now();
  const ask = () => navigator.onLine && result.dispatchEvent(new Event("lab:done"));
  const timer = setInterval(() => {
    if (!result.isConnected) return clearInterval(timer);
    ask();
    if (Date.now() - since > LATE_MS) late();
  }, AGAIN_MS);
  ask();
}
