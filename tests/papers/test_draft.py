"""Drafts of tables from printed numbers: read tolerantly, guessed carefully, and never written over a file."""

from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.papers import load_table
from kernlearn.papers.core import index
from kernlearn.papers.core.compare import printed_rows
from kernlearn.papers.core.directories import open_paper
from kernlearn.papers.draft.cells import has_decimal_commas, read_cell
from kernlearn.papers.draft.guesses import guess_data, guess_method
from kernlearn.papers.draft.wide import read_table
from kernlearn.runner.store.tables import read_csv

CELLS = {
    "5.05": ("5.05", "", ""),
    " .5 ": ("0.5", "", ""),
    "+5.": ("5", "", ""),
    "5.05 ± 0.65": ("5.05", "0.65", ""),
    "5.05±0.65*": ("5.05", "0.65", "*"),
    "5.05 (0.65)": ("5.05", "0.65", ""),
    "5.05 [0.65]": ("5.05", "0.65", ""),
    "12 (3)": ("12", "3", ""),
    "5.05 +- .65": ("5.05", "0.65", ""),
    "5.05 +/- 0.65 %": ("5.05", "0.65", ""),
    r"$5.05 \pm 0.65$": ("5.05", "0.65", ""),
    r"$\mathbf{5.05} \pm \mathbf{0.65}$": ("5.05", "0.65", "bold"),
    "**5.05** ± 0.65": ("5.05", "0.65", "bold"),
    "2.6**": ("2.6", "", "**"),
    r"\bfseries 5.05\,(0.65)": ("5.05", "0.65", "bold"),
    "5.05\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.65†": ("5.05", "0.65", "†"),
    "\N{MINUS SIGN}0.97": ("-0.97", "", ""),
    "94.39 %": ("94.39", "", ""),
    r"94.39\%": ("94.39", "", ""),
    "1,234.5": ("1234.5", "", ""),
    "12,345 (1,234)": ("12345", "1234", ""),
    **dict.fromkeys(("", "-", "--", "\N{EM DASH}", "n/a", "NaN", "?"), ("", "", "")),
}
NO_NUMBERS = ("<0.001", "1e-3", "5.05 ± 0.65 (3)", "5.05 ± -1", "=1+1", "five", "0x10", "1.2.3")


@pytest.mark.parametrize("text", CELLS)
def test_a_cell_is_read_as_it_is_meant(text):
    assert read_cell(text) == (*CELLS[text], "")


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number_is_said_to_be_none(text):
    cell = read_cell(text)
    assert not cell.mean and cell.problem


def test_a_number_in_brackets_without_a_point_is_no_deviation_of_one_with_a_point():
    assert read_cell("5.05(65)")[:2] == ("5.05", "") and "no decimal point" in read_cell("5.05(65)").problem


def test_commas_are_decimal_where_one_of_them_must_be():
    assert has_decimal_commas(["1,234", "5,05 (0,65)"]) and has_decimal_commas(["11{,}4"])
    assert not has_decimal_commas(["1,234", "1,234.5", "5.05"])
    assert read_cell("5,05 (0,65)", decimal_comma=True)[:2] == ("5.05", "0.65")


@pytest.mark.parametrize(
    ("name", "overrides"),
    {
        "SVM": "algo=l2_svm kernel=gaussian",
        "Linear SVM": "algo=l2_svm kernel=linear",
        "LibSVM (poly kernel)": "algo=l2_svm kernel=polynomial",
        "l1-SVM": "algo=l1_svm kernel=gaussian",
        "AdaBoost": "algo=adaboost",
        "AB_R": "algo=adaboost_reg",
        "LP-AdaBoost": "algo=lpboost",
        "SimpleMKL": "algo=l1_mkl kernel=gaussian",
        "KFD": "algo=klda kernel=gaussian",
        "CRF": "algo=crf",
        "LS-SVM": "algo=krr kernel=gaussian task=regression select_by=error_pct",
        "Lin LS-SVM": "algo=krr kernel=linear task=regression select_by=error_pct",
        **dict.fromkeys(("Random forest", "Our method", "RBF", "VKR lemma 3 wide", "42"), ""),
    }.items(),
)
def test_a_method_is_guessed_where_all_words_of_its_name_are_understood(name, overrides):
    assert " ".join(guess_method(name)) == overrides


def test_a_regression_has_methods_of_its_own():
    assert guess_method("KRR", "rmse") == ["algo=krr", "kernel=gaussian"] and guess_method("SVM", "mse") == []


@pytest.mark.parametrize("metric", ["mse", "accuracy_pct"])
def test_a_draft_of_another_metric_can_be_planned_as_it_stands(metric, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "printed.csv").write_text("Data,KRR,LS-SVM\nSonar,20.5,21\nWDBC,4.5,5\n")
    assert main(["paper", "new", "mine", "--from", "printed.csv", "--metric", metric]) == 0
    assert main(["reproduce", "mine", "--dry-run"]) == 0
    assert "cells      10, 0 already done" in capsys.readouterr().out


def test_a_number_that_the_metric_cannot_have_is_no_draft(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "printed.csv").write_text("Data,n,SVM\nSonar,208,20.5\nWDBC,569,4.5\n")
    assert main(["paper", "new", "mine", "--from", "printed.csv"]) == 2
    error = capsys.readouterr().err
    assert "printed.csv: Sonar, n: 208 is impossible, since error_pct is at most 100" in error
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    ("name", "data"),
    {
        "Ionosphere": "ionosphere",
        "Breast-Cancer": "breastcancer",
        "Pima Indians": "pima",
        "Heart (Statlog)": "heart",
        "titanic": "ida_titanic",
        **dict.fromkeys(("liver", "heart-c", "mnist 3-8"), ""),
    }.items(),
)
def test_a_data_set_is_guessed_by_its_whole_name(name, data):
    assert guess_data(name) == data


TABLE = {
    ("Sonar", "SVM"): ("24.1", "1.2"),
    ("Sonar", "KFD"): ("13.0", ""),
    ("liver", "SVM"): ("", ""),
    ("liver", "KFD"): ("31", "2"),
}
FORMS = {
    "comma": "Data,SVM,KFD\nSonar,24.1 ± 1.2,13.0\nliver,-,31 (2)\nAverage,20,18\n",
    "semicolon and commas": "Data;SVM;KFD\nSonar;24,1 ± 1,2;13,0\nliver;;31 (2)\n",
    "tab": "\tSVM\tKFD\nSonar\t24.1 (1.2)\t13.0\nliver\t-\t31±2\n",
    "Markdown": "| | SVM | KFD |\n|---|---|---|\n| Sonar | 24.1 ± 1.2 | 13.0 |\n| liver | | 31 ± 2 |\n",
    "LaTeX": "\\hline\nData & SVM & KFD \\\\\nSonar & $24.1 \\pm 1.2$ & 13.0\\\\\nliver & -- & $31\\pm2$\\\\\n",
    "deviations beside": "Data,SVM,SVM std,KFD,KFD std\nSonar,24.1,1.2,13.0,\nliver,,,31,2\n",
    "one name fewer": "SVM,KFD\nSonar,24.1 ± 1.2,13.0\nliver,-,31 (2)\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_table_is_read_in_many_forms(form, tmp_path):
    file = tmp_path / "printed.txt"
    file.write_text(FORMS[form], encoding="utf-8")
    printed = read_table(file)
    assert {key: (cell.mean, cell.std) for key, cell in printed.cells.items()} == TABLE
    assert printed.remarks[0].startswith(("cells are separated by ", "it is a table in LaTeX"))


#: Whole tables in LaTeX, as authors have them.
TABULARS = {
    "booktabs in a float": r"""
\begin{table}[tb] % a comment & with signs \\
\caption{Test errors \cite{a}.}\label{tab:x}
\begin{tabular}{@{}l*{2}{r}@{}}
\toprule
Data & SVM & KFD \\ \midrule
Sonar & 24.1 $\pm$ 1.2 & \textbf{13.0} \\[2pt]
\addlinespace
liver & -- & $31\pm2$ \\
\bottomrule
\end{tabular}
\end{table}
\begin{tabular}{lr} Data & SVM \\ other & 99.0 \\ \end{tabular}
""",
    "heads over columns": r"""
\begin{tabular*}{\textwidth}[t]{l|cc}
\hline
& \multicolumn{2}{c}{\textsc{Methods}} \\ \cmidrule(lr){2-3}
\multicolumn{1}{c}{Data} & SVM & KFD \\ \hline\hline
\multicolumn{3}{l}{\emph{UCI data}} \\
\multirow{1}{*}{Sonar} & \cellcolor{gray!20}24.1 (1.2) & {\bf 13.0}$^{\dagger}$ \\
liver & \multicolumn{1}{c}{--} & $31 \, (2)$ \\ \hline
\multicolumn{3}{l}{\footnotesize a note} \\
\end{tabular*}""",
    "siunitx": r"""
\begin{tabular}{l S[table-format=2.1(2)] S[table-format=2.1, detect-weight]}
\toprule {Data} & {SVM} & {\makecell{KFD}} \\ \midrule
Sonar & 24.1(12) & \bfseries 13.0 \\
liver & {--} & \num{31 +- 2} \\ \bottomrule
\end{tabular}""",
    "cells over lines, no end of the last": r"""
\begin{tabularx}{5cm}{lXX} Data &
 SVM & KFD \tabularnewline
 Sonar & 24.1
   $\pm$ 1.2 & 13.0\footnote{by \& large} \tabularnewline
 liver & \textemdash & 31 $\pm$ 2
\end{tabularx}""",
    "rules and rows alone": r"""
\toprule
Data & SVM & KFD \\
\midrule
Sonar & 24.1 (1.2) & 13.0 \\
liver & & 31 (2) \\""",
}


@pytest.mark.parametrize("form", TABULARS)
def test_whole_tables_in_latex_are_read(form, tmp_path):
    file = tmp_path / "printed.tex"
    file.write_text(TABULARS[form], encoding="utf-8")
    printed = read_table(file)
    found = printed.cells
    assert {key: (cell.mean, cell.std) for key, cell in found.items()} == TABLE
    assert (found["Sonar", "KFD"].marker != "") == any(word in TABULARS[form] for word in ("bf", "dagger"))


@pytest.mark.parametrize("options", [[], ["--printed"], ["--digits", "all"]])
def test_what_kernlearn_exports_as_latex_is_read_again(options, tmp_path):
    results = Path(__file__).parents[2] / "results"
    file = tmp_path / "out.tex"
    words = ["export", "vkr2015/table1", "--to", "latex", "-o", str(file), "--results-dir", str(results)]
    assert main([*words, *options, "--width", "5000"]) == 0  # in one piece
    printed = read_table(file)
    ours = [row for row in read_csv(results / "vkr2015" / "table1.csv") if row["metric"] == "error_pct"]
    assert len(printed.cells) == len(ours) and "more table(s)" in " ".join(printed.remarks)
    readings = {column.name for column in load_table("vkr2015/table1").columns if column.reading}
    for row in ours:
        name = f"{row['algorithm']} (reading)" if row["algorithm"] in readings else row["algorithm"]
        cell, digits = printed.cells[row["dataset"], name], 9 if "all" in options else 1
        assert abs(float(cell.mean) - float(row["mean"])) <= 0.5 * 10.0**-digits + 1e-12
        assert abs(float(cell.std) - float(row["std"])) <= 0.5 * 10.0**-digits + 1e-12


def test_heads_over_several_columns_are_part_of_their_names(tmp_path):
    file = tmp_path / "printed.tex"
    file.write_text(
        r"\begin{tabular}{lrrr} & \multicolumn{2}{c}{SVM} & KFD \\ Data & linear & RBF & \\ Sonar & 1 & 2 & 3 \\"
        r"\end{tabular}"
    )
    assert read_table(file).columns == ["SVM linear", "SVM RBF", "KFD"]


def test_what_a_table_in_latex_would_read_is_not_read(tmp_path):
    (tmp_path / "secret.tex").write_text("Sonar & 1 \\\\")
    file = tmp_path / "printed.tex"
    file.write_text(
        r"\begin{tabular}{lr} Data & SVM \\ \input{secret.tex} Sonar & \write18{touch x}24.1 \\"
        r" \def\a{\a\a}liver & 7\\ \end{tabular}"
    )
    printed = read_table(file)
    assert {key: cell.mean for key, cell in printed.cells.items()} == {("Sonar", "SVM"): "24.1", ("liver", "SVM"): "7"}
    assert {f"\\{name} is not followed" for name in ("input", "write", "def")} <= {*printed.remarks}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["printed.tex", "secret.tex"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"\begin{tabular}{lr} Data & SVM \\ a & 1 \\", r"\begin{tabular} has no \end{tabular}"),
        (r"\begin{tabular}{lr} Data & {SVM \\ a & 1 \\ \end{tabular}", "is not closed"),
        (r"\begin{tabular}{lr} Data & SVM} \\ a & 1 \\ \end{tabular}", "has no beginning"),
        (r"\begin{tabular}{lr} Data & SVM \\ \end{tabular}", "a line for each data set"),
        (r"\begin{tabular}{lr} Data & SVM \\ a & 1 & 2 \\ \end{tabular}", "have no name"),
        ("\\begin{tabular}{l" + "{" * 9000 + "} a & b \\\\ \\end{tabular}", "is not closed"),
        (r"\begin{tabular}{lr} Data & SVM \\ \multicolumn{99999999}{c}{a} & 1 \\ \end{tabular}", ""),
    ],
)
def test_latex_that_is_no_table_is_one_line(text, words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "printed.tex").write_text(text)
    assert main(["paper", "new", "mine", "--from", "printed.tex"]) == (2 if words else 0)
    error = capsys.readouterr().err
    assert words in error and error.count("\n") <= 1


def test_a_turned_table_has_methods_in_its_rows(tmp_path):
    file = tmp_path / "printed.csv"
    file.write_text("method,Sonar,liver\nSVM,24.1 ± 1.2,-\nKFD,13.0,31 (2)\n", encoding="utf-8")
    assert {key: (cell.mean, cell.std) for key, cell in read_table(file, turned=True).cells.items()} == TABLE


BAD = {
    "1,2,3\n4,5,6\n": "the first line must have the names",
    "a,b\nc,d\n": "has no number",
    "a b\nc 1\n": "only blanks",
    "a,b\n": "a line for each data set",
    ",SVM,SVM\nsonar,1,2\n": "'SVM' is there twice",
    ",SVM\nsonar,1\nsonar,2\n": "'sonar' is there twice",
    ",SVM,\nsonar,1,2\n": "have no name",
    ",SVM,KFD\nsonar,1\npima,1,2\n": "row 2 (sonar) has 2 cells",
    "": "is empty",
    "a\0b": "is not a text file",
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_table_is_one_line_and_writes_nothing(text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "printed.csv").write_text(text)
    assert main(["paper", "new", "mine", "--from", "printed.csv"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and BAD[text] in error and not (tmp_path / "mine").exists()


@pytest.fixture
def drafted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "printed.csv").write_text(
        'Data set,Linear SVM,"Kernel ""Fisher""",Our method\n'
        "Sonar,24.1 ± 1.2,13.0,**12.1**\nIonosphere,11.4,5.05 (0.65),?\nliver: 1,33,?,x\n",
        encoding="utf-8",
    )
    assert main(["paper", "new", "mine", "--from", "printed.csv"]) == 0
    return capsys.readouterr().out


def test_a_draft_is_a_table_and_its_guesses_are_marked(drafted, tmp_path):
    said = [line.split(maxsplit=1) for line in drafted.splitlines()]
    assert "read       3 rows x 3 columns: 6 values of error_pct, 2 with a deviation" in drafted
    assert ["guess", "row Sonar: data set sonar"] in said and "fill in    row liver: 1" in drafted
    assert "column Linear SVM: algo=l2_svm kernel=linear" in drafted and "fill in    column Our method" in drafted
    assert "liver: 1, Our method: 'x' is no number" in drafted
    open_paper("mine")
    table = load_table("mine/table1")
    assert [(row.name, row.printed) for row in table.rows] == [("sonar", "Sonar"), ("ionosphere", "Ionosphere")]
    assert [column.printed for column in table.columns] == ["Linear SVM", 'Kernel "Fisher"']
    assert len(printed_rows("mine/table1")) == 6 and table.metrics["error_pct"].digits == 2
    text = (tmp_path / "mine" / "table1.yaml").read_text()
    assert text.count("a guess") == 4 and text.count("FILL") >= 6 and "# our_method: " in text
    assert table.statements[0].holds.columns == {"linear_svm", "kernel_fisher"}


def test_a_draft_can_be_planned_as_it_stands(drafted, capsys):
    assert main(["reproduce", "mine", "--dry-run"]) == 0
    assert "cells      20, 0 already done" in capsys.readouterr().out


@pytest.mark.parametrize("file", ["table1.yaml", "table1.csv"])
def test_files_that_exist_are_not_changed_and_none_is_written_beside_them(file, drafted, tmp_path, capsys):
    for path in (tmp_path / "mine").iterdir():
        if path.name != file:
            path.unlink()
    (tmp_path / "mine" / file).write_text("mine")
    assert main(["paper", "new", "mine", "--from", "printed.csv"]) == 2
    assert f"{file}: exists and is not changed" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == [file]
    assert (tmp_path / "mine" / file).read_text() == "mine"
    assert main(["paper", "new", "mine", "--from", "printed.csv", "--table", "other"]) == 0


def test_a_draft_in_which_nothing_is_guessed_says_what_is_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "printed.csv").write_text("data,Ours\nliver,5\n")
    assert main(["paper", "new", "mine", "--from", "printed.csv", "--metric", "accuracy_pct"]) == 0
    assert main(["reproduce", "mine"]) == 2
    assert "has no rows" in capsys.readouterr().err
    assert "accuracy_pct" in (tmp_path / "mine" / "table1.yaml").read_text() and index.DIRECTORIES
