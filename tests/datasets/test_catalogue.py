import gzip
import io
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from kernlearn.datasets import CATALOGUE, load, load_original
from kernlearn.datasets.core import arrays
from kernlearn.datasets.core.dataset import make_dataset
from kernlearn.datasets.loading import STAND_INS, obtain
from kernlearn.datasets.sets.files import INDICATORS, read
from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS
from kernlearn.kernels import GramStack, make_family
from tests.conftest import needs_originals

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs" / "dataset"
HERE = sorted(name for name, entry in CATALOGUE.items() if entry.home != "file")
FIXED_HERE = [name for name in HERE if CATALOGUE[name].digest]
WITH_FILES = sorted(name for name, entry in CATALOGUE.items() if entry.files)
BUNDLED_WITH_FILES = [name for name in WITH_FILES if CATALOGUE[name].bundled]


def test_config_files_match_catalogue():
    assert {path.stem for path in CONFIGS.glob("*.yaml")} == {*CATALOGUE, *STAND_INS}
    for name, entry in CATALOGUE.items():
        options = "".join(f"{key}: {value}\n" for key, value in entry.options.items())
        assert (CONFIGS / f"{name}.yaml").read_text() == f"# {entry.description}\nname: {name}\n{options}"


def test_entries_are_consistent():
    for name, entry in CATALOGUE.items():
        assert "\n" not in entry.description, name
        if entry.home == "generated":
            assert not entry.counts and not entry.digest
            continue
        labelled = entry.places or entry.n
        assert sum(entry.counts) == (labelled if entry.classes else 0) and len(entry.counts) == len(entry.classes), name
        assert len(entry.digest) == 64 and all(len(file.sha256) == 64 for file in entry.files), name
        # A file that cannot be downloaded and does not come with the package needs a word on where to get it.
        assert entry.home != "file" or all(file.url for file in entry.files) or entry.advice, name


@pytest.mark.parametrize("name", FIXED_HERE)
def test_loads_as_catalogued_without_any_directory(name, monkeypatch):
    monkeypatch.delenv("KERNLEARN_DATA", raising=False)
    entry, data = CATALOGUE[name], load(name)
    assert data.name == name and data.source == entry.home
    assert data.X.shape == (entry.n, entry.d) and data.X.dtype == np.float64 and data.X.flags.c_contiguous
    assert np.isfinite(data.X).all()
    assert data.y.dtype == np.int64 and tuple(np.bincount(data.y)) == entry.counts
    assert data.classes == tuple(entry.classes.values())
    assert data.digest == entry.digest


def test_digest_is_of_the_documented_bytes():
    data = load("ionosphere")
    header = b'{"shape": [351, 34], "classes": ["bad", "good"]}'
    expected = sha256(header + data.X.astype("<f8").tobytes() + data.y.astype("<i8").tobytes()).hexdigest()
    assert data.digest == expected


def test_import_is_light():
    heavy = "sklearn", "urllib.request", "rich", "pandas"
    code = f"import sys, kernlearn.datasets; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


def test_bundled_files_carry_neither_time_nor_name():
    names = {name for name, entry in CATALOGUE.items() if entry.bundled}
    files = {file.name: file for file in resources.files("kernlearn.datasets.bundled").iterdir()}
    assert {name for name in files if name.endswith(".gz")} == {f"{name}.csv.gz" for name in names}
    for name in names:
        header = files[f"{name}.csv.gz"].read_bytes()[:10]
        assert header[3] == 0 and header[4:8] == bytes(4)


def test_arrays_cannot_be_changed():
    data = load("sonar")
    for array in (data.X, data.y):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_breastcancer_missing_values_are_read_as_the_commonest():
    content = resources.files("kernlearn.datasets.bundled").joinpath("breastcancer.csv.gz").read_bytes()
    rows = [line.split(",") for line in gzip.decompress(content).decode().splitlines()]
    missing = np.array([[cell == "?" for cell in row] for row in rows])
    assert missing.sum() == 16 and missing[:, 5].sum() == 16
    X = load("breastcancer").X
    known = X[~missing[:, 5], 5]
    assert np.bincount(known.astype(int)).argmax() == 1
    assert (X[missing[:, 5], 5] == 1).all()
    # Identifiers are dropped: what is left are grades.
    assert X.min() == 1 and X.max() == 10


def test_ionosphere_second_feature_is_constant():
    data = load("ionosphere")
    assert (np.ptp(data.X, axis=0) == 0).nonzero()[0].tolist() == [1]
    assert data.X[0, :4].tolist() == [1, 0, 0.99539, -0.05889] and data.classes[data.y[0]] == "good"


def test_pima_zeros_are_kept():
    assert (load("pima").X == 0).sum(axis=0).tolist() == [111, 5, 35, 227, 374, 11, 0, 0]


@pytest.mark.parametrize("name", ["promoters", "sonar", "spambase"])
def test_sets_said_to_be_sorted_by_class_are(name):
    assert np.count_nonzero(np.diff(load(name).y)) == 1


def test_promoters_are_letters_and_many_others_overlap():
    data = load("promoters")
    assert "".join("acgt"[int(code)] for code in data.X[0]).startswith("gccttctccaaaacgtg")
    assert data.classes[data.y[0]] == "promoter"
    common = GramStack.train(make_family("spectrum", lengths=[20]), data.X[data.y == 0]).matrix(0)
    np.testing.assert_array_equal(np.diagonal(common), 57 - 20 + 1)
    assert np.count_nonzero((common > 0).sum(axis=1) > 1) == 48  # of 53 share 20 bases in a row with another


def test_a_letter_without_a_code_is_told():
    entry = CATALOGUE["promoters"]
    for letter in (b"n", b"", b"ac"):
        with pytest.raises(UserError, match="a field cannot be read"):
            read(entry, [b",".join([letter] * 57) + b",+\n"], entry.layout)


def test_musk_has_no_identifiers():
    data = load("musk")
    assert data.X[0, :3].tolist() == [42, -198, -109] and data.classes[data.y[0]] == "musk"


def test_dna_indicators_have_the_stated_code():
    triples = load("dna").X.reshape(-1, 60, 3)
    assert set(np.unique(triples)) == {0, 1} and triples.sum(axis=2).max() == 1


def test_wdbc_positive_class_is_malignant():
    from sklearn.datasets import load_breast_cancer

    raw, data = load_breast_cancer(), load("wdbc")
    assert (np.array(data.classes)[data.y] == raw.target_names[raw.target]).all()


def test_ambiguous_bases_spread_their_weight():
    assert INDICATORS["N"] == [0.25] * 4 and INDICATORS["R"] == [0.5, 0, 0.5, 0]
    assert all(sum(weights) == pytest.approx(1) for weights in INDICATORS.values())


@pytest.mark.data
@needs_originals
@pytest.mark.parametrize("name", BUNDLED_WITH_FILES)
def test_bundled_values_equal_the_original(name):
    bundled, original = load(name), load_original(name)
    assert bundled.source == "bundled" and original.source != "bundled"
    assert np.array_equal(bundled.X, original.X) and np.array_equal(bundled.y, original.y)
    assert bundled.digest == original.digest


@pytest.mark.data
@needs_originals
@pytest.mark.parametrize("name", WITH_FILES)
def test_originals_load_as_catalogued(name):
    entry, data = CATALOGUE[name], load_original(name)
    assert tuple(np.bincount(data.labels)) == entry.counts and data.X.shape == (entry.n, entry.d)
    assert data.digest == entry.digest


@pytest.mark.data
@needs_originals
@pytest.mark.parametrize("name", ["books", "dvd", "electronics", "kitchen"])
def test_reviews_are_sparse_and_more_bigrams_begin_with_the_same(name):
    data, more = load(name), load(name, bigrams=10**6)
    assert sparse.issparse(data.X) and data.X.has_canonical_format and data.X.data.min() >= 1
    assert (data.X[:, :] != more.X[:, :4000]).nnz == 0 and more.X.shape[1] > 80000
    assert (np.diff(more.X.sum(axis=0)) <= 0).all() and more.digest != data.digest
    assert set(data.target) == {1, 2, 4, 5} and ((data.target > 3) == (data.y == 1)).all()
    for array in (data.X.data, data.X.indices, data.X.indptr, data.target):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.data
@needs_originals
def test_modapte_split_is_in_order():
    y = load("reuters").y
    assert (y[:9603].sum(), y[9603:].sum()) == (1650, 719)


@pytest.mark.data
@needs_originals
def test_mnist_parts_have_the_published_sizes():
    data = load("mnist")
    assert np.bincount(data.y[:60000])[:3].tolist() == [5923, 6742, 5958] and data.y[:5].tolist() == [5, 0, 4, 1, 9]
    assert data.X.max() == 255 and data.X[[0]].sum() == 27525  # the grey levels of the first five


@pytest.mark.data
@needs_originals
def test_kin8nm_has_targets_and_no_classes():
    data = load("kin8nm")
    assert data.classes == () and data.y.shape == (0,) and data.target.shape == (8192,)
    np.testing.assert_array_equal(data.X[0, [0, 7]], [-1.5119208e-02, 6.2762996e-02])
    assert data.target[0] == data.real_target()[0] == 5.3652416e-01
    with pytest.raises(UserError, match="real targets and no classes"):
        PROTOCOLS["rotation5"].make(data.y, data.classes, 0)


@pytest.mark.data
@needs_originals
def test_protein_fold_has_views_of_equal_width():
    data = load("protein_fold")
    assert data.n_views == 12 and data.X.shape[1] % 12 == 0
    traces = (data.X**2).sum(axis=0).reshape(12, 27).sum(axis=1)
    assert 1e6 < traces.max() / traces.min() < 1e8
    assert [np.linalg.matrix_rank(view) for view in np.split(data.X, 12, axis=1)] == [27] * 12


@pytest.mark.data
@needs_originals
def test_splice_of_delve_is_splice_without_ambiguous_letters():
    delve, splice = load("splice_delve"), load("splice")
    indicators = splice.X.reshape(-1, 60, 4)
    clear = (indicators.max(axis=2) == 1).all(axis=1)
    letters = np.array([1, 3, 2, 4])[indicators[clear].argmax(axis=2)]  # A C G T
    junction = (splice.y[clear] != splice.classes.index("N")).astype(int)
    ours = Counter(zip(map(bytes, delve.X.astype(np.uint8)), delve.y.tolist(), strict=True))
    theirs = Counter(zip(map(bytes, letters.astype(np.uint8)), junction.tolist(), strict=True))
    assert ours.total() == theirs.total() == 3175 and (ours & theirs).total() >= 3174


@pytest.mark.data
@needs_originals
@pytest.mark.parametrize(
    ("name", "given", "stored", "header"),
    [
        ("climate", "pop_failures.dat", "pop_failures.dat", b"Study Run vconst_corr outcome"),
        ("phishing", "phishing_old.csv", ".old.arff", b"@relation phishing\r\n@attribute Result {1,-1}\r\n@data"),
        ("vertebral", "column_2C.dat", "column_2C.dat", b""),
    ],
)
def test_same_values_in_another_dress_are_accepted(name, given, stored, header, tmp_path, monkeypatch):
    (content,) = (obtain(CATALOGUE[name], file)[1] for file in CATALOGUE[name].files if file.name == given)
    (tmp_path / stored).write_bytes(header + b"\r\n" + content.replace(b"\n", b"\r\n"))
    monkeypatch.setenv("KERNLEARN_DATA", str(tmp_path))
    data = load(name)
    assert data.source == str(tmp_path / stored) and data.digest == CATALOGUE[name].digest


@pytest.mark.data
@needs_originals
def test_traps_of_sets_from_files():
    climate = load("climate").X
    assert climate.min() >= 0 and climate.max() <= 1 and np.unique(climate[:, 0]).size > 500
    assert set(np.unique(load("phishing").X)) == {-1, 0, 1}
    assert set(np.unique(load("ocr49").X)) == {0, 1, 2, 3}
    assert np.count_nonzero(np.diff(load("vertebral").y)) == 1
    splice = load("splice").X.reshape(-1, 60, 4)
    assert np.allclose(splice.sum(axis=2), 1)
    assert np.count_nonzero((splice.max(axis=2) < 1).any(axis=1)) == 15
    optdigits, digits = load("optdigits"), load("digits")
    assert np.array_equal(optdigits.X[3823:], digits.X) and np.array_equal(optdigits.y[3823:], digits.y)


@pytest.mark.data
@needs_originals
def test_dna_is_splice_but_for_ambiguous_letters():
    splice, dna = load("splice"), load("dna")
    indicators = splice.X.reshape(-1, 60, 4)
    clear = (indicators.max(axis=2) == 1).all(axis=1)
    rows = Counter(zip(map(bytes, indicators[clear][:, :, :3].astype(np.uint8)), splice.y[clear].tolist(), strict=True))
    others = Counter(zip(map(bytes, dna.X.reshape(-1, 60, 3).astype(np.uint8)), dna.y.tolist(), strict=True))
    assert rows.total() == 3175 and (rows & others).total() == 3175
    # T is the implied fourth indicator, so a row is told by A, C, G; each further row is possible in one of splice.
    for (row, label), count in (others - rows).items():
        three = np.frombuffer(row, dtype=np.uint8).reshape(60, 3)
        four = np.column_stack([three, 1 - three.sum(axis=1)])
        fits = ((indicators > 0) >= (four > 0)).all(axis=(1, 2)) & ~clear & (splice.y == label)
        assert count == 1 and fits.any()


def test_set_without_original_says_so():
    with pytest.raises(UserError, match="dna: has no original file"):
        load_original("dna")


def test_partitions_that_are_known_come_with_the_data_and_are_part_of_their_digest():
    stored = io.BytesIO()
    np.savez(stored, toy_train=np.array([[2, 0], [1, 3]], dtype=np.int16))
    contents = [b"0.5,1,1\n2,3,-1\n4,5,1\n6,7,-1\n", stored.getvalue()]
    known = make_dataset("toy", arrays.benchmark(contents, "toy"), ("negative", "positive"), "here")
    assert [part.tolist() for part in known.partitions] == [[0, 2], [1, 3]] and known.y.tolist() == [1, 0, 1, 0]
    unknown = make_dataset("toy", arrays.benchmark(contents[:1], "toy"), ("negative", "positive"), "here")
    assert unknown.partitions == () and unknown.digest != known.digest
    with pytest.raises(UserError, match="labels other than -1 and 1"):
        arrays.benchmark([b"0.5,2\n"], "toy")


@pytest.mark.data
@needs_originals
@pytest.mark.parametrize("name", [*(name for name in CATALOGUE if name.startswith("ida_")), "splice_delve"])
def test_the_benchmark_has_partitions_of_the_published_sizes(name):
    data = load(name)
    assert 0 < data.n_drawn < len(data.y) and data.n_drawn == CATALOGUE[name].n_drawn
    assert all(len(np.unique(part)) == data.n_drawn and part.max() < len(data.y) for part in data.partitions)
    assert len(data.partitions) == (0 if len(CATALOGUE[name].files) == 1 else 1 if name == "ida_twonorm" else 10)
