"""Read an expression: Python's parser gives its tree, which is checked against the language and the names of a table.

An expression is a condition that a claim of a paper states. A column stands for its mean, in every row, of the first
metric of the table. A condition on columns is claimed of every row; functions such as ``count`` and ``median`` sum up
all rows (`kernlearn.papers.language.functions`)::

    ebboost < adaboost
    count(best(vkr_3, vkr_4) < best(l1_svm, l2_svm)) >= 5
    median(mean(l2_svm, n_support_vectors) / mean(vkr_3, n_support_vectors)) > 2
    share(vkr_3 < l1_svm and p_value(vkr_3, l1_svm) < 0.05) > 0.5

Of Python's tree only numbers, names, arithmetic, comparisons, ``and``, ``or``, ``not`` and calls of the known functions
are taken. Nothing is compiled or executed, whoever wrote the expression.
"""

import ast
import re
import warnings
from collections.abc import Callable, Sequence
from operator import add, eq, ge, gt, le, lt, mul, ne, sub

from kernlearn.errors import UserError, closest
from kernlearn.papers.language import functions
from kernlearn.papers.language.expression import Expression, Names
from kernlearn.papers.language.functions import OF_COLUMNS, OF_CONDITIONS, OF_NUMBERS, SIDE_BY_SIDE, USAGE
from kernlearn.papers.language.parts import Column, Evaluation, Part, Undefined, defined, over_rows
from kernlearn.parameters import MAX, shown

#: Bounds of an expression: its characters, and how deep its parts may be nested.
LONGEST, DEEPEST = 1_000, 50
#: How a number is written.
DECIMAL = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
COMPARISONS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: lt,
    ast.LtE: le,
    ast.Gt: gt,
    ast.GtE: ge,
    ast.Eq: eq,
    ast.NotEq: ne,
}


def _divide(a: float, b: float) -> float:
    if b == 0.0:
        raise Undefined
    return a / b


ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: _divide,
}


def parse(where: str, text: object, names: Names) -> Expression:
    """Return a checked expression.

    Raises `UserError` if it is no condition in the language, or names a column or a metric that the table lacks.

    Parameters
    ----------
    where : str
        The file and the claim, for messages.
    """
    if not isinstance(text, str) or not text.strip():
        raise UserError(f"{where}: must be a condition, such as 'ebboost < adaboost'")
    if len(text) > LONGEST:
        raise UserError(f"{where}: has {len(text)} characters, more than {LONGEST}; state several claims instead")
    line = " ".join(text.split())
    return _Reader(where, line, names).read()


class _Reader:
    """Turns the tree of Python's parser into parts, and refuses whatever is not of the language."""

    def __init__(self, where: str, text: str, names: Names) -> None:
        self.where, self.text, self.names = where, text, names
        self.used: set[str] = set()
        self.depth = 0

    def read(self) -> Expression:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of numbers such as 1and
                root = ast.parse(self.text, mode="eval").body
        except SyntaxError as error:
            place = self.text[max(0, (error.offset or 1) - 1) :][:20]
            raise self.error(f"cannot be read{f' at {place!r}' if place else ': it is not complete'}") from None
        except (ValueError, MemoryError, RecursionError):  # a character 0, or too many brackets
            raise self.error("cannot be read") from None
        condition = self.part(root)
        if not condition.truth:
            raise self.error("is a number and no condition; compare it, as in ... < ...")
        if not self.used:
            raise self.error("names no column")
        sides: list[Part] = []
        if isinstance(root, ast.Compare) and condition.per_row:
            sides = [self.number(one) for one in (root.left, *root.comparators)]
        return Expression(self.text, frozenset(self.used), condition, sides)

    def error(self, problem: str, node: ast.AST | None = None) -> UserError:
        piece = ast.get_source_segment(self.text, node) if node else None
        return UserError(f"{self.where}: {shown(piece or self.text)!r} {problem}")

    def part(self, node: ast.expr) -> Part:
        """Return the part of a node of the tree."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"is nested more than {DEEPEST} deep")
        part = self._part(node)
        self.depth -= 1
        return part

    def _part(self, node: ast.expr) -> Part:
        if isinstance(node, ast.Constant):
            number = self.literal(node)
            return Part(False, False, lambda now: number)
        if isinstance(node, ast.Name):
            return functions.of_column("mean", self.column(node), self.names.metrics[0])
        if isinstance(node, ast.UnaryOp):
            return self.unary(node)
        if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            return self.arithmetic(node)
        if isinstance(node, ast.Compare) and all(type(operator) in COMPARISONS for operator in node.ops):
            return self.comparison(node)
        if isinstance(node, ast.BoolOp):
            return self.connection(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        what = "numbers, names of columns, + - * /, comparisons, and, or, not"
        raise self.error(f"is not of the language: it has {what}, and {', '.join(USAGE)}", node)

    def number(self, node: ast.expr) -> Part:
        part = self.part(node)
        if part.truth:
            raise self.error("is a condition where a number is needed", node)
        return part

    def truth(self, node: ast.expr) -> Part:
        part = self.part(node)
        if not part.truth:
            raise self.error("is a number where a condition is needed, as in ... < ...", node)
        return part

    def literal(self, node: ast.expr) -> float:
        """Return a number that is written as one."""
        number = node.value if isinstance(node, ast.Constant) else None
        if isinstance(number, bool) or not isinstance(number, int | float) or not number <= MAX:
            raise self.error("is no number; a column with such a name is written mean('NAME')", node)
        if not DECIMAL.fullmatch(ast.get_source_segment(self.text, node) or ""):  # 0x1F and 1_0 are numbers of Python
            raise self.error("is no decimal number; write it as 31, 0.5 or 1e-3", node)
        return float(number)

    def unary(self, node: ast.UnaryOp) -> Part:
        if isinstance(node.op, ast.Not):
            inner = self.truth(node.operand)
            return Part(True, inner.per_row, lambda now: float(not inner.value(now)))
        inner = self.number(node.operand)
        if isinstance(node.op, ast.USub):
            return Part(False, inner.per_row, lambda now: -inner.value(now))
        if isinstance(node.op, ast.UAdd):
            return inner
        raise self.error("is not of the language", node)

    def arithmetic(self, node: ast.BinOp) -> Part:
        compute, left, right = ARITHMETIC[type(node.op)], self.number(node.left), self.number(node.right)
        return Part(
            False,
            left.per_row or right.per_row,
            lambda now: defined(compute(left.value(now), right.value(now))),
        )

    def comparison(self, node: ast.Compare) -> Part:
        parts = [self.number(one) for one in (node.left, *node.comparators)]
        tests = [COMPARISONS[type(operator)] for operator in node.ops]

        def value(now: Evaluation) -> float:
            sides = [part.value(now) for part in parts]
            return float(all(test(a, b) for test, a, b in zip(tests, sides, sides[1:], strict=False)))

        return Part(True, any(part.per_row for part in parts), value)

    def connection(self, node: ast.BoolOp) -> Part:
        parts, join = [self.truth(one) for one in node.values], all if isinstance(node.op, ast.And) else any
        per_row = any(part.per_row for part in parts)
        return Part(True, per_row, lambda now: float(join([bool(part.value(now)) for part in parts])))

    def call(self, node: ast.Call) -> Part:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in USAGE:
            known = f"there are {', '.join(USAGE)}{closest(name, USAGE) if name else ''}"
            raise self.error(f"calls what is no function of the language; {known}", node)
        if node.keywords or any(isinstance(one, ast.Starred) for one in node.args) or not node.args:
            raise self.usage(name, node)
        if name == functions.BEST:
            return functions.of_column("mean", self.column(node), self.names.metrics[0])
        if name in OF_COLUMNS:
            if len(node.args) > 2:
                raise self.usage(name, node)
            return functions.of_column(name, self.column(node.args[0]), self.metric(node.args[1:]))
        if name == functions.P_VALUE:
            return self.p_value(node)
        if name in SIDE_BY_SIDE and (len(node.args) > 1 or name not in OF_NUMBERS):
            return self.side_by_side(name, node)
        return self.over_rows(name, node)

    def usage(self, name: str, node: ast.expr) -> UserError:
        return self.error(f"must be {USAGE[name]}", node)

    def side_by_side(self, name: str, node: ast.Call) -> Part:
        compute, wanted = SIDE_BY_SIDE[name]
        if wanted and len(node.args) != wanted:
            raise self.usage(name, node)
        parts = [self.number(one) for one in node.args]
        return Part(False, any(part.per_row for part in parts), lambda now: compute(*(p.value(now) for p in parts)))

    def over_rows(self, name: str, node: ast.Call) -> Part:
        if len(node.args) != 1:
            raise self.usage(name, node)
        inner = self.truth(node.args[0]) if name in OF_CONDITIONS else self.number(node.args[0])
        if not inner.per_row:
            raise self.error("sums up all rows already, or is the same in every row", node.args[0])
        if name in OF_CONDITIONS:
            summary, truth = OF_CONDITIONS[name]
            return over_rows(summary, inner, truth=truth)
        return over_rows(OF_NUMBERS[name], inner, truth=False)

    def p_value(self, node: ast.Call) -> Part:
        if not 2 <= len(node.args) <= 4:
            raise self.usage(functions.P_VALUE, node)
        first, second, *more = node.args
        metric = [one for one in more[:1] if self.name_of(one) is not None]
        ratios = [self.ratio(one) for one in more[len(metric) :]]
        if len(ratios) > 1:
            raise self.usage(functions.P_VALUE, node)
        return functions.p_value(
            self.column(first), self.column(second), self.metric(metric), ratios[0] if ratios else None
        )

    def ratio(self, node: ast.expr) -> float:
        """Return a number of 0 or more, which may be written as a quotient such as 1/3."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            above, below = self.literal(node.left), self.literal(node.right)
            if below > 0.0:
                return above / below
        elif isinstance(node, ast.Constant):
            return self.literal(node)
        raise self.error("must be the ratio of test to training examples, such as 1/3, or 0", node)

    def name_of(self, node: ast.expr) -> str | None:
        """Return the name that a node writes, plainly or in quotes; None if it is no name."""
        if isinstance(node, ast.Name):
            return node.id
        return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

    def column(self, node: ast.expr) -> Column:
        """Return a column, or the best of several."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == functions.BEST:
            if node.keywords or len(node.args) < 2:
                raise self.usage(functions.BEST, node)
            columns = [self.known_column(one) for one in node.args]
            return functions.best(columns, self.names.metrics[0], larger=self.names.larger_is_better)
        name = self.known_column(node)
        return lambda now: name

    def known_column(self, node: ast.expr) -> str:
        name = self.name_of(node)
        if name is None or name not in self.names.columns:
            known = f"the columns are {', '.join(self.names.columns)}{closest(name or '', self.names.columns)}"
            raise self.error(f"is no column of the table; {known}", node)
        self.used.add(name)
        return name

    def metric(self, nodes: Sequence[ast.expr]) -> str:
        """Return the metric that is named, or the first of the table."""
        if not nodes:
            return self.names.metrics[0]
        name = self.name_of(nodes[0])
        if name is None or name not in self.names.metrics:
            known = f"the metrics are {', '.join(self.names.metrics)}{closest(name or '', self.names.metrics)}"
            raise self.error(f"is no metric of the table; {known}", nodes[0])
        return name
