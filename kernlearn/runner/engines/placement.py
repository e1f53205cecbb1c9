"""Place cells by memory: cells with similar needs are computed together, where there is enough memory for them."""

from collections.abc import Mapping, Sequence
from math import ceil, log2

from kernlearn.errors import UserError
from kernlearn.memory import in_words
from kernlearn.runner.cell.cell import Cell


def by_memory(cells: Sequence[Cell], needs: Mapping[str, float]) -> list[tuple[float, list[Cell]]]:
    """Return cells in groups, each with its largest need in bytes, which is at most twice that of its other cells.

    Cells without an estimate need 0.
    """
    groups: dict[int, list[tuple[float, Cell]]] = {}
    for cell in cells:
        need = needs.get(cell.key, 0.0)
        groups.setdefault(ceil(log2(max(need, 1.0))), []).append((need, cell))
    return [
        (max(need for need, _ in group), [cell for _, cell in group])
        for _, group in sorted(groups.items(), reverse=True)
    ]


def beside_each_other(need: float, room: float, most: int, what: str, used: float = 0.0) -> int:
    """Return how many processes of `need` bytes fit into the room that is not `used`, at most `most`.

    Raises `UserError` if not even one fits; `what` names the place with the most room.
    """
    if need + used > room:
        advice = "engine.headroom=1 reserves only the estimate, engine.memory=GB sets a limit"
        raise UserError(f"a cell needs {in_words(need + used)} of memory, but {what} has {in_words(room)}; {advice}")
    return min(most, int((room - used) / need)) if need else most
