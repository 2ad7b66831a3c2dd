// Keys of a mock interview: a button with `data-key` is pressed by it; of several, the first one.
import { all, find, mount, takesKeys } from "../dom.js";
import { bind } from "../keys.js";

/** Keys are read again at each press: the page may have been swapped since. */
function press(key, event) {
  const button = find(`[data-key="${key}"]`);
  if (!button || (key === " " && takesKeys(event.target))) return false;
  button.click();
}

mount("mock", () => {
  const keys = new Set(all("[data-key]").map((button) => button.dataset.key));
  for (const key of keys) {
    bind(key, (event) => press(key, event));
    bind(key.toUpperCase(), (event) => press(key, event));
  }
});
