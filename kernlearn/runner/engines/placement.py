"""Cells by the memory that they need: those of alike memory are computed together, where there is enough for them."""

from collections.abc import Mapping, Sequence
from math import ceil, log2

from kernlearn.errors import UserError
from kernlearn.memory import in_words
from kernlearn.runner.cell.cell import Cell


def by_memory(cells: Sequence[Cell], needs: Mapping[str, float]) -> list[tuple[float, list[Cell]]]:
    """Return cells in groups, with the bytes that the dearest of each needs: twice as much as the others at most.

    Those of which nothing is known need 0.
    """
    groups: dict[int, list[tuple[float, Cell]]] = {}
    for cell in cells:
        need = needs.get(cell.key, 0.0)
        groups.setdefault(ceil(log2(max(need, 1.0))), []).append((need, cell))
    return [
        (max(need for need, _ in group), [cell for _, cell in group])
        for _, group in sorted(groups.items(), reverse=True)
    ]


def beside_each_other(need: float, room: float, most: int, what: str, taken: float = 0.0) -> int:
    """Return how many processes of so many bytes there is room for beside what is taken, at most `most`.

    Raises
    ------
    UserError
        If there is none for one: `what` has the most room.
    """
    if need + taken > room:
        advice = "engine.headroom=1 asks for no more than the estimate, engine.memory=GB sets a limit"
        raise UserError(
            f"a cell is to have {in_words(need + taken)} of memory, and {what} has {in_words(room)}; {advice}"
        )
    return min(most, int((room - taken) / need)) if need else most
