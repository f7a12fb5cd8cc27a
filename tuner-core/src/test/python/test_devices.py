"""What is told of a GPU's driver."""

import pytest
from loader_probe.devices import driver_version

OPEN = (
    "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.133.20  Release Build  (dvs-builder@U22)\n"
    "GCC version:  gcc version 12.3.0 (Ubuntu 12.3.0-1ubuntu1~22.04)\n"
)
CLOSED = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\n"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (OPEN, "570.133.20"),
        (CLOSED, "535.104.05"),
        ("GCC version: 12.3.0\n", None),
        ("NVRM version: unknown\n", None),
        ("", None),
    ],
)
def test_the_driver_is_told_by_the_kernel_modules_line(text, version):
    assert driver_version(text) == version
