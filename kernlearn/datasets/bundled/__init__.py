"""Small data sets that work with nothing else at hand, one ``NAME.csv.gz`` each; ``scripts/build_bundled.py`` makes them.

Rows are in the order of the original file and have its values and labels, the label last; identifiers are dropped.
The catalogue (``kernlearn data info NAME``) says for each where it comes from, its licence, and what it was compared with.
"""
