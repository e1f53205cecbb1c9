"""Pictures of every shape, ordinary and not."""

from math import inf, nan

import numpy as np

from kernlearn.report.plots.picture import Axis, Bars, Curves, Grid, Mark, Series

#: Names as somebody's file may have them.
HOSTILE = {
    "script": "<script>alert(1)</script>",
    "quotes": "a\"b'c&d</text>",
    "entity": "&amp;&lt;&#0;",
    "controls": "a\x00b\x1b[31mred\x07\r\nnext",
    "surrogate": "a\ud800b\ufffe\uffff",
    "right to left": "\u05e9\u05dc\u05d5\u05dd \u202egnp.exe\u202c",
    "arabic": "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 family \U0001f3f3\ufe0f\u200d\U0001f308",
    "combining": "e\u0301" * 300,
    "wide": "\u6f22\u5b57" * 60,
    "long": "w" * 1_000_000,
    "words": "word " * 200_000,
    "formula": "$x^2$ and $\\frac{1}{0}$ and _a_",
    "empty": "",
    "blank": "   ",
}
GRID = [10.0**k for k in range(-6, 7)]
RATE = (0.0, 1.0)


def curve(x=GRID, y=range(13), *, log=True, **more):
    """Return a picture of one series."""
    x, y = list(x), [float(value) for value in y]
    return Curves("path", "Objective", Axis("lambda", log=log), Axis("objective"), [Series("one", x, y)], **more)


def _typical():
    x = np.linspace(0, 1, 80)
    yield (
        "several",
        Curves(
            *("path", "Support vectors along the path: split 0 of vkr_lemma3 on ionosphere", Axis("lambda", log=True)),
            Axis("support vectors"),
            [
                Series(f"beta = {b:g}", GRID, [200 / (1 + k + b) for k in range(13)], style="line and points")
                for b in GRID
            ],
            [Mark(1e-3, 50.0, "selected: lambda = 0.001, beta = 1e-05 (3 of 5 splits)")],
            "Words.",
        ),
    )
    yield (
        "rates",
        Curves(
            *("roc", "ROC curve: alignf on wine", Axis("false positive rate", limits=RATE)),
            Axis("true positive rate", limits=RATE),
            [
                Series("class_0: area 0.9", x, np.sqrt(x), np.sqrt(x) - 0.1 * x, np.sqrt(x), style="steps"),
                Series("chance", RATE, RATE, reference=True),
            ],
        ),
    )
    yield (
        "points",
        Curves(
            *("residuals", "Residuals", Axis("predicted value"), Axis("true minus predicted value")),
            [Series("one row", 1e7 * x, 1e-6 * np.sin(40 * x), style="points")],
        ),
    )
    yield (
        "strips",
        Curves(
            *(
                "splits",
                "Test error of every split",
                Axis("error %"),
                Axis("", names=["validation parts", "test parts"]),
            ),
            [Series("one split", [1, 2, 3, 2.5], [0, 0, 1, 1], style="points"), Series("mean", [1.5, 2.7], [0.3, 1.3])],
        ),
    )
    yield (
        "intervals",
        Curves(
            *("deviations", "Ours against printed", Axis("printed", log=True), Axis("ours", log=True)),
            [Series("l1_svm", [1, 10, 99], [2, 9, 120], [0.1, 8, 100], [3, 10, 150], style="points")],
        ),
    )
    names = [f"kernel {k}" for k in range(9)]
    yield "bars", Bars("weights", "Kernel weights", Axis("weight"), names, np.linspace(-1, 2, 9), words="Words.")
    yield (
        "dots",
        Bars(
            *("ranking", "Test error", Axis("test error %", limits=(3, 8)), names, np.linspace(4, 9, 9)),
            *(np.linspace(3, 8, 9), np.linspace(5, 10, 9)),
            dots=True,
            reference=4.0,
        ),
    )
    yield (
        "judged",
        Bars(
            *("deviations", "Ours minus printed", Axis("ours minus printed, points"), names, np.linspace(-2, 5, 9)),
            *(np.linspace(-3, 4, 9), np.linspace(-1, 6, 9)),
            dots=True,
            reference=0.0,
            groups=[("inside", 0), ("near", 4), ("outside", 1)],
            members=[0, 1, 2] * 3,
        ),
    )
    classes = ["setosa", "versicolor", "virginica"]
    counts = [[50, 0, 0], [0, 45, 5], [0, 4, 46]]
    axes = Axis("predicted class", names=classes), Axis("true class", names=classes)
    shown = [[str(value) for value in row] for row in counts]
    yield "confusion", Grid("confusion", "Confusion matrix", *axes, counts, shown, "% of the true class", [(1, 1)])
    axes = Axis("C", names=[f"{v:g}" for v in GRID]), Axis("gamma, degree", names=[f"{v:g}, 3" for v in GRID])
    yield "surface", Grid("validation", "Validation error", *axes, np.arange(169).reshape(13, 13), (), "error %")
    names = [f"class {k}" for k in range(50)]
    axes = Axis("predicted class", names=names), Axis("true class", names=names)
    yield "50 classes", Grid("confusion", "Confusion matrix", *axes, np.eye(50), np.eye(50).astype(int).astype(str))


def _unusual():
    yield "one point", curve([1.0], [3.0])
    yield "one tick", curve([2.0, 2.01], [3.0, 4.0])
    yield "all NaN", curve([1.0, 2.0], [nan, nan])
    yield "nothing", curve([], [])
    yield "no series", Curves("path", "", Axis(""), Axis(""), [])
    yield "constant", curve(GRID, [7.0] * 13)
    yield "nearly constant", curve(GRID, [1e6 + 1e-6 * k for k in range(13)])
    yield "zero on a logarithmic axis", curve([0.0, -1.0, 1.0, 10.0], [1, 2, 3, 4])
    yield "only zeros on a logarithmic axis", curve([0.0, 0.0], [1, 2])
    yield "infinite", curve([1.0, inf, 10.0, 100.0], [1, 2, -inf, 4])
    yield "huge", curve([1e-300, 1.0, 1e300], [-1.7e308, 0.0, 1.7e308])
    yield "tiny", curve([1.0, 2.0, 3.0], [0.0, 5e-324, 1e-310])
    yield "wide range", curve([10.0**k for k in range(-200, 140, 10)], range(34))
    yield "mark elsewhere", curve(marks=[Mark(-1.0, 0.0, "selected")])
    many = np.sin(np.arange(5_000.0))
    yield "many points", Curves("residuals", "", Axis("x"), Axis("y"), [Series("", np.arange(5_000.0), many)])
    names = [f"column {k}" for k in range(1000)]
    yield "1,000 bars", Bars("weights", "Weights", Axis("weight"), names, 1.0 / np.arange(1, 1001))
    yield "no bars", Bars("weights", "Weights", Axis("weight"), [], [])
    yield "bars of NaN", Bars("weights", "Weights", Axis("weight"), ["a", "b"], [nan, nan], [nan] * 2, [nan] * 2)
    yield "zero bars", Bars("weights", "Weights", Axis("weight"), ["a", "b"], [0.0, 0.0])
    yield "empty grid", Grid("validation", "", Axis(""), Axis(""), [])
    yield "grid of NaN", Grid("validation", "", Axis("a"), Axis("b"), [[nan, nan]], (), "shade")
    yield "constant grid", Grid("validation", "", Axis("a"), Axis("b"), [[2.0, 2.0]], [["2", "2"]], "shade")
    names = [f"class {k}" for k in range(700)]
    axes = Axis("predicted class", names=names), Axis("true class", names=names)
    yield "700 classes", Grid("confusion", "", *axes, np.eye(700), (), "share")


def _hostile():
    for what, name in HOSTILE.items():
        axis, names = Axis(name), Axis(name, names=[name, name])
        yield f"curves {what}", Curves(name and "path", name, axis, axis, [Series(name, [1.0, 2.0], [1, 2])], [], name)
        yield f"strips {what}", Curves("splits", name, axis, names, [Series(name, [1.0], [1.0])], [Mark(1, 1, name)])
        yield f"bars {what}", Bars("weights", name, axis, [name, name], [1.0, 2.0], words=name)
        values, shown = [[1, 2], [3, 4]], [[name] * 2] * 2
        yield f"grid {what}", Grid("confusion", name, names, names, values, shown, name, words=name)


TYPICAL, UNUSUAL, UNTRUSTED = dict(_typical()), dict(_unusual()), dict(_hostile())
ALL = TYPICAL | UNUSUAL | UNTRUSTED
