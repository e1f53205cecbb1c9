import pytest

from kernlearn.errors import UserError
from kernlearn.parameters import Choice, Flag, Number, Numbers, Text, check_all

PARAMETERS = {"size": Number(low=1, integer=True), "rates": Numbers(Number(positive=True)), "mode": Choice(("a", "b"))}


def test_values_get_their_types():
    checked = check_all("x", {"mode": "a", "size": 3.0, "rates": (1, 2.5)}, PARAMETERS)
    assert checked == {"size": 3, "rates": [1.0, 2.5], "mode": "a"}
    assert list(checked) == list(PARAMETERS) and isinstance(checked["size"], int)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": 0}, r"x.size=0: must be an integer >= 1"),
        ({"size": 1.5}, r"x.size=1.5: must be an integer"),
        ({"size": 2**31}, r"x.size=2147483648: must be an integer >= 1, and at most 2147483647"),
        ({"size": True}, r"x.size=True: must be an integer"),
        ({"size": float("nan")}, r"x.size=nan"),
        ({"size": "many"}, r"x.size=many"),
        ({"size": None}, r"x.size=None"),
        ({"rates": []}, r"x.rates=\[\]: must be a list"),
        ({"rates": 3}, r"x.rates=3: must be a list"),
        ({"rates": [1, -1]}, r"x.rates\[1\]=-1: must be a number > 0"),
        ({"rates": [1e308]}, r"x.rates\[0\]=1e\+308: must be a number > 0, and of a size from 1e-100 to 1e\+100"),
        ({"rates": [1e-320]}, r"of a size from 1e-100"),
        ({"rates": [10**400]}, r"x.rates\[0\]="),
        ({"rates": [1, 1.0]}, r"same value twice"),
        ({"mode": "c"}, r"x.mode=c: must be one of a, b"),
        ({"mode": ["a"]}, r"x.mode=\['a'\]: must be one of"),
        ({"colour": 1}, r"x.colour: unknown key, x has: size, rates, mode"),
    ],
)
def test_wrong_values_name_the_key_the_value_and_what_is_allowed(change, message):
    with pytest.raises(UserError, match=message):
        check_all("x", {"size": 1, "rates": [1.0], "mode": "a", **change}, PARAMETERS)


def test_missing_keys():
    with pytest.raises(UserError, match="x.size is missing: give x.size=VALUE"):
        check_all("x", {}, PARAMETERS)


def test_flags_and_texts():
    assert Flag().check("f", True) is True
    assert Text(optional=True).check("t", None) is None
    assert Text().check("t", 3) == "3"
    for kind, value in [(Flag(), "yes"), (Text(), None), (Text(), ""), (Text(), True), (Text(), ["a"])]:
        with pytest.raises(UserError, match="must be"):
            kind.check("key", value)


@pytest.mark.parametrize("high", [1 - 1e-9, 1.0, 1e6, 1e9, 1e12, 0.5])
def test_what_is_said_of_a_limit_is_the_limit(high: float) -> None:
    said = Number(low=0.0, high=high).describe().rsplit(" ", 1)[1]
    assert float(said) == high
