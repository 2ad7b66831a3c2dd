// Answers open one by one: by Space, by the footer's button, or by hand.
import { all, find, mount, takesKeys } from "./dom.js";
import { bind } from "./keys.js";

/** `article` holds `details[data-reveal="what it shows"]`, in the order in which they open. */
function reveal(article) {
  const answers = all("details[data-reveal]", article);
  const bar = find("[data-reveal-next]");
  const button = find("button", bar);
  const label = find("[data-reveal-label]", bar);
  const done = find("[data-reveal-done]", bar);
  const next = () => answers.find((answer) => !answer.open);

  function name() {
    const answer = next();
    button.hidden = !answer;
    if (answer) label.textContent = `Open ${answer.dataset.reveal}`;
    if (done) done.hidden = Boolean(answer);
    bar.hidden = button.hidden && (done?.hidden ?? true);
  }

  function focus(answer) {
    const block = find("[data-revealed]", answer);
    block.tabIndex = -1;
    block.focus({ preventScroll: true });
    block.scrollIntoView({ block: "nearest" });
  }

  function open() {
    const answer = next();
    if (!answer) return false;
    answer.open = true;
    return true;
  }

  for (const answer of answers) {
    answer.addEventListener("toggle", () => {
      name();
      if (answer.open && !matchMedia("print").matches) focus(answer);
    });
  }
  button.addEventListener("click", open);
  bind(" ", (event) => !takesKeys(event.target) && open());
  name();
}

/** Paper shows everything; afterwards the page is folded as it was. */
function unfoldForPrint() {
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => folded.forEach((details) => (details.open = false)));
}

unfoldForPrint();
mount("reveal", reveal);
