"""The versions of Python and of the packages that kernlearn requires, or can use."""

import platform
import shlex
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata, version
from typing import Any

from kernlearn.cli.health.findings import Finding, note, ok, problem
from kernlearn.errors import UserError
from kernlearn.plugins import plugins

#: What the optional packages of an extra are for.
PURPOSES = {
    "figures": "drawings of tables and figures",
    "parquet": "Parquet files",
    "sdp": "semidefinite programs of some kernel weights",
    "graphs": "approximate neighbours on large graphs",
    "cluster": "engine=dask, and launchers of Hydra",
    "export": "spreadsheets of kernlearn export",
}
#: Extras of those who work on kernlearn.
OF_DEVELOPERS = {"dev", "docs", "bench"}


def check_packages() -> Iterator[Finding]:
    """Yield what is found of Python, the required and the optional packages, and the plug-ins."""
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet

    try:
        about = metadata("kernlearn")
    except PackageNotFoundError:
        yield problem("packages", "kernlearn is not installed, only imported", "pip install kernlearn")
        return
    python, allowed = platform.python_version(), about["Requires-Python"] or ""
    if python in SpecifierSet(allowed, prereleases=True):
        yield ok("python", f"{python}, on {platform.platform()}")
    else:
        yield problem("python", f"{python} is installed, and kernlearn needs {allowed}", f"use Python {allowed}")
    requirements = [Requirement(text) for text in about.get_all("Requires-Dist") or ()]
    yield from _required([one for one in requirements if not _extras(one, about)])
    for extra in about.get_all("Provides-Extra") or ():
        if extra not in OF_DEVELOPERS:
            own = [one for one in requirements if one.name != "kernlearn" and extra in _extras(one, about)]
            yield from _optional(extra, own)
    yield from _plugins()


def installed(name: str) -> str | None:
    """Return the version of a package, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _extras(requirement: Any, about: Any) -> list[str]:
    """Return the extras that a requirement belongs to; none if kernlearn needs it on this machine."""
    if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
        return []
    return [one for one in about.get_all("Provides-Extra") or () if requirement.marker.evaluate({"extra": one})]


def _unsuited(requirement: Any) -> tuple[str, str] | None:
    """Return what is wrong with a package and how to mend it, or None."""
    there, wanted = installed(requirement.name), f"{requirement.name}{requirement.specifier}"
    remedy = f"pip install {shlex.quote(wanted)}"
    if there is None:
        return f"{requirement.name} is not installed", remedy
    if not requirement.specifier.contains(there, prereleases=True):
        return f"{requirement.name} {there} is installed, and kernlearn needs {requirement.specifier}", remedy
    return None


def _required(requirements: Sequence[Any]) -> Iterator[Finding]:
    wrong = {one.name: found for one in requirements if (found := _unsuited(one))}
    for words, hint in wrong.values():
        yield problem("packages", words, hint)
    good = [f"{one.name} {installed(one.name)}" for one in requirements if one.name not in wrong]
    yield ok("packages", ", ".join(good))


def _optional(extra: str, requirements: Sequence[Any]) -> Iterator[Finding]:
    purpose = f", for {PURPOSES[extra]}" if extra in PURPOSES else ""
    wrong = [found for one in requirements if (found := _unsuited(one))]
    for words, _ in wrong:
        yield note("optional", f"{words}{purpose}", f"pip install 'kernlearn[{extra}]'")
    if not wrong:
        yield ok("optional", f"{', '.join(f'{one.name} {installed(one.name)}' for one in requirements)}{purpose}")


def _plugins() -> Iterator[Finding]:
    try:
        found = plugins()
    except UserError as error:
        words, _, hint = str(error).partition("; ")
        yield problem("plug-ins", words, hint or None)
        return
    if found:
        yield ok("plug-ins", ", ".join(f"{one.name} of {one.package} {installed(one.package)}" for one in found))
