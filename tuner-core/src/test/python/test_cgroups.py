"""What limits and kills cgroups tell, from files as they are on machines of both versions."""

from __future__ import annotations

from pathlib import Path

import pytest
from loader_probe.cgroups import ProcessLimit, memory_use, oom_kills, process_limit

VERSION_1 = {
    "proc/self/cgroup": "12:pids:/jobs/7\n9:cpu,cpuacct:/jobs/7\n4:memory:/jobs/7\n0::/\n",
    "sys/fs/cgroup/memory/jobs/7/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
    "sys/fs/cgroup/memory/jobs/7/memory.usage_in_bytes": "900\n",
    "sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes": "1000\n",
    "sys/fs/cgroup/memory/jobs/7/memory.stat": "inactive_file 5\ntotal_inactive_file 100\n",
    "sys/fs/cgroup/memory/memory.usage_in_bytes": "5000\n",
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
    "sys/fs/cgroup/pids/jobs/7/pids.max": "max\n",
    "sys/fs/cgroup/pids/jobs/7/pids.current": "20\n",
    "sys/fs/cgroup/pids/jobs/pids.max": "64\n",
    "sys/fs/cgroup/pids/jobs/pids.current": "63\n",
}
VERSION_2 = {
    "proc/self/cgroup": "0::/user.slice/job.scope\n",
    "sys/fs/cgroup/user.slice/job.scope/memory.events": "low 0\nhigh 0\nmax 12\noom 4\noom_kill 2\noom_group_kill 0\n",
    "sys/fs/cgroup/user.slice/job.scope/memory.current": "700\n",
    "sys/fs/cgroup/user.slice/job.scope/memory.max": "max\n",
    "sys/fs/cgroup/user.slice/memory.current": "950\n",
    "sys/fs/cgroup/user.slice/memory.max": "1000\n",
    "sys/fs/cgroup/user.slice/memory.stat": "anon 1\ninactive_file 50\n",
    "sys/fs/cgroup/user.slice/job.scope/pids.max": "32\n",
    "sys/fs/cgroup/user.slice/job.scope/pids.current": "32\n",
    "sys/fs/cgroup/user.slice/pids.max": "100\n",
    "sys/fs/cgroup/user.slice/pids.current": "40\n",
}
# A container that has a namespace of its own sees its group as the root.
CONTAINER = {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.events": "oom 1\noom_kill 1\n"}
# Seen from a namespace that the group is not in.
OUTSIDE = {"proc/self/cgroup": "0::/../../job\n", "sys/fs/cgroup/memory.events": "oom_kill 7\n"}
OLD_KERNEL = {
    "proc/self/cgroup": "4:memory:/\n",
    "sys/fs/cgroup/memory/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\n",
}


def recorded(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="ascii")
    return str(folder)


@pytest.mark.parametrize(
    ("files", "count"), [(VERSION_1, 3), (VERSION_2, 2), (CONTAINER, 1), (OUTSIDE, 7), (OLD_KERNEL, None), ({}, None)]
)
def test_kills_for_want_of_memory_are_counted(tmp_path: Path, files: dict[str, str], count: int | None) -> None:
    assert oom_kills(recorded(tmp_path, files)) == count


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        (VERSION_1, ProcessLimit("pids.max in /sys/fs/cgroup/pids/jobs", 64, 63)),
        (VERSION_2, ProcessLimit("pids.max in /sys/fs/cgroup/user.slice/job.scope", 32, 32)),
        (CONTAINER, None),
    ],
)
def test_the_limit_on_processes_that_leaves_least_room_counts(
    tmp_path: Path, files: dict[str, str], limit: ProcessLimit | None
) -> None:
    assert process_limit(recorded(tmp_path, files)) == limit


@pytest.mark.parametrize(("files", "use"), [(VERSION_1, (800, 1000)), (VERSION_2, (900, 1000)), (CONTAINER, None)])
def test_memory_in_use_leaves_out_what_the_kernel_can_drop(
    tmp_path: Path, files: dict[str, str], use: tuple[int, int] | None
) -> None:
    assert memory_use(recorded(tmp_path, files)) == use
