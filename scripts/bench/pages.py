"""Time pages of results: a run with 10,000 rows, the site of all kept results, and both in a browser.

The rows are made up: 50 splits of a grid of 200 points. Making the page is a fresh process; its CPU seconds and wall
seconds are the best of some runs. In the browser (chromium, headless, with the package playwright) the times are from a
key in the filter, or from a click on a column, until the next frame is painted.

    python scripts/bench/pages.py
    python scripts/bench/pages.py --rows 40000 --no-site
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from common import alone, cpu

from kernlearn.report.terminal import show_table

#: Points of the grid, and how often everything is timed.
POINTS, RUNS = 200, 3
ROOT = Path(__file__).parents[2]
#: Resolves after the next frame is painted, with the milliseconds since the event.
PAINTED = """
([selector, event, value]) => new Promise(done => {
  const one = document.querySelector(selector), start = performance.now();
  if (value !== null) one.value = value;
  one.dispatchEvent(new Event(event, { bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})
"""


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--no-site", action="store_true", help="without the site of all kept results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        run = write_run(directory / "results", options.rows)
        lines = [timed(f"page of a run with {options.rows:,} rows", [str(run), "-o", str(directory / "page.html")])]
        lines[-1].append(f"{(directory / 'page.html').stat().st_size:,}")
        if not options.no_site:
            words = ["--site", str(directory / "site"), "--results-dir", str(ROOT / "results")]
            size = [timed("site of all kept results", words)]
            pages = list((directory / "site").rglob("*.html"))
            lines += [[*size[0], f"{sum(page.stat().st_size for page in pages):,} in {len(pages)} pages"]]
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        if chromium and find_spec("playwright"):
            show_table(("in the browser", "ms, median", "ms, largest"), in_browser(chromium, directory / "page.html"))
        show_table(("what", "CPU s", "wall s", "bytes"), lines)


def timed(what: str, words: list[str]) -> list[str]:
    """Return the best CPU and wall seconds of a command in a process of its own."""
    times = [alone(report, words) for _ in range(RUNS)]
    return [what, *(f"{min(values):.2f}" for values in zip(*times, strict=True))]


def report(words: list[str]) -> tuple[float, float]:
    """Write a page, and return CPU and wall seconds; imports count."""
    start = perf_counter()

    def run() -> None:
        from kernlearn.cli.main import main

        sys.stdout = sys.stderr
        assert main(["report", *words]) == 0

    seconds, _ = cpu(run)
    return seconds, perf_counter() - start


def write_run(results: Path, n_rows: int) -> Path:
    """Write a run with so many rows of made up numbers, and return its directory."""
    from kernlearn.evaluation import select
    from kernlearn.runner.store.tables import write_csv

    run = results / "runs/bench"
    rows = []
    for i in range(n_rows):
        split, point = divmod(i, POINTS)
        errors = (7919 * i) % 40
        rows.append(
            {
                **{"run": "0", "dataset": "made_up", "algorithm": "l2_svm", "seed": 0, "split": split, "point": point},
                **{"gamma": 2.0 ** (point % 10), "C": 10.0 ** (point // 10 - 10), "n_train": 400, "n_validation": 100},
                **{"validation_errors": errors, "validation_error_pct": float(errors), "n_support": 200 + errors},
                **{"n_nonzero": 200, "objective": 1.0 + i / 7, "dual_objective": 1.0 + i / 7, "gap": 1e-12 * (i % 7)},
                **{"iterations": 100 + i % 9, "rounds": 0, "status": "optimal", "n_test": 100, "test_errors": errors},
                **{
                    "test_error_pct": float(errors),
                    "test_balanced_error_pct": errors + 1 / 3,
                    "test_auc": 100 / (1 + errors),
                },
            }
        )
    write_csv(run / "paths.csv", rows)
    record = {
        "experiment": {
            **{"dataset": {"name": "made_up"}, "scaling": "unit", "kernel": {"name": "gaussian", "gammas": [1.0]}},
            **{"algo": {"name": "l2_svm"}, "protocol": {"name": "rotation5"}, "seed": 0},
        },
        "chosen_by": {"select_by": "error_pct", "rule": "overall"},
        "data": [
            {"name": "made_up", "source": "made up", "sha256": "0" * 64, "examples": 600, "features": 9, "classes": []}
        ],
        **{"computed": [], "cell_seconds": {}, "cell_cpu_seconds": {}, "cell_peak_mb": {}},
        "collected": {"command": "made up", "code": {"dirty": False}},
    }
    (run / "provenance.json").write_text(json.dumps(record))
    about = {"dataset": "made_up", "algorithm": "l2_svm", "n_selected_not_optimal": 0, "test_rows_in_choice_pct": 0.0}
    grid = [{"gamma": row["gamma"], "C": row["C"]} for row in rows[:POINTS]]
    selection = select(rows, grid, "error_pct", "overall")
    assert selection is not None
    summary = selection.summary()
    lines = [
        {**about, "metric": metric, "mean": mean, "std": std, "n_splits": n}
        for metric, (mean, std, n) in summary.items()
    ]
    write_csv(run / "summary.csv", lines)
    return run


def in_browser(chromium: str, page_file: Path) -> list[list[str]]:
    """Return the times of loading, filtering and sorting in milliseconds."""
    from playwright.sync_api import sync_playwright

    times: dict[str, list[float]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(RUNS):
            page = browser.new_page()
            page.goto(page_file.as_uri())
            loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
            times.setdefault("load", []).append(loaded)
            page.evaluate(
                "const all = [...document.querySelectorAll('table.sheet')].at(-2);"
                "all.id = 'all'; all.parentNode.previousElementSibling.querySelector('input').id = 'filter';"
            )
            for text in ("9", "99", "99 op", "", "gap", "1e-12 1"):
                times.setdefault("filter", []).append(page.evaluate(PAINTED, ["#filter", "input", text]))
            for column in (2, 5, 9):
                selector = f"#all th:nth-child({column}) button"
                times.setdefault("sort", []).append(page.evaluate(PAINTED, [selector, "click", None]))
            page.close()
        browser.close()
    return [[name, f"{statistics.median(ms):.0f}", f"{max(ms):.0f}"] for name, ms in times.items()]


if __name__ == "__main__":
    main()
