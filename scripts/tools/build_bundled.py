"""Build the data sets that come with the package from Debian's r-cran-mlbench and r-cran-kernlab.

Run on a Debian (or Ubuntu) machine with the ``dev`` extra installed; needs no root and installs nothing:

    python scripts/tools/build_bundled.py [DIRECTORY]

The values of a data set and their order are those of the R packages, which keep the order of the original files;
labels are written as the original files have them. The same packages and zlib give the same bytes.
Prints the sha256 of each file.
"""

import gzip
import hashlib
import io
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import rdata

BUNDLED = Path(__file__).resolve().parents[2] / "kernlearn" / "datasets" / "bundled"
PACKAGES = ("r-cran-mlbench", "r-cran-kernlab")

#: Name -> file of the R packages, leading columns to drop, label in R -> label in the original file. The label is the
#: last column, or one called "Class".
SETS = {
    "breastcancer": ("mlbench/data/BreastCancer.rda", 1, {"benign": "2", "malignant": "4"}),
    "dna": ("mlbench/data/DNA.rda", 0, {"ei": "EI", "ie": "IE", "n": "N"}),
    "ionosphere": ("mlbench/data/Ionosphere.rda", 0, {"bad": "b", "good": "g"}),
    "musk": ("kernlab/data/musk.rda", 0, {"0": "0.", "1": "1."}),
    "pima": ("mlbench/data/PimaIndiansDiabetes.rda", 0, {"neg": "0", "pos": "1"}),
    "promoters": ("kernlab/data/promotergene.rda", 0, {"+": "+", "-": "-"}),
    "sonar": ("mlbench/data/Sonar.rda", 0, {"R": "R", "M": "M"}),
    "spambase": ("kernlab/data/spam.rda", 0, {"nonspam": "0", "spam": "1"}),
}


def main(arguments: list[str]) -> None:
    """Write every data set into the directory given, by default the package's own."""
    target = Path(arguments[0]) if arguments else BUNDLED
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        library = unpack(Path(temporary))
        for name, (file, drop, labels) in SETS.items():
            content = compress(table(library / file, drop, labels))
            (target / f"{name}.csv.gz").write_bytes(content)
            print(f"{hashlib.sha256(content).hexdigest()}  {name}.csv.gz  {len(content)} bytes")


def unpack(directory: Path) -> Path:
    """Download and unpack the Debian packages and return their R library."""
    # apt's own sandbox user could not write here; downloading needs no privilege that would call for one.
    subprocess.run(["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", *PACKAGES], cwd=directory, check=True)
    for package in directory.glob("*.deb"):
        subprocess.run(["dpkg", "-x", package, directory], check=True)
    return directory / "usr" / "lib" / "R" / "site-library"


def table(file: Path, drop: int, labels: dict[str, str]) -> str:
    """Return the data frame of an .rda file as CSV without a header, the label last."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rdata warns that it reads R factors as pandas categories
        (frame,) = rdata.read_rda(file).values()
    if "Class" in frame:
        frame = frame[[*frame.columns.drop("Class"), "Class"]]
    lines = []
    for *features, label in frame.itertuples(index=False):
        lines.append(",".join([*map(text, features[drop:]), labels[str(label)]]))
    return "\n".join(lines) + "\n"


def text(value: object) -> str:
    """Write a value so that it reads back the same, whole numbers without a point, missing ones as "?"."""
    if isinstance(value, str) and value.isalpha():
        return value
    number = float(str(value))
    if number != number:
        return "?"
    return str(int(number)) if number.is_integer() else repr(number)


def compress(content: str) -> bytes:
    """Gzip without time and name, so that the same content gives the same bytes."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as stream:
        stream.write(content.encode("ascii"))
    return buffer.getvalue()


if __name__ == "__main__":
    main(sys.argv[1:])
