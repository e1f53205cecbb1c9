"""Finding, checking and downloading files, against a small entry and a real server on this machine."""

import gzip
import io
import logging
import socket
import tarfile
import threading
import zipfile
from dataclasses import replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from kernlearn.datasets import CATALOGUE, Entry, load, whereabouts
from kernlearn.datasets.core.dataset import digest
from kernlearn.datasets.sets import fetch as fetch_module
from kernlearn.datasets.sets.entry import File
from kernlearn.datasets.sets.files import read
from kernlearn.errors import UserError

CONTENT = b"1,2,a\n3,4,b\n5,6,b\n"
ALTERED = b"1,2,a\n3,4,b\n5,7,b\n"


def archive(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as opened:
        for name, content in members.items():
            opened.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


def tape(mode, **members):
    """Return a tar archive, with files in a folder of it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as opened:
        for name, content in members.items():
            info = tarfile.TarInfo(f"folder/{name.replace('_', '.')}")
            info.size = len(content)
            opened.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


#: The content of the toy set in two files of an archive.
HALVES = {"two_data": CONTENT[12:], "one_data": CONTENT[:12]}

BODIES = {
    "/toy.data": CONTENT,
    "/altered.data": ALTERED,
    "/crlf.data": CONTENT.replace(b"\n", b"\r\n"),
    "/toy.zip": archive(toy_data=CONTENT, other_data=b"x"),
    "/broken.zip": archive(toy_data=CONTENT)[:-10],
    "/toy.data.gz": gzip.compress(CONTENT),
    "/toy.tar.gz": tape("w:gz", readme=b"x", **HALVES),
    "/lacking.tar.gz": tape("w:gz", one_data=CONTENT[:12]),
    "/broken.tar.gz": tape("w:gz", **HALVES)[:-30],
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests.append(self.path)
        if self.path == "/cut.data":
            self.send_response(200)
            self.send_header("Content-Length", str(len(CONTENT) + 100))
            self.end_headers()
            self.wfile.write(CONTENT)
        elif self.path in BODIES:
            self.send_response(200)
            self.send_header("Content-Length", str(len(BODIES[self.path])))
            self.end_headers()
            self.wfile.write(BODIES[self.path])
        else:
            self.send_error(404)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.requests = []
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    directory = tmp_path / "cache"
    monkeypatch.setenv("KERNLEARN_CACHE", str(directory))
    monkeypatch.delenv("KERNLEARN_DATA", raising=False)
    # A proxy of the surroundings must not come between this machine and itself.
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return directory


@pytest.fixture
def publish(server, cache, monkeypatch):
    """Put a set called toy into the catalogue, published at a path of the server."""

    def at(path="/toy.data", member="", members=()):
        url = path and f"http://127.0.0.1:{server.server_port}{path}"
        file = File("toy.data", sha256(CONTENT).hexdigest(), url, member, alias="toy.tar.xz", members=members)
        entry = Entry("toy", 3, 2, {"a": "no", "b": "yes"}, "nobody", "none", counts=(1, 2), files=(file,))
        X, y, *_ = read(entry, [CONTENT], entry.layout)
        monkeypatch.setitem(CATALOGUE, "toy", replace(entry, digest=digest(X, y, ("no", "yes"))))

    return at


@pytest.fixture
def data_directory(tmp_path, monkeypatch, cache):
    directory = tmp_path / "data" / "deep"
    directory.mkdir(parents=True)
    monkeypatch.setenv("KERNLEARN_DATA", str(directory.parent))
    return directory


def assert_remedy(caught, *words):
    message = str(caught.value)
    assert "\n" not in message
    for word in (*words, "toy.data", f"sha256 {sha256(CONTENT).hexdigest()[:12]}", "KERNLEARN_DATA"):
        assert word in message


def left_behind(directory):
    return sorted(path.name for path in directory.rglob("*")) if directory.exists() else []


@pytest.mark.parametrize(("path", "member"), [("/toy.data", ""), ("/crlf.data", ""), ("/toy.zip", "toy.data")])
def test_download_goes_to_the_cache_once(publish, server, cache, path, member):
    publish(path, member)
    assert whereabouts("toy").kind == "to download"
    data = load("toy")
    assert data.X.tolist() == [[1, 2], [3, 4], [5, 6]] and data.y.tolist() == [0, 1, 1]
    assert data.source == str(cache / "toy.data") and left_behind(cache) == ["toy.data"]
    assert whereabouts("toy") == ("cached", str(cache / "toy.data"))
    server.requests.clear()
    assert load("toy").digest == data.digest and server.requests == []


@pytest.mark.parametrize(
    ("path", "member", "words"),
    [
        ("/altered.data", "", ("sent another file", sha256(ALTERED).hexdigest()[:12])),
        ("/cut.data", "", (f"cut short: {len(CONTENT)} of {len(CONTENT) + 100} bytes",)),
        ("/gone.data", "", ("404",)),
        ("/toy.zip", "absent.data", ("the archive has no absent.data",)),
        ("/toy.zip", "other.data", ("sent another file",)),
        ("/broken.zip", "toy.data", ("not a zip archive",)),
        ("/toy.data", "toy.data", ("not a zip archive",)),
        ("", "", ("cannot be downloaded",)),
    ],
)
def test_failed_download_leaves_nothing_and_says_what_to_do(publish, cache, path, member, words):
    publish(path, member)
    with pytest.raises(UserError) as caught:
        load("toy")
    assert_remedy(caught, *words)
    assert left_behind(cache) == []


def test_no_network(publish, server, cache):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        publish()
        file = replace(CATALOGUE["toy"].files[0], url=f"http://127.0.0.1:{port}/toy.data")
        with pytest.raises(UserError) as caught:
            fetch_module.fetch(CATALOGUE["toy"], file)
    assert_remedy(caught, "refused")
    assert left_behind(cache) == []


def test_download_has_a_size_limit(publish, cache, monkeypatch):
    publish()
    monkeypatch.setattr(fetch_module, "SIZE_LIMIT", len(CONTENT) - 1)
    with pytest.raises(UserError, match="more than") as caught:
        load("toy")
    assert_remedy(caught)


def test_interrupted_write_leaves_nothing(publish, cache, monkeypatch):
    publish()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fetch_module.os, "fsync", full)
    with pytest.raises(UserError, match=r"cannot be written \(No space left on device\); set KERNLEARN_CACHE"):
        load("toy")
    assert left_behind(cache) == []


def test_cache_that_cannot_be_a_directory(publish, cache):
    publish()
    cache.write_text("a file")
    with pytest.raises(UserError, match="toy.data cannot be written .*; set KERNLEARN_CACHE"):
        load("toy")


def test_wrong_file_in_the_cache_is_named_and_replaced(publish, cache, caplog):
    publish()
    cache.mkdir()
    (cache / "toy.data").write_bytes(ALTERED)
    with caplog.at_level(logging.WARNING):
        assert load("toy").X[2, 1] == 6
    assert f"{cache / 'toy.data'} is not the file" in caplog.text and "downloading it again" in caplog.text
    assert (cache / "toy.data").read_bytes() == CONTENT


def test_cache_follows_xdg(monkeypatch, tmp_path):
    from kernlearn.places import cache_directory

    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("KERNLEARN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "kernlearn"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "kernlearn"


@pytest.mark.parametrize("gzipped", [False, True])
def test_data_directory_comes_before_the_network(publish, server, data_directory, gzipped):
    publish()
    path = data_directory / ("toy.data.gz" if gzipped else "toy.data")
    path.write_bytes(gzip.compress(CONTENT) if gzipped else CONTENT)
    server.requests.clear()
    assert whereabouts("toy") == ("found", str(path))
    assert load("toy").source == str(path) and server.requests == []


def test_other_line_ends_are_the_same_data_but_other_values_are_not(publish, data_directory):
    publish()
    path = data_directory / "toy.data"
    path.write_bytes(CONTENT)
    expected = load("toy").digest
    path.write_bytes(b"% a comment\r\n" + CONTENT.replace(b"\n", b"\r\n"))
    assert load("toy").digest == expected
    path.write_bytes(ALTERED)
    with pytest.raises(UserError) as caught:
        load("toy")
    assert_remedy(caught, f"{path} is not the file", f"sha256 {sha256(ALTERED).hexdigest()[:12]}")


def test_a_wrong_file_does_not_hide_a_right_one(publish, data_directory):
    publish()
    (data_directory.parent / "toy.data").write_bytes(ALTERED)
    (data_directory / "toy.data").write_bytes(CONTENT)
    assert load("toy").source == str(data_directory / "toy.data")


MEMBERS = ("folder/one.data", "two.data")


def test_gzipped_download_is_unpacked(publish, cache):
    publish("/toy.data.gz")
    assert load("toy").X.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert load("toy").source == str(cache / "toy.data")


def test_members_of_an_archive_are_read_in_their_order(publish, server, cache):
    publish("/toy.tar.gz", members=MEMBERS)
    assert load("toy").y.tolist() == [0, 1, 1]
    server.requests.clear()
    assert load("toy").X.tolist() == [[1, 2], [3, 4], [5, 6]] and server.requests == []


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz", "w:bz2"])
def test_the_content_of_an_archive_counts_not_its_packing(publish, data_directory, mode):
    publish("", members=MEMBERS)
    (data_directory / "toy.tar.xz").write_bytes(tape(mode, **HALVES))
    assert load("toy").X.tolist() == [[1, 2], [3, 4], [5, 6]]


@pytest.mark.parametrize("path", ["/lacking.tar.gz", "/broken.tar.gz", "/toy.data", "/altered.data"])
def test_a_wrong_archive_is_told_and_not_kept(publish, cache, data_directory, path):
    publish(path, members=MEMBERS)
    with pytest.raises(UserError) as caught:
        load("toy")
    assert "put toy.data (a tar archive with folder/one.data)" in str(caught.value) and left_behind(cache) == []
    (data_directory / "toy.data").write_bytes(BODIES[path])
    with pytest.raises(UserError, match="the archive has no two.data|cannot be read"):
        load("toy")


def test_an_archive_has_a_size_limit(publish, data_directory, monkeypatch):
    publish("", members=MEMBERS)
    (data_directory / "toy.data").write_bytes(tape("w:gz", **HALVES))
    monkeypatch.setattr("kernlearn.datasets.sets.locate.SIZE_LIMIT", len(CONTENT) - 1)
    with pytest.raises(UserError, match="larger than"):
        load("toy")


def test_damaged_gzip_is_named(publish, data_directory):
    publish()
    (data_directory / "toy.data.gz").write_bytes(gzip.compress(CONTENT)[:-12])
    with pytest.raises(UserError, match="cannot be read"):
        load("toy")


def test_data_directory_that_is_none_is_named(publish, monkeypatch, tmp_path):
    publish()
    monkeypatch.setenv("KERNLEARN_DATA", str(tmp_path / "absent"))
    with pytest.raises(UserError, match="KERNLEARN_DATA: .*absent is not a directory"):
        load("toy")


def test_bundled_comes_before_a_data_directory(data_directory):
    (data_directory / "ionosphere.data").write_bytes(b"something else")
    assert load("ionosphere").source == "bundled"


@pytest.mark.parametrize("name", ["../etc/passwd", "/etc/passwd", "bundled/__init__", "", "Ionosphere", ["sonar"]])
def test_names_are_only_looked_up(name):
    with pytest.raises(
        UserError, match="unknown, choose one of .*breastcancer, climate, conll, conll2002, csv, digits"
    ):
        load(name)


def test_unknown_name_gets_a_suggestion():
    with pytest.raises(UserError, match=r"data set 'ionosfere': unknown, .*; did you mean ionosphere\?"):
        load("ionosfere")


def test_set_without_options_takes_none():
    with pytest.raises(UserError, match="sonar: unknown option n=5; sonar takes no options"):
        load("sonar", n=5)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"1,2,c\n", "label 'c' is not one of a, b"), (b"1,x,a\n", "cannot be read"), (b"1,2,a\n", "3 examples of 2")],
)
def test_reader_accepts_nothing_but_the_catalogued_form(publish, content, words):
    publish()
    with pytest.raises(UserError, match=words):
        read(CATALOGUE["toy"], [content], CATALOGUE["toy"].layout)
