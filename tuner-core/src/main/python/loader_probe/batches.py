"""Looking into samples and batches of any shape: tensors in dicts, lists, tuples, and objects that move themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch

from loader_probe.failures import ProbeFailure

_SCALARS = (str, bytes, int, float, bool, type(None))


def move(value: Any, device: torch.device, non_blocking: bool) -> Any:
    """The same structure with every tensor on the device."""
    if isinstance(value, torch.Tensor):
        return value.to(device, non_blocking=non_blocking)
    if isinstance(value, dict):
        return {key: move(item, device, non_blocking) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(move(item, device, non_blocking) for item in value))
    if isinstance(value, (list, tuple)):
        if value and isinstance(value[0], _SCALARS):
            return value
        moved = [move(item, device, non_blocking) for item in value]
        return moved if isinstance(value, list) else tuple(moved)
    to = getattr(value, "to", None)
    return to(device) if callable(to) else value


def count_samples(batch: Any, index: int = 0, otherwise: int | None = None) -> int:
    """Samples in a delivered batch: the first tensor's first dimension, else the length of the first list.

    Where it has neither they are ``otherwise`` as many; ``dataset_error`` without that, and for a batch that has no
    sample. The index of the batch is for the error.
    """
    count: int | None
    if isinstance(batch, torch.Tensor) and batch.dim():
        count = batch.shape[0]
    else:
        count = _first_dimension(batch)
        if count is None:
            count = _first_length(batch)
    if count is None:
        count = otherwise
    if count is None:
        raise ProbeFailure(
            "dataset_error",
            f"the samples of a batch of type {_type_name(batch)} cannot be counted: it holds no tensor and no list",
        )
    if count == 0:
        raise ProbeFailure(
            "dataset_error", f"a batch without samples came: batch {index}, counted from 0", {"batch": index}
        )
    return count


def _first_dimension(value: Any) -> int | None:
    if isinstance(value, _SCALARS):
        return None
    shape = getattr(value, "shape", None)
    if shape is not None and not callable(shape):
        return int(shape[0]) if len(shape) else None
    if isinstance(value, Mapping):
        items: Iterator[Any] = iter(value.values())
    elif isinstance(value, (list, tuple)):
        items = iter(value)
    else:
        return None
    for item in items:
        count = _first_dimension(item)
        if count is not None:
            return count
    return None


def _first_length(value: Any) -> int | None:
    if isinstance(value, Mapping):
        return next((count for count in map(_first_length, value.values()) if count is not None), None)
    if isinstance(value, (list, tuple)):
        inner = _first_length(value[0]) if value and isinstance(value[0], (list, tuple, Mapping)) else None
        return len(value) if inner is None else inner
    if isinstance(value, _SCALARS):
        return None
    try:
        return len(value)
    except TypeError:
        # Arrays without a dimension have the method and no length.
        return None


def describe(value: Any, path: str = "") -> list[dict[str, Any]]:
    """Every leaf of a sample: where it is, its type and, for arrays, shape and dtype."""
    parts = children(value)
    if parts is not None:
        return [leaf for key, item in parts for leaf in describe(item, f"{path}.{key}" if path else str(key))]
    shape = getattr(value, "shape", None)
    dtype = getattr(value, "dtype", None)
    is_array = isinstance(shape, (tuple, list)) and dtype is not None
    return [
        {
            "path": path,
            "type": "tensor" if isinstance(value, torch.Tensor) else _type_name(value),
            "shape": [int(size) for size in shape] if is_array else None,
            "dtype": str(dtype).replace("torch.", "") if is_array else None,
        }
    ]


def count_bytes(value: Any) -> int:
    """Bytes of data in a sample or a batch; plain numbers count as the eight bytes that they collate to."""
    if isinstance(value, torch.Tensor):
        return value.numel() * value.element_size()
    parts = children(value)
    if parts is not None:
        return sum(count_bytes(item) for _, item in parts)
    nbytes = getattr(value, "nbytes", None)
    if isinstance(nbytes, int):
        return nbytes
    if isinstance(value, (str, bytes)):
        return len(value)
    return 8 if isinstance(value, (int, float)) else 0


def holds_gpu_tensor(value: Any) -> bool:
    """Whether any tensor of a sample or a batch lies on a GPU."""
    if isinstance(value, torch.Tensor):
        return value.is_cuda
    return any(holds_gpu_tensor(item) for _, item in children(value) or [])


def children(value: Any) -> list[tuple[Any, Any]] | None:
    """The parts of a container with their names; None for a leaf."""
    if isinstance(value, Mapping):
        return list(value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return list(zip(value._fields, value))
    if isinstance(value, (list, tuple)):
        return list(enumerate(value))
    return None


def _type_name(value: Any) -> str:
    return type(value).__name__
