// Forms of a practice page are sent from within the page, so that a recording outlives a
// reveal, and a lost connection loses nothing. Back and reload are the browser's own.
import { all, find } from "../dom.js";
import { forgetTyped } from "./typed.js";

const PAGE = "[data-module~=practice]";
let isSending = false;
let shown = address();

/** Without the part behind #, which is a place on the same page. */
function address() {
  return location.pathname + location.search;
}

function say(sentence) {
  const said = find("[data-not-sent]") ?? document.createElement("p");
  said.dataset.notSent = "";
  said.className = "note note--bad";
  said.setAttribute("role", "alert");
  said.textContent = sentence;
  find(PAGE).prepend(said);
  said.scrollIntoView({ block: "nearest" });
}

/** The recorder of the same answer goes on; where that is open, it only plays. Any other is left. */
function keepRecorder(page) {
  const now = find("[data-module~=recorder]");
  const then = now && find(`[data-recorder-of="${now.dataset.recorderOf}"]`, page);
  if (!then) return now?.dispatchEvent(new Event("left"));
  if (!then.dataset.module) find("[data-record][aria-pressed=true]", now)?.click();
  then.replaceWith(now);
}

function show(page, url) {
  keepRecorder(page);
  const main = find("#main", page);
  find("#main").replaceWith(main);
  for (const old of all("body > .next")) old.remove();
  main.after(...all("body > .next", page));
  find("#keys tbody").replaceWith(find("#keys tbody", page));
  document.title = page.title;
  const isHere = url === location.href;
  history[isHere ? "replaceState" : "pushState"](null, "", url);
  shown = address();
  document.dispatchEvent(new Event("htmx:after:swap"));
}

/** What is shown, to tell afterwards what is new. */
function stateOf(article) {
  return { ...article.dataset, graded: Boolean(find("#graded")) };
}

/** Another page of practice, which this one can become. */
function fits(page) {
  const styles = (document) => all("link[rel=stylesheet]", document).map((link) => link.getAttribute("href"));
  const here = new Set(styles(document));
  return Boolean(find(PAGE, page)) && styles(page).every((style) => here.has(style));
}

/** The answer and its text; null when there was none. */
async function post(address, body) {
  try {
    const answer = await fetch(address, { method: "POST", body });
    return { answer, text: await answer.text() };
  } catch {
    return null;
  }
}

function refusal(sent) {
  if (!sent) return "The server can’t be reached, so this was not sent. Nothing is lost: try again.";
  const status = sent.answer.status;
  if (status >= 500) return `The server answered with an error (${status}). Nothing is lost: try again.`;
  return status >= 400 ? `The server did not take this (${status}). Load the page again, then try once more.` : "";
}

/** Sends a form; what the page shows then is told to `after`. */
async function send(form, button, after) {
  const article = find(PAGE);
  const body = new FormData(form, button);
  const hadFocus = button && button === document.activeElement;
  const sent = await post(form.action, body);
  if (refusal(sent)) return say(refusal(sent));
  const page = new DOMParser().parseFromString(sent.text, "text/html");
  if (body.has("attempt") && find(PAGE, page)) forgetTyped(article);
  if (!fits(page)) return location.assign(sent.answer.url);
  const before = stateOf(article);
  show(page, sent.answer.url);
  after(before, hadFocus && button.dataset.key && `[data-key="${button.dataset.key}"]`);
}

/** `after(before, pressed)` is called when the page shows the answer; see practice.js. */
export function sendInPlace(after) {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const isOurs = form.method === "post" && form.closest("#main, .next") && find(PAGE);
    if (!isOurs || event.defaultPrevented) return;
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    await send(form, event.submitter, after).finally(() => (isSending = false));
  });
  addEventListener("popstate", () => shown !== address() && location.reload());
}
