"""YAML from anywhere as plain data: what could call something, or expand a small file, is refused in one line."""

from pathlib import Path

import yaml

from kernlearn.errors import UserError

#: The levels of lists and mappings in one another.
DEEPEST = 20


def check_plain(file: Path, text: str, what: str) -> yaml.Node | None:
    """Return the tree of a text with nothing but texts, numbers, lists and mappings.

    Raises `UserError` if it is no YAML, or has tags, more than `DEEPEST` levels, or aliases, which can make a large
    content from a small file.

    Parameters
    ----------
    what : str
        What the file should be, for the message: "a configuration".
    """
    try:
        _check_events(file, text)
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except UserError:
        raise
    except (yaml.YAMLError, ValueError) as error:
        raise not_yaml(file, what, error) from None


def not_yaml(file: Path, what: str, error: Exception) -> UserError:
    """Return the error of a file that cannot be read, with the line if YAML gives it."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    line = f", line {mark.line + 1}" if mark else ""
    return UserError(f"{file}{line}: is not {what}: {problem or ' '.join(str(error).split())}")


def _check_events(file: Path, text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise UserError(f"{file}, line {line}: has an alias (*{event.anchor}); write the value itself")
        if getattr(event, "tag", None) is not None:
            raise UserError(f"{file}, line {line}: has a tag ({event.tag}); use texts, numbers, lists and KEY: VALUE")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise UserError(f"{file}, line {line}: is more than {DEEPEST} levels deep")
