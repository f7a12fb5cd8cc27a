"""Digests of what a loader delivers, so that two deliveries can be compared without keeping either."""

from __future__ import annotations

import ctypes
import hashlib
from typing import Any

import torch

from loader_probe.batches import children

_PLAIN = (str, bytes, int, float, complex, bool, type(None))
_DIGEST_BYTES = 8


def leaves(batch: Any, samples: int, path: str = "") -> dict[str, dict[str, Any]]:
    """Every leaf of a batch by its path: its ``form`` and its ``digests``.

    There is one digest for each of ``samples`` samples where the leaf's first dimension is as long, else one for the
    whole leaf, and none for an object whose content cannot be had.
    """
    parts = None if _is_plain_list(batch) else children(batch)
    if parts is not None:
        found: dict[str, dict[str, Any]] = {}
        for key, item in parts:
            found.update(leaves(item, samples, f"{path}.{key}" if path else str(key)))
        return found
    return {path: _leaf(batch, samples)}


def count_digests(leaves: dict[str, dict[str, Any]]) -> int:
    """Digests of a batch; a leaf without any counts as one."""
    return sum(max(1, len(leaf["digests"])) for leaf in leaves.values())


def folded(leaves: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The same batch as one leaf with one digest."""
    return {"": {"form": f"batch of {len(leaves)} leaves", "digests": [_hash(repr(leaves).encode())]}}


def digest(sample: Any) -> str:
    """One digest of all of a sample whose content can be had."""
    return _hash(repr(leaves(sample, 1)).encode())


def _is_plain_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, _PLAIN) for item in value)


def _leaf(value: Any, samples: int) -> dict[str, Any]:
    if isinstance(value, torch.Tensor):
        return _tensor(value, samples)
    if isinstance(value, (list, tuple)):
        # Pinning makes lists of tuples: which of the two it is says nothing about what was read.
        items = list(value)
        rows = items if len(items) == samples else [items]
        return {"form": f"sequence of {len(items)}", "digests": [_hash(repr(row).encode()) for row in rows]}
    if isinstance(value, _PLAIN):
        return {"form": type(value).__name__, "digests": [_hash(repr(value).encode("utf-8", "replace"))]}
    shape, dtype, to_bytes = (getattr(value, name, None) for name in ("shape", "dtype", "tobytes"))
    form = type(value).__name__ if shape is None else f"{dtype} {list(shape)}"
    # An array of objects has their addresses in its bytes.
    has_content = callable(to_bytes) and not getattr(dtype, "hasobject", False)
    return {"form": form, "digests": [_hash(to_bytes())] if has_content else []}


def _tensor(value: torch.Tensor, samples: int) -> dict[str, Any]:
    form = f"{str(value.dtype).replace('torch.', '')} {list(value.shape)}"
    try:
        dense = value.detach().cpu().contiguous()
        size = dense.numel() * dense.element_size()
        content = (ctypes.c_char * size).from_address(dense.data_ptr()) if size else b""
    except (RuntimeError, NotImplementedError):
        # Sparse, quantised and nested tensors have no plain memory to look at.
        return {"form": form, "digests": []}
    rows = samples if samples and dense.dim() and dense.shape[0] == samples else 1
    row = size // rows
    view = memoryview(content).cast("B")
    return {"form": form, "digests": [_hash(view[n * row : (n + 1) * row]) for n in range(rows)]}


def _hash(content: Any) -> str:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()
