"""The parameters of every kernel family, declared once: configuration files, checks and lists follow from it."""

from collections.abc import Mapping

from kernlearn.kernels.core.units import UNITS
from kernlearn.kernels.families.graph import METRICS, WEIGHTS
from kernlearn.kernels.families.nystrom import APPROXIMATIONS
from kernlearn.kernels.families.registry import GRAM_FAMILIES
from kernlearn.kernels.families.spectrum import BASES
from kernlearn.kernels.families.stumps import DRAWS
from kernlearn.parameters import Choice, Flag, Number, Numbers, Parameter, Text
from kernlearn.plugins import Registry

POSITIVE, COST = Numbers(Number(positive=True)), Number(low=0)
LENGTH, LENGTHS = Number(low=1, integer=True), Numbers(Number(low=1, integer=True))
POWERS = Numbers(Number(low=1, high=100, integer=True))
POWER = Number(low=1, high=100, integer=True)
SIGNALS, VIEWS = Numbers(Number(low=1, high=5, integer=True)), Number(low=1, high=1000, integer=True)

GAMMAS = "inverse widths, one kernel for each"
#: What the gammas of Gaussian kernels are multiples of; left out of what an experiment is where it is null.
UNIT = {
    "unit": Parameter(
        None, Choice(tuple(UNITS), optional=True), "of gammas: 1 / (d var) of the training examples, 1 / d, or 1"
    )
}
PRODUCTS = {
    "degrees": Parameter(list(range(1, 11)), POWERS, "exponents k, one kernel for each"),
    "coef0": Parameter(1.0, Number(low=0), "what is added to the inner product"),
}

_OF_KERNELS: dict[str, Mapping[str, Parameter]] = {
    "polynomial": PRODUCTS,
    "polynomial_libsvm": PRODUCTS,
    "polynomial_unit": PRODUCTS,
    "gaussian": {"gammas": Parameter([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0], POSITIVE, GAMMAS)},
    "linear": {},
    "mixed": {
        "gammas": Parameter([1.0], POSITIVE, "inverse widths of the Gaussian kernels"),
        "degrees": Parameter([2], POWERS, "exponents of the polynomial kernels"),
        "coef0": Parameter(1.0, Number(low=0), "what these add to the inner product"),
    },
    "sigmoid": {
        "slopes": Parameter([0.01, 0.1, 1.0, 10.0], POSITIVE, "one kernel for each; with algo.complexity=massart"),
        "offset": Parameter(0.0, Number(), "what is added to slope times inner product"),
    },
    "views": {"n_views": Parameter(12, VIEWS, "views of an example; protein_fold has 12, with scaling=none")},
    "dna_signals": {
        "degree": Parameter(5, LENGTH, "of the weighted degree kernel"),
        "length": Parameter(3, LENGTH, "of the words of the spectrum kernels"),
        "letters": Parameter("ACGT", Text(), "what the codes 0, 1, ... stand for; of splice_delve it is -AGCT"),
        "signals": Parameter(
            [1, 2, 3, 4, 5], SIGNALS, "1: weighted degree, 2 and 3: spectra of the halves, 4: twist, 5: stacking"
        ),
    },
    "edit_distance": {
        "gammas": Parameter(
            [1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3], POSITIVE, f"{GAMMAS}; with scaling=none algo.complexity=massart"
        ),
        "insertion": Parameter(1.0, COST, "what it costs; 1, 1, 1 is the distance of Levenshtein"),
        "deletion": Parameter(1.0, COST, "what it costs"),
        "substitution": Parameter(1.0, COST, "what it costs"),
    },
    "spectrum": {
        "lengths": Parameter([1, 2, 3, 4, 5, 6], LENGTHS, "of words, one kernel for each; with scaling=none"),
    },
    "substring": {
        "lengths": Parameter([1, 2, 3, 4, 6, 8], LENGTHS, "longest substrings, one kernel for each; with scaling=none"),
    },
    "weighted_degree": {
        "degrees": Parameter([1, 2, 3, 4, 5, 6], LENGTHS, "longest words, one kernel for each; with scaling=none"),
    },
    "min": {},
    "basket": {},
    "features": {},
    "stumps": {
        "number": Parameter(500, Number(low=0, high=10**6, integer=True), "drawn at random; 0: all there are"),
        "draw": Parameter(
            DRAWS[0], Choice(DRAWS), "thresholds of drawn stumps: values of examples, or uniform; with scaling=none"
        ),
    },
    "graph": {
        "neighbours": Parameter(5, Number(low=1, high=10**6, integer=True), "the nearest examples of each"),
        "mutual": Parameter(True, Flag(), "joined are two that are near each other; false: one of them is"),
        "weights": Parameter(WEIGHTS[0], Choice(WEIGHTS), "of edges: 1, or exp(-d^2 / (2 s^2))"),
        "width": Parameter(1.0, Number(positive=True), "s, in units of the mean distance of near examples"),
        "metric": Parameter(METRICS[0], Choice(METRICS), "distance of examples"),
        "standardise": Parameter(False, Flag(), "features of mean 0 and deviation 1, over all examples"),
        "normalised": Parameter(False, Flag(), "I - D^-1/2 W D^-1/2 for the Laplacian D - W"),
        "q": Parameter(200, Number(low=1, high=10**6, integer=True), "eigenvectors that are used"),
        "basis": Parameter(BASES[0], Choice(BASES), "of the components; random, to see what the rule is worth"),
    },
    "chains": {
        "window": Parameter(3, Number(low=1, high=99, integer=True), "places whose features one has, an odd number"),
        "degree": Parameter(1, POWER, "of the kernel (x.z + 1)^degree; 1: the features themselves, as for algo=crf"),
    },
}
#: What positive definite kernels accept of which matrices are made; left out of what an experiment is where it is null.
APPROXIMATION = {
    "approximate": Parameter(None, Choice(APPROXIMATIONS, optional=True), "another problem, of the rank, in its place"),
    "rank": Parameter(None, Number(low=1, high=10**5, integer=True, optional=True), "landmarks of the approximation"),
}


def _approximable(name: str) -> bool:
    usual = {key: parameter.default for key, parameter in _OF_KERNELS[name].items()}
    return name in GRAM_FAMILIES and GRAM_FAMILIES[name](**usual).positive_definite


#: What ``kernel.*`` accepts, by name of the family; those of plug-ins, too.
KERNEL_PARAMETERS = Registry(
    "KERNEL_PARAMETERS",
    {
        name: {**own, **(UNIT if name == "gaussian" else {}), **(APPROXIMATION if _approximable(name) else {})}
        for name, own in _OF_KERNELS.items()
    },
)
