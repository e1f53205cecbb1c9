"""Connect to a Dask scheduler and check it; report a problem in one line within half a minute."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from kernlearn.errors import UserError

#: Seconds within which the scheduler and its workers must answer.
PATIENCE = 10.0
#: The loggers of Dask, and of its dependencies, that report connections.
LOUD = ("distributed", "tornado", "asyncio")
#: Packages whose versions must agree here, on the workers, and on the scheduler, which also unpickles the calls.
SAME = ("python", "dask", "distributed", "kernlearn", "numpy", "scipy")


@contextmanager
def connect(address: str) -> Iterator[Any]:
    """Yield a client of the scheduler at an address whose workers can compute our cells.

    Raises `UserError` if no scheduler answers, or if it has no workers. Raises `UserError` also if the workers do not
    answer, have other versions, or have several threads: limits and crashes apply to whole processes.
    """
    from distributed import Client

    with _quiet():
        _require_scheduler(address)
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except Exception as error:  # from the network, or from another version
            raise UserError(_line(address, "cannot be used", error)) from None
        try:
            _require_workers(client, address)
            yield client
        finally:
            client.close(timeout=1)


def threads(client: Any) -> dict[str, int]:
    """Return the number of threads of each worker; empty if the scheduler does not answer."""
    try:
        cores: dict[str, int] = client.sync(client.scheduler.ncores, callback_timeout=PATIENCE)
    except Exception:  # the futures will report the problem, too
        return {}
    return cores


def memories(client: Any) -> dict[str, float]:
    """Return the memory limit of each worker, in bytes; empty if the scheduler does not answer."""
    try:
        workers = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=PATIENCE)["workers"]
    except Exception:  # as above
        return {}
    return {address: float(worker["memory_limit"] or inf) for address, worker in workers.items()}


def give_up(client: Any, key: str) -> None:
    """Remove a task and its hanging worker from the scheduler, which moves the worker's other tasks elsewhere."""
    processing = client.sync(client.scheduler.processing, workers=None, callback_timeout=PATIENCE)
    forget(client, key)
    for worker, tasks in processing.items():
        if key in tasks:
            call = {"address": worker, "stimulus_id": f"kernlearn-{key}", "callback_timeout": PATIENCE}
            client.sync(client.scheduler.unregister, **call)


def forget(client: Any, key: str) -> None:
    """Remove a task from the scheduler."""
    from distributed import Future

    client.cancel([Future(key, client)])


def _require_scheduler(address: str) -> None:
    """Check that a scheduler answers. A client would wait forever for a service that does not."""
    import asyncio

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
    except Exception as error:  # another protocol can raise anything
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
        answers = client.sync(client._get_versions, packages=packages, callback_timeout=PATIENCE)
    except Exception as error:
        raise UserError(_line(address, "its workers do not answer", error)) from None
    ours = _versions(answers["client"])
    remote = {"the scheduler": answers["scheduler"]}
    remote |= {f"worker {name}": answer for name, answer in answers["workers"].items()}
    for name, answer in remote.items():
        theirs = _versions(answer)
        for package in SAME:
            if theirs.get(package) != ours[package]:
                has = theirs.get(package) or "none"
                raise UserError(f"engine.address={address}: {name} has {package} {has}, and here it is {ours[package]}")


def _versions(answer: Any) -> dict[str, str | None]:
    versions = dict(answer["packages"]) if isinstance(answer, dict) else {}
    if versions.get("python"):
        versions["python"] = ".".join(versions["python"].split(".")[:2])
    return versions


def _line(address: str, what: str, error: Exception) -> str:
    words = " ".join(str(error).split()) or type(error).__name__
    return f"engine.address={address}: {what} ({words})"


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's messages about failed connections, which are reported here in one line or as status of cells.

    Dask sets the levels of some of its loggers and of their parents, so each one has to be silenced.
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
