// Who is here, told by the stream between two pages: the strip of seats and the host's banner.
import { all, find } from "../dom.js";
import { set } from "./room-clock.js";

const AWAY_AFTER_S = 15;

/** Shows or hides what says that somebody is away; a new absence starts its clock. */
function show(element, seconds) {
  if (!element) return;
  const isAway = seconds !== null;
  const clock = find("[data-clock]", element);
  if (isAway && element.hidden) set(clock, seconds);
  element.hidden = !isAway;
}

/** `state` is what the stream told last. */
export function people(root, { present, host_away_s: hostAwayS, frozen_s: frozenS }) {
  const here = new Set(present);
  for (const seat of all("[data-seat]", root)) {
    const isAway = !here.has(seat.dataset.seat) && !seat.hasAttribute("data-is-own");
    seat.toggleAttribute("data-is-away", isAway);
    show(find("[data-away]", seat), isAway ? AWAY_AFTER_S : null);
  }
  show(find("[data-host-away]", root), hostAwayS);
  show(find("[data-quiet]", root), frozenS);
  root.toggleAttribute("data-is-frozen", frozenS !== null);
  for (const button of all("[data-rests-in-quiet]", root)) button.disabled = frozenS !== null;
}
