"""Words and lists of defaults mean what they mean to Hydra, whose own parser and composition are the oracle."""

import random
import time
import warnings

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from omegaconf.errors import ValidationError

from kernlearn.cli.configuration.compose import Loader, compose_config
from kernlearn.cli.configuration.expand import expand
from kernlearn.cli.configuration.grammar import alternatives, value_of
from kernlearn.errors import UserError

VALUES = r"""1 x 1.5 -1e-5 1. .5 +3 007 1_000 1__0 null NULL tRUE [1,2] [] {} {a:1} {a:1,b:[1,2]} [[1],[2]] 'x' "x" 00
    'it\'s' 'C:\new' 'a\\' "a\\\"b" a:b {a:b:c} \,b x\[1\] inf nan -inf 1e400 {1:2} ${seed} x${seed}y /a/b.csv C:\x
    'a"b' 1E+5 1e [true,null] '' [''] -0 0 1.e5 0.10 [a,{b:[c,'d,e']}] http://x:1/y?z $x a_b-c 1a [,] [a,,b] [a,]
    {a} } (1) a'b' 1,2,3 [1],[2] 'x','y' {a:1},b range(3) range(0,1,0.25) range(0,1,0.1) range(5,0,-2) range(1,4,0.3)
    choice(a,b) choice([1],{a:1}) range(x) range(1,2,3,4) ,a a, a,,b""".split()
BLANKS = [
    " x ",
    "[ 1 , 2 ]",
    "{ a : 1 , b: 2}",
    "x y",
    "[ ]",
    "{ }",
    "[ 'x' , y z]",
    "1, 2",
    " ",
    "[ [1], {a: 'b, c'}]",
]
PIECES = [*"[]{}(),:'\"\\.-+01a", "'x'", "null", "1.5", "e5", "${seed}", "range(2)", r"\,", "[1]", "{a:1}"]


def theirs(word):
    """Return what Hydra makes of a word: its value, or the words that it stands for."""
    override = OverridesParser.create().parse_override(word)
    if override.is_sweep_override():
        return [value_of(f"key={value}") for value in override.sweep_string_iterator()]
    return override.value()


def ours(word):
    words = alternatives(word, lambda group: [])
    values = [value_of(one) for one in words]
    return values if words != [word] else values[0]


@pytest.mark.parametrize("value", [*VALUES, *BLANKS])
def test_a_value_is_that_of_hydra(value):
    try:
        expected = theirs(f"key={value}")
    except HydraException:
        with pytest.raises(UserError):
            ours(f"key={value}")
    else:
        assert repr(ours(f"key={value}")) == repr(expected)  # with its type; nan is no nan


def test_of_random_values_all_that_hydra_takes_is_taken_for_the_same():
    rng, n_taken = random.Random(0), 0
    for _ in range(1500):
        word = "key=" + "".join(rng.choices(PIECES, k=rng.randint(1, 6)))
        try:
            with warnings.catch_warnings(action="ignore"):
                expected = theirs(word)
        except (HydraException, ValidationError):  # the latter of range(...) beside other values
            continue
        n_taken += 1
        assert repr(ours(word)) == repr(expected), word
    assert n_taken > 200


FILES = {
    "whole": "defaults: [base, method: one, _self_, data: a, extra@late: more]\na: 1\nmethod: {own: 1}\n",
    "after": "defaults: [whole, override data: b]\na: 3\n",
    "base": "a: 0\nb: {c: 1, d: [1, 2]}\n",
    "extra/more": "x: 1\n",
    "method/one": "defaults: [two]\nname: one\nd: {e: 1}\n",
    "method/two": "name: two\nsize: 1\nd: {f: 2}\n",
    "method/three": "name: three\nsize: '???'\n",
    "data/a": "n: 1\nmethod: x\n",
    "data/b": "# @package _global_\ndata: {n: 2}\nb: {d: [3]}\n",
    "data/c": "# by\n# @package other.place\nn: 3\n",
    "experiment/e": "# @package _global_\ndefaults: [override /method: three, override /data: b]\nmethod: {size: 5}\n",
    "experiment/f": "defaults: [sub/g, /method@here: two, sub@there: g]\nz: 1\n",
    "experiment/sub/g": "defaults: [h]\ny: 1\n",
    "experiment/sub/h": "w: 1\n",
}
COMMANDS = [
    "",
    "a=5 b.c=[1] method.d={e: 7}",
    "method=two",
    "data=c",
    "data=b b.d=4",
    "method=[one,three] method.size=4",
    "~method",
    "~method=one +method.x=1",
    "~a ~b.c",
    "+experiment=e",
    "+experiment=e method=two",
    "+experiment=e method.size=6 +new.key.of=1 ++a=2 ++b.f=3",
    "+experiment=f",
    "+experiment@experiment.sub=f data=c",
    "+b.c={x: 1}",
    "+data@second=c",
    "a=null method.size=???",
]
WRONG = "method=four ~method=two experiment=e a.b=1 c=1 ~c +a=2 +method=two +none@x=y b.e=1 a".split()


@pytest.fixture
def directory(tmp_path):
    for name, text in FILES.items():
        (tmp_path / f"{name}.yaml").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.yaml").write_text(text)
    return str(tmp_path)


def words_of(command):
    return [word.replace("\0", " ") for word in command.replace(": ", ":\0").split()]


@pytest.mark.sampled(6)
@pytest.mark.filterwarnings("ignore:.*Defaults list is missing")
@pytest.mark.parametrize("name", ["whole", "after"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_configuration_is_that_of_hydra(command, name, directory):
    with initialize_config_dir(directory, version_base="1.3"):
        try:
            expected = compose(name, words_of(command))
        except HydraException:
            expected = None
    if expected is None:
        with pytest.raises(UserError):
            Loader(directory, name).compose(words_of(command))
    else:
        assert Loader(directory, name).compose(words_of(command)) == expected


@pytest.mark.sampled(2)
@pytest.mark.parametrize("word", WRONG)
def test_what_hydra_refuses_is_refused(word, directory):
    with initialize_config_dir(directory, version_base="1.3"), pytest.raises(HydraException):
        compose("whole", [word])
    with pytest.raises(UserError, match=r"^[^\n]+$"):
        Loader(directory, "whole").compose([word])


def test_a_list_of_thousands_of_values_is_read_at_once():
    """Hydra's parser counts up to every element from the first one: minutes for as many."""
    start, n = time.process_time(), 16_000
    config = compose_config([f"algo.betas=[{','.join(map(str, range(1, n + 1)))}]"])
    assert config["algo"]["betas"] == list(range(1, n + 1)) and time.process_time() - start < 5


def test_more_seeds_than_can_be_planned_are_refused():
    with pytest.raises(UserError, match="seed: 100000 seeds, more than 10000; use several sweeps"):
        next(expand(["algo=vkr", "dataset=ionosphere", "seed=range(0,100000)"], (), Loader()))
