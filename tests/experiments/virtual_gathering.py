"""A gathering on the virtual clock: streams join at moments, each asks again.

Windows and levels are the measuring client's own.
"""

from dataclasses import replace

from interview.measure.gathering import Gathered
from interview.measure.gathering_bench import GatheredLevel, GatheringMeasured
from interview.measure.gathering_level import Heard, gathering_level
from interview.measure.gathering_windows import Windows
from tests.experiments.closed_loop import Refused, ns, result_of_stream


class VirtualGathering:
    """`joins_at` are the moments of the presses; of the answers that a stream asks for
    when it has ended one, the first `failing` are met with HTTP 500."""

    def __init__(self, load, spark, joins_at, ends_at, *, failing=0, notes=()):
        self.load = load
        self.spark = spark
        self.joins_at = joins_at
        self.ends_at = ends_at
        self.failing = failing
        self.notes = notes
        self.windows = Windows()
        self.heard = []
        self.found = []
        self.levels = []
        self._streams = {}
        self._is_over = False

    def run(self):
        for user, at in enumerate(self.joins_at):
            self.spark.until(at)
            self._close(self.windows.join(ns(at)))
            self._ask(user, joins=True)
        self.spark.until(self.ends_at)
        self._is_over = True
        for heard in [h for h in self.heard if h.result is None]:
            self.spark.abort(self._streams[id(heard)])
        self._close(self.windows.end(ns(self.ends_at)))
        gathered = Gathered(tuple(self.heard), tuple(self.found), "stopped")
        return GatheringMeasured(gathered, tuple(self.levels), (), None)

    def _close(self, window):
        if window is None:
            return
        self.found.append(window)
        load = replace(self.load, users=window.users)
        summary = gathering_level(load, window, self.heard, (), self.notes)
        if summary is not None:
            self.levels.append(GatheredLevel(load, window, summary))

    def _ask(self, user, *, joins=False):
        heard = Heard(user, joins, sent_ns=ns(self.spark.now))
        self.heard.append(heard)
        if not joins and self.failing:
            self.failing -= 1
            heard.ended(result_of_stream(Refused(user, self.spark.now)))
            self._ask(user)
            return
        prompt = self.spark.fresh_prompt(self.load.prompt_tokens)
        self._streams[id(heard)] = self.spark.send(
            prompt, self.load.max_tokens, user=user, told=self._following(heard)
        )

    def _following(self, heard):
        def told(stream):
            if self._is_over:
                return
            at = ns(stream.tokens_at[-1])
            if not heard.stamps_ns:
                self.windows.token(heard.user, at)
            heard.stamps_ns.append(at)
            heard.tokens.append(1)
            if stream.ended and len(stream.tokens_at) == len(stream.request.output):
                heard.ended(result_of_stream(stream))
                self._ask(heard.user)

        return told
