"""Translate scikit-learn's names on the command line, with a note, or suggest a choice if there is no equivalent."""

import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence

from kernlearn.cli.configuration.grammar import check_word, elements
from kernlearn.errors import UserError
from kernlearn.kernels.core.units import UNITS
from kernlearn.runner.cell.class_weight import as_word

#: Our names for keys and, after "=", for values of a key. A key of a list also takes a single value.
ALIASES = {
    "random_state": "seed",
    "n_jobs": "engine.jobs",
    "n_jobs=-1": "engine.jobs=0",
    "scoring": "select_by",
    "estimator": "algo",
    "model": "algo",
    "algorithm": "algo",
    "scaler": "scaling",
    "file": "dataset.path",
    "target": "dataset.target",
    "drop": "dataset.drop",
    "header": "dataset.header",
    "index": "dataset.index",
    "types": "dataset.types",
    "na_values": "dataset.na_values",
    "missing": "dataset.missing",
    "text": "dataset.text",
    "encoding": "dataset.encoding",
    "delimiter": "dataset.delimiter",
    "decimal": "dataset.decimal",
    "thousands": "dataset.thousands",
    "format": "dataset.format",
    "C": "algo.Cs",
    "Cs": "algo.Cs",
    "algo.C": "algo.Cs",
    "alpha": "algo.lambdas",
    "gamma": "kernel.gammas",
    "gammas": "kernel.gammas",
    "kernel.gamma": "kernel.gammas",
    "degree": "kernel.degrees",
    "degrees": "kernel.degrees",
    "kernel.degree": "kernel.degrees",
    "coef0": "kernel.coef0",
    "tol": "algo.tol",
    "max_iter": "algo.max_iter",
    "n_estimators": "algo.rounds",
    "n_neighbors": "kernel.neighbours",
    "decision_function_shape": "multiclass",
    "algo.class_weight": "class_weight",
    "algo=svm": "algo=l2_svm",
    "algo=svc": "algo=l2_svm",
    "algo=kernel_ridge": "algo=krr",
    "algo=kernelridge": "algo=krr",
    "algo=ridge": "algo=krr",
    "algo=lda": "algo=klda",
    "algo=mkl": "algo=l1_mkl",
    "algo=adaboostclassifier": "algo=adaboost",
    "kernel=rbf": "kernel=gaussian",
    "kernel=poly": "kernel=polynomial_libsvm",
    "scaling=standardscaler": "scaling=standard",
    "scaling=minmaxscaler": "scaling=minmax",
    "scaling=normalizer": "scaling=unit",
    "select_by=accuracy": "select_by=accuracy_pct",
    "select_by=balanced_accuracy": "select_by=balanced_error_pct",
    "select_by=roc_auc": "select_by=auc",
    "select_by=neg_root_mean_squared_error": "select_by=rmse",
    "select_by=neg_mean_squared_error": "select_by=mse",
    "select_by=neg_mean_absolute_error": "select_by=mae",
    "multiclass=ovr": "multiclass=one_vs_rest",
    "multiclass=ovo": "multiclass=one_vs_one",
}
#: Keys of scikit-learn that kernlearn does not have, and what to use instead.
MEANT = {
    "cv": "protocol=nested5x5 cross-validates, including the choice of hyper-parameters",
    "n_splits": "protocol=nested5x5 has 5 folds; protocol=holdout protocol.splits=20 has 20 random splits",
    "stratify": "protocol=nested5x5 stratifies by class",
    "test_size": "protocol=holdout protocol.train=0.8 tests on 20 % of the examples",
    "train_size": "protocol=holdout protocol.train=0.8 trains on 80 % of the examples",
    "shuffle": "examples are always shuffled, by seed=",
    "param_grid": "lists are grids, as in algo.Cs=[0.1,1,10] kernel.gammas=[0.1,1]",
    "penalty": "algo=l1_svm has the l1 norm, algo=l2_svm the l2 norm",
    "probability": "decision values are not converted to probabilities",
    "verbose": "--debug shows more",
    "cache_size": "streamed=true stores no kernel matrix",
    "epsilon": "algo=krr and the other regressions have the squared loss",
    "nu": "algo=l2_svm has C, as in algo.Cs=[0.1,1,10]",
}
#: Methods of scikit-learn that kernlearn does not have, and the most similar ones.
NEAREST = dict.fromkeys(
    ("svr", "linearsvr", "nusvr", "epsilon_svr"),
    "algo=krr and algo=l2_krr are kernel regressions with the squared loss; give one of them and task=regression",
)
#: Our keys that take lists.
LISTS = ("algo.Cs", "algo.lambdas", "kernel.gammas", "kernel.degrees")
#: Kernels that take one degree, and not a list of them.
ONE_DEGREE = ("chains",)
#: A path that needs no quotes.
PLAIN_PATH = re.compile(r"[A-Za-z0-9_./+@%-]+")
#: Values of ``dataset`` with these endings name a file, even if it does not exist.
FILE = re.compile(r"\.(csv|tsv|txt|data|dat|arff|libsvm|svm|svmlight|parquet|conllu?)(\.gz)?$", re.I)


def translated(words: Sequence[str], choices: Callable[[str], Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return the words of a command line in our terms, and a line for each word that was translated.

    Raises `UserError` if a word of scikit-learn has no equivalent, or if two words set a key to different values.

    Parameters
    ----------
    words : sequence of str
    choices : callable
        ``choices(group)`` lists the names of a group. These are never translated.
    """
    found, lines, said = list[str](), list[str](), dict[str, tuple[str, str]]()
    aliases = dict(ALIASES)
    if any(word.partition("=")[0] == "kernel" and word.partition("=")[2] in ONE_DEGREE for word in words):
        aliases |= {"degree": "kernel.degree", "kernel.degree": "kernel.degree"}
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key in MEANT:
            raise UserError(f"{key}: kernlearn has no such key; {MEANT[key]} (kernlearn list has all choices)")
        if not equals and names_file(word):
            raise UserError(f"{word}: a data file is given as dataset={shlex.quote(word)}")
        ours = _translated(key, value, choices, aliases) if equals else [word]
        for one in ours:
            _require_one(word, one, said)
        found += ours
        if ours != [word]:
            shown = [shlex.quote(one) if one.startswith("dataset.path=") else one for one in ours]
            lines.append(f"{word} is read as {' '.join(shown)}")
    if "kernel.gammas" in said and said.get("kernel", ("", ""))[0].lower() == "kernel=poly":
        gamma, _ = said["kernel.gammas"]
        raise UserError(f"{gamma}: kernel=poly is (x.z/d + coef0)^degree here, as with gamma=auto; leave gamma out")
    return found, lines


def _require_one(word: str, ours: str, said: dict[str, tuple[str, str]]) -> None:
    """Record the translation of a word, or raise `UserError` if another word sets its key to another value."""
    key = ours.partition("=")[0].lstrip("+")
    first, earlier = said.setdefault(key, (word, ours))
    if earlier != ours and (first != earlier or word != ours):  # of two words in our terms, the last one holds
        raise UserError(f"{first} and {word}: both set {key}; give one of them")


def names_file(word: str) -> bool:
    """Return whether a word names a data file: it has such an ending, or the file exists."""
    return not word.startswith("-") and (FILE.search(word) is not None or os.path.isfile(word))


def _translated(key: str, value: str, choices: Callable[[str], Sequence[str]], aliases: Mapping[str, str]) -> list[str]:
    """Return the words that KEY=VALUE stands for."""
    ours = aliases.get(key, key)
    is_file = ours == "dataset" and os.path.isfile(value)  # its name may have a comma or a quote
    if not is_file:
        check_word(f"{key}={value}")
    values = [value] if is_file else elements(f"{key}={value}", value)
    if ours == "class_weight":
        return [f"{ours}={','.join(map(_with_quotes, values))}"]
    if ours == "algo" and (none := next((one for one in values if one.lower() in NEAREST), None)):
        raise UserError(f"algo={none}: kernlearn has no such method; {NEAREST[none.lower()]}")
    if ours == "dataset":
        files = [one for one in values if one not in [*choices("dataset"), "all"]]
        if files and (words := _files(files, len(values))):
            return words
    if ours != key and ours in LISTS:
        return _list(ours, values)
    known, result = choices(ours), list[str]()
    for one in values:
        alias = "" if one in known else aliases.get(f"{key}={one}", aliases.get(f"{ours}={one.lower()}", ""))
        ours, one = alias.split("=", 1) if alias else (ours, one)
        result.append(one)
    return [f"{ours}={','.join(dict.fromkeys(result))}"]


def _files(values: Sequence[str], count: int) -> list[str]:
    """Return the words for data sets that are files, or none if a value is no file; `count` includes other values."""
    if directory := next(filter(os.path.isdir, values), None):
        raise UserError(f"dataset={directory}: is a directory; give a file")
    if not all(os.path.isfile(value) or FILE.search(value) for value in values):
        return []
    if name := next((value for value in values if "${" in value and os.path.isfile(value)), None):
        raise UserError(f"{name}: ${{ in a name is read as a reference; rename the file, or give a link to it")
    names = {"conll" if ".conll" in value.lower() else "csv" for value in values}
    if len(values) < count or len(names) > 1:
        raise UserError(f"dataset={values[0]}: all values must be files of one kind, as in dataset=a.csv,b.csv")
    return [f"dataset={names.pop()}", f"dataset.path={','.join(map(_path, values))}"]


def _path(value: str) -> str:
    """Return a path with the quotes that the grammar needs around special characters, if it has none."""
    return value if PLAIN_PATH.fullmatch(value) or value[:1] in ("'", '"') else as_word(value)


def _list(key: str, values: Sequence[str]) -> list[str]:
    """Return the words for values of a key that takes lists. A width of scikit-learn is absolute, or a word."""
    if key == "kernel.gammas" and (words := [value for value in values if value in UNITS]):
        if len(values) > 1:
            raise UserError(
                f"gamma: give only {words[0]} or only numbers; with kernel.unit={words[0]}, kernel.gammas are multiples"
            )
        return [f"{key}=[1.0]", f"kernel.unit={words[0]}"]
    unit = ["kernel.unit=null"] if key == "kernel.gammas" else []
    return [f"{key}={','.join(map(_listed, values))}", *unit]


def _with_quotes(value: str) -> str:
    """Return a mapping of names as a quoted text, because class_weight has its own rules for them."""
    return as_word(value) if value.startswith("{") and re.search("['\"]", value) else value


def _listed(value: str) -> str:
    return value if value.startswith("[") else f"[{value}]"
