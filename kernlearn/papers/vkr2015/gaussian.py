"""The second experiment of Cortes et al. (2015), section 6: Gaussian kernels."""

from statistics import median

from kernlearn.papers.core.measured import Claim, Measured, counted, judgement

NEEDS = {"vkr_lemma3", "l1_svm", "l2_svm"}


def claims(measured: Measured) -> list[Claim]:
    """Section 6 of Cortes et al. (2015), second experiment: comparable, gains not always as significant, sparse."""
    svms = ("l2_svm", "l1_svm")
    not_worse, clearly = [], []
    for dataset in measured.datasets:
        svm = measured.best(dataset, svms)
        gain = measured.mean(dataset, svm) - measured.mean(dataset, "vkr_lemma3")
        p = measured.p_value(dataset, "vkr_lemma3", svm)
        not_worse += [dataset] * (gain >= 0 or p >= 0.05)
        clearly += [dataset] * (gain > 0 and p < 0.05)
    factors = [
        measured.mean(dataset, "l2_svm", "n_support_vectors")
        / max(1.0, measured.mean(dataset, "vkr_lemma3", "n_support_vectors"))
        for dataset in measured.datasets
    ]
    text = f"{min(factors):.1f} to {max(factors):.1f} times, median {median(factors):.1f}"
    everywhere = len(not_worse) == len(measured.datasets)
    return [
        counted("VKR is not significantly worse (5 %) than the better SVM on any set", not_worse, everywhere),
        counted("VKR is significantly better (5 %) than both SVMs on some set", clearly, bool(clearly)),
        ("VKR has fewer support vectors than the L2-SVM on every set", text, judgement(min(factors) > 1)),
    ]
