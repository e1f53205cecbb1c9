"""The benchmark of Raetsch, Onoda and Mueller (2001): 13 problems of two classes with fixed random partitions.

The thirteenth, splice, is `splice_delve`. Features are as the benchmark has them: standardised, but for categories.
"""

from functools import partial

from kernlearn.datasets.core import arrays
from kernlearn.datasets.sets.entry import Entry, File

PARTITIONS = File("splits.npz", "d466e7acd99662ac3ee08341a6b9110e2e9aeaf2b94851ace09a08a23bd1cf0b")
SOURCE = "Raetsch, Onoda, Mueller (2001), Soft margins for AdaBoost: IDA benchmark repository"
LICENCE = "none stated (IDA benchmark repository, for research)"
ADVICE = "data and label of NAME.mat of the IDA benchmark repository in a row, 8 digits; see `kernlearn data info`"
SAME_ROWS = "rows and labels equal to the union of training and test parts of {} original partitions"
ONE_COPY = "sizes as published; only one copy was found"


def _entry(
    name: str,
    description: str,
    shape: tuple[int, int],
    counts: tuple[int, int],
    n_drawn: int,
    sha256: str,
    digest: str,
    *,
    known: int = 0,
    verified: str = ONE_COPY,
    trap: str = "",
) -> Entry:
    partitions = (
        f"the published random partitions: of {known} the rows are known, others are drawn anew with the same sizes"
        if known
        else "none of the published random partitions is known: they are drawn anew with the same sizes"
    )
    return Entry(
        description=f"{description} (IDA benchmark)",
        n=shape[0],
        d=shape[1],
        classes={"-1": "negative", "1": "positive"},
        counts=counts,
        digest=digest,
        citation=SOURCE,
        licence=LICENCE,
        traps=(partitions, *([trap] if trap else [])),
        verified=SAME_ROWS.format(known) if known else verified,
        files=(File(f"{name}.csv", sha256), *([PARTITIONS] if known else [])),
        reader=partial(arrays.benchmark, name=name),
        advice=ADVICE,
        n_drawn=n_drawn,
    )


BENCHMARK_SETS: dict[str, Entry] = {
    "ida_banana": _entry(
        "banana",
        "two intertwined bananas in the plane, artificial",
        (5300, 2),
        (2924, 2376),
        400,
        "f86b87467020ca192d9f7fcbc665c5b0ce0077c910ea5cef3a6ef4e29f9848c1",
        "751c8117851518317deb904e496194b80989721b9cf941398983ea132ed33d70",
        known=10,
    ),
    "ida_breast_cancer": _entry(
        "breast_cancer",
        "recurrence of breast cancer (Ljubljana) by nine attributes",
        (277, 9),
        (196, 81),
        200,
        "7d79c5fbac2add1dbca8c836fd8fd6be485b8aba675578eecb81a34abf620363",
        "7edd8df76cfb8aecba5212bbb99de6dc0746cd0d010535c046db397ef477c18d",
        known=10,
    ),
    "ida_diabetes": _entry(
        "diabetis",
        "diabetes of Pima Indians by eight attributes, standardised",
        (768, 8),
        (500, 268),
        468,
        "b130ba68b1ead4aaeeb389dbfc6f75547e57f8167d868304b521bbdd54330f74",
        "cbe318060bf893c21618ae60c1cd68ce4af8a06fa4d0b706d96e55716b06b30b",
        verified="the rows of pima, standardised; one original partition, standardised, agrees to 1e-7",
    ),
    "ida_flare_solar": _entry(
        "flare_solar",
        "solar flares by nine attributes of regions of the sun",
        (1066, 9),
        (477, 589),
        666,
        "e723fa28d25ba4098a3df7d3b008ebd1b20d73c207c726595f78d441e2f16800",
        "2a4569e4fce0e3f684bbaf1ceaa93959efc810b64e5532b1e0fa9e49546bb68b",
        trap="only 115 rows are different, many with both labels: no rule errs on fewer than 30.4 % of them",
    ),
    "ida_german": _entry(
        "german",
        "German credit, 20 attributes as numbers",
        (1000, 20),
        (700, 300),
        700,
        "86e31fd519ab7dfa78b3dd6fc542868c81002c7f62deb887f919f23124554067",
        "d79c176a6e67a4339b353c87355844850357d339908dd45482e910345f50f606",
        known=10,
    ),
    "ida_heart": _entry(
        "heart",
        "heart disease by 13 attributes (Statlog), standardised",
        (270, 13),
        (150, 120),
        170,
        "f0a6ab3e9e708db693328f9545825cf1daea69960a40a1ae6827baa6e2822620",
        "d8430c4e23aa60f8bbd3a5ad7f4a87ab1689dc858ef41d220ed1aebbfa327f68",
        known=10,
    ),
    "ida_image": _entry(
        "image",
        "segments of images by 18 attributes, the seven classes as two",
        (2310, 18),
        (990, 1320),
        1300,
        "03b88ddb37b7d0da872b30cd7b5b43d04bf6137a24f588443adf59b27ebc8c21",
        "8398a88bce13f320ce3f3ac10d9174c96391037d329d879ee8db56ef63fee0e4",
        known=10,
        trap="the benchmark has 20 partitions of it, not 100",
    ),
    "ida_ringnorm": _entry(
        "ringnorm",
        "a normal distribution inside a wider one, 20 features, standardised, DELVE's draw",
        (7400, 20),
        (3736, 3664),
        400,
        "fe55c887a90b48be3e6d2696d03f8c66a7ee4d9783e57ca59950a7b579ee5285",
        "f63865a8f902afebdb4942910fd4c5380ce4a685e6942faf8a6f5e54f4a6ae45",
        known=10,
    ),
    "ida_thyroid": _entry(
        "thyroid",
        "thyroid disease by five laboratory tests",
        (215, 5),
        (150, 65),
        140,
        "65cf4b60e1f87356e7d955ba4701438e960b6801875df15eb86ef1b53bffd8c4",
        "5a0138ded7129db7afdffcaf653dd3bd9928e89ac2a46c79ea03ae37ff20d402",
    ),
    "ida_titanic": _entry(
        "titanic",
        "survival of the Titanic by class, age and sex",
        (2201, 3),
        (1490, 711),
        150,
        "d90593449529788026f72f95ad60386267f8f515a3bdb58432cff8b9b75b18c9",
        "1e5162741bbd0fa64c43a8baacfd4041cf4c5093273b571f27132ed980ed331e",
        known=10,
        trap="only 14 rows are different, most with both labels: no rule errs on fewer than 20.9 % of them",
    ),
    "ida_twonorm": _entry(
        "twonorm",
        "two unit normal distributions, 20 features, standardised, DELVE's draw",
        (7400, 20),
        (3697, 3703),
        400,
        "7dc84d9be583d6dcb249a89ccc149cab8615806406c2eb0f62568c1d39912246",
        "a31294cd19fa4530bf367b91bb432774c893979612d9aee399489b20cac8624e",
        known=1,
    ),
    "ida_waveform": _entry(
        "waveform",
        "mixtures of waves with noise, 21 features, three classes as two",
        (5000, 21),
        (3353, 1647),
        400,
        "8b04a9cca7375661e4e5c3028a7d20542682dfb12d5f2ab4cdde674231a94212",
        "db75073313eab21d3e59c78b528c21f26ec024c4f9ad038e00f8e9e2427b8662",
        known=10,
    ),
}
