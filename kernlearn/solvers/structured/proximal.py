"""Proximal steps of structured machines of chains with a bound: how near a round stays to the w of the one before.

Where losses are much larger than the penalty, a bound makes (P) of `kernlearn.solvers.structured.solver` almost a
linear program, and rounds for it would only creep. A round is therefore a step of the proximal point algorithm; it
improves ::

    (P_k)  min_w  1/2 |w|^2 + rho/2 |w - w_k|^2 + C/n sum_i ... = (1 + rho) (1/2 |w - o|^2 + C'/n sum_i ...) + constant

from the w_k of the round before, with ``o = rho/(1 + rho) w_k`` and ``C' = C/(1 + rho)``. The multipliers of a round
are those of (P_k) over 1 + rho; times 1 + rho they are feasible in (D). The larger rho, the shorter is the step of a
round, and the sooner it is taken; of a rho of 0 a round is one for (P) itself. Source: Rockafellar (1976), Monotone
operators and the proximal point algorithm.
"""

from dataclasses import dataclass

#: The share that a program begins with, and the least that slow rounds halve it to: where few sequences are fitted to
#: their bounds, hundreds of steps as short as the first ones would be needed.
FIRST, LEAST = 0.5, 0.05
#: A round is slow that leaves more than this part of the gap; so many in a row halve the share.
SLOW, PATIENCE = 0.95, 5
#: Where nothing moves any more the share is this part of what it was, and 0 once it is down to the second.
RELAXED, NEGLIGIBLE = 0.1, 1e-3


@dataclass
class ProximalWeight:
    """The weight rho of one program, from round to round."""

    #: 0 until `update` sets it.
    rho: float = 0.0
    #: What rho is where losses are as large as the penalty; it grows as their ratio does.
    share: float = FIRST
    #: How many of the last rounds were slow, in a row.
    slow: int = 0

    @property
    def factor(self) -> float:
        """1 + rho, which the multipliers of a round have to be multiplied by to be feasible in (D)."""
        return 1.0 + self.rho

    def update(self, losses: float, penalty: float, gap: float, last: float) -> float:
        """Set rho for the next round.

        Parameters
        ----------
        losses, penalty : float
            Of the last w; together they are its value in (P), and the penalty is > 0.
        gap, last : float
            What the last round left of the gap, and what there was before.

        Returns
        -------
        float
            What the multipliers of a round, and w - o, are to be multiplied by to stay the same in (D).
        """
        before = self.factor
        self.slow = self.slow + 1 if gap > SLOW * last else 0
        if self.slow == PATIENCE:  # a share that `relax` made less than the least stays as it is
            self.share, self.slow = min(self.share, max(0.5 * self.share, LEAST)), 0
        self.rho = self.share * losses / penalty
        return before / self.factor

    def relax(self) -> None:
        """Make steps longer, and at last as long as those for (P), where shorter ones do not move w any more.

        The programs of such steps are solved to a tolerance, within which the w of the round before is good enough.
        """
        self.share, self.slow = RELAXED * self.share if self.share > NEGLIGIBLE else 0.0, 0
