"""Datasets that hang, die, run into limits and leave things behind, most of them in workers only."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import resource
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import resource_tracker, shared_memory, util
from pathlib import Path

import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Samples(Dataset):
    """Two hundred small samples; in workers, something befalls some of them."""

    seconds = 0.001

    def __len__(self):
        return 200

    def __getitem__(self, index):
        time.sleep(self.seconds)
        if get_worker_info() is not None:
            self.befall(index)
        return torch.tensor([index])

    def befall(self, index):
        pass


class HeldLock(Samples):
    """A thread of the process that forks holds the lock at that moment; nobody releases it in the child."""

    def __init__(self):
        self.lock = threading.Lock()
        os.register_at_fork(before=self.hold)

    def hold(self):
        taken = threading.Event()

        def briefly():
            with self.lock:
                taken.set()
                time.sleep(0.3)

        threading.Thread(target=briefly, daemon=True).start()
        taken.wait()

    def __getitem__(self, index):
        with self.lock:
            return torch.tensor([index])


class DeadPool(Samples):
    """Reads through a thread, which is no more after a fork."""

    def __init__(self):
        self.pool = ThreadPoolExecutor(max_workers=1)
        self.read(0)

    def read(self, index):
        return self.pool.submit(torch.tensor, [index]).result()

    def __getitem__(self, index):
        return self.read(index)


class Crashing(Samples):
    """Sample 9 crashes as a native library does."""

    def befall(self, index):
        if index == 9:
            ctypes.string_at(0)


class Killed(Samples):
    """Sample 9 is the end, as where the kernel runs out of memory."""

    def befall(self, index):
        if index == 9:
            os.kill(os.getpid(), signal.SIGKILL)


class Greedy(Samples):
    """Sample 9 takes memory until there is no more."""

    def __init__(self, everywhere=False):
        self.everywhere = everywhere

    def __getitem__(self, index):
        if index == 9 and (self.everywhere or get_worker_info() is not None):
            self.taken = [torch.ones(1 << 20) for _ in range(4096)]
        return torch.tensor([index])


class Endless(Samples):
    """Sample 9 waits for an hour."""

    def befall(self, index):
        if index == 9:
            time.sleep(3600)


class Crawling(Samples):
    """Its batches come, but too slowly for a round."""

    def befall(self, index):
        time.sleep(0.5)


class WithProcess(Samples):
    """Starts a process for sample 9, in workers and without them."""

    def __getitem__(self, index):
        if index == 9:
            process = multiprocessing.Process(target=print)
            process.start()
            process.join()
        return torch.tensor([index])


class ManyTensors(Samples):
    """Samples of 120 small tensors: a batch that a worker hands over takes as many descriptors."""

    def __getitem__(self, index):
        return [torch.tensor([index]) for _ in range(120)]


class Large(Samples):
    """Samples of 2 MiB."""

    def __getitem__(self, index):
        return torch.zeros(512 * 1024)


class Complaining(Samples):
    """Prints what looks like a failure."""

    def __getitem__(self, index):
        if index % 50 == 0:
            print(f"ERROR: RuntimeError: error in sample {index}, Traceback (most recent call last)")
        return torch.tensor([index])


class OutOfRoomError(MemoryError):
    """A memory error by type alone."""

    def __init__(self, what, where):
        super().__init__(what, where)


class Roomless(Samples):
    """Fails for want of memory, and says so in ``way`` without the word."""

    def __init__(self, way):
        self.way = way

    def befall(self, index):
        if index != 9:
            return
        if self.way == "type":
            raise OutOfRoomError("decoder", index)
        try:
            raise MemoryError
        except MemoryError as error:
            raise RuntimeError("the decoder returned -1") from error


class Cramped(Samples):
    """Takes what room there is and fails with an error of a library's own, in the process that reads."""

    def __init__(self):
        self.taken = []

    def __getitem__(self, index):
        if index == 9:
            used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.RLIM_INFINITY))
            try:
                while True:
                    self.taken.append(bytearray(1 << 20))
            except MemoryError:
                pass
            raise RuntimeError("the decoder returned -1")
        return torch.tensor([index])


class StartsAProcess(Samples):
    """The first sample read starts a process that stays, and notes it."""

    def __init__(self, note):
        self.note = Path(note)

    def __getitem__(self, index):
        if not self.note.exists():
            self.note.write_text(str(subprocess.Popen(["sleep", "3600"]).pid), encoding="ascii")
        return super().__getitem__(index)


class HangsAtTheEnd(Samples):
    """Its workers do not end when they are told to. Without workers its samples come much sooner."""

    seconds = 0

    def befall(self, index):
        if not hasattr(self, "hung"):
            self.hung = util.Finalize(None, time.sleep, args=(3600,), exitpriority=1000)


class LeavesThings(Samples):
    """Every worker leaves a process in a session of its own, two segments and a semaphore, and notes them."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.standing = subprocess.Popen(["sleep", "3600"])
        (self.folder / "standing").write_text(str(self.standing.pid), encoding="ascii")
        self.left = False

    def befall(self, index):
        if self.left:
            return
        self.left = True
        process = subprocess.Popen(["sleep", "3600"], start_new_session=True)
        segment = shared_memory.SharedMemory(create=True, size=4096)
        resource_tracker.unregister(segment._name, "shared_memory")
        semaphore = multiprocessing.get_context("spawn").Semaphore()
        resource_tracker.unregister(semaphore._semlock.name, "semaphore")
        of_torch = f"torch_{os.getpid()}_1_2"
        Path("/dev/shm", of_torch).touch(mode=0o600)
        things = [str(process.pid), segment.name, f"sem.{semaphore._semlock.name[1:]}", of_torch]
        (self.folder / f"worker-{os.getpid()}").write_text("\n".join(things), encoding="ascii")
        segment.close()
        # What would remove it as the worker ends in an orderly way.
        for finalizer in [f for f in util._finalizer_registry.values() if f._callback.__name__ == "_cleanup"]:
            finalizer.cancel()


KINDS = {
    kind.__name__: kind
    for kind in (
        Samples,
        HeldLock,
        DeadPool,
        Crashing,
        Killed,
        Greedy,
        Endless,
        Crawling,
        WithProcess,
        ManyTensors,
        Large,
        Complaining,
        Roomless,
        Cramped,
        StartsAProcess,
        HangsAtTheEnd,
        LeavesThings,
    )
}


def samples(kind, **arguments):
    return KINDS[kind](**arguments)


def stubborn():
    """A dataset beside a DataLoader that was patched to prefetch as it likes."""
    build = DataLoader.__init__

    def patched(self, *positional, **named):
        if named.get("num_workers"):
            named["prefetch_factor"] = 7
        build(self, *positional, **named)

    DataLoader.__init__ = patched
    return Samples()
