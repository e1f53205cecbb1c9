"""What differs between two models: their headers, the numbers of their predictors, and what is proved of them."""

import numpy as np
import pytest

from kernlearn import L2SVMClassifier, save
from kernlearn.errors import UserError
from kernlearn.report.differences.changes import Kind, Status
from kernlearn.report.differences.models import compare_models, model_of
from tests.conftest import moons


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """Return the bytes of models by their C and the seed of their data."""
    files = {}
    for C, seed in ((1.0, 0), (2.0, 0), (1.0, 1)):
        path = tmp_path_factory.mktemp("models") / "model.kl"
        save(L2SVMClassifier(C=C).fit(*moons(60, seed)), path)
        files[C, seed] = path.read_bytes()
    return files


def test_the_same_model_says_the_same(content):
    model = model_of("a", content[1.0, 0])
    part = compare_models("m", model, model_of("b", content[1.0, 0]), 20)
    assert (part.status, part.changes, part.notes) == (Status.WITHIN, [], [])


def test_another_model_has_other_numbers(content):
    part = compare_models("m", *(model_of("m", content[key]) for key in ((1.0, 0), (2.0, 0))), most=100)
    places = [one.place for one in part.changes]
    assert part.status is Status.CHANGED and "C: 1.0 | 2.0" in part.notes[0]
    assert any("intercept_" in place for place in places) and not any("_proof" in place for place in places)
    numbers = [one for one in part.changes if one.kind is Kind.NUMBER]
    assert [one.size for one in numbers] == sorted((one.size for one in numbers), reverse=True)
    few = compare_models("m", *(model_of("m", content[key]) for key in ((1.0, 0), (1.0, 1))), most=1)
    assert len(few.changes) == 1 < few.n_changes


@pytest.mark.parametrize(
    "certificate, status",
    [
        ({"gap": 1e-3}, Status.WORSE),
        ({"gap": None}, Status.WORSE),
        ({"gap": 1e-8}, Status.WITHIN),
        ({"objective": 1e6}, Status.CHANGED),
    ],
)
def test_a_certificate_is_compared_by_what_it_proves(certificate, status, content):
    model = model_of("m", content[1.0, 0])
    known = {"objective": 10.0, "gap": 1e-9, "dual_objective": 10.0}
    first, second = (model._replace(about={**model.about, "certificate": one}) for one in (known, known | certificate))
    assert compare_models("m", first, second, 20).status is status
    assert compare_models("m", second, first, 20).status is (Status.CHANGED if status is Status.WORSE else status)


def test_an_objective_within_its_gap_is_the_same(content):
    model = model_of("m", content[1.0, 0])
    first, second = (
        model._replace(about={**model.about, "certificate": {"objective": value, "gap": 1e-4}})
        for value in (10.0, 10.001)
    )
    assert compare_models("m", first, second, 20).status is Status.WITHIN


def test_a_model_of_which_nothing_is_proved_any_more_is_worse(content):
    model = model_of("m", content[1.0, 0])
    other = model._replace(about={**model.about, "unproved": "no dual"})
    assert compare_models("m", model, other, 20).status is Status.WORSE
    assert compare_models("m", other, model, 20).status is Status.CHANGED


def test_coefficients_that_are_rounding_are_the_same(content):
    model = model_of("m", content[1.0, 0])
    first, second = (model._replace(tree={"coef": np.array([1.0, tiny])}) for tiny in (1e-17, 3e-16))
    assert compare_models("m", first, second, 20).status is Status.WITHIN
    second = model._replace(tree={"coef": np.array([1.0, 1e-3])})
    assert compare_models("m", first, second, 20).n_changes == 1
    second = model._replace(tree={"coef": np.array([1.0, np.nan])})
    assert compare_models("m", first, second, 20).n_changes == 1


def test_a_number_is_listed_once_under_a_name_of_its_own(content):
    part = compare_models("m", *(model_of("m", content[key]) for key in ((1.0, 0), (1.0, 1))), most=100)
    places = [one.place.split(":")[0] for one in part.changes]
    assert len(places) == len(set(places))
    assert sum(place.strip("_").endswith("intercept") for place in places) == 1
    model = model_of("m", content[1.0, 0])
    pair = ({"members": [{"fields": {"w": first}}, {"fields": {"w": 2 * first}}]} for first in (1.0, 1.5))
    part = compare_models("m", *(model._replace(tree=tree) for tree in pair), most=100)
    assert [one.place for one in part.changes] == ["members[0].fields.w", "members[1].fields.w"]


def test_a_mapping_has_the_names_of_its_keys(tmp_path):
    values = []
    for C in (1.0, 2.0):
        X, y = moons(60, 0)
        weights = {label: C for label in np.unique(y).tolist()}
        save(L2SVMClassifier(class_weight=weights).fit(X, y), tmp_path / "m.kl")
        values.append(model_of("m", (tmp_path / "m.kl").read_bytes()))
    places = {one.place for one in compare_models("m", *values, most=100).changes}
    assert {f"class_weight.{label}" for label in weights} <= places


def test_objectives_on_other_data_are_not_compared(content):
    first, second = (model_of("m", content[key]) for key in ((1.0, 0), (1.0, 1)))
    assert any("objective" in one.place for one in compare_models("m", first, second, 100).changes)
    data = ({"name": "two", "rows": rows, "sha256": sha} for rows, sha in ((60, "a" * 64), (61, "b" * 64)))
    pairs = zip((first, second), data, strict=True)
    first, second = (one._replace(about={**one.about, "data": of}) for one, of in pairs)
    part = compare_models("m", first, second, 100)
    assert not any("objective" in one.place for one in part.changes)
    expected = "the training rows differ: data two (60 rows, sha256 aaaaaaaaaaaa | 61 rows, sha256 bbbbbbbbbbbb)"
    assert sum(note.endswith(expected) for note in part.notes) == 1


@pytest.mark.parametrize("alter", [lambda c: c[:-10], lambda c: c[:200], lambda c: b"PK\x03\x04" + c[4:50]])
def test_a_damaged_model_is_an_error(alter, content):
    with pytest.raises(UserError):
        model_of("m.kl", alter(content[1.0, 0]))
