"""The page on JSON names all fields, and shows what is printed."""

import json
import re

from kernlearn.cli.main import VERBS, main
from kernlearn.documents import Failure
from kernlearn.streams import emit
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "json.md"
TEXT = PAGE.read_text(encoding="utf-8")


def rows(heading):
    """Return the rows of the first table below a heading, as sets of the names in each cell."""
    lines = TEXT.partition(f"## {heading}\n")[2].splitlines()
    table = [line for line in lines[lines.index(next(line for line in lines if line.startswith("|"))) :]]
    table = table[: next(i for i, line in enumerate(table) if not line.startswith("|"))]
    return [[set(re.findall(r"`(\w+)`", cell)) for cell in line.split("|")[1:-1]] for line in table[2:]]


def test_every_field_of_every_verb_is_named():
    own = {verb: fields for verbs, fields in rows("The fields of each verb") for verb in verbs}
    head = {name for names, _ in rows("The fields of every document") for name in names}
    assert own.keys() == VERBS.keys() and head == Failure.__annotations__.keys() | {"schema_version"}
    for verb, fields in own.items():
        schema = json.loads((ROOT / "kernlearn" / "schemas" / f"{verb}.json").read_text())
        assert schema["properties"].keys() - head == fields, verb


def test_the_error_is_shown_as_it_is_printed(capsys):
    shown = next(block.text for block in blocks(PAGE) if '"error"' in block.text)
    assert main(["list", "l3_svm", "--json"]) == 2
    assert capsys.readouterr().out == shown


def test_the_commands_run(capsys, monkeypatch):
    monkeypatch.setattr("kernlearn.cli.check.SECONDS", 0.0)
    for line in blocks(PAGE)[0].text.splitlines():
        words = line.partition(" 2>")[0].split()[1:]
        if words[0] != "run":  # others run it
            assert main(words) == 0 and json.loads(capsys.readouterr().out)["verb"] == words[0]


def test_the_events_have_the_fields_of_the_table(capsys):
    shown = next(block.text for block in blocks(PAGE) if block.text.startswith('{"event"'))
    fields = {event: names for events, names in rows("Progress") for event in events}
    for line in shown.splitlines():
        event = json.loads(line)
        assert event.keys() - {"event"} == fields[event["event"]] - {"null"}
    emit("progress")  # nothing without the switch
    assert capsys.readouterr().err == ""
