"""Every kind of source, checked in an inline probe."""

from __future__ import annotations

import io
import json
import random
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from conftest import Probe, python_source
from loader_probe.checks import check as check_here
from loader_probe.failures import ProbeFailure
from loader_probe.session import Session, open_session
from loader_probe.sources import build_source, tar_shards
from loader_probe.sources.images import crop_box
from loader_probe.sources.tar_shards import TarShards
from PIL import Image

Start = Callable[..., Probe]


def make_images(root: Path, classes: int = 2, each: int = 4) -> None:
    for number in range(classes * each):
        suffix = ("jpg", "png", "JPEG")[number % 3]
        folder = root / f"class-{number % classes}" / ("nested" if number % 4 == 0 else ".")
        folder.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (40, 30), (number * 20, 0, 0)).save(folder / f"{number}.{suffix}")


def make_shard(path: Path, samples: range) -> None:
    with tarfile.open(path, "w") as tar:
        for number in samples:
            picture, array = io.BytesIO(), io.BytesIO()
            Image.new("RGB", (20, 20), (number, 0, 0)).save(picture, "JPEG")
            np.save(array, np.full(3, number, dtype=np.float32))
            parts = {
                "jpg": picture.getvalue(),
                "seg.npy": array.getvalue(),
                "json": json.dumps({"boxes": list(range(number)), "none": None}).encode(),
                "cls": str(number).encode(),
                "txt": f"sample {number}".encode(),
            }
            for extension, data in parts.items():
                info = tarfile.TarInfo(f"train/{number:04}.{extension}")
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))


def check(start: Start, source: dict[str, Any], batch_size: int = 4) -> dict[str, Any]:
    return start("inline", source).ask("check", batch_size=batch_size)


def open_here(source: dict[str, Any]) -> Session:
    """A session in this very process: what a probe adds to it is tested elsewhere."""
    return open_session({"source": source, "device": "cpu"}, "", "", 1)[0]


def test_image_folder(start: Start, tmp_path: Path) -> None:
    make_images(tmp_path / "photos")

    result = check(start, {"kind": "image_folder", "path": str(tmp_path / "photos"), "image_size": 24})["result"]

    assert result["length"] == 8
    assert result["sample"] == [
        {"path": "0", "type": "tensor", "shape": [3, 24, 24], "dtype": "float32"},
        {"path": "1", "type": "int", "shape": None, "dtype": None},
    ]
    assert result["sample_bytes"] == 3 * 24 * 24 * 4 + 8
    assert result["batch_bytes"] == 4 * result["sample_bytes"]
    # An interpreter that has imported torch takes far more.
    assert result["process_bytes"] > 30_000_000
    assert result["batch_samples"] == 4


def test_image_folder_knows_its_classes_in_a_stable_order(tmp_path: Path) -> None:
    make_images(tmp_path)

    dataset = build_source({"kind": "image_folder", "path": str(tmp_path), "image_size": 8}, "").dataset

    assert [dataset[index][1] for index in range(8)] == [0] * 4 + [1] * 4


def test_a_truncated_image_is_named(tmp_path: Path) -> None:
    make_images(tmp_path, classes=1)
    broken = tmp_path / "class-0" / "3.jpg"
    broken.write_bytes(broken.read_bytes()[:200])
    dataset = build_source({"kind": "image_folder", "path": str(tmp_path)}, "").dataset

    with pytest.raises(OSError, match=f"cannot decode {broken}"):
        [dataset[index] for index in range(len(dataset))]


@pytest.mark.parametrize(("module", "package"), [("PIL.Image", "pillow"), ("numpy", "numpy")])
def test_a_missing_package_is_named_with_its_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(ProbeFailure, match=f"pip install {package}$") as raised:
        build_source({"kind": "image_folder", "path": str(tmp_path)}, "")

    assert raised.value.reason == "environment_error"


# (200, 100, 50) as ImageNet's mean and deviation normalise it, by hand: (200 / 255 - 0.485) / 0.229 and so on.
NORMALISED = torch.tensor([1.307047, -0.285014, -0.932985]).view(3, 1, 1)
DEVIATION = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)
MEAN = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)


# JPEG stores brightness and two differences of colour as whole numbers, from which a colour comes back within 2.
@pytest.mark.parametrize(("suffix", "tolerance"), [("png", 1e-6), ("jpg", 2 / 255)])
def test_an_image_is_normalised_channel_by_channel(tmp_path: Path, suffix: str, tolerance: float) -> None:
    (tmp_path / "class").mkdir()
    Image.new("RGB", (64, 48), (200, 100, 50)).save(tmp_path / "class" / f"plain.{suffix}", quality=95)

    tensor, label = build_source({"kind": "image_folder", "path": str(tmp_path), "image_size": 24}, "").dataset[0]

    assert label == 0
    assert tensor.dtype == torch.float32
    assert tensor.shape == (3, 24, 24)
    assert ((tensor - NORMALISED) * DEVIATION).abs().max().item() <= tolerance


def test_images_are_cropped_at_random_and_half_of_them_mirrored(tmp_path: Path) -> None:
    """Red says how far to the right a pixel was and green how far down, so what is delivered says what was cut out."""
    width, height = 256, 192
    rows, columns = np.mgrid[0:height, 0:width].astype(np.uint8)
    (tmp_path / "class").mkdir()
    Image.fromarray(np.dstack([columns, rows, rows])).save(tmp_path / "class" / "gradient.png")
    dataset = build_source({"kind": "image_folder", "path": str(tmp_path), "image_size": 32}, "").dataset
    random.seed(7)
    mirrored = 0

    for _ in range(200):
        tensor, _ = dataset[0]
        red, green, _ = (tensor * DEVIATION + MEAN) * 255
        # Between pixels 8 and 24 of 32 lies half of the cut.
        across = 2 * (red[:, 24].mean() - red[:, 8].mean()).item()
        down = 2 * (green[24, :].mean() - green[8, :].mean()).item()
        mirrored += across < 0
        assert down > 0, "never upside down"
        # A pixel is a whole number, so a side is known to within two.
        area, ratio = abs(across) * down / (width * height), abs(across) / down
        assert 0.07 < area < 1.05
        assert 0.70 < ratio < 1.42

    assert 70 <= mirrored <= 130


def test_random_crops_have_the_share_and_the_ratio_of_torchvisions() -> None:
    """``RandomResizedCrop``: 8 to 100 % of the area, sides from 3:4 to 4:3. In a large image rounding takes little."""
    random.seed(7)
    boxes = [crop_box(4000, 3000) for _ in range(2000)]
    shares = sorted(w * h / 12e6 for _, _, w, h in boxes)
    ratios = sorted(w / h for _, _, w, h in boxes)

    assert 0.0799 < shares[0] < 0.09
    assert 0.9 < shares[-1] <= 1
    assert 0.749 < ratios[0] < 0.76
    assert 1.31 < ratios[-1] < 1.335
    assert any(left < 10 for left, _, _, _ in boxes)
    assert any(top < 10 for _, top, _, _ in boxes)
    assert any(left + w > 3990 for left, _, w, _ in boxes)
    assert any(top + h > 2990 for _, top, _, h in boxes)


def test_random_crops_stay_within_images_of_any_shape() -> None:
    for width, height in ((40, 30), (7, 300), (1, 1), (300, 7)):
        for _ in range(50):
            left, top, w, h = crop_box(width, height)
            assert 0 <= left <= left + w <= width
            assert 0 <= top <= top + h <= height
            assert w > 0
            assert h > 0


def test_array(start: Start, tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.arange(60, dtype=np.int16).reshape(20, 3))

    result = check(start, {"kind": "array", "path": str(tmp_path / "rows.npy")})["result"]

    assert result["length"] == 20
    assert result["sample"] == [{"path": "", "type": "tensor", "shape": [3], "dtype": "int16"}]
    assert result["batch_bytes"] == 4 * 3 * 2


def test_array_rows_are_copies(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.arange(4.0))
    dataset = build_source({"kind": "array", "path": str(tmp_path / "rows.npy")}, "").dataset

    dataset[2].fill_(7)

    assert dataset[2].item() == 2.0


def test_tar_shards(start: Start, tmp_path: Path) -> None:
    make_shard(tmp_path / "a.tar", range(5))
    make_shard(tmp_path / "b.tar", range(5, 9))

    result = check(start, {"kind": "tar_shards", "path": str(tmp_path), "image_size": 16})["result"]

    assert result["length"] is None
    assert result["batch_samples"] == 4
    shapes = {leaf["path"]: (leaf["type"], leaf["shape"]) for leaf in result["sample"]}
    assert shapes == {
        "__key__": ("str", None),
        "jpg": ("tensor", [3, 16, 16]),
        "seg.npy": ("tensor", [3]),
        "json": ("str", None),
        "cls": ("int", None),
        "txt": ("str", None),
    }


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_worker_has_its_own_part_of_the_shards(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, workers: int
) -> None:
    make_shard(tmp_path / "a.tar", range(7))
    make_shard(tmp_path / "b.tar", range(7, 14))
    dataset = TarShards([str(tmp_path / "a.tar"), str(tmp_path / "b.tar")], None)
    parts = []

    for number in range(workers):
        info = SimpleNamespace(id=number, num_workers=workers)
        monkeypatch.setattr(tar_shards, "get_worker_info", lambda info=info: info)
        parts.append([sample["cls"] for sample in dataset])

    assert all(parts)
    assert sorted(sample for part in parts for sample in part) == list(range(14))


def test_synthetic(start: Start) -> None:
    source = {"kind": "synthetic", "samples": 8, "shape": [2], "sample_milliseconds": 40}

    result = check(start, source, batch_size=2)["result"]

    assert result["sample"] == [{"path": "", "type": "tensor", "shape": [2], "dtype": "float32"}]
    assert result["sample_seconds"] >= 0.04


def test_synthetic_reads_and_burns(tmp_path: Path) -> None:
    source = {"kind": "synthetic", "samples": 100, "bytes_read": 3000, "cpu_milliseconds": 20}
    dataset = build_source(source, str(tmp_path)).dataset
    before = time.thread_time()

    dataset[99]

    assert time.thread_time() - before >= 0.02
    assert (tmp_path / "synthetic").stat().st_size == 300_000


@pytest.mark.parametrize(
    ("source", "reason", "words"),
    [
        ({"kind": "cassette"}, "invalid_config", "cassette"),
        ({"kind": "array"}, "invalid_config", "needs path"),
        ({"kind": "array", "path": "/nowhere.npy"}, "dataset_error", "/nowhere.npy is not a file"),
        ({"kind": "image_folder", "path": "/nowhere"}, "dataset_error", "/nowhere is not a folder"),
        ({"kind": "tar_shards", "path": "/nowhere"}, "dataset_error", "/nowhere is neither a folder nor a file"),
        ({"kind": "synthetic", "samples": "many"}, "invalid_config", "samples"),
        (python_source("wild:wrong_type"), "dataset_error", "returned int"),
        (python_source("wild:a_class"), "dataset_error", "the class Stream"),
        (python_source("wild:absent"), "import_error", "module wild has no absent"),
        (python_source("no_such_module:make"), "import_error", "No module named 'no_such_module'"),
        (python_source("wild"), "import_error", "package.module:function"),
    ],
)
def test_a_source_that_cannot_be_built_says_why(source: dict[str, Any], reason: str, words: str) -> None:
    with pytest.raises(ProbeFailure) as raised:
        build_source(source, "")

    assert raised.value.reason == reason
    assert words in raised.value.message


def test_only_tar_files_are_shards(tmp_path: Path) -> None:
    (tmp_path / "a.tar.gz").touch()

    with pytest.raises(ProbeFailure, match="0 shards"):
        build_source({"kind": "tar_shards", "path": str(tmp_path)}, "")
    with pytest.raises(ProbeFailure, match="neither a folder nor a file"):
        build_source({"kind": "tar_shards", "path": str(tmp_path / "*.tar.gz")}, "")


def test_a_synthetic_sample_is_one_number_unless_told_and_names_no_file_of_its_own(tmp_path: Path) -> None:
    source = {"kind": "synthetic", "samples": 1, "bytes_read": 1, "file": "/nowhere"}

    assert build_source(source, str(tmp_path)).dataset[0].shape == (1,)
    assert build_source({"kind": "synthetic", "samples": 1, "shape": []}, "").dataset[0].shape == ()


def test_a_list_is_a_dataset_as_it_is_for_torch() -> None:
    session = open_here(python_source("wild:lists_as_dataset", samples=3))

    assert check_here(session, 3)["length"] == 3
    with pytest.raises(ProbeFailure) as raised:
        check_here(session, 4)
    assert raised.value.reason == "dataset_error"
    assert raised.value.details == {"length": 3, "batch_size": 4}


@pytest.mark.parametrize("length", [0, 3])
def test_an_iterable_too_short_for_a_batch_is_told_with_both_numbers(tmp_path: Path, length: int) -> None:
    samples = tmp_path / "samples"
    samples.write_text(str(length), encoding="utf-8")
    session = open_here(python_source("wild:stream", samples=str(samples), notes=str(tmp_path)))

    with pytest.raises(ProbeFailure) as raised:
        check_here(session, 4)

    assert raised.value.reason == "dataset_error"
    assert raised.value.details == {"length": length, "batch_size": 4}


def test_batches_are_counted_not_inferred() -> None:
    result = check_here(open_here(python_source("wild:endless_batches")), 4)

    assert result["sample"] == []
    assert result["sample_bytes"] is None
    assert result["batch_samples"] == 5
