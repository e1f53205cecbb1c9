"""Write ``configs/algo/NAME.yaml`` of every algorithm as its `Method` declares it; a test says whether they agree.

python scripts/write_configs.py
"""

from pathlib import Path

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.common.method import configuration

CONFIGS = Path(__file__).parents[1] / "configs" / "algo"


def main() -> None:
    """Write what differs, and name it."""
    for name, method in ALGORITHMS.items():
        path, text = CONFIGS / f"{name}.yaml", configuration(method)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(path)


if __name__ == "__main__":
    main()
