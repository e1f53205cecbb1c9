"""Data sets of sentences with a label for every word."""

from functools import partial

from kernlearn.datasets.readers import tagged
from kernlearn.datasets.sets.entry import Entry, File

NLTK = "https://raw.githubusercontent.com/nltk/nltk_data/5db857e6f7df11eabb5e5665836db9ec8df07e28/packages/corpora"
ENTITIES = ("O", "B-LOC", "B-MISC", "B-ORG", "B-PER", "I-LOC", "I-MISC", "I-ORG", "I-PER")
PARTS_OF_SPEECH = (
    *("#", "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS"),
    *("MD", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB"),
    *("VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP", "WP$", "WRB", "``"),
)
FEATURES = "features are those of single words; kernel=chains makes windows of words of them"

TAGGED_SETS: dict[str, Entry] = {
    "conll2002": Entry(
        description="Spanish news, sentences with names of persons, places, organisations marked; use algo=crf",
        n=11755,
        n_train=8323,
        d=36793,
        places=369171,
        classes={label: label for label in ENTITIES},
        counts=(322631, 6981, 2957, 10490, 6278, 2553, 4423, 7462, 5396),
        digest="637bfc35a7be495789be7a32e589ee316eec904489ba910c27d689fde67d8432",
        citation="Tjong Kim Sang (2002), Introduction to the CoNLL-2002 shared task, EFE news agency",
        licence="none stated (research use; EFE news agency)",
        traps=(
            FEATURES,
            "sentences 0 to 8322 are esp.train, 8323 to 10237 esp.testa, 10238 to 11754 esp.testb",
            "sentences follow each other in documents: words of one are in training and test part of a random split",
            "of all labels 87 % are O, so an error of 13 % is that of no name at all",
            "the parts of speech of the archive's second column are not used",
        ),
        verified="as many sentences of every part as published: 8323, 1915 and 1517",
        files=(
            File(
                "conll2002.zip",
                "64440e49236d0d393e08e0b266284966d68e2d2a82a50cc41b8e96d98c03b5c8",
                f"{NLTK}/conll2002.zip",
            ),
        ),
        reader=partial(tagged.conll2002, labels=ENTITIES),
    ),
    "treebank": Entry(
        description="part of the Penn Treebank, sentences with the part of speech of every word; use algo=crf",
        n=3914,
        d=15538,
        places=94084,
        classes={label: label for label in PARTS_OF_SPEECH},
        counts=(
            *(16, 724, 694, 4886, 120, 126, 3874, 563, 2265, 3546, 8165, 88, 4, 9857, 5834, 381, 182, 13, 927, 13166),
            *(9410, 244, 6047, 27, 824, 1716, 766, 2822, 136, 35, 216, 1, 2179, 3, 2554, 3043, 1460, 2134, 1321, 2125),
            *(445, 241, 14, 178, 712),
        ),
        digest="b09edb189af58bcc7cf660cf56f0000e127347709700e43c8b1ff03c09211df2",
        citation="Marcus, Santorini, Marcinkiewicz (1993), Building a large annotated corpus of English, CL 19",
        licence="non-commercial, fair use of a fragment (Linguistic Data Consortium, 1995)",
        traps=(
            FEATURES,
            "3914 sentences of the Wall Street Journal, less than a tenth of what the papers have",
            "traces, which are in no text, are left out",
            "the tag SYM occurs once, UH three times: training parts may lack them",
        ),
        verified="199 files, 3914 sentences and 45 tags as documented",
        files=(
            File(
                "treebank.zip",
                "9da92d76c3666cfb6cddeaed0f7e86b344cce0f0928a286d439e555f19c37399",
                f"{NLTK}/treebank.zip",
            ),
        ),
        reader=partial(tagged.treebank, labels=PARTS_OF_SPEECH),
    ),
}
