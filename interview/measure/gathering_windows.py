"""Which stretch of time belongs to which number of streams; reads no clock.

So many streams stand from the first token of the one that joined last until the next
one is about to join. Between the two nobody can say for how many a step was.
"""

from dataclasses import dataclass

SHORTEST_NS = 1_000_000_000
"""In less time there are too few steps to say anything of."""


@dataclass(frozen=True, slots=True)
class Window:
    """While so many streams, no more and no fewer, were there."""

    users: int
    start_ns: int | None
    """The first token of the last of them; None when it got none in time."""
    end_ns: int

    @property
    def length_ns(self) -> int:
        return 0 if self.start_ns is None else max(0, self.end_ns - self.start_ns)

    @property
    def is_long_enough(self) -> bool:
        return self.length_ns >= SHORTEST_NS

    def holds(self, from_ns: int, to_ns: int) -> bool:
        """Whether what lasted so long lies wholly in it."""
        if self.start_ns is None:
            return False
        return self.start_ns <= from_ns and to_ns <= self.end_ns


class Windows:
    """Told in the order of time; stream `user` counts from 0."""

    def __init__(self) -> None:
        self.users = 0
        """Streams that have joined."""
        self._streaming: set[int] = set()
        self._start_ns: int | None = None

    def join(self, at_ns: int) -> Window | None:
        """One stream more: the window that ends with it, None for the first."""
        closed = self.end(at_ns)
        self.users += 1
        self._start_ns = None
        return closed

    def token(self, user: int, stamp_ns: int) -> bool:
        """A stream got its first token; True when now all have and a window begins."""
        self._streaming.add(user)
        if self._start_ns is not None or len(self._streaming) < self.users:
            return False
        self._start_ns = stamp_ns
        return True

    def end(self, at_ns: int) -> Window | None:
        """The present window, as it ends; None while nobody has joined."""
        return Window(self.users, self._start_ns, at_ns) if self.users else None
