"""The data sets that can be loaded by name: one entry each, and nothing but facts."""

from types import MappingProxyType

from kernlearn.datasets.sets import generators, scikit
from kernlearn.datasets.sets.benchmark import BENCHMARK_SETS
from kernlearn.datasets.sets.boosting import BOOSTING_SETS
from kernlearn.datasets.sets.entry import CC_BY, UCI, Entry, File, Layout
from kernlearn.datasets.sets.learning import LEARNING_SETS
from kernlearn.datasets.sets.sequences import TAGGED_SETS
from kernlearn.datasets.sets.tables import TABLE_SETS
from kernlearn.plugins import Registry

FREE = "none needed: generated"
DIGITS = {str(digit): str(digit) for digit in range(10)}
SPLICE = {"EI": "EI", "IE": "IE", "N": "N"}

OWN: dict[str, Entry] = {
    **TABLE_SETS,
    **LEARNING_SETS,
    **BENCHMARK_SETS,
    **BOOSTING_SETS,
    **TAGGED_SETS,
    "digits": Entry(
        description="handwritten digits, 8 x 8 pixels (the test part of optdigits)",
        n=1797,
        d=64,
        classes=DIGITS,
        counts=(178, 182, 177, 183, 181, 182, 181, 179, 174, 180),
        digest="88f305538e43ee09d5b33099935b93e65ed4e02b232f2b7f08f0df3cbe660f27",
        citation="Alpaydin and Kaynak (1998), Optical Recognition of Handwritten Digits, UCI id 80",
        licence=CC_BY,
        verified="all 1797 x 64 values and labels, in the same row order, equal to UCI's optdigits.tes",
        make=scikit.digits,
    ),
    "dna": Entry(
        description="splice junctions in DNA, 60 bases as 180 indicators (StatLog form)",
        n=3186,
        d=180,
        classes=SPLICE,
        counts=(767, 765, 1654),
        digest="e52f8ef29aeb8b30179214921c45432e72583c30ebec602954c3c602115d7cb3",
        citation="Towell, Noordewier, Shavlik (1992), UCI id 69; StatLog form as in mlbench: Leisch and Dimitriadou",
        licence=CC_BY,
        traps=(
            "a base is three indicators: A 100, C 010, G 001, T 000, so the last is implied",
            "not the rows of splice: shuffled, 4 of its 3190 rows are missing, in 11 an ambiguous letter became a base",
        ),
        verified="3175 of 3186 rows and labels, decoded, equal as a multiset to the rows of UCI's splice set without"
        " ambiguous letters; the other 11 agree with rows of it up to the ambiguous letters",
        bundled=True,
    ),
    "gaussians": Entry(
        description="two elongated normal distributions in the plane, best error 0.82 %",
        n=400,
        d=2,
        classes={"0": "far", "1": "near"},
        citation="Shivaswamy (2010), Large Relative Margin and Applications, thesis, Columbia University",
        licence=FREE,
        make=generators.gaussians,
        options=MappingProxyType({"n": 400, "seed": 0}),
    ),
    "optdigits": Entry(
        description="handwritten digits, 8 x 8 pixels, training and test part",
        n=5620,
        n_train=3823,
        d=64,
        classes=DIGITS,
        counts=(554, 571, 557, 572, 568, 558, 558, 566, 554, 562),
        digest="586728487e00fb1ea24909c4b39d64888e796d981d25c2a672e0939413e1f701",
        citation="Alpaydin and Kaynak (1998), Optical Recognition of Handwritten Digits, UCI id 80",
        licence=CC_BY,
        traps=("rows 0 to 3822 are optdigits.tra, 3823 to 5619 optdigits.tes: other writers",),
        verified="sizes as UCI states; the test part equals scikit-learn's load_digits, all values and labels in order",
        files=(
            File(
                "optdigits.tra",
                "e1b683cc211604fe8fd8c4417e6a69f31380e0c61d4af22e93cc21e9257ffedd",
                f"{UCI}/optdigits/optdigits.tra",
            ),
            File(
                "optdigits.tes",
                "6ebb3d2fee246a4e99363262ddf8a00a3c41bee6014c373ed9d9216ba7f651b8",
                f"{UCI}/optdigits/optdigits.tes",
            ),
        ),
    ),
    "promoters": Entry(
        description="promoters of genes of E. coli, or not: DNA sequences of 57 bases",
        n=106,
        d=57,
        classes={"-": "other", "+": "promoter"},
        counts=(53, 53),
        digest="54dfb92386da6e6d0077f2b156748455df83659962b89f61bee9ed37053bdcf2",
        citation="Towell, Shavlik, Noordewier (1990), Molecular Biology (Promoter Gene Sequences), UCI id 67",
        licence=CC_BY,
        traps=(
            "values 0 1 2 3 are the letters a c g t, not quantities: use a kernel on sequences, with scaling=none",
            "rows are sorted by class, promoters first: shuffle before splitting; not in the order of UCI's file",
            "the others were cut from one stretch of DNA and many overlap: similar ones are in training and test part",
        ),
        verified="all 106 sequences and labels equal, as a multiset, to a public transcription of UCI's promoters.data",
        bundled=True,
        layout=Layout(codes="acgt"),
    ),
    "ringnorm": Entry(
        description="a normal distribution inside a wider one, 20 features, best error about 1.3 %",
        n=7400,
        d=20,
        classes={"0": "inner", "1": "outer"},
        citation="Breiman (1996), Bias, variance, and arcing classifiers",
        licence=FREE,
        make=generators.ringnorm,
        options=MappingProxyType({"n": 7400, "seed": 0}),
    ),
    "sonar": Entry(
        description="sonar returns from rocks and metal cylinders (mines), 60 frequency bands",
        n=208,
        d=60,
        classes={"R": "rock", "M": "mine"},
        counts=(97, 111),
        digest="7f03c33a91910b9ea2ad16e467a71a69f260885817dbe183fcfb5473ccc1ce67",
        citation="Gorman and Sejnowski (1988), Connectionist Bench (Sonar, Mines vs. Rocks), UCI id 151",
        licence=CC_BY,
        traps=("rows are sorted by class and aspect angle: shuffle before splitting",),
        verified="all 208 x 60 values and labels, in the same row order, equal to UCI's sonar.all-data",
        bundled=True,
        files=(
            File(
                "sonar.all-data",
                "e90434cdbf00fcf93ffa911fe447ae25606979658e60f1d32e155c3b5240234d",
                f"{UCI}/undocumented/connectionist-bench/sonar/sonar.all-data",
            ),
        ),
    ),
    "spambase": Entry(
        description="spam e-mail, 57 word and character frequencies and run lengths",
        n=4601,
        d=57,
        classes={"0": "ham", "1": "spam"},
        counts=(2788, 1813),
        digest="cfdccc6861d045af040f7234844c6914862fa9eda2fec389d42029a7be53510d",
        citation="Hopkins, Reeber, Forman, Suermondt (1999), Spambase, UCI id 94",
        licence=CC_BY,
        traps=("rows are sorted by class, spam first: shuffle before splitting",),
        verified="all 4601 x 57 values and labels, in the same row order, equal to UCI's spambase.data",
        bundled=True,
        files=(
            File(
                "spambase.data",
                "b1ef93de71f97714d3d7d4f58fc9f718da7bbc8ac8a150eff2778616a8097b12",
                f"{UCI}/spambase/spambase.data",
            ),
        ),
    ),
    "splice": Entry(
        description="splice junctions in DNA, 60 bases as 240 indicators",
        n=3190,
        d=240,
        classes=SPLICE,
        counts=(767, 768, 1655),
        digest="82250753cd5ac8143f11d4452b727a34f39cabd7386ae8fe7051afca8414d89a",
        citation="Towell, Noordewier, Shavlik (1992), Splice-junction Gene Sequences, UCI id 69",
        licence=CC_BY,
        traps=(
            "column 1 names the sequence: dropped",
            "a base is four indicators, A C G T; an ambiguous letter (15 rows) spreads its weight: N is 1/4 each",
        ),
        verified="class counts as documented; its 3175 rows without ambiguous letters are, as a multiset, rows of dna",
        files=(File("splice.arff", "7e9b1b59c6731059f40bf16874fcac85af43fa65504b05cc6517b1a4c70fd99a"),),
        layout=Layout(drop=1, bases=True),
        advice="it is UCI's splice.data in the ARFF form that comes with WEKA's data sets",
    ),
    "twonorm": Entry(
        description="two unit normal distributions, 20 features, best error 2.28 %",
        n=7400,
        d=20,
        classes={"0": "minus", "1": "plus"},
        citation="Breiman (1996), Bias, variance, and arcing classifiers",
        licence=FREE,
        make=generators.twonorm,
        options=MappingProxyType({"n": 7400, "seed": 0}),
    ),
    "waveform": Entry(
        description="mixtures of waves with noise, three classes, generated anew",
        n=5000,
        d=21,
        classes={"0": "0", "1": "1", "2": "2"},
        citation="Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees",
        licence=FREE,
        traps=("a fresh draw, not the rows of UCI's waveform.data",),
        make=generators.waveform,
        options=MappingProxyType({"n": 5000, "seed": 0}),
    ),
    "wdbc": Entry(
        description="Wisconsin breast cancer (diagnostic), 30 features of cell nuclei",
        n=569,
        d=30,
        classes={"B": "benign", "M": "malignant"},
        counts=(357, 212),
        digest="a84bb7c947d843f66836875e177dcddf5ba9da1984e5ce19af7743e8b7be87d1",
        citation="Wolberg, Mangasarian, Street, Street (1993), Breast Cancer Wisconsin (Diagnostic), UCI id 17",
        licence=CC_BY,
        traps=("class 1 is malignant; scikit-learn's own target has benign as 1",),
        verified="shape and class counts as UCI documents them; the values were not compared",
        make=scikit.wdbc,
    ),
}

#: Data sets by name; those of plug-ins, too.
CATALOGUE = Registry("CATALOGUE", OWN)
