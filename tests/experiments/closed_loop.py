"""The users of one load, and the neighbours of their requests, on the virtual clock.

Each user sends the next request when its last one has ended. Times become the
measuring client's results by its own arithmetic.
"""

from interview.measure.decoder import Answer, Decoder, Piece
from interview.measure.load import Level
from interview.measure.neighbourhood import Neighbour
from interview.measure.outcome import Ending
from interview.measure.result import result_of


class ClosedLoop:
    """Of `requests` in all, the first `failing` are answered with HTTP 500.

    Half-way the machine gets `slower` times as slow.
    """

    def __init__(self, load, spark, requests, *, failing=0, slower=1.0):
        self.load = load
        self.spark = spark
        self.requests = requests
        self.failing = failing
        self.slower = slower
        self.streams = []
        self.beside = []
        """Pairs: the number of a measured request, its neighbour."""

    def run(self):
        """The level as the client would have measured it."""
        for user in range(min(self.load.users, self.requests)):
            self._send(user)
        self.spark.until_idle()
        return Level(
            results=tuple(result_of_stream(stream) for stream in self.streams),
            stopped=False,
            timed_out=False,
            neighbours=tuple(
                Neighbour(of, result_of_stream(stream)) for of, stream in self.beside
            ),
        )

    @property
    def sent(self):
        """Those that reached the engine."""
        return len(self.streams) - self.failing + len(self.beside)

    def _send(self, user):
        number = len(self.streams)
        if number == self.requests:
            return
        if number == self.requests // 2 and self.slower != 1:
            self.spark.slow_down(self.slower)
        if number < self.failing:
            self.streams.append(Refused(user, self.spark.now))
            self._send(user)
            return
        words = self.spark.fresh_prompt
        if not self.load.fresh_prompt:
            words = self.spark.repeated_prompt
        told = self._following(number)
        prompt, length = words(self.load.prompt_tokens), self.load.max_tokens
        self.streams.append(self.spark.send(prompt, length, user=user, told=told))

    def _following(self, number):
        """Sends the neighbours of a request, and the user's next one at its end."""
        neighbours = self.load.neighbours

        def told(stream):
            tokens = len(stream.tokens_at)
            due = neighbours and range(
                neighbours.after_tokens,
                neighbours.after_tokens * neighbours.requests + 1,
                neighbours.after_tokens,
            )
            if due and tokens in due:
                prompt = self.spark.fresh_prompt(neighbours.prompt_tokens)
                sent = self.spark.send(prompt, neighbours.max_tokens)
                self.beside.append((number, sent))
            if stream.ended and tokens == len(stream.request.output):
                self._send(stream.user)

        return told


class Refused:
    """A request that the server did not take."""

    def __init__(self, user, sent_at):
        self.user = user
        self.sent_at = sent_at


def result_of_stream(stream):
    """A stream as the client's result."""
    sent_ns = ns(stream.sent_at)
    if isinstance(stream, Refused):
        ending = Ending(sent_ns, http_status=500, error="HTTP 500", ended_ns=sent_ns)
        return result_of(Decoder().answer(), ending, user=stream.user)
    stamps = [ns(at) for at in stream.tokens_at]
    request = stream.request
    answer = Answer(
        events=tuple(Piece(stamp, 1, "a ", "") for stamp in stamps),
        tokens=len(stamps),
        tokens_from="usage",
        prompt_tokens=len(request.prompt),
        cached_tokens=request.cached_tokens,
        reasoning_tokens=None,
        texts=("a " * len(stamps),),
        reasoning="",
        finish_reason=request.finish_reason.value,
        done=True,
        error=None,
        server=None,
        end_ns=stamps[-1],
        notes=(),
    )
    ending = Ending(sent_ns, http_status=200, ended_ns=stamps[-1])
    return result_of(answer, ending, user=stream.user)


def ns(seconds):
    return round(seconds * 1e9)
