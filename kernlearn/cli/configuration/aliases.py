"""Translate scikit-learn's names on the command line, with a note; for those without an equivalent, say what to use."""

import os
import re
import shlex
from collections.abc import Callable, Sequence

from kernlearn.cli.configuration.grammar import check_word, elements
from kernlearn.errors import UserError
from kernlearn.kernels.core.units import UNITS
from kernlearn.runner.cell.class_weight import as_word

#: What words are here: keys and, behind "=", values of a key. A key of a list takes one value, too.
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
    "select_by=neg_mean_absolute_error": "select_by=mae",
    "multiclass=ovr": "multiclass=one_vs_rest",
    "multiclass=ovo": "multiclass=one_vs_one",
}
#: Keys that are none here, and what is meant.
MEANT = {
    "cv": "protocol=nested5x5 cross-validates, the choice of hyper-parameters included",
    "n_splits": "protocol=nested5x5 has 5 folds",
    "stratify": "protocol=nested5x5 is stratified where there are classes",
    "test_size": "protocol=holdout10_cv5 tests on 20 % of the examples, protocol=halves10_cv5 on 50 %",
    "train_size": "protocol=holdout10_cv5 trains on 80 % of the examples, protocol=halves10_cv5 on 50 %",
    "shuffle": "examples are always shuffled, by seed=",
    "param_grid": "lists are grids, as in algo.Cs=[0.1,1,10] kernel.gammas=[0.1,1]",
    "penalty": "algo=l1_svm has the l1 norm, algo=l2_svm the l2 norm",
    "probability": "decision values are not made probabilities",
    "verbose": "--debug says more",
    "cache_size": "streamed=true holds no kernel matrix",
    "epsilon": "regressions are algo=krr and others with squared loss",
    "nu": "algo=l2_svm has C, as in algo.Cs=[0.1,1,10]",
}
#: Methods that are none here, and those that are nearest.
NEAREST = dict.fromkeys(
    ("svr", "linearsvr", "nusvr", "epsilon_svr"),
    "algo=krr and algo=l2_krr are regressions with kernels, of squared losses; give one of them and task=regression",
)
#: Keys of ours that take lists.
LISTS = ("algo.Cs", "algo.lambdas", "kernel.gammas", "kernel.degrees")
#: A path that is read as it is, without quotes.
PLAIN_PATH = re.compile(r"[A-Za-z0-9_./+@%-]+")
#: Values of ``dataset`` that name a file, whether there is one or not.
FILE = re.compile(r"\.(csv|tsv|txt|data|dat|arff|libsvm|svm|svmlight|parquet|conllu?)(\.gz)?$", re.I)


def translated(words: Sequence[str], choices: Callable[[str], Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return words of the command line in ours, and a line for every one that was another.

    Parameters
    ----------
    words : sequence of str
    choices : callable
        ``choices(group)`` lists the names of a group, which are never taken for others.

    Raises
    ------
    UserError
        If a word is of scikit-learn's, and there is none like it; or if two words say different things of one key.
    """
    found, lines, said = list[str](), list[str](), dict[str, tuple[str, str]]()
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key in MEANT:
            raise UserError(f"{key}: kernlearn has no such key; {MEANT[key]} (kernlearn list has all choices)")
        if not equals and _is_file(word):
            raise UserError(f"{word}: a data file is given as dataset={shlex.quote(word)}")
        ours = _translated(key, value, choices) if equals else [word]
        for one in ours:
            _require_one(word, one, said)
        found += ours
        if ours != [word]:
            shown = [shlex.quote(one) if one.startswith("dataset.path=") else one for one in ours]
            lines.append(f"{word} is read as {' '.join(shown)}")
    if "kernel.gammas" in said and said.get("kernel", ("", ""))[0].lower() == "kernel=poly":
        gamma, _ = said["kernel.gammas"]
        raise UserError(f"{gamma}: kernel=poly is (x.z/d + coef0)^degree here, of gamma=auto alone; leave gamma out")
    return found, lines


def _require_one(word: str, ours: str, said: dict[str, tuple[str, str]]) -> None:
    """Note what a word says in ours, or raise `UserError` if another word, or ours, says something else of its key."""
    key = ours.partition("=")[0].lstrip("+")
    first, earlier = said.setdefault(key, (word, ours))
    if earlier != ours and (first != earlier or word != ours):  # of ours twice the last one holds
        raise UserError(f"{first} and {word}: both set {key}; give one of them")


def _is_file(word: str) -> bool:
    """Tell a word that names a data file, by its ending or because there is such a file."""
    return not word.startswith("-") and (FILE.search(word) is not None or os.path.isfile(word))


def _translated(key: str, value: str, choices: Callable[[str], Sequence[str]]) -> list[str]:
    """Return the words that KEY=VALUE stands for."""
    ours = ALIASES.get(key, key)
    is_file = ours == "dataset" and os.path.isfile(value)  # with a comma or a quote in its name
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
        alias = "" if one in known else ALIASES.get(f"{key}={one}", ALIASES.get(f"{ours}={one.lower()}", ""))
        ours, one = alias.split("=", 1) if alias else (ours, one)
        result.append(one)
    return [f"{ours}={','.join(dict.fromkeys(result))}"]


def _files(values: Sequence[str], count: int) -> list[str]:
    """Return the words for data sets that are files, or nothing where a value is none; `count` has others, too."""
    if directory := next(filter(os.path.isdir, values), None):
        raise UserError(f"dataset={directory}: is a directory; give a file in it")
    if not all(os.path.isfile(value) or FILE.search(value) for value in values):
        return []
    names = {"conll" if ".conll" in value.lower() else "csv" for value in values}
    if len(values) < count or len(names) > 1:
        raise UserError(f"dataset={values[0]}: files of one kind are given alone, as in dataset=a.csv,b.csv")
    return [f"dataset={names.pop()}", f"dataset.path={','.join(map(_path, values))}"]


def _path(value: str) -> str:
    """Return a path with the quotes that the grammar needs around signs, if it has none."""
    return value if PLAIN_PATH.fullmatch(value) or value[:1] in ("'", '"') else as_word(value)


def _list(key: str, values: Sequence[str]) -> list[str]:
    """Return the words for values of a key that takes lists; a width of scikit-learn's is absolute, or a word."""
    if key == "kernel.gammas" and (words := [value for value in values if value in UNITS]):
        if len(values) > 1:
            raise UserError(
                f"gamma: give {words[0]} alone, or numbers; kernel.unit={words[0]} makes kernel.gammas its multiples"
            )
        return [f"{key}=[1.0]", f"kernel.unit={words[0]}"]
    unit = ["kernel.unit=null"] if key == "kernel.gammas" else []
    return [f"{key}={','.join(map(_listed, values))}", *unit]


def _with_quotes(value: str) -> str:
    """Return a mapping of names in quotes as a text: class_weight has rules of its own for them."""
    return as_word(value) if value.startswith("{") and re.search("['\"]", value) else value


def _listed(value: str) -> str:
    return value if value.startswith("[") else f"[{value}]"
