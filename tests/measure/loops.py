"""Runs an async test on asyncio and on uvloop; it may leave nothing behind."""

import asyncio
import functools
import inspect

import pytest
import uvloop

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


def on_both_loops(test):
    """The test also fails for a task alive at its end or an error in a callback."""

    @functools.wraps(test)
    def run(make_loop, **arguments):
        with asyncio.Runner(loop_factory=make_loop) as runner:
            faults = []
            runner.get_loop().set_exception_handler(
                lambda _, context: faults.append(context)
            )
            left = runner.run(_tasks_left_by(test(**arguments)))
        assert not left, f"tasks left behind: {left}"
        assert not faults, f"errors in callbacks: {faults}"

    del run.__wrapped__
    first = inspect.Parameter("make_loop", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.signature(test)
    run.__signature__ = signature.replace(
        parameters=[first, *signature.parameters.values()]
    )
    return pytest.mark.parametrize("make_loop", LOOPS.values(), ids=LOOPS)(run)


async def _tasks_left_by(test):
    await test
    return asyncio.all_tasks() - {asyncio.current_task()}
