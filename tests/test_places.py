"""Where machine code is cached, and what if that cannot be written."""

import os
import stat
import tempfile

import pytest

from kernlearn import places
from kernlearn.places import cache_directory, code_directory, private_directory


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Let both places be in the directory of the test, and nothing be known of them."""
    monkeypatch.setenv("KERNLEARN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code_directory.cache_clear()
    yield tmp_path
    code_directory.cache_clear()


def test_machine_code_is_in_the_cache_and_for_its_owner_alone(temporary, caplog):
    before = os.umask(0o002)  # of many systems, where every user has a group
    try:
        assert code_directory() == temporary / "cache" / "numba"
    finally:
        os.umask(before)
    assert stat.S_IMODE((temporary / "cache" / "numba").stat().st_mode) == 0o700
    assert not caplog.messages


def spoilt_by_a_file(place):
    place.write_text("")


def spoilt_by_strangers(place):
    place.mkdir()
    place.chmod(0o777)


def spoilt_by_a_link(place):
    place.mkdir()
    (place.parent / "elsewhere").mkdir()
    (place / "numba").symlink_to(place.parent / "elsewhere")


SPOILT = (spoilt_by_a_file, spoilt_by_strangers, spoilt_by_a_link)


@pytest.mark.parametrize("spoil", SPOILT)
def test_machine_code_goes_to_a_temporary_directory_and_that_is_said_once(temporary, caplog, spoil):
    spoil(temporary / "cache")
    place = code_directory()
    assert place == code_directory() == places.temporary_directory() / "numba" and place.is_dir()
    (message,) = caplog.messages
    assert message.startswith(f"machine code is cached in {place} ({temporary}/cache") and "KERNLEARN_CACHE" in message


@pytest.mark.parametrize("spoil", SPOILT)
def test_without_any_place_that_is_safe_there_is_none(temporary, caplog, spoil):
    spoilt_by_a_file(temporary / "cache")
    spoil(places.temporary_directory())
    assert code_directory() is None
    (message,) = caplog.messages
    assert message.startswith("machine code is not cached")


def test_a_link_in_the_place_of_a_private_directory_changes_nothing_where_it_leads(tmp_path):
    (tmp_path / "theirs").mkdir(mode=0o755)
    (tmp_path / "mine").symlink_to(tmp_path / "theirs")
    with pytest.raises(Exception, match="symbolic link"):
        private_directory(tmp_path / "mine")
    assert stat.S_IMODE((tmp_path / "theirs").stat().st_mode) == 0o755


def test_a_user_without_a_home_has_a_cache(monkeypatch):
    for name in ("KERNLEARN_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pathlib.Path.expanduser", no_home)
    assert places.temporary_directory() in cache_directory().parents


def no_home(path):
    raise RuntimeError("Could not determine home directory.")
