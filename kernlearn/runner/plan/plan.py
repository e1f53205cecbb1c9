"""The plan of an experiment: its cells, and what is known before they run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb

from kernlearn.algorithms.core.grams import require_without
from kernlearn.datasets import Dataset, load
from kernlearn.errors import UserError
from kernlearn.evaluation import AS_USUAL, ChosenBy, Row, Selection, protocol_of, select
from kernlearn.kernels import KernelFamily, NystromFamily, make_family, scaled
from kernlearn.kernels.families.vectors import FEATURES
from kernlearn.kernels.matrices.lowrank import make_stack
from kernlearn.runner.cell.cell import Experiment, Group, PathCell
from kernlearn.runner.cell.class_weight import name_classes
from kernlearn.runner.cell.data import splits_of
from kernlearn.runner.plan import by_size
from kernlearn.runner.plan.cells import Planned
from kernlearn.runner.plan.cost import Cost, cost_of
from kernlearn.runner.plan.requirements import require_choice, require_fit, require_kind
from kernlearn.runner.plan.sizes import size_of
from kernlearn.runner.store.records import Shard, Source

#: Versions of the rows of shards, for kernels that are features and for all others. Raise them if the meaning changes.
FEATURE_ROWS_VERSION, ROWS_VERSION = 4, 3

#: The columns of rows with texts, not numbers.
WORDS = (
    "status",
    "weights",
    "pairs",
    *(f"{part}_{of}" for part in ("validation", "test") for of in ("votes", "pair_errors", "tallies")),
)


@dataclass(frozen=True)
class Plan(Planned):
    """The cells of an experiment, and what is known before they run. The cost is that of the most expensive cell.

    Settings that depend on the number of examples are resolved. `by_size` describes them in the syntax of the command
    line.
    """

    experiment: Experiment
    dataset: Dataset
    label: str
    grid: list[dict[str, float]]
    cells: Sequence[PathCell]
    cost: Cost
    chosen_by: ChosenBy = AS_USUAL
    by_size: str = ""

    @property
    def source(self) -> Source:
        """The source that computes the cells now."""
        return self.experiment.source

    @property
    def about(self) -> str:
        """The method that computes them, in the syntax of the command line."""
        return f"algo {self.experiment.algo['name']}"

    def _label_of(self, cell: PathCell) -> str:
        return f"{self.dataset.name} {self.label} seed {cell.seed} split {cell.split}"

    def _has_rows_of(self, cell: PathCell, shard: Shard) -> bool:
        score = "rmse" if self.experiment.is_regression else "error_pct"
        columns = {"point", "n_support", "gap", "status", "n_test", f"test_{score}"}
        choosing = protocol_of(self.experiment.protocol).n_choosing
        if not choosing or cell.split < choosing:
            columns |= {"n_validation", f"validation_{score}"}
        rows = shard["rows"]
        return (
            all(columns <= row.keys() == rows[0].keys() for row in rows)
            and all(
                type(value) in ((str,) if name in WORDS else (int, float))
                for row in rows
                for name, value in row.items()
            )
            and {row["point"] for row in rows} <= set(range(len(self.grid)))
        )

    @property
    def problems(self) -> dict[str, int]:
        """The numbers whose product is the number of problems to solve, with what each counts."""
        protocol, method = protocol_of(self.experiment.protocol), self.experiment.method
        n_classes = len(self.dataset.classes)
        counts = {"grid points": len(self.grid)}
        if protocol.n_choosing:
            choosing = min(protocol.n_choosing, len(self.cells))
            words = "training parts and their folds in those splits that choose"
            counts[words] = len(self.cells) + choosing * protocol.n_folds
        else:
            counts["splits"] = len(self.cells)
            if protocol.n_folds:
                counts["folds and the whole training part"] = protocol.n_folds + 1
        if not (n_classes == 2 or method.joint or self.experiment.is_regression):
            one_vs_one = self.experiment.multiclass == "one_vs_one"
            counts |= (
                {"pairs of classes": comb(n_classes, 2)} if one_vs_one else {"classes against the rest": n_classes}
            )
        return counts

    @property
    def metric(self) -> str:
        """The score that selects a grid point, by default the error."""
        return self.chosen_by.metric or ("rmse" if self.experiment.is_regression else "error_pct")

    @property
    def rule(self) -> str:
        """The selection rule, one of `kernlearn.evaluation.RULES`, by default that of the protocol."""
        return self.chosen_by.rule or protocol_of(self.experiment.protocol).rule

    def select(self, rows: Sequence[Row]) -> Selection | None:
        """Choose a grid point, or one for each split; see `kernlearn.evaluation.select`."""
        return select([row for row in rows if "point" in row], self.grid, self.metric, self.rule)


def plan(
    experiment: Experiment,
    dataset: Dataset | None = None,
    *,
    like: Plan | None = None,
    chosen_by: ChosenBy = AS_USUAL,
) -> Plan:
    """Plan the cells of a checked experiment (`kernlearn.runner.plan.config.check_experiment`).

    The choice of a grid point, `chosen_by`, changes no cell. If many experiments are planned on the same data,
    `dataset` saves loading them. The plan of an experiment that differs only in the seed, `like`, saves the checks of
    data and kernels. Each cell includes the content of the data, not their name or place, and the version of the
    algorithm.

    Raises `UserError` if the algorithm does not fit the task or the kernels. Raises `UserError` also if the data are
    not available, the protocol cannot split them, or the kernels cannot be computed on them. Raises `UserError` also if
    the score that selects a grid point is not defined for the targets, or the protocol lacks parts for the rule.
    """
    require_fit(by_size.decided(experiment))
    dataset = dataset or load(**experiment.dataset)
    if experiment.class_weight is not None:
        experiment = replace(experiment, class_weight=name_classes(experiment.class_weight, dataset))
    asked, experiment = experiment, by_size.decided(experiment)
    protocol = protocol_of(experiment.protocol)
    algorithm, values = experiment.method, experiment.values
    if algorithm.universum and dataset.universum is None:
        raise UserError(
            f"algo={algorithm.name}: learns from a Universum, examples of none of the classes, but {dataset.name} has "
            "none; use dataset=mnist_universum, or the estimator, whose fit takes a Universum"
        )
    require_kind(algorithm, dataset, experiment.kernel["name"])
    if like is None:
        splits = splits_of(experiment, dataset)
        largest = max(len(train) for split in splits for train, _ in split.fits)
        experiment = by_size.at_size(asked, algorithm, largest)
        left, values = by_size.words(asked, experiment), experiment.values
        family = make_family(**experiment.kernel)
        (X,) = scaled(experiment.scaling, dataset.X[splits[0].train], unit=experiment.kernel.get("unit"))
        exact = family.exact if isinstance(family, NystromFamily) else family
        row = make_stack(exact, X[:1], X) if isinstance(exact, KernelFamily) else None  # one row shows an overflow
        label, grid = algorithm.label(**values), algorithm.points(family, experiment.task, values)
        size = size_of(experiment, algorithm, dataset, splits, family, row, grid)
        cost = cost_of(experiment, family, size)
    else:
        label, grid, cost, left = like.label, like.grid, like.cost, like.by_size
        experiment = replace(like.experiment, seed=experiment.seed)
        values = experiment.values
    if cost.size.streamed:
        require_without(values.get("solver"), cost.size.n)
    named, n = {"name": algorithm.name}, cost.size.n
    experiment = replace(experiment, algo=Group(named | algorithm.restore_defaults(n, values)))
    algo = Group(named | algorithm.resolve_auto(n, values))  # a cell has all parameters that its numbers depend on
    rows_version = FEATURE_ROWS_VERSION if experiment.kernel["name"] == FEATURES else ROWS_VERSION
    versions = Group({"algo": algorithm.version, "rows": rows_version})
    settings = vars(experiment) | {"algo": algo, "data": dataset.digest, "versions": versions}
    cells = [PathCell(**settings, split=split) for split in range(protocol.n_splits)]
    require_choice(experiment, dataset, chosen_by)
    return Plan(experiment, dataset, label, grid, cells, cost, chosen_by, left)
