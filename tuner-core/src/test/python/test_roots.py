"""Code and data come from the folders that the operator allows, links resolved."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from loader_probe.failures import ProbeFailure
from loader_probe.roots import Limits, Roots
from loader_probe.session import open_session
from loader_probe.sources import build_source
from loader_probe.user_code import load_factory
from test_sources import make_images, make_shard

TRAIN = """
import functools, os, subprocess
from subprocess import check_call
from torch.utils.data import Dataset

def make(): return [1, 2]
class Data(Dataset):
    class Inner:
        @staticmethod
        def make(): return [1]
    @classmethod
    def build(cls): return [1]
bound = functools.partial(make)
shell = functools.partial(check_call, ["true"])
length = len
"""
OUTSIDE = """
from pathlib import Path
Path(__file__).resolve().with_suffix(".ran").touch()
def make(): return [1]
"""


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of user code on the import path, with links out of it to ``tmp_path / "outside"``."""
    root, outside = tmp_path / "code", tmp_path / "outside"
    (root / "rooted_pkg").mkdir(parents=True)
    (root / "rooted_space").mkdir()
    (outside / "elsewhere_pkg").mkdir(parents=True)
    (root / "rooted_train.py").write_text(TRAIN, encoding="utf-8")
    (root / "rooted_pkg" / "__init__.py").touch()
    (root / "rooted_pkg" / "good.py").write_text("def make(): return [1]\n", encoding="utf-8")
    (root / "rooted_space" / "good.py").write_text("def make(): return [1]\n", encoding="utf-8")
    for name in ("sub.py", "elsewhere.py", "elsewhere_pkg/__init__.py", "elsewhere_pkg/sub.py"):
        (outside / name).write_text(OUTSIDE, encoding="utf-8")
    (root / "rooted_pkg" / "sub.py").symlink_to(outside / "sub.py")
    (root / "rooted_space" / "sub.py").symlink_to(outside / "sub.py")
    (root / "rooted_link").symlink_to(outside / "elsewhere_pkg")
    monkeypatch.setattr(sys, "path", [sys.path[0], str(root), str(outside), *sys.path[1:]])
    yield root
    for name in [name for name in sys.modules if name.startswith(("rooted_", "elsewhere"))]:
        del sys.modules[name]


@pytest.mark.parametrize(
    "name",
    [
        "rooted_train:make",
        "rooted_train:Data",
        "rooted_train:Data.build",
        "rooted_train:Data.Inner.make",
        "rooted_train:bound",
        "rooted_pkg.good:make",
        "rooted_space.good:make",
    ],
)
def test_what_is_defined_under_the_roots_is_found(code: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to(code)

    assert callable(load_factory(name, Roots.of([str(tmp_path / "link")])))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rooted_train:os.system", "os in rooted_train:os.system is module, not a class"),
        ("rooted_train:check_call", "subprocess.py"),
        ("rooted_train:subprocess.Popen", "not a class"),
        ("rooted_train:shell", "subprocess.py"),
        ("rooted_train:length", "no file"),
        ("rooted_train:Dataset", "dataset.py"),
        ("rooted_train:make.__call__", "not a class"),
        ("rooted_train:Data.__class__", "no file"),
        ("rooted_pkg.sub:make", "sub.py"),
        ("rooted_space.sub:make", "sub.py"),
        ("rooted_link.sub:make", "__init__.py"),
        ("elsewhere:make", "elsewhere.py"),
        ("elsewhere_pkg.sub:make", "__init__.py"),
        ("os:system", "os.py"),
        ("posix:system", "no file"),
        ("sys:exit", "no file"),
        ("__main__:make", ""),
        ("loader_probe.client:Client", "__init__.py"),
        ("rooted_pkg.absent:make", "No module named"),
    ],
)
def test_what_is_not_is_refused_before_it_runs(code: Path, tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(ProbeFailure) as raised:
        load_factory(name, Roots.of([str(code)]))

    assert raised.value.reason == "import_error"
    assert words in raised.value.message
    if "No module" not in words:
        assert "loader-tuner.code-roots" in raised.value.message
    assert not list((tmp_path / "outside").rglob("*.ran"))


def test_a_folder_whose_name_only_begins_alike_is_outside(code: Path) -> None:
    assert not Roots.of([str(code)[:-1]]).hold(str(code / "rooted_train.py"))
    assert not Roots.of([]).hold(str(code / "rooted_train.py"))
    assert Roots.of(["/"]).hold(str(code / "rooted_train.py"))
    assert Roots.of(None).hold("/anything")


def test_open_limits_sources_and_steps(code: Path) -> None:
    python = {"kind": "python", "factory": "rooted_train:check_call", "arguments": {"args": ["true"]}}
    step = {"factory": "rooted_train:os.system", "arguments": {"command": "true"}}
    limits = {"device": "cpu", "code_roots": [str(code)], "data_roots": [str(code)]}

    for request in (
        {"source": python},
        {"source": {"kind": "synthetic", "samples": 1}, "step": step},
    ):
        with pytest.raises(ProbeFailure, match=r"loader-tuner\.code-roots"):
            open_session({**limits, **request}, "", "", 1)
    assert open_session({**limits, "source": {**python, "factory": "rooted_train:make", "arguments": {}}}, "", "", 1)


def data_only(*roots: Path) -> Limits:
    return Limits(Roots.of([]), Roots.of([str(root) for root in roots]))


@pytest.mark.parametrize("link", ["class-2", "class-0/deep", "class-0/image.jpg"])
def test_a_link_of_an_image_folder_stays_within_the_roots(tmp_path: Path, link: str) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    make_images(inside)
    make_images(outside, classes=1, each=2)
    target = outside / "class-0" / "1.png" if link.endswith("jpg") else outside / "class-0"
    (inside / link).symlink_to(target)
    source = {"kind": "image_folder", "path": str(inside)}

    with pytest.raises(ProbeFailure) as raised:
        build_source(source, "", data_only(inside))

    assert raised.value.reason == "dataset_error"
    assert f"{inside / link} leads to {target}" in raised.value.message
    assert build_source(source, "", data_only(tmp_path)).length == (9 if link.endswith("jpg") else 10)
    assert build_source(source, "").length == (9 if link.endswith("jpg") else 10)


def test_a_cycle_of_links_ends(tmp_path: Path) -> None:
    make_images(tmp_path)
    (tmp_path / "class-0" / "up").symlink_to(tmp_path)
    (tmp_path / "class-0" / "itself").symlink_to("itself")
    (tmp_path / "class-1" / "round").symlink_to(tmp_path / "class-1")

    dataset = build_source({"kind": "image_folder", "path": str(tmp_path)}, "", data_only(tmp_path)).dataset

    assert [dataset[index][1] for index in range(len(dataset))] == [0] * 4 + [1] * 4


def test_shards_and_arrays_stay_within_the_roots(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    make_shard(inside / "a.tar", range(2))
    make_shard(outside / "b.tar", range(2))
    np.save(outside / "rows.npy", np.zeros(3))
    shards = {"kind": "tar_shards", "path": str(inside)}
    build_source(shards, "", data_only(inside))
    (inside / "b.tar").symlink_to(outside / "b.tar")
    (inside / "rows.npy").symlink_to(outside / "rows.npy")

    for source in (
        shards,
        {**shards, "path": str(inside / "b.tar")},
        {"kind": "array", "path": str(inside / "rows.npy")},
        {"kind": "image_folder", "path": str(outside)},
    ):
        with pytest.raises(ProbeFailure, match=r"outside of loader-tuner\.data-roots") as raised:
            build_source(source, "", data_only(inside))
        assert raised.value.reason == "dataset_error"
