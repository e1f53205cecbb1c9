"""Guesses: which method, kernel and data set are meant by names in a printed table. They are marked as guesses."""

import re

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.method import KERNELS as ANY_KERNEL
from kernlearn.datasets import CATALOGUE
from kernlearn.evaluation import METRICS
from kernlearn.plugins import choices
from kernlearn.runner.cell.cell import REGRESSION

#: What papers call methods: letters and digits alone, lower case.
METHODS = {
    **dict.fromkeys(("svm", "svc", "csvm", "l2svm", "softmarginsvm", "supportvectormachine", "libsvm"), "l2_svm"),
    **dict.fromkeys(("l1svm", "norm1svm", "1normsvm", "lpsvm"), "l1_svm"),
    **dict.fromkeys(("adaboost", "ab", "ada"), "adaboost"),
    **dict.fromkeys(("adaboostreg", "abreg", "abr"), "adaboost_reg"),
    **dict.fromkeys(("lpboost", "lpadaboost", "lpregab", "lpab"), "lpboost"),
    **dict.fromkeys(("qpboost", "qpadaboost", "qpregab", "qpab"), "qpboost"),
    **dict.fromkeys(("ebboost", "empiricalbernsteinboosting"), "ebboost"),
    **dict.fromkeys(("krr", "kernelridge", "kernelridgeregression", "rls", "rlsc"), "krr"),
    **dict.fromkeys(("lssvm", "lssvmrbf", "leastsquaressvm", "leastsquaressupportvectormachine"), "krr"),
    **dict.fromkeys(("klda", "kfd", "kfda", "kernelfisherdiscriminant", "kernelfisher"), "klda"),
    **dict.fromkeys(("mkl", "l1mkl", "simplemkl", "silp"), "l1_mkl"),
    **dict.fromkeys(("l2mkl",), "l2_mkl"),
    **dict.fromkeys(("unif", "uniform", "unweighted", "sumofkernels", "averagekernel"), "unif"),
    **dict.fromkeys(("crf", "conditionalrandomfield", "conditionalrandomfields"), "crf"),
    **dict.fromkeys(("structsvm", "svmstruct", "ssvm", "hmsvm", "m3n"), "struct_svm"),
    **dict.fromkeys(("rbfnetwork", "rbfnet", "rbfnetworks"), "rbf_network"),
    **dict.fromkeys(("nearestmean", "nearestcentroid", "ncm", "rocchio"), "nearest_mean"),
    **dict.fromkeys(("labelspreading", "lgc", "llgc"), "label_spreading"),
    **dict.fromkeys(("labelpropagation", "harmonicfunction"), "label_propagation"),
}
#: How a regression is a classifier: it learns from the labels -1 and +1, and the sign is the class.
ON_LABELS = (f"task={REGRESSION}", "select_by=error_pct")
#: Words for kernels.
KERNELS = {
    "linear": "linear",
    "lin": "linear",
    "rbf": "gaussian",
    "gaussian": "gaussian",
    "poly": "polynomial",
    "polynomial": "polynomial",
}
#: What papers call data sets, where it is not the name in the catalogue.
DATA = {
    **dict.fromkeys(
        ("wisconsin", "wbc", "breast", "breastw", "bcw", "breastcancerwisconsin", "cancer"), "breastcancer"
    ),
    **dict.fromkeys(("wdbc", "diagnosticbreastcancer"), "wdbc"),
    **dict.fromkeys(("pima", "diabetes", "diabetis", "pimaindians", "pimaindiansdiabetes", "pid"), "pima"),
    **dict.fromkeys(("ion",), "ionosphere"),
    **dict.fromkeys(("snr", "son"), "sonar"),
    **dict.fromkeys(("hea", "heart", "statlogheart", "heartstatlog"), "heart"),
    **dict.fromkeys(("german", "germancredit", "credit", "creditg"), "german"),
    **dict.fromkeys(("musk1", "clean1"), "musk"),
    **dict.fromkeys(("musk2", "clean2"), "musk2"),
    **dict.fromkeys(("spam",), "spambase"),
    **dict.fromkeys(("mushroom", "agaricuslepiota"), "mushrooms"),
    **dict.fromkeys(("promoter",), "promoters"),
    **dict.fromkeys(("optdigit", "opticaldigits"), "optdigits"),
}


#: Words beside the name of a method that say nothing of it.
NEUTRAL = frozenset("kernel kernels classifier machine with best single the algo algorithm error test".split())


def guess_method(name: str, metric: str = "error_pct") -> list[str]:
    """Return the overrides that a printed column probably means; none if nothing fits all of its words.

    A method that takes any kernel has Gaussian ones where the name says no other. One for regression learns from the
    labels -1 and +1 if the metric is a score of classes. A metric of real targets is of no classifier.
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = re.findall(r"[a-z]+[0-9]*|[0-9]+[a-z]*", spaced.lower())
    known = METHODS | {_bare(choice): choice for choice in choices("algo")}
    spans = [(i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    for i, j in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):  # the longest first
        method, others = known.get("".join(words[i:j])), (*words[:i], *words[j:])
        understood = all(word in KERNELS or word in NEUTRAL or len(word) == 1 for word in others)
        if method and understood and _is_for(method, metric):
            kernels = [KERNELS[word] for word in others if word in KERNELS]
            takes_any = ALGORITHMS[method].inputs == ANY_KERNEL
            return [
                f"algo={method}",
                *([f"kernel={(*kernels, 'gaussian')[0]}"] if takes_any else []),
                *(ON_LABELS if is_on_labels(method, metric) else []),
            ]
    return []


def _is_for(method: str, metric: str) -> bool:
    return METRICS[metric].target != "reals" or REGRESSION in ALGORITHMS[method].tasks


def is_on_labels(method: str, metric: str) -> bool:
    """Return whether a method has a metric by its regression on the labels -1 and +1."""
    return METRICS[metric].target not in ("", "reals") and ALGORITHMS[method].tasks == (REGRESSION,)


def guess_data(name: str) -> str:
    """Return the data set of the catalogue that a printed row probably means; empty if nothing fits."""
    bare = _bare(name)
    of_benchmark = {_bare(one.removeprefix("ida_")): one for one in CATALOGUE if one.startswith("ida_")}
    return ({**of_benchmark, **DATA} | {_bare(one): one for one in CATALOGUE}).get(bare, "")


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", name.lower())
