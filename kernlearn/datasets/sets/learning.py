"""Data sets of papers on learning kernels: texts, digits, proteins, regression."""

from types import MappingProxyType

from kernlearn.datasets.core import arrays, text
from kernlearn.datasets.sets.entry import CC_BY, UCI, Entry, File, Layout

MNIST = "https://storage.googleapis.com/cvdf-datasets/mnist"
REVIEWS = "https://www.cs.jhu.edu/~mdredze/datasets/sentiment/domain_sentiment_data.tar.gz"

MNIST_FILES = (
    File(
        "train-images-idx3-ubyte",
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
        f"{MNIST}/train-images-idx3-ubyte.gz",
        alias="train-images.idx3-ubyte",
    ),
    File(
        "train-labels-idx1-ubyte",
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
        f"{MNIST}/train-labels-idx1-ubyte.gz",
        alias="train-labels.idx1-ubyte",
    ),
    File(
        "t10k-images-idx3-ubyte",
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
        f"{MNIST}/t10k-images-idx3-ubyte.gz",
        alias="t10k-images.idx3-ubyte",
    ),
    File(
        "t10k-labels-idx1-ubyte",
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
        f"{MNIST}/t10k-labels-idx1-ubyte.gz",
        alias="t10k-labels.idx1-ubyte",
    ),
)

NEWSGROUPS = (
    *("alt.atheism", "comp.graphics", "comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware"),
    *("comp.windows.x", "misc.forsale", "rec.autos", "rec.motorcycles", "rec.sport.baseball", "rec.sport.hockey"),
    *("sci.crypt", "sci.electronics", "sci.med", "sci.space", "soc.religion.christian", "talk.politics.guns"),
    *("talk.politics.mideast", "talk.politics.misc", "talk.religion.misc"),
)

FOLD_COUNTS = (
    *(19, 16, 32, 15, 18, 15, 74, 21, 29, 13, 16, 32, 12, 13),
    *(16, 77, 23, 24, 40, 22, 17, 22, 18, 15, 15, 40, 40),
)


def _reviews(domain: str, what: str, sha256: str, digest: str) -> Entry:
    return Entry(
        description=f"reviews of {what} and their stars, the most frequent bigrams counted",
        n=2000,
        d=4000,
        classes={"negative": "negative", "positive": "positive"},
        counts=(1000, 1000),
        digest=digest,
        citation="Blitzer, Dredze, Pereira (2007), Biographies, Bollywood, Boom-boxes and Blenders, ACL",
        licence="none stated (research; cite the paper)",
        traps=(
            "a bigram is two words in a row of title or text, in lower case; the papers do not define it",
            "the bigrams are the most frequent ones of all reviews, by occurrences: a larger number of them has the"
            " same ones first, so any other choice, as by the training part alone, is a choice of columns",
            "target: 1, 2, 4 or 5 stars, there is no review of 3; positive is more than 3",
            "rows are sorted by class, negative first: shuffle before splitting",
        ),
        verified="1000 negative and 1000 positive reviews, the text equal in two copies; of the published archive only"
        " repackaged members were seen",
        files=(
            File(
                "domain_sentiment_data.tar.gz",
                sha256,
                REVIEWS,
                alias="sorted_data_acl_labeled.tar.xz",
                members=(f"sorted_data_acl/{domain}/negative.review", f"sorted_data_acl/{domain}/positive.review"),
            ),
        ),
        reader=text.sentiment,
        options=MappingProxyType({"bigrams": 4000}),
    )


NEWSGROUP_FILES = (
    File(
        "20news-bydate.tar.gz",
        "135b601a6185fced633f0b37f12ef5385a9afc1e374335318b1f037d60f57ef4",
        "http://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz",
        alias="20news-bydate.tar.xz",
        members=("20news-bydate-train/", "20news-bydate-test/"),
    ),
)

LEARNING_SETS: dict[str, Entry] = {
    "books": _reviews(
        "books",
        "books",
        "f2e5810e25e095ac1a5a36ed5408497f0635471a71b188af92d68b0841c607ab",
        "bfbddcb9b7d12a1b41283b33195fb84e2b214ab33f53a4373d71a2cae98520ad",
    ),
    "dvd": _reviews(
        "dvd",
        "films and music on DVD",
        "988f0cb7435b6e802004e4f92df094ed999b6dd1cd9333d1bcc71600722f7750",
        "8df6511e231227927dbfdd1d80b3d8367afb4af5a910a3fb621cdbc646e31a8b",
    ),
    "electronics": _reviews(
        "electronics",
        "electronics",
        "e452c5a15b2a98e0fd7d9b212a837d47c278bf5c996af13a5f24f3032919b3da",
        "5cfbb0688a3f28c4bb72b8ff53bc5bf6b22bb5339d5389542b8e9caadab5971d",
    ),
    "heart": Entry(
        description="heart disease by 13 attributes of patients (Statlog)",
        n=270,
        d=13,
        classes={"1": "absence", "2": "presence"},
        counts=(150, 120),
        digest="136a37b236b35a3673ef47cdda02188446613af8f506027161792fc845400623",
        citation="Statlog (Heart), UCI id 145",
        licence=CC_BY,
        traps=("attributes of several kinds, all as numbers: 3, 7 and 13 are categories, 2, 6 and 9 binary",),
        verified="two independent copies agree",
        files=(
            File(
                "heart.dat",
                "f5f3b4204c285bafadd85cb735f38b47689f2be7047feb172dcbeab648110bf9",
                f"{UCI}/statlog/heart/heart.dat",
            ),
        ),
        layout=Layout(delimiter=None),
    ),
    "kin8nm": Entry(
        description="forward kinematics of a robot arm of 8 links: a distance by 8 angles (regression)",
        n=8192,
        d=8,
        classes={},
        digest="354faa38c5664584b9aeaece1f8327c3ef7a70f30efcc32e48e9541331c5dd9a",
        citation="Ghahramani (1996), the kin family of data sets, kin-8nm, DELVE, University of Toronto",
        licence="public (DELVE)",
        verified="size and variables as DELVE documents them; DELVE's own Dataset.data was not seen",
        files=(
            File(
                "kin8nm.arff",
                "64a4d839e3ce2fd57f57a21d612392170a57f9612fdd56a8fc35b4e7a5d59881",
                alias="dataset_2175_kin8nm.arff",
            ),
        ),
        advice="it is data set 189 of OpenML, and kin8nm of Torgo's regression data sets, in ARFF form",
    ),
    "kitchen": _reviews(
        "kitchen_&_housewares",
        "kitchen and house wares",
        "4b24c6fb91054d17de1d529dc9b251ebae99aca656762c1c7c5c188e2e339672",
        "f0e217e17ae39a360c2b88d5f0ae496cbf9f5e00b646987a22bdae9b4f8455ad",
    ),
    "mnist": Entry(
        description="handwritten digits, 28 x 28 pixels, training and test part, sparse",
        n=70000,
        n_train=60000,
        d=784,
        classes={str(digit): str(digit) for digit in range(10)},
        counts=(6903, 7877, 6990, 7141, 6824, 6313, 6876, 7293, 6825, 6958),
        digest="45d9c4d3f81c9b525938c79373aa22605eee4935c878ee4ab55bfdd5dc7f67ba",
        citation="LeCun, Cortes, Burges (1998), The MNIST database of handwritten digits",
        licence="CC BY-SA 3.0 (as usually stated)",
        traps=("rows 0 to 59999 are the training part, 60000 to 69999 the test part: other writers",),
        verified="md5 of all four files, unpacked, as published",
        files=MNIST_FILES,
        reader=arrays.mnist,
    ),
    "mnist_universum": Entry(
        description="two of the handwritten digits of mnist, its training part, sparse; a third one is the Universum",
        n=11272,
        d=784,
        classes={"first": "first", "second": "second"},
        counts=(5421, 5851),
        digest="675839c4441f515839a8e1608ab9330d7ab2ec81ee7f2cde8001a0c6320b8364",
        citation="LeCun, Cortes, Burges (1998), The MNIST database of handwritten digits; Weston et al. (2006)",
        licence="CC BY-SA 3.0 (as usually stated)",
        traps=("n_universum: the first so many images of the third digit, all of them if there are not more",),
        verified="md5 of both files, unpacked, as published",
        files=MNIST_FILES[:2],
        reader=arrays.mnist_universum,
        options=MappingProxyType({"first": 5, "second": 8, "universum": 3, "n_universum": 1000}),
    ),
    "newsgroups": Entry(
        description="posts in twenty groups of Usenet, by date, words counted, sparse",
        n=18846,
        n_train=11314,
        d=179092,
        classes={group: group for group in NEWSGROUPS},
        counts=(799, 973, 985, 982, 963, 988, 975, 990, 996, 994, 999, 991, 984, 990, 987, 997, 910, 940, 775, 628),
        digest="33612ffa345f239f3fb2b39fee3062a6387f020cb4581b730319d083bc7ebe0a",
        citation="Lang (1995), NewsWeeder: learning to filter netnews, ICML; Rennie's 20news-bydate",
        licence="none stated (public posts); UCI: CC BY 4.0",
        traps=(
            "rows 0 to 11313 are the earlier posts, the training part, the others later ones, each sorted by group",
            "headers are counted, too; lines such as Organization tell much of a group",
            "a word is a run of letters, digits and apostrophes, in lower case",
        ),
        verified="as many posts of every group as published; all but 73 files equal byte by byte to a second copy",
        files=NEWSGROUP_FILES,
        reader=text.newsgroups,
    ),
    "newsgroups_pair": Entry(
        description="posts in two of the groups of newsgroups, first and second, words counted, sparse",
        n=1993,
        d=24354,
        classes={"first": "first", "second": "second"},
        counts=(994, 999),
        digest="016b534baaa19a95776b56ee88d9a1fe6278c8607f31509f20e698f2ed1e0943",
        citation="Lang (1995), NewsWeeder: learning to filter netnews, ICML; Rennie's 20news-bydate",
        licence="none stated (public posts); UCI: CC BY 4.0",
        traps=(
            "groups are numbered from 0 in alphabetical order: by default baseball (9) and hockey (10)",
            "headers are counted, too; lines such as Organization tell much of a group",
        ),
        verified="as many posts of every group as published; all but 73 files equal byte by byte to a second copy",
        files=NEWSGROUP_FILES,
        reader=text.newsgroups_pair,
        options=MappingProxyType({"first": 9, "second": 10}),
    ),
    "protein_fold": Entry(
        description="folds of proteins, 12 descriptions of 27 numbers each side by side",
        n=694,
        d=324,
        classes={str(fold): str(fold) for fold in range(1, 28)},
        counts=FOLD_COUNTS,
        digest="d67aad25a0aee76517c48cb582ffca2f830c4112ae0ec13cbcf68a533bc8657e",
        citation="Ding and Dubchak (2001); Damoulas and Girolami (2008), whose 12 kernels these views stand for",
        licence="none stated",
        traps=(
            "a stand-in: every view has 27 columns, it seems by kernel PCA, so its linear kernel has rank 27 at most;"
            " the 12 kernels of the papers were not found",
            "the kernels of the views differ in trace by a factor of 10^7: normalise them",
            "the file does not name views and folds",
        ),
        verified="694 proteins, 27 folds and 12 views as in the papers",
        files=(File("proteinFold.mat", "d0e9044c816370522378471fc216b4967b1652ec886cb5b1f00fb4d12948f32d"),),
        reader=arrays.protein_fold,
        advice="it is in collections of multi-view data sets and has no official archive",
    ),
    "reuters": Entry(
        description="news of Reuters (ModApte split): on acquisitions or not, the most frequent bigrams counted",
        n=12902,
        d=4000,
        classes={"other": "other", "acq": "acq"},
        counts=(10533, 2369),
        digest="57ecd30b1fbf3d04d1dbd8e4dde5aaaa5e6a0b1a705668f10dddc7f3206ae2ea",
        citation="Lewis (1997), Reuters-21578 text categorization test collection, distribution 1.0",
        licence="research use only (Reuters and Carnegie Group)",
        traps=(
            "rows 0 to 9602 are the training part of the ModApte split, 9603 to 12901 its test part",
            "a bigram is two words in a row of title or body, in lower case; the papers do not define it",
            "the bigrams are the most frequent ones of all documents: see books",
        ),
        verified="9603 training and 3299 test documents, 1650 and 719 of them on acquisitions, as published",
        files=(
            File(
                "reuters21578.tar.gz",
                "3764d62c6c42ea64f88199a398af03059fb823de62120deefa5cc71f2502a3b3",
                f"{UCI}/reuters21578-mld/reuters21578.tar.gz",
                alias="reuters21578.tar.xz",
                members=tuple(f"reut2-{i:03}.sgm" for i in range(22)),
            ),
        ),
        reader=text.reuters_acq,
        options=MappingProxyType({"bigrams": 4000}),
    ),
    "splice_delve": Entry(
        description="splice junctions in DNA or not, 60 bases as the numbers 1 to 4 (DELVE form)",
        n=3175,
        d=60,
        classes={"-1": "neither", "1": "junction"},
        counts=(1648, 1527),
        digest="6a10135cd80f2f993be71151b5dea387c4a97a3e17d9c9459209ba6f2ba77bcf",
        citation="Towell, Noordewier, Shavlik (1992), UCI id 69; form of DELVE and of Raetsch, Onoda, Mueller (2001)",
        licence=CC_BY,
        traps=(
            "A 1, G 2, C 3, T 4: names that the papers' Gaussian kernels take for quantities; for kernels on sequences"
            " use scaling=none",
            "the rows of splice without ambiguous letters, both junctions as one class",
        ),
        verified="all rows and labels, decoded, equal as a multiset to rows of UCI's splice set, but for one copy",
        files=(File("splice.csv", "49cafd9b31e59d394dce3ff72d9137aac7194619c21d2f99a5f61048a293fddd"),),
        advice="it is splice of the IDA benchmark repository, data and label in a row",
        n_drawn=1000,
    ),
    "usps": Entry(
        description="handwritten digits of zip codes, 16 x 16 pixels, training and test part",
        n=9298,
        n_train=7291,
        d=256,
        classes={str(digit): str(digit) for digit in range(10)},
        counts=(1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821),
        digest="49b0dc23e271eb149c3a7305698f5af4c43cc4e371be366eafdc29c6d77cc0c4",
        citation="Le Cun et al. (1990); as in Hastie, Tibshirani, Friedman, The Elements of Statistical Learning",
        licence="research use (site of the book)",
        traps=(
            "rows 0 to 7290 are zip.train, 7291 to 9297 zip.test, which is harder: other people, people err on 2.5 %",
            "grey levels from -1 to 1: scaling=unit makes the background large",
        ),
        verified="class counts of both parts as the book states",
        files=(
            File("zip.train", "fe0995bb03cea1994752e58c13dc873b734ae8c34d073d55db45477598b2aabc"),
            File("zip.test", "a48ccdba0c641995485853441e09eadd2305ffc39230cd16f6cf50a640fe87d8"),
        ),
        reader=arrays.label_first,
        advice="zip.train.gz and zip.test.gz of the site of The Elements of Statistical Learning",
    ),
}
