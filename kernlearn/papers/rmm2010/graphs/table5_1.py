"""Table 5.1 of Shivaswamy (2010): transduction of texts, measured and claimed of as the digits of table 5.2."""

from kernlearn.papers.rmm2010.graphs.table5_2 import NEEDS, claims, measure

__all__ = ["NEEDS", "claims", "measure"]
