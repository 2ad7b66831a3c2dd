// What a screen reader hears of a room: who came and went, who drives, quiet minutes, a run that began, the end.
import { all, find } from "../dom.js";
import { write } from "./format.js";

export class News {
  constructor(root) {
    this.root = root;
    this.before = look(root);
  }

  /** Compares the page with what it was; says what is new. */
  tell() {
    const [before, now] = [this.before, look(this.root)];
    this.before = now;
    this.say([...people(before, now), ...stand(before, now)].join(" "));
  }

  say(text) {
    if (text) write(find("[data-news]", this.root), text);
  }
}

function look(root) {
  const bar = find("#room-bar", root)?.dataset ?? {};
  const seats = all("[data-seat]", root).map((seat) => [seat.dataset.seat, {
    name: seat.dataset.name,
    drives: seat.hasAttribute("data-drives"),
    asks: seat.hasAttribute("data-asks"),
  }]);
  const isShown = (selector) => Boolean(find(`${selector}:not([hidden])`, root));
  return { seats: new Map(seats), isQuiet: isShown("[data-quiet]"), isHostAway: isShown("[data-host-away]"), isOver: "over" in bar, at: bar.at, run: bar.run };
}

function people(before, now) {
  const said = [];
  for (const [id, { name, drives, asks }] of now.seats) {
    const was = before.seats.get(id);
    if (!was) said.push(`${name} has joined.`);
    if (drives && !was?.drives) said.push(`${name} drives.`);
    if (asks && !was?.asks) said.push(`${name} asks to drive.`);
  }
  for (const [id, { name }] of before.seats) if (!now.seats.has(id)) said.push(`${name} no longer has a seat.`);
  return said;
}

function stand(before, now) {
  if (now.isOver) return before.isOver ? [] : ["The room has ended."];
  const said = [];
  if (now.at !== before.at && now.at) said.push(`The host is at step ${now.at}.`);
  if (now.run !== before.run && now.run) said.push("A run has been asked for.");
  if (now.isQuiet !== before.isQuiet) said.push(now.isQuiet ? "Quiet minutes have begun." : "Quiet minutes are over.");
  if (now.isHostAway !== before.isHostAway) said.push(now.isHostAway ? "The host’s connection is gone." : "The host is back.");
  return said;
}
