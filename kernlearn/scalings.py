"""What scalings do, by name: lists show it without an import of what computes them, in `kernlearn.kernels`."""

DESCRIPTIONS = {
    "unit": "Scale every example to Euclidean norm 1; an example with only zeros stays as it is.",
    "none": "Leave every example as it is.",
    "minmax": "Map every feature's training range to [0, 1]; a constant feature becomes 0 on the training part.",
    "standard": "Give every feature mean 0 and standard deviation 1 on the training part; "
    "a constant feature becomes 0 there.",
    "symmetric": "Map every feature's training range to [-1, 1]; a constant feature becomes -1 on the training part.",
    "tfidf": "Multiply word counts by 1 + ln((1 + n) / (1 + n_w)); n_w of the n training texts contain the word w.",
    "tfidf_salton": "Multiply word counts by ln(n / max(n_w, 1)); n_w of the n training texts contain the word w.",
    "tfidf_damped": "Take ln(1 + c) of each word count c before tfidf.",
}
