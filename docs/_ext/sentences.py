"""A small corpus in the format of CoNLL, for pages and examples that label words: no such set is bundled."""

from pathlib import Path

import numpy as np

NAMES = {
    "PER": ["Anna", "Jon", "Maria", "Peter", "Edurne", "Luis"],
    "LOC": ["Bilbao", "Madrid", "Porto", "Lima", "Cuenca"],
    "ORG": ["Telefonica", "Iberia", "Renfe", "Bilbao", "Porto"],
}
SENTENCES = [
    "PER lives in LOC",
    "ORG hires PER in LOC",
    "PER leaves ORG",
    "yesterday ORG met ORG in LOC",
    "the train of ORG goes to LOC",
    "PER and PER play for ORG",
]


def write(path: Path, number: int = 60) -> None:
    """Write random sentences, a word and its label a line and an empty line after each sentence."""
    rng = np.random.default_rng(0)
    lines = []
    for _ in range(number):
        for word in rng.choice(SENTENCES).split():
            lines.append(f"{rng.choice(NAMES[word])} {word}" if word in NAMES else f"{word} O")
        lines.append("")
    path.write_text("\n".join(lines) + "\n")
