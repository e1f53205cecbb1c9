"""The benchmarks whose figures README names still run: at their smallest sizes, on what needs no download."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
SCRIPTS = Path(__file__).parents[1] / "scripts" / "bench"
#: A command of each, and a word of what it prints last.
COMMANDS = {
    "approximations.py --n 300 --problems 'SVM, C = 1'": "exact, gap 1e-6",
    "boosting.py --part random --sizes 500 --rounds 20": "| 500 |",
    "cv_estimators.py --only L2SVMClassifierCV --n 60": "| L2SVMClassifierCV |",
    "exact_gaps.py --datasets sonar": "of n centres",
    "interior.py --sizes 150": "| 150 | interior |",
    "kernel_learning.py --problem nnls --kernels 10": "peak memory",
    "margin.py svm --n 200": "| 200 |",
    "pages.py --rows 400 --no-site": "page of a run with 400 rows",
    "predict.py --rows 20000 --support 100": "all rows",
    "products.py --most 2000": "| 10 polynomial | 2000 |",
    "runner.py overhead --cells 20 --engines joblib": "ms a cell",
    "svm.py --dataset ionosphere --peers libsvm": "libsvm",
    "transduction.py storm --q 20 --labelled 20": "Clarabel",
    "vkr.py --dataset ionosphere --problem l1_svm --peers": "simplex",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_it_prints_its_table(command, tmp_path):
    script, *words = shlex.split(command)
    run = subprocess.run([sys.executable, SCRIPTS / script, *words], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert COMMANDS[command] in run.stdout.splitlines()[-1] or COMMANDS[command] in run.stdout.splitlines()[-2]
