"""The values of the package's configuration files."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from typing import Any


@cache
def defaults(group: str, name: str) -> Mapping[str, Any]:
    """Return the values of a configuration file of the package; empty for other choices."""
    from omegaconf import OmegaConf

    with as_file(files("kernlearn.configs") / group / f"{name}.yaml") as path:
        if not path.is_file():
            return {}
        values: Any = OmegaConf.to_container(OmegaConf.load(path))
    return values
