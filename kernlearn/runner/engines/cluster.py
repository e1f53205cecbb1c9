"""A Dask scheduler that is what it should be, or one line in half a minute that says what is wrong with it."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from kernlearn.errors import UserError

#: Seconds that a scheduler and its workers have to answer, and workers to be there.
PATIENCE = 10.0
#: The loggers of Dask, and of what it is made with, that speak of connections.
LOUD = ("distributed", "tornado", "asyncio")
#: What has to be the same on the scheduler, which unpickles the calls, too, and on the workers.
SAME = ("python", "dask", "distributed", "kernlearn", "numpy", "scipy")


@contextmanager
def connect(address: str) -> Iterator[Any]:
    """Yield a client of the scheduler at an address whose workers can compute our cells.

    Raises
    ------
    UserError
        If nobody answers, or something else than a scheduler; if there are no workers, they do not answer, have other
        versions, or several threads: limits and faults are those of a process.
    """
    from distributed import Client

    with _quiet():
        _require_scheduler(address)
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except Exception as error:  # of the network, or of another version
            raise UserError(_line(address, "cannot be used", error)) from None
        try:
            _require_workers(client, address)
            yield client
        finally:
            client.close(timeout=1)


def threads(client: Any) -> dict[str, int]:
    """Return the workers and how many threads they have; nothing if the scheduler does not answer."""
    try:
        found: dict[str, int] = client.sync(client.scheduler.ncores, callback_timeout=PATIENCE)
    except Exception:  # whatever it is, it will be seen in the futures, too
        return {}
    return found


def memories(client: Any) -> dict[str, float]:
    """Return the workers and the bytes of memory that each may take; nothing if the scheduler does not answer."""
    try:
        workers = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=PATIENCE)["workers"]
    except Exception:  # likewise
        return {}
    return {address: float(worker["memory_limit"] or inf) for address, worker in workers.items()}


def give_up(client: Any, key: str) -> None:
    """Have the scheduler forget a task, and the worker that has it and does not run; its other tasks go elsewhere."""
    found = client.sync(client.scheduler.processing, workers=None, callback_timeout=PATIENCE)
    forget(client, key)
    for worker, tasks in found.items():
        if key in tasks:
            call = {"address": worker, "stimulus_id": f"kernlearn-{key}", "callback_timeout": PATIENCE}
            client.sync(client.scheduler.unregister, **call)


def forget(client: Any, key: str) -> None:
    """Have the scheduler forget a task."""
    from distributed import Future

    client.cancel([Future(key, client)])


def _require_scheduler(address: str) -> None:
    """Ask who is there, on a connection of its own: a client would wait for ever for a service that says nothing."""
    from distributed.comm.core import connect as open_connection

    async def ask() -> Any:
        comm = await open_connection(address, timeout=PATIENCE)
        try:
            await comm.write({"op": "identity", "reply": True})
            return await comm.read()
        finally:
            comm.abort()

    async def ask_in_time() -> Any:
        return await asyncio.wait_for(ask(), 1.2 * PATIENCE)

    try:
        who = asyncio.run(ask_in_time())
    except Exception as error:  # anything may come of another protocol
        raise UserError(_line(address, "no Dask scheduler answers", error)) from None
    if not isinstance(who, dict) or who.get("type") != "Scheduler":
        kind = who.get("type", "something") if isinstance(who, dict) else "something"
        raise UserError(f"engine.address={address}: no Dask scheduler answers, but a {kind}")


def _require_workers(client: Any, address: str) -> None:
    from distributed import TimeoutError as NoWorkers

    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except (NoWorkers, TimeoutError):
        raise UserError(
            f"engine.address={address}: the scheduler has no workers: dask worker {address} --nthreads 1 --nworkers N"
        ) from None
    if any(count > 1 for count in threads(client).values()):
        raise UserError("engine=dask: workers must have one thread each: dask worker --nthreads 1 --nworkers N")
    try:
        packages = ["kernlearn", "scipy"]
        found = client.sync(client._get_versions, packages=packages, callback_timeout=PATIENCE)
    except Exception as error:
        raise UserError(_line(address, "its workers do not answer", error)) from None
    ours = _versions(found["client"])
    there = {"the scheduler": found["scheduler"]}
    there |= {f"worker {name}": answer for name, answer in found["workers"].items()}
    for name, answer in there.items():
        theirs = _versions(answer)
        for package in SAME:
            if theirs.get(package) != ours[package]:
                has = theirs.get(package) or "none"
                raise UserError(f"engine.address={address}: {name} has {package} {has}, and here it is {ours[package]}")


def _versions(answer: Any) -> dict[str, str | None]:
    found = dict(answer["packages"]) if isinstance(answer, dict) else {}
    if found.get("python"):
        found["python"] = ".".join(found["python"].split(".")[:2])
    return found


def _line(address: str, what: str, error: Exception) -> str:
    words = " ".join(str(error).split()) or type(error).__name__
    return f"engine.address={address}: {what} ({words})"


@contextmanager
def _quiet() -> Iterator[None]:
    """Leave out what Dask says of connections that fail, which is told in one line here, or in the status of cells.

    Dask gives levels to some of its loggers and to their parents, so that each has to be told.
    """
    known = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in LOUD]
    before = {log: log.level for log in map(logging.getLogger, {*known, *LOUD})}
    for log in before:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in before.items():
            log.setLevel(level)
