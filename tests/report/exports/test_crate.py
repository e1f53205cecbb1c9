"""RO-Crates have all files of a result, what made them, and the judged claims, and are read by the rocrate library."""

import json
from hashlib import sha256
from zipfile import ZipFile

import pytest
from rocrate.rocrate import ROCrate

from kernlearn.cli.main import main
from kernlearn.papers import figure_names
from kernlearn.report.exports.documents import document_of
from kernlearn.report.exports.formats import FORMATS
from kernlearn.report.exports.numbers import Options
from kernlearn.report.reproduction import reproduced
from kernlearn.report.targets import find_target
from tests.report.exports.examples import KEPT, RESULTS

FIGURES = [name for name in figure_names() if (RESULTS / f"{name}.csv").exists()]


def content_of(name):
    """Return the crate of a result."""
    form = FORMATS["rocrate"]
    return form.content(document_of(find_target(name, RESULTS), kinds=form.kinds), Options())


def unpacked(name, directory):
    """Write the crate of a result and return it as the library reads it."""
    (directory / "crate.zip").write_bytes(content_of(name))
    with ZipFile(directory / "crate.zip") as archive:
        archive.extractall(directory / "crate")
    return ROCrate(directory / "crate")


@pytest.mark.parametrize("name", ["mkl2010/table3_1", "uml2014/exercises"])
def test_the_library_reads_every_file_and_the_computation(name, tmp_path):
    crate = unpacked(name, tmp_path)
    files = {entity.id for entity in crate.get_entities() if entity.type == "File"}
    assert files == {path.name for path in (tmp_path / "crate").iterdir()} - {"ro-crate-metadata.json"}
    stem = name.partition("/")[2]
    for file in files:
        assert (tmp_path / "crate" / file).read_bytes() == (RESULTS / name).with_name(file).read_bytes()
    assert {f"{stem}.csv", f"{stem}.md", f"{stem}.provenance.json"} <= files
    record = json.loads((RESULTS / f"{name}.provenance.json").read_text())
    actions = [entity for entity in crate.get_entities() if entity.type == "CreateAction"]
    assert len(actions) == len(record["computed"]) and {file.id for file in actions[0]["result"]} == files
    assert record["computed"][0]["code"]["commit"] in actions[0]["instrument"]["softwareVersion"]
    sums = {
        entity["identifier"] for entity in crate.get_entities() if entity.type == "Dataset" and "identifier" in entity
    }
    assert sums == {f"sha256:{one['sha256']}" for one in record["data"]}
    assert crate.datePublished.isoformat() == record["collected"]["when"]


def test_claims_are_reviews_with_their_judgement(tmp_path):
    crate = unpacked("mkl2010/table3_1", tmp_path)
    reviews = [entity for entity in crate.get_entities() if entity.type == "ClaimReview"]
    claims = reproduced("mkl2010/table3_1", RESULTS).claims
    found = [(one["claimReviewed"], one["reviewBody"], one["reviewRating"]["alternateName"]) for one in reviews]
    assert found == [tuple(claim) for claim in claims] and claims
    counts = {one["name"]: one["value"] for one in crate.get_entities() if one.type == "PropertyValue"}
    assert counts["run"] == sum(counts.get(word, 0) for word in ("inside", "near", "outside", "no verdict"))


def test_the_same_result_gives_the_same_bytes_and_no_file_of_another(tmp_path):
    content = content_of("rmm2010/table2_1")
    assert sha256(content_of("rmm2010/table2_1")).digest() == sha256(content).digest()
    (tmp_path / "c.zip").write_bytes(content)
    assert not any("mnist" in name for name in ZipFile(tmp_path / "c.zip").namelist())


@pytest.mark.slow
@pytest.mark.parametrize("name", [*KEPT, *FIGURES])
def test_every_kept_result_has_a_crate(name, tmp_path):
    assert name in unpacked(name, tmp_path).name


@pytest.mark.slow
def test_a_run_has_one_and_a_paper_has_not(tmp_path, capsys):
    results = ["--results-dir", str(tmp_path)]
    assert main(["run", "algo=nearest_mean", "dataset=ionosphere", f"results_dir={tmp_path}"]) == 0
    (run,) = (tmp_path / "runs").iterdir()
    assert main(["export", run.name, "-o", str(tmp_path / "run.zip"), *results]) == 0
    assert "paths.csv" in ZipFile(tmp_path / "run.zip").namelist()
    assert main(["export", run.name, "-o", str(tmp_path / "run.zip"), *results]) == 0  # it may replace a crate
    capsys.readouterr()
    assert main(["export", "uml2014", "-o", str(tmp_path / "x.zip"), "--results-dir", str(RESULTS)]) == 2
    assert "is a paper; name one of its tables" in capsys.readouterr().err
    assert (
        main(["export", run.name, "--to", "rocrate", "--metrics", "auc", "-o", str(tmp_path / "x.zip"), *results]) == 2
    )
    assert "--metrics: has no meaning for --to=rocrate" in capsys.readouterr().err
    (run / "strange\udcff.csv").write_text("a")  # of somebody: not ours, and no name for an archive
    assert main(["export", run.name, "-o", str(tmp_path / "run.zip"), *results]) == 0
    assert not any("strange" in name for name in ZipFile(tmp_path / "run.zip").namelist())
    paths = (run / "paths.csv").read_text()
    (run / "paths.csv").write_text(paths[: len(paths) // 2])
    assert main(["export", run.name, "-o", str(tmp_path / "x.zip"), *results]) == 2
    assert "damaged" in capsys.readouterr().err and not (tmp_path / "x.zip").exists()
    (run / "paths.csv").write_text(paths)
    (run / "provenance.json").write_text("{}")
    assert main(["export", run.name, "-o", str(tmp_path / "x.zip"), *results]) == 2
    assert "damaged" in capsys.readouterr().err and not (tmp_path / "x.zip").exists()
