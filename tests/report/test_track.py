"""What is said while steps are taken: how many are done, and where those are that take long."""

import json
import threading

import pytest

from kernlearn.report import terminal
from kernlearn.report.terminal import track
from kernlearn.streams import tell, write_events


@pytest.fixture
def often(monkeypatch):
    monkeypatch.setattr(terminal, "EVERY", 0.01)


def test_lines_say_where_the_work_is(often, capsys):
    said = threading.Event()

    def at_work():
        if "one: grid point 1 of 2" in capsys.readouterr().out:
            said.set()
        return ["one: grid point 1 of 2", "two", "three", "four", "five"]

    def steps():
        assert said.wait(60)  # it is said while the first step is taken
        yield "ok"
        yield "failed"

    threads = threading.active_count()
    track(steps(), 2, "cells", at_work)
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "cells      2/2, 1 failed" and "cells      1/2" in out
    assert threading.active_count() == threads


def test_of_many_at_work_the_first_are_named(capsys):
    terminal.say_at_work(["one", "two", "three", "four", "five"])
    named = [f"at work    {name}" for name in ("one", "two", "three")]
    assert capsys.readouterr().out.splitlines() == [*named, "           and 2 more"]


def test_what_fails_while_steps_are_taken_ends_the_lines(often):
    def steps():
        yield "ok"
        raise KeyboardInterrupt

    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        track(steps(), 2, "cells", list)
    assert threading.active_count() == threads


def test_events_are_lines_of_json(often, capsys):
    write_events(True)
    try:
        track(iter(["ok", "failed"]), 2, "cells", lambda: ["one"], lambda: (1.5, "about 1.5 s left"))
        tell("a word\x1b[2J")
    finally:
        write_events(False)
    out, err = capsys.readouterr()
    *events, last = [json.loads(line) for line in err.splitlines()]
    assert out == "" and last == {"event": "message", "text": "a word\x1b[2J"}
    done = {"event": "progress", "what": "cells", "total": 2, "seconds_left": 1.5, "at_work": ["one"]}
    assert events[0] == done | {"done": 0, "failed": 0} and events[-1] == done | {"done": 2, "failed": 1}
