"""The values of the configurations that come with the package."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from typing import Any


@cache
def defaults(group: str, name: str) -> Mapping[str, Any]:
    """Return the values of a configuration that comes with the package; none for a choice that does not."""
    from omegaconf import OmegaConf

    with as_file(files("kernlearn.configs") / group / f"{name}.yaml") as path:
        if not path.is_file():
            return {}
        values: Any = OmegaConf.to_container(OmegaConf.load(path))
    return values
