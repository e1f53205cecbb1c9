"""The data sets that can be loaded by name: facts, which the YAML files beside this module have, one entry each.

An entry has the fields of `kernlearn.datasets.sets.entry.Entry`. Its functions are named, and known here: a file runs
no code. Names of classes that are those in the file are a list. What several entries share begins with a dot.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from kernlearn.datasets.core import arrays, coded, text
from kernlearn.datasets.readers import tagged
from kernlearn.datasets.sets import generators, scikit
from kernlearn.datasets.sets.entry import Entry, File, Layout
from kernlearn.plugins import Registry

#: What reads files that are no tables, and what makes examples without a file.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(arrays.benchmark, arrays.label_first, arrays.mnist, arrays.mnist_pair, arrays.mnist_universum),
        *(arrays.protein_fold, coded.abalone, coded.mushrooms, coded.sparse_signs, coded.wine),
        *(text.newsgroups, text.newsgroups_pair, text.reuters_acq, text.sentiment),
        *(tagged.conll2002, tagged.treebank, scikit.digits, scikit.wdbc),
        *(generators.gaussians, generators.ringnorm, generators.twonorm, generators.waveform),
    )
}


def read_entries() -> dict[str, Entry]:
    """Return the entries that come with the package."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # of C where it is installed, ten times as fast
    entries: dict[str, Entry] = {}
    for file in files(__package__).iterdir():
        if file.name.endswith(".yaml"):
            content = yaml.load(file.read_text(encoding="utf-8"), Loader=loader)
            entries |= {name: _entry(**facts) for name, facts in content.items() if not name.startswith(".")}
    return entries


def _entry(
    *,
    classes: Mapping[str, str] | list[str],
    files: tuple[Mapping[str, Any], ...] = (),
    layout: Mapping[str, Any] | None = None,
    options: Mapping[str, int] | None = None,
    reader: str | Mapping[str, Any] | None = None,
    make: str | None = None,
    **facts: Any,
) -> Entry:
    names = classes if isinstance(classes, Mapping) else {name: name for name in classes}
    arguments: dict[str, Any] = dict(reader) if isinstance(reader, Mapping) else {"function": reader} if reader else {}
    read = FUNCTIONS[arguments.pop("function")] if arguments else None
    if "places" in facts:  # sentences: the classes are the labels of words
        arguments["labels"] = tuple(names)
    return Entry(
        classes=names,
        files=tuple(File(**_with_tuples(file)) for file in files),
        layout=Layout(**_with_tuples(layout or {})),
        options=MappingProxyType(dict(options or {})),
        reader=partial(read, **arguments) if read and arguments else read,
        make=FUNCTIONS[make] if make else None,
        **_with_tuples(facts),
    )


def _with_tuples(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()}


#: Data sets by name; those of plug-ins, too.
CATALOGUE: Registry[Entry] = Registry("CATALOGUE", read_entries)
