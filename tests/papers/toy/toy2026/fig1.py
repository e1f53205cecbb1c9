import numpy as np

from kernlearn.papers.core.measured import judgement


def cell(seed, n):
    return [{"n": n, "mean": np.random.default_rng([seed, n]).normal(size=n).mean()}]


def claims(rows):
    few, many = (np.std([row["mean"] for row in rows if row["n"] == n]) for n in (10, 1000))
    return [
        ("a hundred times as many numbers, a tenth of the deviation", f"{few / many:.1f}", judgement(few > 5 * many))
    ]


def draw(canvas, rows):
    canvas.subplots().plot([row["n"] for row in rows], [row["mean"] for row in rows], "o")
