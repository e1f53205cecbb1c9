"""What Hydra and OmegaConf say, in other words: the key, the value, and what to do."""

import re
from collections.abc import Sequence

from hydra.errors import MissingConfigException
from omegaconf.errors import MissingMandatoryValue

from kernlearn.errors import closest

#: The keys whose values are names of configurations.
GROUPS = ("dataset", "kernel", "algo", "protocol", "engine")
#: What is said of a key that is none, and near to none that is one.
UNKNOWN_KEY = re.compile(r"Could not override '(?!kernel\.(?:approximate|rank)')([^']+)'")
SEVERAL = "{0}: several values; kernlearn run -m and kernlearn sweep run them all"
#: What is said, and what it means: {0} and {1} are parts of it, {word} is what was typed.
MEANINGS = {
    r"LexerNoViableAlt": "{word}: a value with other letters and signs needs two pairs of quotes, \"key='value'\"",
    r"missing EQUAL": "{word}: must be KEY=VALUE",
    r"while evaluating '(.*)':": "{word}: {0} is nothing that can be computed",
    r"no viable alternative|extraneous input|mismatched input|missing .* at|token recognition": (
        "{word}: is no KEY=VALUE; brackets have to be closed, and between two commas there is a value"
    ),
    r"Ambiguous value for argument '([^']+)'": SEVERAL,
    r"Sweep parameters '([^']+)' requires --multirun": SEVERAL,
    r"Config group override must be a string": f"{{word}}: {', '.join(GROUPS)} take names, all else is KEY=VALUE",
    r"Could not override '(kernel\.(?:approximate|rank))'": (
        "{0}: approximates the matrices of positive definite kernels; this choice of kernel has none"
    ),
    r"Could not override '([^']+)'": "{0}: unknown key (kernlearn run --cfg job shows those there are)",
    r"Could not delete(?: from config\.(?: The value of)?)? '([^']+)'": "~{0}: there is no such key to leave out",
    r"Multiple values for (\S+)\. To override": "{word}: {0} has a value; without the +, {0}=NAME takes its place",
    r"looks like a config group override, but config group '([^']+)'": "{word}: there is no group {0} of choices",
    r"Interpolation key '([^']+)' not found(?s:.*?)full_key: (\S+)": "{1}: ${{{0}}} refers to a key that there is not",
    r"In '(.+)': Could not load '(.+)'": "{0}: there is no {1}.yaml",
}
#: Lines of theirs that are about the libraries.
ASIDE = re.compile(
    r"\n(?:See https://hydra\.cc|Config search path:|\s*(?:full_key|object_type|reference_type)[:=]).*", re.S
)


def explain(error: Exception, words: Sequence[str]) -> str:
    """Return one line for an error of Hydra: the key, the value and what is allowed.

    Parameters
    ----------
    error : Exception
    words : sequence of str
        The words of the command line that it is about.
    """
    if isinstance(error, MissingConfigException) and error.missing_cfg_file and error.options:
        group, _, name = str(error.missing_cfg_file).partition("/")
        return f"{group}={name}: must be one of {', '.join(sorted(error.options))}{closest(name, error.options)}"
    if isinstance(error, RecursionError):
        return f"{' '.join(words)}: a list of defaults leads back to itself, or values are too deep"
    if isinstance(error, MissingMandatoryValue):
        return f"{error.full_key} is missing: give {error.full_key}=VALUE"
    text = str(error) if str(error).strip() else str(error.__cause__ or type(error).__name__)
    typed = str(getattr(error, "override", None) or " ".join(words))
    for said, meaning in MEANINGS.items():
        if found := re.search(said, text):
            if found.groups() and found[1] in GROUPS and UNKNOWN_KEY.search(text):
                return f"{typed}: takes a name, as in {found[1]}=NAME"
            return meaning.format(*found.groups(), word=typed)
    line = "; ".join(line.strip() for line in ASIDE.sub("", text).splitlines() if line.strip())
    return f"{line} (given: {' '.join(words)})" if words else line
