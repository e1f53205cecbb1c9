"""What a model file may name: estimators of kernlearn, transformers of scikit-learn, and the records that they hold.

A name is looked up here, and nowhere else, and stands for one class. None of these runs anything that a file says.
"""

from dataclasses import fields
from importlib import import_module
from typing import Any

#: Transformers of scikit-learn, and what puts them together, by their modules.
TRANSFORMERS = {
    "ColumnTransformer": "sklearn.compose",
    "DictVectorizer": "sklearn.feature_extraction",
    "FunctionTransformer": "sklearn.preprocessing",  # which stands for "passthrough": a function is refused
    "KNNImputer": "sklearn.impute",
    "MaxAbsScaler": "sklearn.preprocessing",
    "MinMaxScaler": "sklearn.preprocessing",
    "MissingIndicator": "sklearn.impute",
    "Normalizer": "sklearn.preprocessing",
    "OneHotEncoder": "sklearn.preprocessing",
    "OrdinalEncoder": "sklearn.preprocessing",
    "Pipeline": "sklearn.pipeline",
    "RobustScaler": "sklearn.preprocessing",
    "SimpleImputer": "sklearn.impute",
    "StandardScaler": "sklearn.preprocessing",
}
#: Steps of the models that ``kernlearn fit`` makes.
STEPS = {
    "MethodEstimator": "kernlearn.models.estimator",
    "SentenceFeatures": "kernlearn.models.sentences",
    "TableFeatures": "kernlearn.models.features",
}
#: Frozen records by their modules.
RECORDS = {
    "Chains": "kernlearn.datasets.core.chains",
    "Decoder": "kernlearn.algorithms.core.decoder",
    "EveryOutput": "kernlearn.algorithms.core.predictor",
    "Expansion": "kernlearn.algorithms.core.predictor",
    "Graph": "kernlearn.kernels.families.graph",
    "KernelDecoder": "kernlearn.algorithms.core.decoder",
    "Network": "kernlearn.algorithms.common.networks",
    "Networks": "kernlearn.algorithms.boosting.rbf_networks",
    "Pairs": "kernlearn.algorithms.core.predictor",
    "Proof": "kernlearn.estimators.common.fitting",
    "Rounds": "kernlearn.algorithms.boosting.votes",
    "Smooth": "kernlearn.algorithms.transduction.spectral",
    "Solution": "kernlearn.solvers.core.solution",
    "Spectrum": "kernlearn.kernels.families.spectrum",
    "Stumps": "kernlearn.kernels.families.stumps",
    "Units": "kernlearn.solvers.stumps_networks.rbf",
    "Values": "kernlearn.algorithms.core.predictor",
    "Vote": "kernlearn.algorithms.boosting.votes",
    "Weighed": "kernlearn.algorithms.boosting.rbf_networks",
    "Windows": "kernlearn.kernels.families.chains",
}
#: The classes of records that have another name in files.
CLASSES = {"Proof": "Solved"}
#: Fields of records that are not kept: what a solver says beside its solution.
LEFT_OUT = {"Solution": ("extras",)}


def estimator_named(name: str) -> type[Any] | None:
    """Return the class of an estimator or transformer by its name in a file, None if a file may not name it."""
    package, _, word = name.rpartition(".")
    if package == "kernlearn.models" and word in STEPS:
        return getattr(import_module(STEPS[word]), word)
    if package == "sklearn" and word in TRANSFORMERS:
        return getattr(import_module(TRANSFORMERS[word]), word)
    if package == "kernlearn":
        from kernlearn import estimators

        return getattr(estimators, word) if word in dir(estimators) else None
    return None


def name_of_estimator(kind: type[Any]) -> str | None:
    """Return the name of a class in a file, None if a file may not name it."""
    package = kind.__module__.partition(".")[0]
    name = f"kernlearn.models.{kind.__name__}" if kind.__name__ in STEPS else f"{package}.{kind.__name__}"
    return name if estimator_named(name) is kind else None


def may_be_nan(name: str) -> bool:
    """Return whether arrays of an estimator may have NaN: those of transformers, which learn what is missing."""
    return name.startswith("sklearn.") or name == "kernlearn.models.TableFeatures"


def record_named(name: str) -> type[Any] | None:
    """Return the class of a record by its name, None if there is none."""
    return getattr(import_module(RECORDS[name]), CLASSES.get(name, name)) if name in RECORDS else None


def name_of_record(kind: type[Any]) -> str | None:
    """Return the name of the class of a record in a file, None if there is none."""
    names = {word: name for name, word in CLASSES.items()}
    name = names.get(kind.__name__, kind.__name__)
    return name if record_named(name) is kind else None


def fields_of(record: type[Any]) -> list[str]:
    """Return the names of the fields of a record that a file has."""
    left_out = LEFT_OUT.get(record.__name__, ())
    return [one.name for one in fields(record) if not one.name.startswith("_") and one.name not in left_out]
