"""Short codes that a request or a level carries, each with its sentence for a page."""

from types import MappingProxyType

REQUEST_NOTES = MappingProxyType(
    {
        "one-token-per-event": (
            "The server gives no running token count: each event with text was"
            " counted as one token."
        ),
        "counted-by-client": (
            "The server sent no final token count: the number of tokens is what the"
            " client counted."
        ),
        "token-sum": (
            "The tokens seen event by event do not add up to the server's final count."
        ),
        "itl-sum": (
            "The gaps do not add up to end-to-end time less TTFT: a fault in the"
            " client."
        ),
        "usage-fell": (
            "The final token count was below the running one; the larger was kept."
        ),
        "end-token": (
            "The end-of-text token came with the empty finish event; it is the last"
            " token."
        ),
        "several-first": (
            "The first event held more than one token, so (E2E − TTFT) ÷ (N − 1)"
            " spreads a time over tokens that came before it began."
        ),
        "no-continuous-usage": (
            "The server refused the request for running token counts; it was asked"
            " again without."
        ),
        "no-finish-reason": "The stream ended with [DONE] but gave no finish reason.",
        "no-done": "The stream ended after its finish reason without [DONE].",
        "cut-after-finish": (
            "The connection broke after the finish reason; the tokens were all there."
        ),
        "kept-open": "The server left the answer open after [DONE]; it was closed.",
        "one-piece": (
            "The whole answer arrived in one piece: something on the way holds the"
            " stream back, so TTFT and gaps say nothing about the engine."
        ),
        "buffered": (
            "Most tokens arrived together with others: something on the way collects"
            " the stream, so the gaps are not the engine's."
        ),
        "several-choices": (
            "The answer had several choices; tokens are counted over all of them."
        ),
        "prompt-estimated": (
            "The server has no /tokenize: the prompt's length was estimated."
        ),
    }
)

LEVEL_NOTES = MappingProxyType(
    {
        "loop-lag": (
            "The client itself was late: its 99th percentile lag is above a tenth of"
            " the median gap."
        ),
        "few-values": (
            "A 99th percentile here is of fewer than 100 values; read it as one of"
            " the largest."
        ),
        "short-output": (
            "Answers were shorter than the length asked for though the end-of-text"
            " token was to be ignored."
        ),
        "users-not-reached": (
            "Fewer requests were in flight at once than there were users."
        ),
        "several-tokens-per-event": (
            "Events held more than one token on average: the gap between events is"
            " not the time per token."
        ),
        "gap-of-40-ms": (
            "The median gap is 40 ms, which is also the delayed-acknowledgement"
            " timer: check that the server sets TCP_NODELAY."
        ),
        "cached-prompts": (
            "The server took part of the prompts from its prefix cache, so TTFT is"
            " not that of a cold prompt."
        ),
        "other-traffic": (
            "The server had other requests than ours: its queue and prefill times"
            " cannot be told apart."
        ),
        "neighbours-missing": (
            "Fewer neighbours were answered whole than the load has: the measured"
            " requests were disturbed less than asked for."
        ),
        "time-limit": "The level was stopped at its time limit.",
        "stopped": "The measurement was stopped before its end.",
        "prompt-estimated": REQUEST_NOTES["prompt-estimated"],
    }
)

NOTES = MappingProxyType({**REQUEST_NOTES, **LEVEL_NOTES})
"""Every code and its sentence."""
