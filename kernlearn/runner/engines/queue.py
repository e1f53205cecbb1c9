"""The state of SLURM jobs, from squeue and scontrol. No accounting is needed."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernlearn.errors import UserError
from kernlearn.memory import MB

#: Prefix of the names of our jobs; the name of the batch follows.
PREFIX = "kernlearn-"
#: States of a job that has not ended. A COMPLETING job has: its processes have ended, or its node is lost.
ALIVE = {"PENDING", "RUNNING", "CONFIGURING", "SUSPENDED", "REQUEUED", "RESIZING", "SIGNALING", "STAGE_OUT"}
#: The message of `scontrol` for a job that it has forgotten.
FORGOTTEN = "FORGOTTEN"
#: The number that SLURM gives to tasks of an array that were never started.
NEVER_STARTED = 2**32 - 2
#: Messages of sbatch for temporary errors, which are not caused by its options.
AWAY = ("does not answer", "Unable to contact", "timed out", "Connection refused", "try again", "temporarily")
#: Seconds after which a command of SLURM is considered to hang.
TIMEOUT = 60.0


class NoAnswer(Exception):
    """The controller does not answer, perhaps only for a moment."""


@dataclass(frozen=True)
class Task:
    """One task of a job array: its batch, its number there, its state and, while it waits, the reason."""

    job: str
    batch: str
    number: int
    state: str
    reason: str


def require() -> None:
    """Raise `UserError` if there is no SLURM."""
    if not shutil.which("sbatch") or not shutil.which("squeue"):
        raise UserError("engine=slurm: there is no SLURM here (no command sbatch); run this on a login node")


def tasks() -> list[Task]:
    """Return our tasks that have not ended.

    A task that SLURM holds because its launch failed too often would wait forever. It counts as ended and is cancelled.
    """
    jobs = []
    for line in _ask("squeue", "--me", "--array", "--noheader", "--format=%F|%K|%T|%j|%r").splitlines():
        job, number, state, name, reason = line.strip().split("|", 4)
        if name.startswith(PREFIX) and number.isdigit() and state in ALIVE:
            if "launch_failed" in reason.replace(" ", "_"):
                subprocess.run(["scancel", f"--name={name}"], capture_output=True, timeout=TIMEOUT)
                continue
            jobs.append(Task(job, name.removeprefix(PREFIX), int(number), state, reason))
    return jobs


def end_of(job: str, number: int) -> str:
    """Return the final state of a task, such as CANCELLED or TIMEOUT, as long as SLURM remembers it.

    Tasks that were never started have no record, so the record of their array counts.
    """
    try:
        text = _ask("scontrol", "show", "job", job, "--oneliner")
    except NoAnswer:
        return FORGOTTEN
    ends = {}
    for line in text.splitlines():
        if state := re.search(r"\bJobState=(\w+)", line):
            task = re.search(r"\bArrayTaskId=(\d+)\b", line)
            ends[int(task.group(1)) if task else NEVER_STARTED] = state.group(1)
    return ends.get(number, ends.get(NEVER_STARTED, FORGOTTEN))


def submit(command: Sequence[str], options: Mapping[str, object]) -> str:
    """Submit a command as a job array and return the job's number. The script is not written to a file.

    Raises `UserError` if SLURM refuses the options. Raises `NoAnswer` if the controller does not answer.
    """
    words = [f"--{key}={value}" for key, value in options.items()]
    script = f"#!/bin/bash\nexec {shlex.join(command)}\n"
    try:
        return _ask("sbatch", "--parsable", "--requeue", *words, script=script).strip().partition(";")[0]
    except NoAnswer as error:
        if any(word in str(error) for word in AWAY):
            raise
        raise UserError(f"engine=slurm: {error}") from None


def array_limit() -> int:
    """Return the maximum number of tasks in one array."""
    match = re.search(r"MaxArraySize\s*=\s*(\d+)", _ask("scontrol", "show", "config"))
    return max(1, int(match.group(1)) - 1) if match else 1000


def n_partitions() -> int:
    """Return the number of partitions to which jobs can be submitted.

    Raises `NoAnswer` if the controller does not answer.
    """
    return len(set(_ask("sinfo", "--noheader", "--format=%R").split()))


def largest_node(partition: str | None) -> float:
    """Return the memory of the largest node in a partition, or of all, in bytes; 0 if it is not configured."""
    words = [f"--partition={partition}"] if partition else []
    sizes = _ask("sinfo", "--noheader", "--Node", "--format=%m", *words).split()
    most = max((int(size.rstrip("+")) for size in sizes if size.rstrip("+").isdigit()), default=0)
    return most * MB if most > 1 else 0.0  # SLURM reports 1 for nodes without configured memory


def _ask(*command: str, script: str | None = None) -> str:
    try:
        result = subprocess.run(command, input=script, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise NoAnswer(f"{command[0]} does not answer") from None
    if result.returncode:
        raise NoAnswer(f"{command[0]}: {' '.join(result.stderr.split()) or 'failed'}")
    return result.stdout
