// The candidate's page while it can't reach the server: it says so, and goes on trying.
import { find, mount } from "../dom.js";

const LOST = "There is no connection at the moment. What stands here may be old; this page goes on trying by itself.";

mount("surface", (frame) => {
  const lost = find("[data-lost]", frame);
  const say = (text) => {
    if (lost.textContent !== text) lost.textContent = text;
  };
  document.addEventListener("htmx:error", () => say(LOST));
  document.addEventListener("htmx:response:error", () => say(LOST));
  document.addEventListener("htmx:after:request", (event) => {
    if (event.detail.ctx.response?.status < 400) say("");
  });
});
