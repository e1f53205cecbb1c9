"""The memory of this process and of this machine, as far as the system tells.

Linux tells all of it. On macOS a process has one peak, that of its whole life, and the memory of the machine counts as
available; Windows tells neither, and nothing is checked there.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from kernlearn.errors import UserError

MB, GB = 2.0**20, 2.0**30
#: Bytes below which an array is made without a look at what is available.
SMALL = 64 * 2**20
#: A limit of a control group above this is none.
NO_LIMIT = 2**60


def available(proc: Path = Path("/proc"), cgroups: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Return the bytes that new processes may take without swapping, or None where the system does not say.

    The least of what the kernel calls available and what every control group of this process has left: a container or
    a job of a cluster has less than the machine.
    """
    try:
        lines = (proc / "meminfo").read_text().splitlines()
    except OSError:
        return _physical()
    free = [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    return min([*free, *_left_in_groups(proc, cgroups)], default=None)


def require(size: float, what: str, advice: str) -> None:
    """Raise `UserError` if so many bytes are not available, before they are taken."""
    if size <= SMALL:
        return
    free = available()
    if free is not None and size > free:
        raise UserError(f"{what} take {in_words(size)}, {in_words(free)} of memory are available: {advice}")


def left_of_limit() -> float:
    """Return the bytes that this process may still take within a limit of its address space; infinite without one."""
    if sys.platform == "win32":
        return float("inf")
    import os
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return float("inf")
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        used = 0
    return float(max(0, limit - used))


def in_words(size: float) -> str:
    """Return a number of bytes in MB or GB, powers of 1024, with two or three digits."""
    if size < GB:
        return f"{size / MB:.0f} MB"
    return f"{size / GB:.1f} GB" if size < 100 * GB else f"{size / GB:.0f} GB"


def reset_peak() -> bool:
    """Let the peak of this process begin anew; return whether the system can do that."""
    try:
        Path("/proc/self/clear_refs").write_text("5")  # proc(5): resets VmHWM
    except OSError:
        return False
    return True


def peak() -> int | None:
    """Return the most bytes that this process had in memory since `reset_peak`, or ever; None if nobody knows."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    if sys.platform == "win32":
        return None
    import resource

    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else 1024 * largest


def _physical() -> int | None:
    if sys.platform == "win32":
        return None
    import os

    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


def _left_in_groups(proc: Path, cgroups: Path) -> Iterator[int]:
    """Yield what the control groups of this process have left, those of version 1 and 2, with all their parents.

    Pages of files that are not in use count as used by a group, and are given back when memory is asked for.
    """
    try:
        lines = (proc / "self" / "cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        number, controllers, name = line.split(":", 2)
        if number == "0":
            root, words = cgroups, ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            root = cgroups / "memory"
            words = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        group = root / name.lstrip("/")
        for directory in (group, *group.parents):
            if directory == root.parent:
                break
            try:
                limit, used = (int((directory / word).read_text()) for word in words[:2])
                stat = dict(line.split() for line in (directory / "memory.stat").read_text().splitlines())
            except (OSError, ValueError):  # no such file, seen from inside a container; or "max"
                continue
            if limit < NO_LIMIT:
                yield max(0, limit - used + int(stat.get(words[2], 0)))
