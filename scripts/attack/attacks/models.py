"""Hostile model files, each from its number alone: it is read, or one clear line says what is wrong with it.

A good model is changed in its bytes, in its header, in its arrays, or packed with what a zip allows. Loading, showing
it and predicting with it may raise nothing but the package's own error, run nothing, and take no more memory than some
times the size of the file.
"""

import io
import json
import os
import pickle
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import kernlearn
from attacks.inputs import Bomb, call
from kernlearn.errors import UserError
from kernlearn.models.archive import ARRAY, HEADER, read_array, read_header, reading, write_archive

#: Bytes that reading a model may take, and times its size.
MEMORY, TIMES = 2**25, 30
#: Values in the place of others in a header.
ODD: list[Any] = [
    *(None, True, False, 0, -1, 2**31, 2**63, 10**30, 1e308, 0.5, "", "x", "os.system", "\ud7ff\u202e", "9" * 400),
    *([], {}, [[]], [0], ["x"], {"x": 1}, {"float": "nan"}, {"float": "inf"}, {"float": "x"}, {"array": -1}),
    *(
        {"array": 10**9},
        {"array": 0},
        {"array": True},
        {"turned": [0, [0, 0]]},
        {"tuple": []},
        {"range": [0, 10**12, 1]},
    ),
    *(
        {"type": "object"},
        {"type": "os"},
        {"dtype": "O"},
        {"slice": [1]},
        {"dict": [[[], 1]]},
        {"scalar": {"array": 0}},
    ),
    *({"objects": {"shape": [10**12], "values": []}}, {"masked": [{"array": 0}, {"array": 0}]}),
    *({"record": {"name": "Solution", "fields": {}}}, {"record": {"name": "os", "fields": {}}}),
    {"family": {"name": "gaussian", "parameters": {"gammas": [1e300]}, "members": [], "bilinear": 0, "centre": None}},
    {"family": {"name": "precomputed", "parameters": {"p": 10**9}, "members": [], "bilinear": 0, "centre": None}},
    {"estimator": {"name": "sklearn.LogisticRegression", "params": {}, "state": {}}},
    {"estimator": {"name": "kernlearn.VKRClassifier", "params": {}, "state": {"predict": 1, "__class__": 2}}},
    {"estimator": {"name": "sklearn.FunctionTransformer", "params": {"func": "os.system"}, "state": {}}},
    {"estimator": {"name": "builtins.eval", "params": {}, "state": {}}},
    {"search": {"kind": "ExactSearch", "X": {"array": 0}, "metric": "euclidean", "k": 10**9}},
    {"csr": {"data": {"array": 0}, "indices": {"array": 0}, "indptr": {"array": 0}, "shape": [9, 9], "kind": "x"}},
]


def prepare() -> None:
    """Write good models, and rows to predict, into the current directory."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 3))
    y = np.where(X[:, 0] + 0.3 * X[:, 1] > 0, "yes", "no")
    lines = [
        ",".join([*map(repr, row.tolist()), "ab"[i % 2], label])
        for i, (row, label) in enumerate(zip(X, y, strict=True))
    ]
    Path("data.csv").write_text("u,v,w,letter,label\n" + "\n".join(lines) + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, words in enumerate((["algo=l2_svm", "algo.Cs=[1]"], ["algo=adaboost", "algo.rounds=3"])):
            fit = ["fit", "data.csv", "target=label", "text=onehot", *words, "-o", f"model{number}.kl"]
            assert call(fit) is None
        kernlearn.save(kernlearn.VKRClassifier(degrees=[1, 2]).fit(X, y), "model2.kl")
        kernlearn.save(kernlearn.GraphClassifier(q=3).fit(X, np.where(np.arange(24) % 2, y, "-1")), "model3.kl")


def attack(seed: int, number: int) -> tuple[str, list[tuple[str, str]]]:
    """Attack with one file; return what it is, and findings."""
    rng = Random(f"{seed}:{number}")
    good = Path(f"model{rng.randrange(4)}.kl")
    what = rng.choice(sorted(WAYS))
    words = f"{good} {what} {WAYS[what](rng, good, Path('bad.kl'))}"
    found: list[tuple[str, str]] = []
    size = os.stat("bad.kl").st_size
    tracemalloc.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kernlearn.load("bad.kl")
    except UserError as error:
        if "\n" in str(error) or len(str(error)) < 15:
            found.append(("traceback", f"not one line: {error}"))
    except Exception as error:  # which is what is looked for
        found.append(("traceback", f"{type(error).__name__}: {error}"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if peak > MEMORY + TIMES * size:
        found.append(("memory", f"{peak / 1e6:.0f} MB for a file of {size} bytes"))
    for verb in (["info", "bad.kl"], ["predict", "bad.kl", "data.csv", "-o", "out.csv", "--force"]):
        if wrong := call(verb):
            found.append(("traceback", f"{verb[0]}: {wrong}"))
    if Path("owned").exists():
        found.append(("execution", "a file was written"))
        Path("owned").unlink()
    return words, found


def _bytes(rng: Random, good: Path, bad: Path) -> str:
    """Change some bytes."""
    content = bytearray(good.read_bytes())
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        n = len(content)
        i = rng.choice([rng.randrange(n), rng.randrange(min(64, n)), n - 1 - rng.randrange(min(60, n))])
        match rng.randrange(5):
            case 0:
                content[i] ^= 1 << rng.randrange(8)
            case 1:
                content[i] = rng.choice([0, 255, 127])
            case 2:
                del content[i:]
            case 3:
                content[i:i] = rng.randbytes(rng.choice([1, 4, 100]))
            case _:
                del content[i : i + rng.choice([1, 4, 100])]
        content = content or bytearray(b"P")
    bad.write_bytes(content)
    return f"{len(content)} bytes"


def _parts(good: Path) -> tuple[dict[str, Any], list[np.ndarray]]:
    with reading(good) as archive:
        return read_header(archive), [read_array(archive, i) for i in range(len(archive.members) - 1)]


def _header(rng: Random, good: Path, bad: Path) -> str:
    """Change the header in a valid zip."""
    header, arrays = _parts(good)
    header, words = deepcopy(header), []
    for _ in range(rng.choice([1, 1, 2])):
        part: Any = {"header": header}
        key: Any = "header"
        while isinstance(part[key], dict | list) and part[key] and (rng.random() < 0.93 or key == "header"):
            part = part[key]
            key = rng.choice(sorted(part)) if isinstance(part, dict) else rng.randrange(len(part))
        odd = deepcopy(rng.choice(ODD))
        match rng.randrange(4):
            case 0 if isinstance(part, dict):
                part["schema" if rng.random() < 0.2 else rng.choice(["x", "__class__", "predict"])] = odd
            case 1:
                del part[key]
            case _:
                part[key] = odd
        words.append(f"{key}: {str(odd)[:60]}")
    try:
        write_archive(bad, header, arrays)
    except (ValueError, UnicodeError):  # JSON has no word for it
        bad.write_bytes(b"")
    return "; ".join(words)


def _arrays(rng: Random, good: Path, bad: Path) -> str:
    """Change an array in a valid zip."""
    header, arrays = _parts(good)
    number = rng.randrange(len(arrays))
    one = arrays[number]
    kinds: dict[str, Callable[[], Any]] = {
        "nan": lambda: np.full(one.shape, np.nan),
        "infinite": lambda: np.full(one.shape, np.inf),
        "large": lambda: np.full(one.shape, 1e308),
        "texts": lambda: one.astype("U4"),
        "integers": lambda: np.full(one.shape, 2**31 - 1),
        "negative": lambda: -np.ones(one.shape, dtype=np.int64),
        "single precision": lambda: np.zeros(one.shape, dtype=np.float32),
        "empty": lambda: np.zeros(0),
        "a number": lambda: np.array(3.0),
        "another shape": lambda: np.zeros((2, 3, 4)),
        "transposed": lambda: np.asfortranarray(one.T),
        "booleans": lambda: one.astype(bool) if one.dtype.kind in "iuf" else one,
        "longer": lambda: np.resize(one, 5 * max(one.size, 1)),
    }
    kind = rng.choice(sorted(kinds))
    arrays[number] = np.asarray(kinds[kind]())
    write_archive(bad, header, arrays)
    return f"array {number}: {kind}"


def _zip(rng: Random, good: Path, bad: Path) -> str:
    """Pack the members by the library, with what a zip allows and a model has not."""
    header, arrays = _parts(good)
    parts: list[tuple[Any, bytes]] = [(HEADER, json.dumps(header).encode())]
    for number, array in enumerate(arrays):
        stream = io.BytesIO()
        np.save(stream, array)
        parts.append((ARRAY.format(number), stream.getvalue()))
    kind = rng.choice(
        "plain deflated lzma duplicate traversal link comment nested pickle prefix bomb encrypted".split()
    )
    method = {"deflated": zipfile.ZIP_DEFLATED, "lzma": zipfile.ZIP_LZMA, "bomb": zipfile.ZIP_DEFLATED}.get(kind, 0)
    if kind == "duplicate":
        parts.append(parts[rng.randrange(len(parts))])
    if kind == "traversal":
        parts.append(("../owned", b"x"))
    if kind == "link":
        link = zipfile.ZipInfo(ARRAY.format(len(arrays)))
        link.create_system, link.external_attr = 3, 0o120777 << 16
        parts.append((link, b"/etc/passwd"))
    if kind == "nested":
        parts.append((ARRAY.format(len(arrays)), good.read_bytes()))
    if kind == "pickle":
        stream = io.BytesIO()
        np.save(stream, np.array([Bomb()], dtype=object), allow_pickle=True)
        parts[-1] = (parts[-1][0], rng.choice([stream.getvalue(), pickle.dumps(Bomb())]))
    if kind == "bomb":
        parts[-1] = (parts[-1][0], bytes(10**7))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(bad, "w", method) as archive:
            for name, content in parts:
                archive.writestr(name, content)
            archive.comment = b"x" * rng.choice([1, 1000]) if kind == "comment" else b""
    content = bytearray(bad.read_bytes())
    if kind == "prefix":
        content[:0] = b"#!/bin/sh\ntouch owned\n"
    if kind == "encrypted":
        content[6] |= 1
    bad.write_bytes(content)
    return kind


def _sizes(rng: Random, good: Path, bad: Path) -> str:
    """Write an array whose header tells a huge or impossible shape, or an object, into a valid zip."""
    header, arrays = _parts(good)
    number = rng.randrange(len(arrays))
    text = rng.choice(
        [
            "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (-8,), }",
            "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
            "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }",
            "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
            "{'descr': '<U1000000000', 'fortran_order': False, 'shape': (0,), }",
            "{'descr': '<U1', 'fortran_order': False, 'shape': (2,), }",
            "{'descr': '|b1', 'fortran_order': False, 'shape': (8,), }",
            "{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': " + "(" * 200 + ")" * 200 + ", }",
            "__import__('os').system('touch owned')",
            "(" * 5000,
        ]
    )
    head = text.encode() + b"\n"
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + b"\xff" * 8
    write_archive(bad, header, arrays)
    _replace(bad, number, content)
    return f"array {number}: {text[:70]}"


def _replace(path: Path, number: int, content: bytes) -> None:
    """Put other bytes in the place of an array, with the directory and checksums of a good file."""
    from kernlearn.models import archive as of

    with reading(path) as known:
        members = [(name, member) for name, member in known.members.items()]
        parts = []
        for name, member in members:
            known.stream.seek(member.start)
            parts.append((name, known.stream.read(member.size)))
    parts[number + 1] = (parts[number + 1][0], content)
    body, directory = b"", b""
    for name, part in parts:
        crc = of.zlib.crc32(part)
        directory += of._central(name, len(part), crc, len(body))
        body += of._local(name, len(part), crc) + part
    end = of._END.pack(of._SIGNATURES[2], 0, 0, len(parts), len(parts), len(directory), len(body), 0)
    path.write_bytes(body + directory + end)


#: Ways to change a good model.
WAYS: dict[str, Callable[[Random, Path, Path], str]] = {
    "bytes": _bytes,
    "header": _header,
    "arrays": _arrays,
    "zip": _zip,
    "sizes": _sizes,
}
