// What another page of this interview left unsaved at a question that is not shown: it is sent from here.
import { Draft } from "./draft.js";

const isRevision = (name) => name === "revision" || name.startsWith("read-");

/** Returns its draft; `position` is that of its question. */
export function sendElsewhere(outbox, entry, changed) {
  let now = entry.now;
  const draft = new Draft(outbox, entry.what, entry.address, {
    read: () => now,
    taken() {},
    saved: (told) => (now = now.filter(([name]) => name !== "rate").map(([name, value]) => [name, isRevision(name) ? told.revision : value])),
    // It waits for its question to be opened, where both versions can be seen.
    refused() {},
    changed,
  });
  draft.position = entry.what.split(":")[1];
  draft.resume(entry);
  return draft;
}
