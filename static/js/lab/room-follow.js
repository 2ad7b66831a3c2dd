// Follows a room's stream for a page of it: takes the page's parts when they changed, again until it worked.
import { RoomFeed } from "./room-feed.js";
import { Parts } from "./room-parts.js";

const AGAIN_MS = 2000;

/**
 * `on` has told(state) at each word of the stream, swapped(isStage) when parts were taken, link(isLost)
 * and gone() when the seat was removed. Returns `take(isStage)`, to take the parts without a word of the stream.
 */
export function follow(root, on) {
  const seen = { revision: Number(root.dataset.revision), stage: Number(root.dataset.stage) };
  const parts = new Parts(root, { swapped: on.swapped, gone });
  let again = 0;

  async function take(isStage) {
    clearTimeout(again);
    try {
      await parts.take(isStage);
    } catch {
      // A server that starts again answers soon; the parts know what they still miss.
      again = setTimeout(() => take(false), AGAIN_MS);
    }
  }

  function gone() {
    feed.end();
    on.gone();
  }

  function room(state) {
    const isStage = state.stage > seen.stage;
    const isNew = isStage || state.revision > seen.revision;
    seen.revision = Math.max(seen.revision, state.revision);
    seen.stage = Math.max(seen.stage, state.stage);
    on.told(state);
    if (isNew) take(isStage);
  }

  const feed = new RoomFeed(root.dataset.events, {
    room,
    link: on.link,
    over: () => take(true),
    removed: on.gone,
    // A seat that was removed while nobody was connected learns it from its page.
    refused: () => take(false),
  });
  feed.open();
  return take;
}
