"""How each load client is started and what it tells, for peers.py.

A tool runs in a Python of its own. aiohttp, GuideLLM and AIPerf are looked for in
PEERS_HOME (default: `peers` in the temporary folder), one environment each:

    python -m venv $PEERS_HOME/aiohttp  && $PEERS_HOME/aiohttp/bin/pip install \
        aiohttp==3.14.5 uvloop==0.23.0
    python -m venv $PEERS_HOME/guidellm && $PEERS_HOME/guidellm/bin/pip install guidellm
    python -m venv $PEERS_HOME/aiperf   && $PEERS_HOME/aiperf/bin/pip install aiperf

`vllm bench serve` and the tokenizer that all tools need are in REAL_VLLM_HOME.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.bench.token_server import TOKENS

TEMPORARY = Path(tempfile.gettempdir())
PEERS_HOME = Path(os.environ.get("PEERS_HOME", TEMPORARY / "peers"))
VLLM_HOME = Path(os.environ.get("REAL_VLLM_HOME", TEMPORARY / "real-vllm"))
VLLM = VLLM_HOME / "venv/bin/vllm"
TOKENIZER = VLLM_HOME / "tiny-qwen3"
SMALLEST = Path(__file__).with_name("peer_clients.py")
PROMPT_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Peer:
    """`command` for a port, users, requests and an empty folder, which `read` reads.

    `read` gives {"ttft_ms": […], "itl_ms": […] | None} of the measured requests.
    """

    name: str
    program: Path
    command: Callable[[str, int, int, Path], list[object]]
    read: Callable[[Path], dict]

    @property
    def is_here(self) -> bool:
        return self.program.exists()


def _smallest(name: str, python: Path) -> Callable[..., list[object]]:
    def command(port: str, users: int, requests: int, folder: Path) -> list[object]:
        rounds = requests // users
        return [python, SMALLEST, name, port, users, rounds, folder / "told.json"]

    return command


def _read_smallest(folder: Path) -> dict:
    return json.loads((folder / "told.json").read_text())


def _ours(port: str, users: int, requests: int, folder: Path) -> list[object]:
    return [
        *(sys.executable, "-m", "interview.measure", f"http://127.0.0.1:{port}"),
        *("--model", "m", "--prompt", "Say w.", "--users", users, "--warmup", users),
        *("--requests", requests, "--max-tokens", TOKENS),
        *("--json", folder / "told.json"),
    ]


def _read_ours(folder: Path) -> dict:
    requests = json.loads((folder / "told.json").read_text())["requests"]
    assert all(request["status"] == "completed" for request in requests)
    return {
        "ttft_ms": [request["ttft_ms"] for request in requests],
        "itl_ms": [gap for request in requests for gap in request["itl_ms"]],
    }


def _vllm(port: str, users: int, requests: int, folder: Path) -> list[object]:
    return [
        *("env", "HF_HUB_OFFLINE=1"),
        *(VLLM, "bench", "serve", "--backend", "openai-chat", "--model", "m"),
        *("--base-url", f"http://127.0.0.1:{port}"),
        *("--endpoint", "/v1/chat/completions", "--tokenizer", TOKENIZER),
        *("--dataset-name", "random", "--random-input-len", PROMPT_TOKENS),
        *("--random-output-len", TOKENS, "--ignore-eos", "--disable-tqdm"),
        *("--num-prompts", requests, "--max-concurrency", users),
        *("--num-warmups", users, "--save-result", "--save-detailed"),
        *("--result-dir", folder, "--result-filename", "told.json"),
    ]


def _read_vllm(folder: Path) -> dict:
    told = json.loads((folder / "told.json").read_text())
    assert told["completed"] == len(told["ttfts"])
    return {
        "ttft_ms": [ttft * 1000 for ttft in told["ttfts"]],
        # Its list starts with the gap between the role chunk and the first token.
        "itl_ms": [gap * 1000 for gaps in told["itls"] for gap in gaps[1:]],
    }


def _guidellm(port: str, users: int, requests: int, folder: Path) -> list[object]:
    lengths = f"prompt_tokens={PROMPT_TOKENS},output_tokens={TOKENS}"
    return [
        *("env", "HF_HUB_OFFLINE=1"),
        *(PEERS_HOME / "guidellm/bin/guidellm", "run", "--disable-console"),
        "--backend",
        f"kind=openai_http,target=http://127.0.0.1:{port},model=m,"
        "validate_backend=false",
        *("--profile", f"kind=concurrent,streams={users}"),
        *("--constraint", f"kind=max_requests,count={users + requests}"),
        *("--data", f"kind=synthetic_text,{lengths}"),
        *("--tokenizer", f"kind=huggingface_auto,model={TOKENIZER}"),
        *("--output", f"kind=json,path={folder / 'told.json'}"),
    ]


def _read_guidellm(folder: Path) -> dict:
    """It has no list of gaps: its ITL is one number per request."""
    (run,) = json.loads((folder / "told.json").read_text())["benchmarks"]
    done = sorted(
        run["requests"]["successful"], key=lambda one: one["request_start_time"]
    )
    return {
        "ttft_ms": [one["time_to_first_token_ms"] for one in done],
        "itl_ms": None,
    }


def _aiperf(port: str, users: int, requests: int, folder: Path) -> list[object]:
    return [
        *(PEERS_HOME / "aiperf/bin/aiperf", "profile", "--model", "m"),
        *("--url", f"http://127.0.0.1:{port}", "--endpoint-type", "chat"),
        *("--streaming", "--tokenizer", TOKENIZER, "--use-server-token-count"),
        *("--synthetic-input-tokens-mean", PROMPT_TOKENS),
        *("--synthetic-input-tokens-stddev", 0),
        *("--extra-inputs", f"max_tokens:{TOKENS}", "--concurrency", users),
        *("--request-count", requests, "--warmup-request-count", users),
        *("--artifact-dir", folder, "--ui-type", "none"),
    ]


def _read_aiperf(folder: Path) -> dict:
    (records,) = folder.glob("**/profile_export.jsonl")
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    told = [
        line["metrics"]
        for line in lines
        if line["metadata"]["benchmark_phase"] == "profiling"
    ]
    return {
        "ttft_ms": [one["time_to_first_token"]["value"] for one in told],
        "itl_ms": [g for one in told for g in one["inter_chunk_latency"]["value"]],
    }


def peers() -> list[Peer]:
    """All of them, those that are not installed too."""
    here = Path(sys.executable)
    aiohttp = PEERS_HOME / "aiohttp/bin/python"
    return [
        Peer("floor", here, _smallest("epoll", here), _read_smallest),
        Peer("aiohttp", aiohttp, _smallest("aiohttp", aiohttp), _read_smallest),
        Peer("ours", here, _ours, _read_ours),
        Peer("vllm", VLLM, _vllm, _read_vllm),
        Peer(
            "guidellm", PEERS_HOME / "guidellm/bin/guidellm", _guidellm, _read_guidellm
        ),
        Peer("aiperf", PEERS_HOME / "aiperf/bin/aiperf", _aiperf, _read_aiperf),
    ]
