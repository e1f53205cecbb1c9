"""A table of all kinds of columns, and what runs commands on it."""

import csv

import numpy as np
import pandas as pd

from kernlearn.cli.main import main

N = 60
FIT = ["fit", "mine.csv", "target=label", "algo=l2_svm", "algo.Cs=[0.1,10.0]", "kernel.gammas=[1.0]", "text=onehot"]


def frame(seed=0, n=N):
    """Return a table of all kinds of columns, in which a text has a line break and a quote."""
    rng = np.random.default_rng(seed)
    u, v = rng.normal(size=(2, n))
    place = rng.choice(["north", 'south "old"', "east\nwest"], n)
    day = np.datetime64("2020-01-01") + rng.integers(0, 1000, n)
    label = np.where(u + 0.5 * v + (place == "north") > 0.2, "yes", "no")
    columns = {"id": [f"{i:05d}" for i in range(n)], "u": u, "day": day.astype(str), "place": place, "v": v}
    return pd.DataFrame({**columns, "wet": np.where(rng.random(n) < 0.5, "true", "false"), "label": label})


def run(*words):
    """Run a command and return its exit code."""
    return main(list(words))


def read(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))
