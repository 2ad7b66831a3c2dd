// The lanes as a table, a row a user: filled only while it is open.
import { find } from "../dom.js";
import { count, write } from "./format.js";

export class LoadTable {
  constructor(fold) {
    this.fold = fold;
    this.rows = find("tbody", fold);
  }

  draw(trace) {
    if (!this.fold.open) return;
    const states = new Map([...trace.flying.values()].map((stream) => [stream.user, stream]));
    while (this.rows.children.length > trace.users.length) this.rows.lastChild.remove();
    trace.users.forEach((user, i) => {
      const row = this.rows.children[i] ?? this.rows.appendChild(emptyRow());
      const who = user.isNeighbour ? `neighbour ${i + 1 - trace.level.users}` : i + 1;
      const cells = [who, state(states.get(i)), count(user.tokens), count(user.ended)];
      cells.forEach((text, at) => write(row.children[at], String(text)));
    });
  }
}

function emptyRow() {
  const row = document.createElement("tr");
  for (const name of ["th", "td", "td", "td"]) row.append(document.createElement(name));
  row.firstChild.scope = "row";
  row.children[2].className = row.children[3].className = "num";
  return row;
}

function state(stream) {
  if (!stream) return "between requests";
  return stream.firstUs === null ? "waiting for the first token" : `streaming, token ${count(stream.tokens)}`;
}
