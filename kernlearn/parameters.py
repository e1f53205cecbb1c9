"""Parameters of a configuration or an estimator: what values are allowed, checked with one clear line."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import inf, isfinite
from numbers import Real
from typing import Any

from kernlearn.errors import UserError, closest

#: Sizes of numbers that can be computed with, squares and quotients included.
MIN, MAX = 1e-100, 1e100
#: The largest whole number without a bound of its own: compiled libraries take no larger ones.
LARGEST = 2**31 - 1


def shown(value: Any) -> str:
    """Return a value as a message shows it: not all of it, if it is long."""
    try:
        text = str(value)
    except ValueError:  # Python writes no integer of thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= 100 else f"{text[:90]}... ({len(text)} characters)"


def plain(value: Any) -> Any:
    """Return a number or an array of numpy, a series of pandas or a range as Python's own number or list."""
    if isinstance(value, range | tuple):
        return list(value)
    return value.tolist() if hasattr(value, "tolist") else value


@dataclass(frozen=True)
class Number:
    """A finite number in [low, high]; with `integer`, a whole one; with `positive`, above zero.

    Whole numbers are at most `LARGEST` unless `high` says otherwise.
    With `infinite` infinity is allowed, too; with `optional` nothing at all.
    """

    low: float = -inf
    high: float = inf
    integer: bool = False
    positive: bool = False
    infinite: bool = False
    optional: bool = False

    def check(self, key: str, value: Any) -> Any:
        """Return the value with its proper type, or raise `UserError`."""
        value = plain(value)
        if value is None and self.optional:
            return None
        if self.infinite and isinstance(value, float) and value == inf:
            return value
        good = isinstance(value, Real) and not isinstance(value, bool) and value == value
        good = good and self.low <= value <= self.high and not (self.positive and value <= 0)
        good = good and abs(value) != inf and (not self.integer or value == int(value))
        if not good:
            raise UserError(f"{key}={shown(value)}: must be {self.describe()}")
        if value != 0 and not MIN <= abs(value) <= MAX:
            raise UserError(f"{key}={shown(value)}: must be {self.describe()}, and of a size from {MIN:g} to {MAX:g}")
        if self.integer and self.high == inf and value > LARGEST:
            raise UserError(f"{key}={shown(value)}: must be {self.describe()}, and at most {LARGEST}")
        return int(value) if self.integer else float(value)

    def describe(self) -> str:
        """Return the range in words."""
        bounded = self.positive or isfinite(self.low) or isfinite(self.high)
        words = "an integer" if self.integer else "a number" if bounded else "a finite number"
        low = "> 0" if self.positive else f">= {self.low:g}" if isfinite(self.low) else ""
        high = f"<= {self.high:.12g}" if isfinite(self.high) else ""
        described = " ".join([words, " and ".join(part for part in (low, high) if part)]).strip()
        return f"{described}, or null" if self.optional else described


@dataclass(frozen=True)
class Numbers:
    """A list of different numbers, each of one kind, or nothing at all where `optional`."""

    each: Number
    optional: bool = False

    def describe(self) -> str:
        """Return what is allowed in words."""
        return f"a list, each {self.each.describe()}{', or null' if self.optional else ''}"

    def check(self, key: str, value: Any) -> list[Any] | None:
        """Return the list with its proper types, or raise `UserError`."""
        if value is None and self.optional:
            return None
        value = plain(value)
        if not isinstance(value, list) or not value:
            raise UserError(f"{key}={shown(value)}: must be a list such as [1, 2], each {self.each.describe()}")
        values = [self.each.check(f"{key}[{i}]", item) for i, item in enumerate(value)]
        if len(set(values)) < len(values):
            raise UserError(f"{key}={shown(values)}: names the same value twice")
        return values


@dataclass(frozen=True)
class Choice:
    """One of some names, or nothing at all where `optional`."""

    options: tuple[str, ...]
    optional: bool = False

    def describe(self) -> str:
        """Return what is allowed in words."""
        return ", ".join([*self.options, *(["null"] if self.optional else [])])

    def check(self, key: str, value: Any) -> Any:
        """Return the value, or raise `UserError` with the names there are."""
        value = plain(value)
        if value is None and self.optional:
            return None
        if value not in self.options:
            near = closest(value, self.options)
            raise UserError(f"{key}={shown(value)}: must be one of {self.describe()}{near}")
        return value


@dataclass(frozen=True)
class Flag:
    """True or false, or one of some `numbers`, or nothing at all where `optional`."""

    optional: bool = False
    numbers: tuple[int, ...] = ()

    def describe(self) -> str:
        """Return what is allowed in words."""
        others = [*map(str, self.numbers), *(["null"] if self.optional else [])]
        return ", ".join(["true", "false", *others[:-1]]) + f", or {others[-1]}" if others else "true or false"

    def check(self, key: str, value: Any) -> Any:
        """Return the value, or raise `UserError`."""
        value = plain(value)
        if value is None and self.optional:
            return None
        if not isinstance(value, bool) and (not isinstance(value, int) or value not in self.numbers):
            raise UserError(f"{key}={shown(value)}: must be {self.describe()}")
        return value


@dataclass(frozen=True)
class Text:
    """A non-empty text, or nothing at all where `optional`; numbers are taken as they are written."""

    optional: bool = False

    def describe(self) -> str:
        """Return what is allowed in words."""
        return "a text, or null" if self.optional else "a text"

    def check(self, key: str, value: Any) -> str | None:
        """Return the text, or raise `UserError`."""
        if value is None and self.optional:
            return None
        if isinstance(value, bool):  # a command line reads the word so, also where it is the name of something
            word = shown(value).lower()
            raise UserError(f"{key}={word}: must be a text; write '\"{word}\"', with both quotes, if that is a name")
        if not isinstance(value, str | int | float) or not str(value):
            raise UserError(f"{key}={shown(value)}: must be a text")
        if not str(value).isprintable():  # a line break would begin a new line of a job script
            raise UserError(f"{key}={shown(repr(value))}: must be a text without line breaks and control characters")
        return str(value)


@dataclass(frozen=True)
class Texts:
    """A list of different texts, or one; None for no text."""

    def describe(self) -> str:
        """Return what is allowed in words."""
        return "a list of texts, or null"

    def check(self, key: str, value: Any) -> list[str] | None:
        """Return the list, or raise `UserError`."""
        if value is None:
            return None
        given = plain(value)
        texts = [str(Text().check(key, text)) for text in (given if isinstance(given, list) else [given])]
        if len(set(texts)) < len(texts):
            raise UserError(f"{key}={shown(texts)}: names the same twice")
        return texts or None


@dataclass(frozen=True)
class Choices:
    """One of some names for each of any texts; None for no text."""

    options: tuple[str, ...]

    def describe(self) -> str:
        """Return what is allowed in words."""
        return f"a mapping such as {{NAME: {self.options[0]}}} to {', '.join(self.options)}, or null"

    def check(self, key: str, value: Any) -> dict[str, str] | None:
        """Return the mapping, in the order of its texts, or raise `UserError`."""
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise UserError(f"{key}={shown(value)}: must be {self.describe()}")
        each = Choice(self.options)
        checked = {str(Text().check(key, text)): each.check(f"{key}.{text}", name) for text, name in value.items()}
        return dict(sorted(checked.items())) or None


Kind = Choices | Number | Numbers | Choice | Flag | Text | Texts


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method, declared once: its configuration file, estimators, checks and lists follow from it.

    Attributes
    ----------
    default : any
    kind : Kind
        What values are allowed.
    meaning : str
        In a few words.
    single : str
        Of the values of a grid: the name of the one that an estimator takes; empty for others.
    """

    default: Any
    kind: Kind
    meaning: str = ""
    single: str = ""


def configuration(name: str, description: str, parameters: Mapping[str, Parameter], kernel: str = "") -> str:
    """Return the configuration file of a choice: its name, and a line for every parameter.

    With `kernel` it makes another choice of the group ``kernel``, where the command line makes none.
    """
    lines = [f"# {description}"]
    lines += ["defaults:", f"  - override /kernel@_global_.kernel: {kernel}", "  - _self_"] if kernel else []
    lines.append(f"name: {name}")
    for key, parameter in parameters.items():
        value = json.dumps(parameter.default).strip('"')
        lines.append(f"{key}: {value}  # {parameter.meaning} ({parameter.kind.describe()})")
    return "\n".join(lines) + "\n"


def headline(thing: Any) -> str:
    """Return the first line of a docstring, as lists and configuration files show it."""
    return (thing.__doc__ or "").partition("\n")[0].replace("``", "")


def check_attributes(
    thing: Any, parameters: Mapping[str, Parameter], may_be_none: Collection[str] = ()
) -> dict[str, Any]:
    """Return those of the parameters that an estimator has as attributes, with their proper types.

    Of a grid it is the one value that the estimator takes; what is None and may be is left out.

    Raises `UserError` if one is out of range.
    """
    checked = {}
    for key, parameter in parameters.items():
        name = parameter.single or key
        if not hasattr(thing, name) or (getattr(thing, name) is None and name in may_be_none):
            continue
        kind = parameter.kind.each if parameter.single and isinstance(parameter.kind, Numbers) else parameter.kind
        checked[name] = kind.check(name, getattr(thing, name))
    return checked


def check_all(prefix: str, given: Mapping[str, Any], parameters: Mapping[str, Kind]) -> dict[str, Any]:
    """Check every value of a group and return them in the order of `parameters`.

    Raises `UserError` if a key is unknown or missing or its value is not allowed.
    """
    for key in given:
        if key not in parameters:
            known = ", ".join(parameters) or "none"
            raise UserError(f"{prefix}.{key}: unknown key, {prefix} has: {known}{closest(key, parameters)}")
    for key in parameters:
        if key not in given:
            raise UserError(f"{prefix}.{key} is missing: give {prefix}.{key}=VALUE")
    return {key: parameter.check(f"{prefix}.{key}", given[key]) for key, parameter in parameters.items()}


def is_number(text: str) -> bool:
    """Return whether a text is that of a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
