// The console: saves by itself, keeps what the server does not have, and works by keys.
import { find, mount } from "../dom.js";
import { actInPlace } from "./acts.js";
import { blankScreen } from "./blank.js";
import { runClocks } from "./clocks.js";
import { bindConsole } from "./console-keys.js";
import { sendElsewhere } from "./elsewhere.js";
import { leaveWhenReachable } from "./leaving.js";
import { keepMarks } from "./marks.js";
import { Notes } from "./notes.js";
import { Outbox } from "./outbox.js";

const WORDS = {
  sending: "Saving",
  lost: "Not saved: no connection. It is kept in this browser and sent again.",
  out: "Not saved: you are not signed in any more. It is kept in this browser: sign in again, then load this page anew.",
  refused: "Not saved: somebody saved this meanwhile, see below.",
};
const WORST_FIRST = ["refused", "out", "lost", "sending"];

mount("console", (form) => {
  const { interview, user, position } = form.dataset;
  const outbox = new Outbox(interview, user);
  const channel = new BroadcastChannel(`prefill-console:${interview}:${user}`);
  const state = find("[data-state]", form);
  const elsewhere = [];
  let savedAt = "";
  let aside = "";

  const on = {
    saved(what, told) {
      savedAt = told.saved;
      channel.postMessage({ what, told });
    },
    changed: draw,
  };
  const marks = keepMarks(form, outbox, on);
  const notes = new Notes(form, outbox, on);
  const drafts = () => [marks, ...notes.drafts.values(), ...elsewhere];

  function draw() {
    const states = drafts().map((draft) => draft.state);
    const worst = WORST_FIRST.find((each) => states.includes(each));
    const stuck = elsewhere.find((draft) => draft.state === "refused");
    const saved = savedAt ? `Saved ${savedAt}` : state.dataset.first;
    const said = stuck ? `Not saved at question ${stuck.position}: open it to choose.` : (WORDS[worst] ?? saved);
    state.textContent = aside || said;
    state.classList.toggle("console__saved--not", Boolean(aside) || ["lost", "out", "refused"].includes(worst));
  }

  function say(sentence) {
    aside = sentence;
    draw();
  }

  function restore(entry) {
    const [kind, at] = entry.what.split(":");
    if (at !== position) elsewhere.push(sendElsewhere(outbox, entry, draw));
    else if (kind === "marks") marks.restore(entry);
    else notes.restore(entry);
  }

  function hear({ what, told }) {
    const [kind, at, key] = what.split(":");
    if (at !== position) return;
    if (kind === "marks") marks.hear(told);
    else notes.hear(key, told);
  }

  state.dataset.first = state.textContent;
  outbox.adopt().forEach(restore);
  channel.addEventListener("message", (event) => hear(event.data));
  addEventListener("online", () => drafts().forEach((draft) => draft.send()));
  find("[data-save]", form)?.addEventListener("click", (event) => {
    // What a plain form sent and the server refused is sent by one again.
    if ("refused" in form.dataset) return;
    event.preventDefault();
    drafts().forEach((draft) => draft.send());
  });
  actInPlace(form, say);
  leaveWhenReachable(() => `${form.action}?seen=${form.dataset.seen}`, say);
  bindConsole(form, { say, begin: () => notes.begin() });
  runClocks(form);
  blankScreen();
});
