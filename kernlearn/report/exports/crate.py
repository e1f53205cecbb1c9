"""RO-Crates: a result with its files, what made them, the data with their checksums, and the judged claims.

An RO-Crate (https://w3id.org/ro/crate) is a directory, here in a ZIP archive, with the file ``ro-crate-metadata.json``.
Archives such as Zenodo and WorkflowHub read it. The run is described as in the profile Process Run Crate.
"""

import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from kernlearn.errors import UserError, one_line
from kernlearn.papers import load_figure, load_table
from kernlearn.papers.core.claims import claims_of_figure
from kernlearn.papers.core.contents import WORKS
from kernlearn.papers.core.measured import Claim
from kernlearn.report.exports.numbers import Document, Options
from kernlearn.report.exports.sheets import AUTHOR, DATE
from kernlearn.report.figures import read_points
from kernlearn.report.reproduction import reproduced
from kernlearn.report.scorecard import count_cells
from kernlearn.report.targets import Target, files_of
from kernlearn.runner.store.files import read_json, read_regular
from kernlearn.runner.store.reading import conforms
from kernlearn.runner.store.records import Collected, Computed, Described

PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
METADATA = "ro-crate-metadata.json"
#: The endings of the files of a table or figure.
OF_PAPERS = (
    *(".csv", "_partitions.csv", ".md", ".svg", ".png", ".provenance.json"),
    *("_readings.csv", "_readings.md", "_readings.svg", "_readings.provenance.json"),
)
#: Names of files that every archive can have; kernlearn writes no others.
NAME = re.compile(r"(?!ro-crate)[A-Za-z0-9][A-Za-z0-9._-]*")
#: What the endings of files are.
MEDIA = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".md": "text/markdown",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".yaml": "application/yaml",
}


class Needed(TypedDict):
    """What a crate needs of a record; records of formulas from earlier versions lack other parts."""

    computed: list[Computed]
    data: list[Described]
    collected: Collected


LICENSE = "Not stated. Those who publish these results choose the license."


def crate_bytes(document: Document, _: Options) -> bytes:
    """Return a result as an RO-Crate in a ZIP archive; equal results have equal bytes.

    Raises `UserError` if rocrate is not installed, or the files of the result are damaged.
    """
    try:
        from rocrate.model import ContextEntity
        from rocrate.rocrate import ROCrate
    except ImportError:
        raise UserError("--to=rocrate: needs rocrate: pip install 'kernlearn[export]'") from None
    target = document.target
    files, record, (title, claims, counts) = _own_files(target), _record(target), _judged(target)
    crate = ROCrate()
    crate.name, crate.description, crate.license = f"{target.name}: {title}", _description(target), LICENSE
    crate.datePublished = record["collected"]["when"]
    crate.root_dataset["conformsTo"] = crate.add(ContextEntity(crate, PROFILE, {"@type": "CreativeWork"}))

    def add(key: str, kind: str, **properties: Any) -> Any:
        return crate.add(ContextEntity(crate, f"#{key}", properties={"@type": kind, **properties}))

    software = [
        add(
            f"kernlearn-{i}",
            "SoftwareApplication",
            name="kernlearn",
            softwareVersion=f"{one['code']['kernlearn']}, commit {one['code']['commit'] or 'unknown'}",
            softwareRequirements=", ".join(f"{name} {version}" for name, version in one["packages"].items() if version),
        )
        for i, one in enumerate(record["computed"])
    ]
    data = [
        add(
            f"data-{one['name']}",
            "Dataset",
            name=one["name"],
            identifier=f"sha256:{one['sha256']}",
            description=f"{one['examples']} examples, {one['features']} features; {one['source']}",
        )
        for one in record["data"]
    ]
    results = [
        crate.add_file(dest_path=file.name, properties=_properties(file.name, len(content)))
        for file, content in files.items()
    ]
    for i, (one, program) in enumerate(zip(record["computed"], software, strict=True)):
        action = add(
            f"computation-{i}",
            "CreateAction",
            name=record["collected"]["command"],
            description=f"{one['cells']} cells on {one['machine']['processor']}, {one['seconds']:.0f} s",
            startTime=one["first"],
            endTime=one["last"],
        )
        action["instrument"], action["object"], action["result"] = program, data, results
        crate.root_dataset.append_to("mentions", action)
    _add_verdicts(crate, add, target, claims, counts)
    metadata = json.dumps(crate.metadata.generate(), indent=1, sort_keys=True, ensure_ascii=False)
    return _archive({METADATA: metadata.encode(), **{file.name: content for file, content in files.items()}})


def _add_verdicts(crate: Any, add: Any, target: Target, claims: Sequence[Claim], counts: Mapping[str, int]) -> None:
    """Add each claim of the paper as a review, and the numbers of verdicts."""
    paper = target.name.partition("/")[0]
    if target.kind in ("table", "figure"):
        crate.root_dataset["citation"] = add(paper, "ScholarlyArticle", name=WORKS.get(paper, paper))
    for i, (claim, found, judgement) in enumerate(claims):
        rating = add(f"claim-{i}-rating", "Rating", alternateName=judgement)
        review = add(f"claim-{i}", "ClaimReview", claimReviewed=claim, reviewBody=found)
        review["reviewRating"] = rating
        crate.root_dataset.append_to("mentions", review)
    for name, count in counts.items():
        value = add(f"count-{name.replace(' ', '-')}", "PropertyValue", name=name, value=count)
        crate.root_dataset.append_to("variableMeasured", value)


def _own_files(target: Target) -> dict[Path, bytes]:
    """Return the files of a result with their contents, and no other that lies beside them."""
    files = files_of(target)
    if target.kind in ("table", "figure"):
        more = [f"_{name}.csv" for name in load_table(target.name).points] if target.kind == "table" else []
        known = {f"{target.path.name}{ending}" for ending in (*OF_PAPERS, *more)}
        files = [file for file in files if file.name in known]
    return {file: read_regular(file) for file in files if file.suffix in MEDIA and NAME.fullmatch(file.name)}


def _record(target: Target) -> Mapping[str, Any]:
    of_paper = target.kind in ("table", "figure")
    path = target.path.with_name(f"{target.path.name}.provenance.json") if of_paper else target.path / "provenance.json"
    try:
        content = read_json(path)
    except FileNotFoundError:
        raise UserError(f"{path}: is missing; a crate says what computed the result") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: damaged ({one_line(error)})") from error
    if not conforms(content, Needed):
        raise UserError(f"{path}: damaged, or of another version of kernlearn")
    record: Mapping[str, Any] = content
    return record


def _judged(target: Target) -> tuple[str, Sequence[Claim], Mapping[str, int]]:
    """Return the title of a result, the claims of the paper, and the numbers of verdicts on its printed numbers."""
    if target.kind == "table":
        table, _, rows, claims = reproduced(target.name, target.path.parent.parent)
        return table.title, claims, {name: count for name, count in sorted(count_cells(table, rows).items()) if count}
    if target.kind == "figure":
        figure = load_figure(target.name)
        return figure.title, claims_of_figure(figure, read_points(target.path.with_name(f"{target.path.name}.csv"))), {}
    return f"a {target.kind} of one's own data", [], {}


def _description(target: Target) -> str:
    if target.kind in ("table", "figure"):
        return (
            "Numbers computed again by kernlearn, and the claims of the paper with what was found. A verdict says "
            "whether a printed number could be one of these. The documentation of kernlearn has the rule "
            "(docs/reproduce.md)."
        )
    return f"A {target.kind} computed by kernlearn, with the splits, the selected parameters and their certificates."


def _properties(name: str, size: int) -> dict[str, Any]:
    return {"name": name, "encodingFormat": MEDIA[Path(name).suffix], "contentSize": str(size)}


def _archive(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.comment = AUTHOR.encode()
        for name, content in files.items():
            archive.writestr(ZipInfo(name, DATE.timetuple()[:6]), content, ZIP_DEFLATED)
    return stream.getvalue()
