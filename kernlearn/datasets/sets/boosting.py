"""Data sets of papers on boosting."""

from functools import partial
from types import MappingProxyType

from kernlearn.datasets.core import arrays, coded
from kernlearn.datasets.sets.entry import CC_BY, UCI, Entry, File
from kernlearn.datasets.sets.learning import MNIST_FILES

LIBSVM = "LIBSVM's page of data for binary classification has it, of the same name"
SOME = "n: so many of its examples, drawn at random by seed; by default all"
INCOMES = {"-1": "up to 50,000", "1": "more"}
ADULT = "Kohavi (1996), Adult, UCI id 2; as indicators by Platt (1998), Fast training of SVMs by SMO"

BOOSTING_SETS: dict[str, Entry] = {
    "a4a": Entry(
        description="incomes of adults, 123 indicators (the fourth of nested sets), sparse",
        n=4781,
        d=123,
        classes=INCOMES,
        counts=(3593, 1188),
        digest="e43a52458ede9a8e360f95e1de8c45d480ac34ff35eeccd16576c05da8930252",
        citation=ADULT,
        licence=CC_BY,
        traps=("labels are 0 and 1 in this copy, -1 and 1 in others", SOME),
        verified="4780 of its 4781 rows are rows of a8a, as in nested sets",
        files=(File("a4a", "d40f7a33c6fe56ea9e2d6ddb44a296e9dd23553f34b699e08dc1c28918e216a3"),),
        reader=partial(coded.sparse_signs, d=123),
        options=MappingProxyType({"n": 4781, "seed": 0}),
        advice=LIBSVM,
    ),
    "a8a": Entry(
        description="incomes of adults, 123 indicators (the eighth of nested sets), sparse",
        n=22696,
        d=123,
        classes=INCOMES,
        counts=(17190, 5506),
        digest="ef24ef3ecc7ae844da7b1fe48572fcfae79d99f3bc7d5c594b2e103585443e76",
        citation=ADULT,
        licence=CC_BY,
        traps=(SOME,),
        verified="size as published",
        files=(File("a8a", "d08a37b3fadd4bd3c8b3fc30bdc93b54d7c0f371265c90cbfb931a7efe97cd28"),),
        reader=partial(coded.sparse_signs, d=123),
        options=MappingProxyType({"n": 22696, "seed": 0}),
        advice=LIBSVM,
    ),
    "abalone": Entry(
        description="age of abalones by seven measurements and sex: 10 rings or more, or fewer",
        n=4177,
        d=10,
        classes={"young": "young", "old": "old"},
        counts=(2096, 2081),
        digest="7db458cbc1f14995515f469b8ccdf8c80c65276b452a625787806f09a29ddaa9",
        citation="Nash et al. (1994), Abalone, UCI id 1",
        licence=CC_BY,
        traps=(
            "sex is three indicators, M, F and I (infant)",
            "target: the rings; the classes, 9 or fewer and 10 or more, are the split nearest to halves, not of UCI",
        ),
        verified="as many bytes as UCI states, equal to a second copy",
        files=(
            File(
                "abalone.data",
                "de37cdcdcaaa50c309d514f248f7c2302a5f1f88c168905eba23fe2fbc78449f",
                f"{UCI}/abalone/abalone.data",
            ),
        ),
        reader=coded.abalone,
    ),
    "mnist_pair": Entry(
        description="two of the handwritten digits of mnist, first and second, training and test part together, sparse",
        n=13861,
        d=784,
        classes={"first": "first", "second": "second"},
        counts=(6903, 6958),
        digest="fefd752f62aee507ccd867137c645672e8041ebaaa842366de130fc2d5adb821",
        citation="LeCun, Cortes, Burges (1998), The MNIST database of handwritten digits",
        licence="CC BY-SA 3.0 (as usually stated)",
        traps=("the training part comes first, then the test part, of other writers",),
        verified="md5 of all four files, unpacked, as published",
        files=MNIST_FILES,
        reader=arrays.mnist_pair,
        options=MappingProxyType({"first": 0, "second": 9}),
    ),
    "mushrooms": Entry(
        description="mushrooms, edible or poisonous, 21 attributes as 112 indicators",
        n=8124,
        d=112,
        classes={"e": "edible", "p": "poisonous"},
        counts=(4208, 3916),
        digest="16bee747ff85998cab1ae8259d9bf1b32155d1ec23b925d70f3c78bedc0a4708",
        citation="Schlimmer (1987), Mushroom, UCI id 73",
        licence=CC_BY,
        traps=(
            "the root of the stalk, missing in 2480 rows, is left out, as in LIBSVM's form with its 112 indicators",
            "one indicator, of the veil's type, is constant",
        ),
        verified="as many bytes as UCI states, equal to two other copies",
        files=(
            File(
                "agaricus-lepiota.data",
                "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e",
                f"{UCI}/mushroom/agaricus-lepiota.data",
            ),
        ),
        reader=coded.mushrooms,
    ),
    "musk2": Entry(
        description="musk (version 2), conformations of molecules by 166 distances",
        n=6598,
        d=166,
        classes={"0": "non-musk", "1": "musk"},
        counts=(5581, 1017),
        digest="1debed8a4f2cd97b7f1e1a6545df2654c2dec656eae1b6f38f7a7e1018a1c305",
        citation="Chapman and Jain (1994), Musk (Version 2), UCI id 75",
        licence=CC_BY,
        traps=("a molecule has many rows, and its name is not in this copy: a random split has it on both sides",),
        verified="size, classes and first row as in clean2.data; the file itself was not seen",
        files=(File("musk2.csv", "791dd019f1696510a4d722e9e5b1a570e508c7c8ef1e25d9d254c5a421042cc1"),),
        advice="it is UCI's clean2.data without the first two columns, its labels written 0 and 1",
    ),
    "w8a": Entry(
        description="web pages, of a category or not, 300 indicators of words (the last of nested sets), sparse",
        n=49749,
        d=300,
        classes={"-1": "other", "1": "category"},
        counts=(48270, 1479),
        digest="4ae9f288cb35b5c3300546a53ef957d961c0894bc254ca482b6b2e80995d8a5b",
        citation="Platt (1998), Fast training of support vector machines using sequential minimal optimization",
        licence="none stated (LIBSVM data page)",
        traps=(SOME, "3 % of the pages are of the category"),
        verified="size and class counts as published",
        files=(File("w8a", "b464b4f6ce6a5d9e181ffc793e19a04751036273722312398ef7673705014902"),),
        reader=partial(coded.sparse_signs, d=300),
        options=MappingProxyType({"n": 49749, "seed": 0}),
        advice=LIBSVM,
    ),
    "wine": Entry(
        description="quality of red and white wines by eleven measurements: grade 6 or more, or less",
        n=6497,
        d=11,
        classes={"lower": "lower", "higher": "higher"},
        counts=(2384, 4113),
        digest="6af1ecd3c0d93349502f6437d6e39d6503bf21011ced495cdeb585d0c6c956f2",
        citation="Cortez et al. (2009), Wine Quality, UCI id 186",
        licence=CC_BY,
        traps=(
            "red wines are rows 0 to 1598, white ones the others; the colour is no feature",
            "target: the grade, 3 to 9; the classes, 5 or less and 6 or more, are not of UCI",
            "1179 rows are copies of others, which a random split has on both sides",
        ),
        verified="red wines equal to a second copy; row counts as published",
        files=(
            File("winequality-red.csv", "f5eb6b494f4f6431698dce8fb15c356d091c2a5dc13f823742dcc9709a327b4a"),
            File("winequality-white.csv", "66b071bfe464e02aaef19d61fe28ce99b6f75efebb81be0fb58555713c3ab7a6"),
        ),
        reader=coded.wine,
        advice="UCI's two files have semicolons: write commas in their place",
    ),
}
