"""``--json``: the document of every verb has its schema, and nothing else is on the standard output."""

import json
from importlib import import_module
from pathlib import Path

import jsonschema
import pytest

import kernlearn
from kernlearn.cli.main import VERBS, main

SCHEMAS = Path(kernlearn.__file__).parent / "schemas"


def closed(schema):
    """Return a schema that allows no field without a description: a new one has to be in the class ``Document``."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(one) for key, one in schema.items()}
    return parts | {"additionalProperties": False} if "properties" in schema else parts


def refused(name):
    raise ValueError(f"{name} is not JSON")


def document(text, verb):
    """Return the document in a text, after a check that it is one and has the schema of the verb."""
    content = json.loads(text, parse_constant=refused)
    schema = json.loads((SCHEMAS / f"{verb}.json").read_text())
    jsonschema.validate(content, closed(schema), cls=jsonschema.Draft202012Validator)
    return content


def run(capsys, *words, code=0):
    """Run a verb with ``--json`` and return its document."""
    assert main([*words, "--json"]) == code
    content = document(capsys.readouterr().out, words[0])
    assert content["exit"] == code and ("error" in content) <= (code > 0)
    return content


@pytest.mark.parametrize("verb", VERBS)
def test_the_schema_of_a_verb_is_made_of_its_document_and_is_a_schema(verb):
    from scripts.tools.write_schemas import schema_of

    schema = json.loads((SCHEMAS / f"{verb}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == schema_of(verb), "python scripts/tools/write_schemas.py writes it"
    assert import_module(VERBS[verb][0]).Document.__required_keys__


def test_list(capsys):
    assert set(run(capsys, "list")["choices"]) == {"algorithms", "kernels", "datasets", "protocols", "scalings"}
    (vkr,) = run(capsys, "list", "vkr")["choices"]["algorithms"]
    assert vkr["tasks"] == ["classification"] and any(one["name"] == "complexity" for one in vkr["parameters"])
    assert run(capsys, "list", "ionosphere")["choices"].keys() == {"datasets"}


@pytest.mark.parametrize(
    "words", [["nosuchverb"], ["list", "vkrr"], ["status", "x"], ["info", "nix.kl"], ["list", "-x"]]
)
@pytest.mark.parametrize("place", [0, 1, -1])
def test_an_error_is_a_document_wherever_the_switch_stands(words, place, capsys):
    assert main([*words[:place], "--json", *words[place:], "--json"]) == 2
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert (content["verb"], content["exit"]) == (words[0], 2) and err == f"kernlearn: error: {content['error']}\n"
    if words[0] in VERBS:
        document(out, words[0])
