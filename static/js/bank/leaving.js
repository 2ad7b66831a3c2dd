// The console is not left for the browser's error page: a link of it waits until the server answers.
const ANSWER_MS = 5000;
const AWAY = "The server can’t be reached, so this page stays. What you mark and type is kept in this browser.";

/** Links with data-go; `probe()` is an address that answers at once, `say(sentence)` tells why nothing happens. */
export function leaveWhenReachable(probe, say) {
  async function follow(link) {
    try {
      await fetch(probe(), { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
    } catch {
      return say(AWAY);
    }
    location.assign(link.href);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    follow(link);
  });
  addEventListener("online", () => say(""));
}
