"""Fifty rooms of ten seats, people who come and go, and a web process killed with -9
every minute; by hand: `python tests/bench/room_chaos.py [--minutes 5] [--rooms 50]`.

The whole product runs in processes of its own, two web processes on PostgreSQL. Every
seat watches its room and the one run that all rooms look at, at either process; a cut
stream comes again as a browser's does, after two seconds, behind its last event. How to
read the table: a seat is lost when its cookie does not open its own seat any more; an
event is missed or doubled when the batches of a run do not come as 1, 2, 3 … however
often the stream was cut; a room is behind when a seat that watches has not been told
its last revision. Killed streams are those that had to come again.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import room_client
from tests.bench.room_client import ask, join, open_room, post
from tests.bench.room_site import gathered, shown, two_webs

RETRY_S = 2.0
SEATS = 10


@dataclass
class Tally:
    came_again: int = 0
    lost: list = field(default_factory=list)
    """What a seat that nobody removed was refused with."""
    joined: int = 0
    left: int = 0


@dataclass
class Person:
    """One seat with its two streams, at whichever process answers."""

    room: str
    name: str
    cookies: dict
    ports: list
    run: str
    tally: Tally
    seqs: list = field(default_factory=list)
    revision: int = 0
    went_back: bool = False
    """It was told an older revision after a newer one."""
    is_done: bool = False
    """Told the end of the run."""
    is_gone: bool = False

    def begin(self):
        at_run = f"{self.room}runs/{self.run}/events"
        self.tasks = [
            asyncio.create_task(self.follow(f"{self.room}events", self.of_room)),
            asyncio.create_task(self.follow(at_run, self.of_run)),
        ]

    async def follow(self, path, take):
        while not self.is_gone:
            after = [("Last-Event-ID", str(self.seqs[-1]))] if self.seqs else []
            answer = await self.attempt(path, take, after)
            if self.is_gone or (answer and take.__name__ == "of_run" and self.is_done):
                return
            if answer and answer.status != 200:
                self.tally.lost.append((self.name, path, answer.status))
                return
            self.tally.came_again += 1
            await asyncio.sleep(RETRY_S * random.uniform(0.8, 1.2))

    async def attempt(self, path, take, headers):
        """The answer when it ended; None when nobody listened, or it was cut early."""
        try:
            answer = await ask(
                random.choice(self.ports),
                path,
                cookies=self.cookies,
                headers=headers,
                on_frame=take,
            )
        except OSError:
            return None
        return answer if answer.status else None

    def of_room(self, frame, now):
        if room_client.field(frame, b"event") == b"room":
            told = json.loads(room_client.field(frame, b"data"))["revision"]
            self.went_back |= told < self.revision
            self.revision = told

    def of_run(self, frame, now):
        if seq := room_client.field(frame, b"id"):
            self.seqs.append(int(seq))
        elif room_client.field(frame, b"event") == b"done":
            self.is_done = True

    async def still_sits(self):
        """Its cookie opens its own seat; told by the page, at each process."""
        for port in self.ports:
            page = await ask(port, self.room, cookies=self.cookies)
            if page.status != 200 or self.name not in page.body.decode():
                return False
        return True

    async def leave(self):
        self.is_gone = True
        path = f"{self.room}leave/"
        answer = await patiently(self.ports, post, self.room, path, self.cookies)
        for task in self.tasks:
            task.cancel()
        return answer


async def patiently(ports, do, *arguments):
    """At one process or the other, until one of them answers."""
    while True:
        port = random.choice(ports)
        try:
            if do is post:
                page, path, cookies = arguments
                answer = await post(port, page, path, cookies=cookies)
            else:
                answer = await do(port, *arguments)
        except (OSError, AssertionError):
            await asyncio.sleep(0.5)
        else:
            return answer


class Chaos:
    def __init__(self, site, second, options):
        self.site, self.second, self.options = site, second, options
        self.ports = [site.port, second.port]
        self.tally, self.people, self.names = Tally(), [], 0

    async def prepare(self):
        self.run = await asyncio.to_thread(start, self.site)
        await asyncio.to_thread(self.site.wait_for_tokens, self.run, 1)
        opening = [
            open_room(self.site.port, run=self.run) for _ in range(self.options.rooms)
        ]
        self.rooms = await gathered(opening, 4)
        await gathered(
            [self.come(room) for room in self.rooms for _ in range(SEATS)], 6
        )

    async def come(self, room):
        address, code = room
        self.names += 1
        name = f"Seat-{self.names}-"
        cookies = await patiently(self.ports, join, code, name)
        person = Person(address, name, cookies, self.ports, self.run, self.tally)
        person.begin()
        self.people.append(person)
        self.tally.joined += 1

    async def go(self):
        person = random.choice(self.people)
        self.people.remove(person)
        await person.leave()
        self.tally.left += 1

    async def come_and_go(self, until):
        while time.monotonic() < until:
            await asyncio.sleep(random.expovariate(self.options.pace))
            await self.go()
            await self.come(random.choice(self.rooms))

    async def kill(self, until):
        kills = 0
        while time.monotonic() + 30 < until:
            await asyncio.sleep(60 if kills else 30)
            await asyncio.to_thread(self.kill_one, kills % 2)
            kills += 1
        return kills

    def kill_one(self, which):
        """The first one is started again by its parent, the second one by us."""
        if which:
            self.site.kill("web")
        else:
            self.second.kill()
            time.sleep(1)
            self.second.start()

    async def rage(self):
        until = time.monotonic() + 60 * self.options.minutes
        _, kills = await asyncio.gather(self.come_and_go(until), self.kill(until))
        await asyncio.to_thread(self.second.wait)
        await asyncio.sleep(10)
        await asyncio.to_thread(self.site.post, f"/lab/runs/{self.run}/stop/")
        await self.all_done()
        return kills

    async def all_done(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if all(person.is_done for person in self.people):
                return
            await asyncio.sleep(0.2)


def start(site):
    """A run that is still there at the end: it is stopped."""
    fields = {"prompt": "", "prompt_tokens": "64", "max_tokens": "512"}
    return site.run(**fields, load="custom", levels="1, 2, 4, 8", repeat="5")


async def raging(site, second, options):
    chaos = Chaos(site, second, options)
    await chaos.prepare()
    print(f"{len(chaos.people)} seats in {len(chaos.rooms)} rooms", flush=True)
    kills = await chaos.rage()
    last = {}
    for address, _ in chaos.rooms:
        page = (await ask(site.port, address)).body.decode()
        last[address] = int(page.partition('data-revision="')[2].partition('"')[0])
    await asyncio.sleep(2)
    sitting = await gathered([person.still_sits() for person in chaos.people], 4)
    return told(chaos, kills, last, sitting)


def told(chaos, kills, last, sitting):
    people, tally = chaos.people, chaos.tally
    batches = max(person.seqs[-1] for person in people if person.seqs)
    whole = sum(person.seqs == list(range(1, batches + 1)) for person in people)
    behind = sum(person.revision < last[person.room] for person in people)
    lost = len(sitting) - sum(sitting) + len(tally.lost)
    back = sum(person.went_back for person in people)
    print(
        f"{tally.joined} joined, {tally.left} left, {kills} kills, "
        f"{tally.came_again} streams came again; {batches} batches"
    )
    for each in tally.lost[:5]:
        print("refused:", *each)
    count = len(people)
    return shown(
        [
            ("seats lost", lost, "none", lost == 0),
            (
                "saw every batch once, in order",
                f"{whole} of {count}",
                "all",
                whole == count,
            ),
            ("seats behind their room", behind, "none", behind == 0),
            ("were told an older revision", back, "none", back == 0),
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--rooms", type=int, default=50)
    parser.add_argument("--pace", type=float, default=2, help="comings a second")
    options = parser.parse_args()
    settings = {"LAB_MAX_SECONDS": 3600, "LAB_MAX_RUN_SECONDS": 3600}
    with two_webs(1, **settings) as (site, second, _):
        met = asyncio.run(raging(site, second, options))
    print("met" if met else "not met")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
