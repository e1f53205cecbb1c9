"""
Label the words of sentences
============================

A conditional random field gives every word a label, and takes the neighbours into account. Words become features by
``features_of``; here we also give each word those of its neighbours.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernlearn import LinearChainCRF
from kernlearn.datasets.core.words import features_of


def windows(words):
    """Return the features of every word and of its neighbours."""
    features = []
    for t in range(len(words)):
        near = [(k, words[t + k]) for k in (-1, 0, 1) if 0 <= t + k < len(words)]
        features.append([f"{k:+d} {feature}" for k, word in near for feature in features_of(word)])
    return features


text = """Anna/PER lives/O in/O Bilbao/LOC
Bilbao/ORG plays/O in/O Madrid/LOC
Peter/PER leaves/O Renfe/ORG
Renfe/ORG hires/O Maria/PER
Maria/PER and/O Jon/PER live/O in/O Lima/LOC
the/O train/O of/O Renfe/ORG goes/O to/O Porto/LOC
yesterday/O Porto/ORG hires/O Luis/PER
Luis/PER goes/O to/O Bilbao/LOC"""
pairs = [[token.split("/") for token in line.split()] for line in text.splitlines()]
sentences = [[word for word, _ in sentence] for sentence in pairs]
labels = [[label for _, label in sentence] for sentence in pairs]

tagger = LinearChainCRF(C=10.0).fit([windows(words) for words in sentences], labels)
words = ["yesterday", "Edurne", "lives", "in", "Porto"]
print(list(zip(words, tagger.predict([windows(words)])[0], strict=True)), f"gap {tagger.gap_:.0e}")

# %%
# The probabilities show where the tagger is sure.

probabilities = np.asarray(tagger.predict_proba([windows(words)])[0])
figure, axes = plt.subplots(figsize=(6, 3.2))
image = axes.imshow(probabilities.T, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
axes.set_xticks(range(len(words)), words)
axes.set_yticks(range(len(tagger.classes_)), tagger.classes_)
axes.set_title("probability of each label")
figure.colorbar(image)
figure.tight_layout()
