// The blank screen: at once and without the server, until any key or a click.
import { find } from "../dom.js";
import { bind } from "../keys.js";

const EVERY_MS = 1000;

export function blankScreen() {
  const screen = find("[data-blank-screen]");
  const button = find("[data-blank]");
  const time = find("[data-blank-time]", screen);
  const title = document.title;
  let timer = 0;

  function tick() {
    time.textContent = new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  }

  function open() {
    tick();
    timer = setInterval(tick, EVERY_MS);
    document.title = "Prefill";
    screen.showModal();
  }

  screen.addEventListener("close", () => {
    clearInterval(timer);
    document.title = title;
  });
  screen.addEventListener("click", () => screen.close());
  addEventListener(
    "keydown",
    (event) => {
      if (!screen.open) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      screen.close();
    },
    { capture: true },
  );
  button.hidden = false;
  button.addEventListener("click", open);
  for (const key of ["b", "B"]) bind(key, open);
}
