"""The words of a command line, KEY=VALUE, and their values. ``docs/extend.md`` has the grammar."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Any

from kernlearn.datasets.core.plain_yaml import DEEPEST
from kernlearn.errors import UserError

#: The keys whose values are names of configurations.
GROUPS = ("dataset", "kernel", "algo", "protocol", "engine")
#: A word of a sweep with more values is taken for a typing error.
MOST_VALUES = 1_000_000
#: Bounds of a command line and of files; the depth of brackets is bounded by `DEEPEST`.
MOST_CHARACTERS, MOST_DIGITS = 100_000, 1_000
#: A reference to another value; nothing else may begin with "${".
REFERENCE = re.compile(r"\$\{([a-zA-Z_]\w*(?:\.\w+)*)\}")

WORD = re.compile(r"(?P<sign>\+\+?|~|)(?P<key>[\w$./-]*)(?:@(?P<package>[\w$.-]*))?(?:=(?P<text>.*))?", re.S | re.A)
#: The tokens of a value: quoted texts, references, escaped characters, characters with a meaning, and all others.
TOKEN = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\$\{[^}]*\}|\\[\\()\[\]{}:=,\ \t]|[][(){},:]|[^][(){},:'"$\\]+|[$\\]""",
    re.S | re.X,
)
CALL = re.compile(r"\s*([a-z]+)\s*\((.*)\)\s*", re.S)
DIGITS, NATURAL = r"\d(?:_?\d)*", r"(?:0|[1-9](?:_?\d)*)"
INTEGER = re.compile(f"[+-]?{NATURAL}", re.A)
REAL = re.compile(rf"[+-]?(?:(?:{NATURAL}?\.{DIGITS}|{NATURAL}\.?)(?:e[+-]?{DIGITS})?|inf|nan)", re.A | re.I)
WORDS = {"null": None, "true": True, "false": False}
OPEN, CLOSE = "([{", ")]}"


@dataclass(frozen=True)
class Override:
    """A parsed word of the command line."""

    #: The word as typed.
    word: str
    #: Empty to change a value or choice, "+" to add one, "++" to do either, "~" to leave one out.
    sign: str
    #: ``seed``, ``algo.lambdas``, or a group of choices such as ``algo``.
    key: str
    #: Where an added choice goes, if the word gives it: GROUP@PACKAGE.
    package: str | None
    #: The text of the value; None if there is no "=".
    text: str | None

    def value(self) -> Any:
        """Return the value, or raise `UserError` if the text is not a value, or stands for several."""
        return value_of(self.word)


def read_word(word: str) -> Override:
    """Parse a word.

    Raises `UserError` if it is not KEY=VALUE, calls a function, or is longer or deeper than the bounds; or if it sets a
    key of Hydra, which only `kernlearn.cli.launch` may do.
    """
    check_word(word)
    found = WORD.fullmatch(word)
    if found is None and "=" in word:
        raise UserError(f"{word}: a value with special characters needs two pairs of quotes, \"key='value'\"")
    if found is None or (found["text"] is None and found["sign"] != "~"):
        raise UserError(f"{word}: must be KEY=VALUE")
    if not found["key"]:
        raise UserError(f"{word}: {', '.join(GROUPS)} take names; write other keys as KEY=VALUE")
    if any(re.match(r"hydra\b", found[part] or "") for part in ("key", "package")):
        only = "hydra/launcher=NAME and hydra.launcher.KEY=VALUE can be set, with kernlearn run -m"
        raise UserError(f"{word}: of Hydra's own settings, only {only}")
    return Override(word, **found.groupdict())


def value_of(word: str) -> Any:
    """Return the value of KEY=VALUE, or raise `UserError` if there is none, or several."""
    check_word(word)
    parts = elements(word, word.partition("=")[2])
    if len(parts) > 1 or CALL.fullmatch(parts[0]):
        _call(word, parts, ())
        raise UserError(f"{word}: has several values; use kernlearn run -m or kernlearn sweep to run them all")
    return _parsed(word, parts[0])


def check_word(word: str) -> None:
    """Refuse a word that calls a function, or is longer or deeper than the bounds."""
    if len(word) > MOST_CHARACTERS:
        raise UserError(f"{word[:40]}...: has {len(word)} characters, more than {MOST_CHARACTERS}")
    depth = 0
    for letter in word:
        depth += (letter in OPEN) - (letter in CLOSE)
        if depth > DEEPEST:
            raise UserError(f"{word[:40]}...: is more than {DEEPEST} levels deep")
    check_references(word[:40], word)


def check_references(where: object, text: str) -> None:
    """Raise `UserError` if a text calls a function; only a `REFERENCE` may begin with "${"."""
    if "${" in REFERENCE.sub("", text):
        raise UserError(f"{where}: only a plain reference, such as ${{seed}}, may stand in ${{...}}")


def alternatives(word: str, options: Callable[[str], Sequence[str]]) -> list[str]:
    """Return the words that one word of a sweep stands for.

    Raises `UserError` if it is not an override, or stands for no values or for more than `MOST_VALUES`.

    Parameters
    ----------
    options : callable
        ``options(group)`` lists the names of a group, for ``glob(PATTERN)``.
    """
    override = read_word(word)
    if override.text is None:
        return [word]
    parts = elements(word, override.text)
    if len(parts) == 1 and not CALL.fullmatch(parts[0]):
        _parsed(word, parts[0])
        return [word]
    if not (values := _call(word, parts, options(override.key))):
        raise UserError(f"{word}: stands for no values")
    return [f"{word.partition('=')[0]}={value}" for value in values]


def elements(word: str, text: str, sign: str = ",") -> list[str]:
    """Split a text at the commas, or another sign, that are outside of brackets and quotes."""
    parts, open_ones = [""], list[str]()
    for token in _tokens(word, text):
        if token in OPEN:
            open_ones.append(token)
        elif token in CLOSE and (not open_ones or OPEN.index(open_ones.pop()) != CLOSE.index(token)):
            raise _no_value(word)
        if token == sign and not open_ones:
            parts.append("")
        else:
            parts[-1] += token
    parts = [part.strip(" \t") for part in parts]
    if open_ones or (len(parts) > 1 and not all(parts)):
        raise _no_value(word)
    return parts


def _call(word: str, parts: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the texts of several values, with range(...), choice(...) and glob(...) expanded."""
    values = list[str]()
    for part in parts:
        if not (call := CALL.fullmatch(part)):
            _parsed(word, part)
            values.append(part)
            continue
        function, inner = call.groups()
        arguments = elements(word, inner) if inner.strip() else []
        if function == "glob":
            patterns = [_parsed(word, one) for one in arguments]
            values += [name for name in names if any(fnmatchcase(name, str(pattern)) for pattern in patterns)]
        elif function == "range":
            values += map(str, _range(word, part, arguments))
        elif function == "choice":
            values += _call(word, arguments, names)
        else:
            _call(word, arguments, names)  # report errors inside the brackets first
            raise UserError(f"{word}: {part} cannot be computed; the functions are range, choice and glob")
        if len(values) > MOST_VALUES:
            raise UserError(f"{word}: stands for more than {MOST_VALUES} values")
    return values


def _range(word: str, part: str, arguments: Sequence[str]) -> Iterator[int | float]:
    """Yield the numbers of range(STOP), range(START, STOP) or range(START, STOP, STEP)."""
    values = [_parsed(word, one) for one in arguments]
    if not 1 <= len(values) <= 3 or not all(type(value) in (int, float) for value in values):
        raise UserError(f"{word}: {part} cannot be computed; range takes START, STOP and STEP")
    start, stop, step = (0, *values, 1) if len(values) == 1 else (*values, 1)[:3]
    if step == 0:
        raise UserError(f"{word}: the step of a range must not be 0")
    try:
        few = (stop - start) / step <= MOST_VALUES
    except ArithmeticError:
        few = False
    if not few:
        raise UserError(f"{word}: stands for more than {MOST_VALUES} values")
    if all(type(value) is int for value in (start, stop, step)):
        return iter(range(start, stop, step))
    return _steps(*map(Decimal, (start, stop, step)))


def _steps(value: Decimal, stop: Decimal, step: Decimal) -> Iterator[float]:
    while (value - stop) * step < 0:
        yield float(value)
        value += step


def _tokens(word: str, text: str) -> list[str]:
    tokens = TOKEN.findall(text)
    if sum(map(len, tokens)) != len(text):  # a quote that is not closed
        raise _no_value(word)
    return tokens


def _parsed(word: str, text: str) -> Any:
    """Return the value of a text: null, a boolean, a number, a text, a list or a mapping."""
    inner = text[1:-1].strip(" \t")
    match text[:1], text[-1:]:
        case "[", "]":
            return [_parsed(word, one) for one in elements(word, inner)] if inner else []
        case "{", "}":
            return dict(_pair(word, one) for one in elements(word, inner)) if inner else {}
    tokens = _tokens(word, text)
    if len(tokens) == 1 and tokens[0][0] in "'\"":
        # Backslashes are pairs only before a quote, as in "C:\new" and "a\"b".
        return re.sub(rf"\\+(?={text[0]}|\Z)", lambda found: found[0][: len(found[0]) // 2], text[1:-1])
    if any(token[0] in "'\"" or token in OPEN + CLOSE for token in tokens):
        raise _no_value(word)
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    if INTEGER.fullmatch(text):
        if len(text) > MOST_DIGITS:
            raise UserError(f"{word[:40]}...: has more than {MOST_DIGITS} digits")
        return int(text)
    if REAL.fullmatch(text):
        return float(text)
    return "".join(token[1] if len(token) == 2 and token[0] == "\\" else token for token in tokens)


def _pair(word: str, text: str) -> tuple[Any, Any]:
    """Return a key of a mapping and its value."""
    key, *value = elements(word, text, ":")
    if not value or key[0] in OPEN:
        raise _no_value(word)
    return _parsed(word, key), _parsed(word, text[text.index(":", len(key)) + 1 :].strip(" \t"))


def _no_value(word: str) -> UserError:
    what = "is not KEY=VALUE; close all brackets and quotes, and put a value between two commas"
    return UserError(f"{word}: {what}. A text with such characters needs quotes of its own, \"key='text'\"")
