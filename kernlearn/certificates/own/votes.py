"""Votes of stumps and of networks, weighed by a program, and networks alone: what is proved of those that are stored.

Which functions may vote is part of the problem. If all stumps of the training examples may, they are rebuilt from them.
If they were drawn, the file may have all of them. If AdaBoost found them, the file has those with a weight: then no
better weights of these are proved to exist, and nothing is said of others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.linear import units
from kernlearn.certificates.outputs import Outputs
from kernlearn.certificates.own.parts import Proved
from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.certificates.proofs.problem import number, times
from kernlearn.certificates.votes import edges_of, edges_of_stumps, norm, soft_margin
from kernlearn.kernels import make_family
from kernlearn.kernels.core.products import squared_distances
from kernlearn.kernels.families.stumps import Stumps, every_stump
from kernlearn.types import Array, Index

#: Votes that are in memory at a time.
CHUNK = 4096
EVERY = "every"
THESE = "the votes that the file has; others are not compared"
DRAWN = "the drawn stumps that the file has"
HIDDEN = "the stored centres and widths: the output weights are the best for them, and others are not compared"


class StumpVotes(NamedTuple):
    """Stumps ``G(x) = +1`` where a feature is above a threshold, and else -1: their features and thresholds."""

    features: Index
    thresholds: Array

    def stumps(self, X: Any) -> Stumps:
        """Return them with examples of shape (n, d)."""
        used, owners = np.unique(self.features, return_inverse=True)
        return Stumps(np.zeros((len(used), 0)), used, owners.astype(np.intp), self.thresholds).at(X)


class NetworkOutputs(NamedTuple):
    """Networks ``sum_k w_k exp(-|x - m_k|^2 / (2 s_k^2))``: a triple of centres, widths and weights for each."""

    networks: Sequence[tuple[Array, Array, Array]]

    def hidden(self, X: Any, r: int) -> Array:
        """Return the outputs of the units of a network, shape (n, n_units)."""
        centres, widths, _ = self.networks[r]
        dense = X.toarray() if hasattr(X, "toarray") else X
        return np.exp(-squared_distances(dense, centres) / (2.0 * widths**2))

    def votes(self, X: Any, some: Index) -> Array:
        """Return the signs of some networks on examples, shape (len(some), n)."""
        return np.array([np.where(self.hidden(X, r) @ self.networks[r][2] > 0.0, 1.0, -1.0) for r in some.tolist()])


@dataclass(frozen=True)
class Ensemble:
    """The voters of one output with their weights.

    Attributes
    ----------
    voters : StumpVotes or NetworkOutputs
    alphas : array of shape (r,)
        Negative where the negation votes; of a network alone not used.
    drawn : Stumps, optional
        All stumps that might vote, if the file has them.
    draw : str
        How thresholds were drawn, see `kernlearn.kernels.families.stumps.stumps`; ``"every"`` if all stumps of the
        training examples might vote.
    """

    voters: StumpVotes | NetworkOutputs
    alphas: Array
    drawn: StumpVotes | None = None
    draw: str = ""


def ensembles_of(params: Mapping[str, Any], state: Mapping[str, Any]) -> list[Ensemble]:
    """Return the voters of an estimator, from its parameters and attributes; records may be mappings.

    It is an empty list for an estimator without voters.
    """
    if "_alphas" in state:
        draw = params["draw"] if params["n_stumps"] else EVERY
        lists = state["_features"], state["_thresholds"], state["_alphas"]
        return [Ensemble(StumpVotes(f, t), a, None, draw) for f, t, a in zip(*lists, strict=True)]
    if "_networks" in state:
        return [Ensemble(NetworkOutputs([_network(one)]), np.zeros(0)) for one in state["_networks"]]
    predictor, inputs = state.get("_predictor"), state.get("_inputs")
    parts = _field(predictor, "parts", [predictor])
    if any(_field(part, "hidden", None) is not None for part in parts):
        return [Ensemble(NetworkOutputs([_network(part)]), np.zeros(0)) for part in parts]
    found = []
    for part in parts:
        rounds = _field(part, "rounds", None)
        if rounds is None:
            return []
        alphas = _field(rounds, "alphas")
        if _field(part, "number") != len(alphas):
            raise ValueError("the number of votes is another")
        if (networks := _field(rounds, "networks", None)) is not None:
            voters: Any = NetworkOutputs([_network(one) for one in _field(networks, "parts")])
            found.append(Ensemble(voters, alphas))
            continue
        features = _field(inputs, "used")[_field(inputs, "owners")]
        drawn = StumpVotes(features, _field(inputs, "thresholds"))
        chosen = _field(rounds, "stumps")[: len(alphas)]
        voters = StumpVotes(features[chosen], drawn.thresholds[chosen])
        family: Any = make_family(**params["kernel"])
        draw = family.draw if family.number else EVERY
        found.append(Ensemble(voters, alphas, None if draw == EVERY else drawn, draw))
    return found


def _network(network: Any) -> tuple[Array, Array, Array]:
    hidden = _field(network, "hidden")
    return _field(hidden, "centres"), _field(hidden, "widths"), _field(network, "weights")


def _field(record: Any, *key: Any) -> Any:
    """Return a field of a record or of a mapping; a second argument is the default."""
    if isinstance(record, Mapping):
        return record[key[0]] if len(key) == 1 else record.get(*key)
    return getattr(record, *key)


class Voting(NamedTuple):
    """One ensemble on the training data."""

    ensemble: Ensemble
    X: Any
    y: Array
    counts: Array
    v: Array
    values: Any
    over: str
    every: Stumps | None


def lpboost(one: Voting) -> Proved:
    """Return what is proved of the soft margin of a vote."""
    nu = float(one.values["nu"])
    upper = one.counts / (nu * one.counts.sum())
    v = np.clip(one.v, 0.0, upper)
    edges, unsure, only = _edges(one, v)
    proof = soft_margin(_margins(one), one.ensemble.alphas, upper, v, float(edges.max(initial=-1.0)) + unsure)
    words = f"1 - rho + {number(1.0 / (nu * float(one.counts.sum())))} sum_i max(0, rho - y_i f(x_i))"
    return Proved(proof, f"{words} over votes f of sum 1", 0.0, only)


def qpboost(one: Voting) -> Proved:
    """Return what is proved of the norm and the loss of a vote."""
    C = float(one.values["C"])
    upper = C * one.counts
    v = np.clip(one.v, 0.0, upper)
    edges, unsure, only = _edges(one, v)
    proof = norm(_margins(one), one.ensemble.alphas, upper, v, edges, unsure)
    return Proved(proof, f"|a|^2 + {times(C)}sum_i max(0, 1 - y_i f(x_i)) over votes f with weights a", 0.0, only)


def rbf_network(one: Voting) -> Proved:
    """Return what is proved of the output weights of a network."""
    networks, lambda_ = one.ensemble.voters, float(one.values["lambda"])
    assert isinstance(networks, NetworkOutputs)
    G, w = networks.hidden(one.X, 0), networks.networks[0][2]
    proof: Certificate = units(G, one.y, w, G @ w, one.counts / one.counts.sum(), lambda_)
    words = f"{times(0.5 * lambda_)}|w|^2 + 1/2 sum_i c_i (f(x_i) - y_i)^2 with c_i of sum 1"
    return Proved(proof, words, lambda_, HIDDEN)


#: What proves a vote, by the name of the method.
VOTES = {
    "lpboost": lpboost,
    "qpboost": qpboost,
    "rbf_lpboost": lpboost,
    "rbf_qpboost": qpboost,
    "rbf_network": rbf_network,
}


def votings(stored: Any, X: Any, targets: Sequence[Array]) -> list[Voting]:
    """Return the ensembles of a stored solution on the examples that they are learned from."""
    n = X.shape[0]
    counts = np.ones(n) if stored.weights is None else stored.weights
    over = stored.options.get("over", "adaboost")
    source = X if stored.all_examples is None else stored.all_examples
    found = []
    for ensemble, y, v in zip(stored.ensembles, targets, stored.duals, strict=True):
        every = every_stump(source) if ensemble.draw == EVERY else None
        for voters in (ensemble.voters, ensemble.drawn):
            if isinstance(voters, StumpVotes) and not _could_be_drawn(voters, source, every, ensemble.draw):
                raise OtherData("the stumps of the model are none of X; give the training data")
        found.append(Voting(ensemble, X, y, counts, v, stored.values, over, None if every is None else every.at(X)))
    return found


def _could_be_drawn(voters: StumpVotes, X: Any, every: Stumps | None, draw: str) -> bool:
    """Return whether stumps are among those that are made of examples."""
    if len(voters.features) and voters.features.max() >= X.shape[1]:
        return False
    stumps = voters.stumps(X)
    for k, (feature, column) in enumerate(zip(stumps.used.tolist(), stumps.columns, strict=True)):
        thresholds = stumps.thresholds[stumps.owners == k]
        if draw == "range":
            allowed = (column.min() <= thresholds) & (thresholds <= column.max())
        else:
            allowed = np.isin(thresholds, column if every is None else every.thresholds[every.owners == feature])
        if not allowed.all():
            return False
    return True


def _votes(one: Voting, some: Index) -> Array:
    voters = one.ensemble.voters
    return voters.stumps(one.X).votes(some) if isinstance(voters, StumpVotes) else voters.votes(one.X, some)


def _chunks(one: Voting) -> list[NDArray[np.intp]]:
    every = np.arange(len(one.ensemble.alphas))
    return [every[start : start + CHUNK] for start in range(0, len(every), CHUNK)]


def outputs_of_votes(one: Voting) -> Outputs:
    """Return the outputs of a vote, or of a network alone, on the examples."""
    voters, none = one.ensemble.voters, np.zeros(len(one.y))
    if isinstance(voters, NetworkOutputs) and not len(one.ensemble.alphas):
        return Outputs(voters.hidden(one.X, 0) @ voters.networks[0][2], none, none)
    return Outputs(one.y * _margins(one), none, none)


def _margins(one: Voting) -> Array:
    """Return ``y_i f(x_i)``."""
    f = np.zeros(len(one.y))
    for some in _chunks(one):
        f += one.ensemble.alphas[some] @ _votes(one, some)
    return np.asarray(one.y * f)


def _edges(one: Voting, v: Array) -> tuple[Array, float, str]:
    """Return the edges of all that may vote, what rounding is worth in each, and what the proof is restricted to."""
    drawn = one.ensemble.drawn
    stumps = one.every if drawn is None else drawn.stumps(one.X)
    if one.over == "all" and stumps is not None:
        edges, unsure = edges_of_stumps(stumps, v * one.y)
        return np.abs(edges), unsure, "" if drawn is None else DRAWN
    signs = np.where(one.ensemble.alphas < 0.0, -1.0, 1.0)[:, None] * one.y
    parts = [edges_of(_votes(one, some) * signs[some], v) for some in _chunks(one)]
    if not parts:
        return np.zeros(0), 0.0, THESE
    return np.concatenate([edges for edges, _ in parts]), max(unsure for _, unsure in parts), THESE
