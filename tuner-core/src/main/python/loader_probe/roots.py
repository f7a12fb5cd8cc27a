"""The folders that the operator lets code and data come from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Roots:
    """Folders below which files may lie, links resolved; ``folders`` is None where every file may be used."""

    folders: tuple[str, ...] | None = None

    @classmethod
    def of(cls, folders: Iterable[str] | None) -> Roots:
        """The roots of a request's list."""
        return cls(None if folders is None else tuple(os.path.realpath(folder) for folder in folders))

    @property
    def restricted(self) -> bool:
        return self.folders is not None

    def hold(self, path: str) -> bool:
        """Whether the file, or what a link leads to, lies under one of the roots."""
        if self.folders is None:
            return True
        real = os.path.realpath(path)
        return any(real == folder or real.startswith(os.path.join(folder, "")) for folder in self.folders)

    def __str__(self) -> str:
        return ", ".join(self.folders or ()) or "none"


@dataclass(frozen=True)
class Limits:
    """What an ``open`` request allows."""

    code: Roots
    data: Roots


NO_LIMITS = Limits(Roots(), Roots())
