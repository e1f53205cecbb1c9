"""Tab completion for every verb: lists the words that can complete a command line."""

import os
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from kernlearn.cli.parser import EVERY_VERB
from kernlearn.errors import UserError
from kernlearn.streams import put

#: The module and the line of each verb.
Verbs = Mapping[str, tuple[str, str]]
#: The script that sets up completion, for each shell. Bash splits words at "=". After ``bashcompinit``, zsh has bash's
#: functions.
SCRIPTS = {
    "bash": """\
_kernlearn() {
    local line="${COMP_LINE:0:COMP_POINT}" IFS=$'\\n'
    local word="${line##* }"
    COMPREPLY=($(COMP_LINE="$line" "$1" -sc query=bash 2>/dev/null))
    if [[ "$word" == *=* && "$COMP_WORDBREAKS" == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"${word%=*}="}"); fi
    if [[ "${COMPREPLY[*]}" == *[=./] ]]; then compopt -o nospace; fi
}
complete -o default -F _kernlearn kernlearn
""",
    "fish": "complete -c kernlearn -f -a '(env COMP_LINE=(commandline -cp) kernlearn -sc query=fish)'\n",
}
SCRIPTS["zsh"] = "autoload -U +X bashcompinit && bashcompinit\n" + SCRIPTS["bash"].replace("compopt -o nospace", "true")


def main(arguments: list[str], verbs: Verbs) -> int:
    """Print the script of a shell (``install=bash``) or the completions of ``COMP_LINE`` (``query=bash``).

    `verbs` are those of `kernlearn.cli.main`, which imports this module.

    Raises `UserError` if it is neither, or the shell is unknown.
    """
    task, _, shell = " ".join(arguments).partition("=")
    if task not in ("install", "query") or shell not in SCRIPTS:
        raise UserError(f"kernlearn -sc: give install=SHELL, one of {', '.join(SCRIPTS)}")
    if task == "install":
        put(SCRIPTS[shell])
        return 0
    words = os.environ.get("COMP_LINE", "").split(" ")[1:] or [""]
    try:
        found = candidates([word for word in words[:-1] if word], words[-1], verbs)
    except UserError:  # the line has a mistake already, so nothing can complete it
        found = []
    put("\n".join(found) + "\n")
    return 0


def candidates(before: list[str], word: str, verbs: Verbs) -> list[str]:
    """Return the sorted completions of a word, given the words before it."""
    if not before:
        found: Iterable[str] = [*verbs, "--help", "--version", *EVERY_VERB]
    elif before[0] in ("run", "sweep", "fit"):
        found = _of_configuration(before[0], import_module(verbs[before[0]][0]), before[1:], word)
    elif before[0] in verbs:
        found = _of_parser(import_module(verbs[before[0]][0]), before[1:], word)
    else:
        found = ()
    return sorted({name for name in found if name.startswith(word)})


def _of_configuration(verb: str, module: Any, before: list[str], word: str) -> list[str]:
    """Return keys of the configuration composed so far, the values of a key, or the switches."""
    from kernlearn.cli.configuration.compose import Loader, keys_of
    from kernlearn.cli.parser import take_config_dir

    if word.startswith("-"):
        return [*module.options(), *EVERY_VERB, "--help"]
    directory, rest = take_config_dir(before)
    loader = Loader(directory)
    config = loader.chosen(rest)
    key, equals, value = word.partition("=")
    if not equals:
        return [f"{key}=" for key in keys_of(config)]
    done = value.rpartition(",")[0]  # complete the last of several values
    head = f"{key}={done}," if done else f"{key}="
    every = ["all"] if verb == "sweep" and key == "dataset" else []
    return [head + name for name in [*loader.places.options(key), *_choices(config, key), *every]]


def _choices(config: Mapping[str, Any], key: str) -> Iterable[str]:
    """Return the values of a key whose values are names."""
    from kernlearn.algorithms import ALGORITHMS, REDUCTIONS
    from kernlearn.evaluation import RULES, SCORES
    from kernlearn.kernels import SCALINGS
    from kernlearn.parameters import Choice
    from kernlearn.runner.cell.cell import TASKS
    from kernlearn.runner.cell.class_weight import BALANCED

    if key.startswith("algo."):
        parameter = ALGORITHMS[config["algo"]["name"]].parameters.get(key.removeprefix("algo."))
        return parameter.kind.options if parameter and isinstance(parameter.kind, Choice) else ()
    values = {"task": TASKS, "scaling": SCALINGS, "multiclass": REDUCTIONS, "select_by": SCORES, "rule": RULES}
    values |= {"streamed": ("true", "false"), "class_weight": (BALANCED,)}
    return values.get(key, ())


def _of_parser(module: Any, before: list[str], word: str) -> list[str]:
    """Return the switches of a verb's parser, or the names that its module knows, if any."""
    parser = module.make_parser()
    for action in parser._subparsers._group_actions if parser._subparsers else ():
        if before and before[0] in action.choices:
            parser = action.choices[before[0]]
        elif not word.startswith("-"):
            return list(action.choices)
    if word.startswith("-"):
        return [*parser._option_string_actions, *EVERY_VERB]
    # A verb without `names` takes files alone, which the shell completes.
    return list(module.names(before)) if hasattr(module, "names") else []
