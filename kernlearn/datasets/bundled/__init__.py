"""Small data sets that work with nothing else at hand, one ``NAME.csv.gz`` each.

``scripts/tools/build_bundled.py`` makes them. Rows have the values, labels and order of the original file, label last
and without identifiers, except for ``dna``, which is a data set of R's mlbench.
The catalogue (``kernlearn data info NAME``) says where each comes from, its licence, and what it was compared with.
"""
