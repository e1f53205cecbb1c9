"""Attack the model file: thousands of damaged and hostile ones, of which none may do anything but be refused.

    python scripts/attack/models.py                      # 2000 files
    python scripts/attack/models.py --repeat 17          # one of them again

The exit code is 1 if one leads to a traceback, runs something, or takes more memory than some times its size.
"""

import argparse
import os
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.append(str(Path(__file__).parents[1] / "bench"))

import one_thread  # noqa: E402, F401  (before numpy is loaded)

# isort: split
from attacks import models  # noqa: E402


def main() -> int:
    """Attack, print what was found, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=2000, help="files (2000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeat", type=int, help="one file again")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as directory:
        os.chdir(directory)
        models.prepare()
        for number in range(options.number) if options.repeat is None else [options.repeat]:
            words, found = models.attack(options.seed, number)
            if options.repeat is not None:
                print(words)
            for kind, what in found:
                counts[kind] += 1
                print(f"--seed {options.seed} --repeat {number}: {kind}: {what} ({words})", flush=True)
        os.chdir("/")
    print(f"{options.number} files, seed {options.seed}: {dict(counts) or 'nothing found'}")
    return int(bool(counts))


if __name__ == "__main__":
    sys.exit(main())
