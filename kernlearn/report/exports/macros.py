r"""LaTeX macros: one ``\newcommand`` for each number, so that the text of a paper follows its results.

**Names.** A name joins the words of the result, the data set, the algorithm, the metric and the kind of number. Each
word begins with a capital, digits are spelled out, and all other characters separate words: the mean ``error_pct`` of
``l2_svm`` on ``ocr49`` in ``vkr2015/table1`` is
``\VkrTwoZeroOneFiveTableOneOcrFourNineLTwoSvmErrorPctMean``. Where two numbers would have the same name, both get
letters that depend on their full names.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from math import floor, log10

from kernlearn.errors import UserError
from kernlearn.report.exports.numbers import READING, Document, Number, Options, shown
from kernlearn.report.exports.texts import latex, one_line

DIGITS = dict(zip("0123456789", "Zero One Two Three Four Five Six Seven Eight Nine".split(), strict=True))
#: What the names of runs and comparisons begin with; they have numbers that mean nothing to a reader.
PREFIXES = {"run": "Run", "comparison": "Comparison"}
#: Smaller p-values have an exponent, which `num` of siunitx reads.
SMALL = 1e-6
#: Letters that tell equal names apart.
LETTERS = 6
HEAD = r"""% {name}: {title}
% Written by kernlearn export: one macro for each number. \num{{\Name}} of siunitx prints a minus sign.
"""


def latex_macros(document: Document, options: Options) -> str:
    """Return the macros of a document.

    Raises `UserError` if the prefix has other characters than letters.
    """
    prefix = options.prefix
    if prefix is not None and not re.fullmatch("[A-Za-z]+", prefix):
        raise UserError(f"--prefix={prefix}: names of macros have letters only, such as --prefix=Ours")
    head = prefix or PREFIXES.get(document.target.kind) or word_of(document.name)
    readings = {(one.dataset, one.algorithm, one.metric) for one in document.numbers if one.reading}
    values = list(_values(document, options.all_digits))
    names = [head + "".join(map(word_of, words)) for words, _ in values]
    twice = {name for name, count in Counter(names).items() if count > 1}
    lines = [HEAD.format(name=one_line(document.name), title=one_line(document.title))]
    lines += [f"% {one_line(note)}\n" for note in document.notes]
    lines += [
        f"% {one_line(grid.title)}: {one_line(note)}\n"
        for grid in document.grids()
        for note in document.notes_on_verdicts(grid)
    ]
    for name, (words, value) in zip(names, values, strict=True):
        unique = name + _letters(words) if name in twice else name
        comment = " ".join([*map(one_line, words), *[READING] * (words[:3] in readings)])
        lines.append(f"\\newcommand{{\\{unique}}}{{{value}}}% {comment}\n")
    return "".join(lines)


def word_of(text: str) -> str:
    """Return a text in letters: its words, each with a capital, and its digits spelled out."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = re.findall("[A-Za-z]+|[0-9]", plain)
    return "".join(DIGITS.get(word, word[:1].upper() + word[1:]) for word in words)


def _letters(words: tuple[str, ...]) -> str:
    """Return letters that depend on the full name of a number."""
    digest = sha256("\0".join(words).encode("utf-8", "surrogatepass")).digest()
    return "X" + "".join(chr(ord("a") + byte % 26) for byte in digest[:LETTERS])


def _values(document: Document, all_digits: bool) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the words of every macro, and its value."""
    for name, count in document.facts.items():
        yield (name,), str(count)
    for number in document.numbers:
        place = number.dataset, number.algorithm, number.metric
        for kind, value in _numbers(number):
            text = shown(value, None if all_digits else number.digits)
            if text or kind == "mean":
                yield (*place, kind), text or "undefined"
        if number.p_value is not None:
            yield (*place, "p value"), repr(number.p_value) if all_digits else _p_value(number.p_value)
        if number.verdict:
            yield (*place, "verdict"), latex(number.verdict)


def _p_value(p: float) -> str:
    """Return a p-value with three digits after the point, or with two significant digits if it is below 0.001."""
    if p >= 0.001 or p == 0.0:
        return f"{p:.3f}"
    return f"{p:.1e}" if p < SMALL else f"{p:.{1 - floor(log10(p))}f}"


def _numbers(number: Number) -> list[tuple[str, float | None]]:
    return [
        ("mean", number.mean),
        ("std", number.std),
        ("printed", number.printed_mean),
        ("printed std", number.printed_std),
        ("delta", number.delta),
        ("low", number.interval_low),
        ("high", number.interval_high),
    ]
