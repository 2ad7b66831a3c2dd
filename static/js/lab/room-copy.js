// A link that is copied with one press; where the browser forbids that, it is selected to be copied by hand.
import { find, mount } from "../dom.js";
import { write } from "./format.js";

mount("lab-copy", (frame) => {
  const field = find("input", frame);
  const button = find("[data-copy]", frame);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      write(find("[data-copied]", frame), "Copied.");
    } catch {
      write(find("[data-copied]", frame), "It is selected: copy it with Ctrl+C or ⌘C.");
    }
  });
});
