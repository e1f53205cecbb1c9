"""The memory that missing cells need, and how many of them this machine can run at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kernlearn.algorithms.core.grams import NEED_MATRICES
from kernlearn.errors import UserError
from kernlearn.memory import GB, available, in_words, left_of_limit
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.store.records import Options


@dataclass(frozen=True)
class Need:
    """The memory that some cells need."""

    cells: int
    #: The plan of the cell that takes the most memory.
    dearest: Plan

    def words(self, engine: Options) -> str:
        """Return the estimate in one line."""
        memory = f"about {in_words(self.dearest.cost.peak)} a process{_assumed(self.dearest)}"
        allowed = engine["memory"]
        if allowed and self.dearest.cost.peak > self.dearest.cost.base + allowed * GB:
            memory += f"; a cell that takes more than engine.memory={allowed:g} GB fails"
        return memory


def _assumed(plan: Plan) -> str:
    """Return what is to be said of an estimate for a method that was not measured."""
    if not plan.cost.assumed:
        return ""
    name, cost = plan.experiment.algo["name"], plan.cost
    return f" (algo={name} was not measured: memory as of {cost.heaviest}, the largest)"


def need_of(plans: Iterable[Plan], cells: Sequence[Cell]) -> Need | None:
    """Return the need of some cells of the plans, or None without cells."""
    chosen = {id(cell) for cell in cells}
    counts = [(plan, sum(id(cell) in chosen for cell in plan.cells)) for plan in plans]
    counted = [(plan, count) for plan, count in counts if count]
    if not counted:
        return None
    return Need(sum(count for _, count in counted), max((plan for plan, _ in counted), key=lambda plan: plan.cost.peak))


def processes(engine: Options, cells: int) -> int:
    """Return the number of processes that an engine has for some cells; 0 if it is not known here."""
    if not cells:
        return 0
    if engine["name"] == "local":
        from joblib import cpu_count  # slow to import

        return min(engine["jobs"] or cpu_count(), cells)
    return min(engine["nodes"] * engine["cpus"], cells) if engine["name"] == "slurm" else 0


def admit(need: Need, engine: Options) -> tuple[Options, str]:
    """Return the engine with as many processes as fit into memory, and a line if these are fewer than requested.

    Only processes of this machine are limited, and only if the system reports its available memory.

    Raises `UserError` if not even one cell fits.
    """
    free = _available(engine)
    if free is None:
        return dict(engine), ""
    asked, peak, one = processes(engine, need.cells), _peak(need.dearest, engine), min(free, left_of_limit())
    if peak > one:
        raise UserError(_refusal(need.dearest, one))
    jobs = min(asked, int(free / peak))
    if jobs == asked:
        return dict(engine), ""
    reason = f"each needs about {in_words(peak)}, and {in_words(free)} of memory are available"
    return {**engine, "jobs": jobs}, f"{jobs} process{'es' if jobs > 1 else ''} instead of {asked}: {reason}"


def placed(plans: Iterable[Plan], cells: Sequence[Cell], engine: Options) -> Options:
    """Return the engine with `needs`, the memory of cells in bytes by key, if it places cells by memory."""
    options = dict(engine)
    headroom, chosen = options.pop("headroom", None), {id(cell) for cell in cells}
    if headroom is None:
        return options
    needs = {
        key: headroom * _peak(plan, engine)
        for plan in plans
        for key, cell in zip(plan.keys, plan.cells, strict=True)
        if id(cell) in chosen
    }
    return {**options, "needs": needs}


def too_large(plans: Iterable[Plan], cells: Sequence[Cell], engine: Options) -> tuple[list[Cell], list[str]]:
    """Return the cells that fit into memory one by one, and a line for each plan whose cells do not."""
    free = _available(engine)
    if free is None:
        return list(cells), []
    free = min(free, left_of_limit())
    chosen = {id(cell) for cell in cells}
    out = [plan for plan in plans if _peak(plan, engine) > free and not chosen.isdisjoint(map(id, plan.cells))]
    never = {id(cell) for plan in out for cell in plan.cells}
    return [cell for cell in cells if id(cell) not in never], list(dict.fromkeys(_refusal(plan, free) for plan in out))


def _available(engine: Options) -> float | None:
    return available() if engine["name"] == "local" else None


def _peak(plan: Plan, engine: Options) -> float:
    """Return the memory of a process for a cell, in bytes. ``engine.memory`` limits the part beyond its base."""
    cost = plan.cost
    return min(cost.peak, cost.base + engine["memory"] * GB) if engine["memory"] else cost.peak


def _refusal(plan: Plan, free: float) -> str:
    cost = plan.cost
    most = cost.largest(free)
    most -= most % 10 ** max(0, len(str(most)) - 2)  # two digits
    may = plan.experiment.algo.get("solver") not in NEED_MATRICES and not cost.size.streamed
    streamed = cost.without_matrices.peak
    advice = f"streamed=true stores at most one matrix and needs about {in_words(streamed)}; "
    advice = advice if may and streamed <= min(free, 0.9 * cost.peak) else ""
    enough = f"enough for about {most}" if most else "not enough for any"
    examples, kernels = ("places to train on", "features") if cost.size.labels else ("training examples", "kernels")
    return (
        f"algo={plan.experiment.algo['name']} on {plan.dataset.name}: a cell of {cost.size.n} {examples} and "
        f"{cost.size.p} {kernels} needs about {in_words(cost.peak)}{_assumed(plan)}, {in_words(free)} of memory are "
        f"available, {enough} {examples}; {advice}engine.memory=GB runs it anyway, with a limit of GB gigabytes for "
        "each cell"
    )
