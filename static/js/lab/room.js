// The page of a room: follows its stream, says what changed, knows the keys G, H and the full stop.
import { all, find, mount } from "../dom.js";
import { bind } from "../keys.js";
import { write } from "./format.js";
import { tick } from "./room-clock.js";
import "./room-copy.js";
import { follow } from "./room-follow.js";
import { News } from "./room-news.js";
import { people } from "./room-people.js";

const LOST = "Your connection is gone. It comes back by itself, with everything that happened meanwhile.";

function live(root) {
  const news = new News(root);
  let latest = null;

  function told(state) {
    latest = state;
    people(root, state);
    news.tell();
  }

  function swapped(isStage) {
    if (latest) people(root, latest);
    tick();
    news.tell();
    const step = isStage && find("#room-step", root);
    if (step && step.getBoundingClientRect().bottom < 0) step.scrollIntoView({ block: "start" });
  }

  function link(isLost) {
    const line = find("[data-lost]", root);
    if (!line || line.hidden === !isLost) return;
    line.hidden = !isLost;
    write(line, isLost ? LOST : "");
    news.say(isLost ? LOST : "The connection is back.");
  }

  function gone() {
    const words = find("[data-gone]", root)?.content.firstElementChild;
    if (!words) return;
    for (const part of all("[data-room-part], [data-module]", root)) part.dispatchEvent(new Event("lab:gone"));
    find("#room-own")?.remove();
    root.replaceChildren(words);
    words.focus();
  }

  follow(root, { told, swapped, link, gone });
}

function keys() {
  bind("g", () => {
    const link = find("[data-follow]") ?? find("[data-stay]");
    link?.click();
    return Boolean(link);
  });
  bind("h", () => submit("[data-hand]"));
  bind(".", () => submit("[data-stop]"));
}

function submit(selector) {
  const form = find(selector);
  if (!form || form.hidden) return false;
  form.requestSubmit();
  return true;
}

mount("lab-room", (root) => {
  keys();
  tick();
  if (root.dataset.events) live(root);
});
