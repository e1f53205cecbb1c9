"""Write down which source every algorithm, and every figure with cells, was computed by, as of its version.

Results are kept under the version of what made them. So where its source changes, that of the modules that it imports
included, somebody has to say whether its numbers change by more than their tolerance: by a higher version, or by
running this script without one.
The version is in the `Method`, in the module of a figure as `VERSION`, and of kernels, scores and all else that every
method shares it is `ROWS_VERSION` or `FEATURE_ROWS_VERSION` (`kernlearn.runner.plan.plan`). Of baselines it is
`BASELINE_ROWS_VERSION` (`kernlearn.runner.plan.baseline`). A test compares.

    python scripts/tools/record_sources.py
"""

import json
from collections.abc import Iterator

from kernlearn.algorithms import ALGORITHMS
from kernlearn.papers.core.figures import figure_names, load_figure
from kernlearn.runner.plan.baseline import BASELINE_ROWS_VERSION
from kernlearn.runner.plan.plan import FEATURE_ROWS_VERSION, ROWS_VERSION
from kernlearn.runner.provenance.sources import (
    RECORD,
    recorded,
    source_of_baselines,
    source_of_figure,
    source_of_method,
    source_of_rows,
)


def present() -> dict[str, dict[str, object]]:
    """Return version and source of all that comes with kernlearn, as they are now."""
    rows = {"rows": ROWS_VERSION, "feature rows": FEATURE_ROWS_VERSION}
    baselines = {"version": BASELINE_ROWS_VERSION, "source": source_of_baselines()["digest"]}
    return {
        **{name: {"version": version, "source": source_of_rows()} for name, version in rows.items()},
        "baselines": baselines,
        **{
            name: {"version": ALGORITHMS[name].version, "source": source_of_method(name)}
            for name in sorted(ALGORITHMS)
            if ALGORITHMS[name].is_own
        },
        **dict(_figures()),
    }


def _figures() -> Iterator[tuple[str, dict[str, object]]]:
    for figure in map(load_figure, figure_names()):
        if figure.cell:
            source = source_of_figure(figure.name, figure.module)["digest"]
            yield figure.name, {"version": figure.version, "source": source}


def main() -> None:
    """Write what is there now, and say what changed."""
    before, now = recorded(), present()
    for name in sorted(now.keys() | before.keys()):
        if now.get(name) != before.get(name):
            print(f"{name}: {before.get(name)} -> {now.get(name)}")
    RECORD.write_text(json.dumps(now, indent=1) + "\n")


if __name__ == "__main__":
    main()
