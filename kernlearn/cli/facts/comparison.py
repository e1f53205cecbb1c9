"""Facts about a comparison of methods."""

from typing import TypedDict

from kernlearn.cli.facts.cells import CellFailure, ComputationFacts, Trouble
from kernlearn.cli.facts.data import DataFacts, TableRow


class ComparedData(TypedDict):
    """The methods of a comparison on one data set."""

    data: DataFacts
    task: str
    protocol: str
    scaling: str
    #: The score that selects grid points and ranks methods.
    select_by: str
    #: The rows of ranking.csv, the best method first. They have the mean, the interval, the p-value against the best
    #: (``p_holm``), whether it is above 0.05 or missing (``not_distinguished_from_best``: the method may still be
    #: worse than the best one), and what was selected.
    methods: list[TableRow]
    #: That no method is better than a baseline which learns nothing from the columns, in words; null if one is.
    no_better: str | None
    #: The reasons why methods are left out, by their names.
    left_out: dict[str, str]


class MeanRank(TypedDict):
    """A method over all data sets."""

    method: str
    mean_rank: float
    #: The numbers of the groups of methods that cannot be distinguished by Nemenyi's test.
    groups: list[int]


class RankFacts(TypedDict):
    """The mean ranks of the methods over several data sets."""

    #: The best method first.
    methods: list[MeanRank]
    #: That of Friedman's test, in the version of Iman and Davenport.
    p_value: float | None
    #: Methods whose mean ranks differ by less share a group.
    critical_difference: float | None


class ComparisonFacts(TypedDict):
    """A comparison of methods."""

    #: The command that computes the same.
    command: str
    #: What was found on every data set; without methods if the command does not end with tables.
    comparisons: list[ComparedData]
    #: Null for fewer than three data sets or methods.
    ranks: RankFacts | None
    #: The best method that is no baseline, as algo= names it, on a single data set of your own; null otherwise, and if
    #: no method is better than a baseline that learns nothing.
    best: str | None
    computation: ComputationFacts
    #: The directory with the tables; null if none were written.
    directory: str | None
    failures: list[CellFailure]
    troubles: list[Trouble]
