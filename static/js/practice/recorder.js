// One's own voice, to listen to beside the expected answer. It never leaves the browser.
import { find, mount } from "../dom.js";

const WHY_NOT = {
  NotAllowedError: "The browser does not let this page use the microphone. Allow it beside the address, then try again.",
  NotFoundError: "The browser finds no microphone.",
  NotReadableError: "Another program holds the microphone. Close it, then try again.",
};

/** Why nothing can be recorded here, or "". */
function obstacle() {
  if (!isSecureContext) return "Recording needs https: over plain http a browser gives no page the microphone.";
  if (!navigator.mediaDevices || !globalThis.MediaRecorder) return "This browser cannot record.";
  return "";
}

/**
 * `block` holds the buttons `data-record` and `data-discard`, an audio element and `data-said`;
 * the event "left" tells it that its answer is no longer on the page.
 */
function recorder(block) {
  const button = find("[data-record]", block);
  const discard = find("[data-discard]", block);
  const player = find("audio", block);
  const said = find("[data-said]", block);
  let recording = null;

  function say(text) {
    said.textContent = text;
  }

  function show() {
    const runs = recording !== null;
    const has = player.hasAttribute("src");
    button.textContent = runs ? "Stop" : has ? "Record again" : "Record my answer";
    button.setAttribute("aria-pressed", String(runs));
    player.hidden = discard.hidden = runs || !has;
  }

  function forget() {
    URL.revokeObjectURL(player.src);
    player.removeAttribute("src");
    player.load();
    show();
  }

  function end() {
    if (recording?.state === "recording") recording.stop();
    recording?.stream.getTracks().forEach((track) => track.stop());
  }

  function keep(pieces, type) {
    recording = null;
    if (!block.isConnected) return;
    player.src = URL.createObjectURL(new Blob(pieces, { type }));
    say("Listen to it beside the expected answer.");
    show();
  }

  async function begin() {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    if (!block.isConnected) return stream.getTracks().forEach((track) => track.stop());
    const pieces = [];
    forget();
    recording = new MediaRecorder(stream);
    recording.addEventListener("dataavailable", (event) => pieces.push(event.data));
    recording.addEventListener("stop", (event) => keep(pieces, event.target.mimeType));
    recording.start();
    say("Recording.");
    show();
  }

  async function press() {
    if (recording) return end();
    button.disabled = true;
    try {
      await begin();
    } catch (error) {
      say(WHY_NOT[error.name] ?? `Nothing was recorded: ${error.message}`);
    }
    button.disabled = false;
    button.focus();
  }

  block.hidden = false;
  const reason = obstacle();
  if (reason) {
    button.hidden = true;
    say(reason);
    return;
  }
  button.addEventListener("click", press);
  discard.addEventListener("click", () => {
    forget();
    say("");
    button.focus();
  });
  for (const [of, name] of [[globalThis, "pagehide"], [block, "left"]]) {
    of.addEventListener(name, () => {
      end();
      forget();
    });
  }
}

mount("recorder", recorder);
