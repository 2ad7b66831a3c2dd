"""Ends the streams of people who signed out meanwhile, or may not sign in any more.

It says no more than goodbye: whoever comes again is asked again who they are, and a
session that only got a new key goes on.
"""

import time

from .doorbell import Ring
from .listener import Listener, listener
from .sign_in import SignIn, holding
from .subscriber import Bye, Subscriber

CHECK_S = 8.0
"""With the doorbell's two seconds, a sign-in that ended is noticed within ten."""


class Guard:
    """Used from one event loop; hears the doorbell to look at the clock."""

    watchers = 0
    """Each of its own is counted where it watches."""

    def __init__(self, listener: Listener | None = None) -> None:
        self._held: dict[Subscriber, SignIn] = {}
        self._checked_at = 0.0
        self._listener = listener or Listener()
        self._listener.join(self)

    def hold(self, watcher: Subscriber, sign_in: SignIn | None) -> None:
        """None hangs on nothing that could end."""
        if sign_in:
            self._held[watcher] = sign_in

    def leave(self, watcher: Subscriber) -> None:
        self._held.pop(watcher, None)

    def stop(self) -> None:
        """Whoever tells the watchers tells them so."""

    async def hear(self, ring: Ring) -> None:
        if not self._held or time.monotonic() - self._checked_at < CHECK_S:
            return
        asked = dict(self._held)
        good = await self._listener.read(holding, set(asked.values()))
        self._checked_at = time.monotonic()
        for watcher, sign_in in asked.items():
            if sign_in not in good:
                watcher.end(Bye())


guard = Guard(listener)
