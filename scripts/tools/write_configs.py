"""Write the YAML files of ``configs`` as the code declares the parameters of methods, kernels, engines and protocols.

A test says whether they agree.

python scripts/tools/write_configs.py
"""

from collections.abc import Iterator
from pathlib import Path

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.method import KERNELS
from kernlearn.evaluation import PROTOCOLS
from kernlearn.kernels import FAMILIES
from kernlearn.kernels.families.registry import KERNEL_PARAMETERS
from kernlearn.parameters import configuration, headline
from kernlearn.runner.engines.options import DESCRIPTIONS, ENGINE_OPTIONS

CONFIGS = Path(__file__).parents[2] / "configs"


def configurations() -> Iterator[tuple[Path, str]]:
    """Yield every file and what it has to say; plug-ins have their own."""
    for name, method in ALGORITHMS.items():
        if not method.is_own:
            continue
        brings = "" if method.inputs == KERNELS else method.inputs
        yield CONFIGS / f"algo/{name}.yaml", configuration(name, method.description, method.parameters, brings)
    for name, family in FAMILIES.items():
        if not family.__module__.startswith("kernlearn."):
            continue
        yield CONFIGS / f"kernel/{name}.yaml", configuration(name, headline(family), KERNEL_PARAMETERS[name])
    for name, protocol in PROTOCOLS.items():
        if protocol.parameters:
            yield CONFIGS / f"protocol/{name}.yaml", configuration(name, protocol.description, protocol.parameters)
    for name, options in ENGINE_OPTIONS.items():
        yield CONFIGS / f"engine/{name}.yaml", configuration(name, DESCRIPTIONS[name], options)


def main() -> None:
    """Write what differs, and name it."""
    for path, text in configurations():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(path)


if __name__ == "__main__":
    main()
