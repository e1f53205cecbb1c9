from kernlearn.papers.core.measured import everywhere


def claims(measured):
    rows = measured.rows("error_pct", "l1_svm", "l2_svm")
    return [everywhere("both err on fewer than half", {row: measured.mean(row, "l1_svm") < 50.0 for row in rows})]


def measure(plan, rows, selection):
    return {"n_classes": [float(len(plan.dataset.classes)) for _ in plan.cells]}
