"""Datasets that deliver wrong data, cannot be read, or come with a loader of the user's own."""

from __future__ import annotations

import functools
import io
import itertools
import os
import random
import time
from pathlib import Path

import numpy
import torch
from torch.utils.data import BatchSampler, DataLoader, Dataset, IterableDataset, SequentialSampler, get_worker_info

ROW_BYTES = 8


class Rows(Dataset):
    """Rows of a file that is opened here and not where it is read: forked workers share its position."""

    def __init__(self, path, samples, milliseconds):
        self.seconds = milliseconds / 1000
        self.samples = samples
        Path(path).write_bytes(b"".join(number.to_bytes(ROW_BYTES, "little") for number in range(samples)))
        self.file = open(path, "rb", buffering=0)  # noqa: SIM115 - the fault

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        self.file.seek(index * ROW_BYTES)
        time.sleep(self.seconds)
        return torch.tensor(int.from_bytes(self.file.read(ROW_BYTES), "little"))


def shared_handle(path, samples=512, milliseconds=2):
    return Rows(path, samples, milliseconds)


class Stream(IterableDataset):
    """Numbers, each worker its share of them or, where it does not shard, all of them."""

    def __init__(self, samples, shards=True, claims=None, milliseconds=1, shuffled=False, endless=False):
        self.samples = samples
        self.shards = shards
        self.claims = claims
        self.seconds = milliseconds / 1000
        self.shuffled = shuffled
        self.endless = endless

    def __len__(self):
        if self.claims is None:
            raise TypeError("no length")
        return self.claims

    def __iter__(self):
        info = get_worker_info()
        first, step = (info.id, info.num_workers) if info is not None and self.shards else (0, 1)
        numbers = itertools.count(first, step) if self.endless else list(range(first, self.samples, step))
        if self.shuffled:
            random.shuffle(numbers)
        for number in numbers:
            time.sleep(self.seconds)
            yield torch.tensor(number)


def stream(samples=200, **kind):
    return Stream(samples, **kind)


class Cut(Stream):
    """Loses the rest of its samples, without a word, in every process but the one that made it."""

    def __init__(self, samples):
        super().__init__(samples)
        self.made_by = os.getpid()

    def __iter__(self):
        whole = super().__iter__()
        return whole if os.getpid() == self.made_by else itertools.islice(whole, self.samples // 4)


def cut_short(samples=200):
    return Cut(samples)


class Stops(Dataset):
    """Says in a worker that the epoch is over when it is not."""

    def __init__(self, samples):
        self.samples = samples

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        time.sleep(0.001)
        if get_worker_info() is not None and index % 7 == 3:
            raise StopIteration
        return torch.tensor(index)


def stops_in_workers(samples=128):
    return Stops(samples)


class Ends(Stops):
    """Leaves the process with status 0 at one sample."""

    def __getitem__(self, index):
        time.sleep(0.001)
        if get_worker_info() is not None and index == 11:
            os._exit(0)
        return torch.tensor(index)


def exits_with_status_zero(samples=32):
    return Ends(samples)


SCALE = 1.0


class Scaled(Dataset):
    """Reads a global that the factory sets: a started worker imports the module anew and does not have it."""

    def __len__(self):
        return 128

    def __getitem__(self, index):
        time.sleep(0.001)
        return torch.tensor(index * SCALE)


def scaled_by_a_global():
    global SCALE
    SCALE = 2.0
    return Scaled()


class Reused(Dataset):
    """Hands out one buffer again and again: what is not copied into a batch changes while it waits to be sent."""

    def __init__(self):
        self.buffer = torch.zeros(4)

    def __len__(self):
        return 256

    def __getitem__(self, index):
        self.buffer.fill_(index)
        return self.buffer


def reused_buffer():
    return DataLoader(Reused(), batch_size=None, num_workers=1)


class Augmented(Dataset):
    """Noise from every generator there is, and a label that stays. ``own`` is seeded by the worker's seed.

    Its names are in an order that is another in each process unless random numbers and hashes of strings are seeded.
    """

    def __init__(self, rare):
        self.rare = rare
        self.own = random.Random(5)
        self.names = list({f"name {number}" for number in range(256)})
        random.shuffle(self.names)
        self.order = numpy.random.permutation(256)

    def __len__(self):
        return 256

    def __getitem__(self, index):
        info = get_worker_info()
        of_worker = random.Random((info.seed if info else 0) + index).random()
        flip = self.own.random() < self.rare
        time.sleep(0.001)
        noise = torch.rand(3) + random.random()
        return {
            "image": -noise if flip else noise,
            "worker": torch.tensor(of_worker),
            "label": index % 10,
            "name": self.names[self.order[index]],
        }


def augmented(rare=0.5):
    return Augmented(rare)


class Duplicated(Dataset):
    """The same few samples many times over."""

    def __len__(self):
        return 256

    def __getitem__(self, index):
        time.sleep(0.001)
        return torch.tensor(index % 3)


def duplicates():
    return Duplicated()


def scalars():
    """Samples without a dimension, delivered one by one."""
    return DataLoader(Duplicated(), batch_size=None)


class DuplicatedStream(Stream):
    """Every number twice in a row, dealt out to the workers one by one: each gets a copy of every number."""

    def __iter__(self):
        info = get_worker_info()
        number, workers = (info.id, info.num_workers) if info is not None else (0, 1)
        twice = (torch.tensor(value // 2) for value in range(2 * self.samples))
        return itertools.islice(twice, number, None, workers)


def duplicate_stream(samples=100):
    return DuplicatedStream(samples)


class AugmentedStream(Stream):
    """A stream of random images, each with the key that it has in any pass."""

    def __iter__(self):
        for number in super().__iter__():
            yield {"image": torch.rand(3), "key": f"sample-{int(number)}"}


class KeptAugmentation(Dataset):
    """Augments each sample once, with a generator of its own, and keeps what came of it."""

    def __init__(self):
        self.generator = torch.Generator().manual_seed(5)
        self.kept = {}

    def __len__(self):
        return 512

    def __getitem__(self, index):
        time.sleep(0.001)
        if index not in self.kept:
            self.kept[index] = index + torch.rand(3, generator=self.generator)
        return {"image": self.kept[index], "index": index}


def kept_augmentation():
    return KeptAugmentation()


def augmented_stream(samples=200, shards=True):
    return AugmentedStream(samples, shards)


class SeededStream(Stream):
    """Noise from generators that every pass makes anew: one with the same seed anywhere, one with the worker's."""

    def __iter__(self):
        info = get_worker_info()
        common = random.Random(5)
        by_worker = random.Random(5 + (0 if info is None else info.id))
        for number in super().__iter__():
            yield {"common": number + common.random(), "by_worker": number + by_worker.random()}


def seeded_stream(samples=200):
    return SeededStream(samples)


class SelfBatched(Stream):
    """Batches of its own, padded to the longest: the same sample looks different in another batch."""

    def __iter__(self):
        numbers = [int(number) for number in super().__iter__()]
        for begin in range(0, len(numbers), 4):
            rows = [torch.ones(number % 5 + 1) * number for number in numbers[begin : begin + 4]]
            yield torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)


def self_batched(samples=200, shards=True):
    return DataLoader(SelfBatched(samples, shards), batch_size=None)


def batches_of_a_stream(shards=True):
    """A function from loader config to batches, as a library of its own would have it."""
    return lambda config: DataLoader(
        Stream(400, shards), batch_size=config["batch_size"], num_workers=config["num_workers"]
    )


class Uneven(Dataset):
    """Sample 11 is not like the others, in the way that is asked for, anywhere or in workers only."""

    def __init__(self, what, samples, in_workers_only):
        self.what = what
        self.samples = samples
        self.in_workers_only = in_workers_only

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        time.sleep(0.001)
        if index != 11 or (self.in_workers_only and get_worker_info() is None):
            return {"image": torch.zeros(3, 4), "label": index}
        if self.what == "shape":
            return {"image": torch.zeros(3, 5), "label": index}
        if self.what == "two_arguments":
            raise OddError("sample", index)
        if self.what == "truncated":
            return {"image": truncated_image(), "label": index}
        return None


class OddError(Exception):
    def __init__(self, what, number):
        super().__init__(f"{what} {number} cannot be used")


def truncated_image():
    import numpy
    from PIL import Image

    whole = io.BytesIO()
    Image.new("RGB", (64, 64)).save(whole, "jpeg")
    return torch.from_numpy(numpy.array(Image.open(io.BytesIO(whole.getvalue()[:400])).convert("RGB")))


def uneven(what, samples=64, in_workers_only=False):
    return Uneven(what, samples, in_workers_only)


class Numbers(Dataset):
    def __init__(self, samples=64):
        self.samples = samples
        self.offset = 0

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        time.sleep(0.001)
        return torch.tensor([index + self.offset])


class Thirds(BatchSampler):
    """Batches of three, and a pass that ends."""

    def __init__(self, samples):
        super().__init__(SequentialSampler(range(samples)), 3, drop_last=True)


def own_batch_sampler(samples=30):
    return DataLoader(Numbers(samples), batch_sampler=Thirds(samples))


class Sized(Dataset):
    """A sample is asked for by its number and its size, as a tuple; its content is random."""

    def __len__(self):
        return 16

    def __getitem__(self, index):
        number, size = index if isinstance(index, tuple) else (None, None)
        return torch.full((size,), float(number)) + torch.rand(size)


class Buckets(torch.utils.data.Sampler):
    """Batches of samples of one size."""

    def __iter__(self):
        for size in (3, 5):
            for number in (2, 6):
                yield [(number, size), (number + 1, size)]

    def __len__(self):
        return 4


def by_size():
    return DataLoader(Sized(), batch_sampler=Buckets())


class Odd(torch.utils.data.Sampler):
    """Odd numbers only; notes every pass with its epoch."""

    def __init__(self, samples, notes=None):
        self.samples = samples
        self.notes = notes
        self.epoch = None

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return self.samples // 2

    def __iter__(self):
        if self.notes is not None:
            with Path(self.notes).open("a") as file:
                file.write(f"{self.epoch}\n")
        return iter(range(1, self.samples, 2))


def doubling(batch):
    return 2 * torch.stack(batch)


def offset_by_worker(worker_id, notes):
    info = get_worker_info()
    assert isinstance(info.dataset, Numbers), type(info.dataset)
    Path(notes, f"worker-{worker_id}").touch()


def own_loader(notes, samples=64):
    """Sampler, collate_fn, worker_init_fn and timeout of the user's own."""
    return DataLoader(
        Numbers(samples),
        batch_size=16,
        sampler=Odd(samples, str(Path(notes, "passes"))),
        collate_fn=doubling,
        worker_init_fn=functools.partial(offset_by_worker, notes=notes),
        num_workers=1,
        timeout=30,
    )


def bulk(samples=64):
    """A sampler that yields whole batches, which the dataset reads at once."""

    class Bulk(Numbers):
        def __getitem__(self, indices):
            return torch.tensor(indices)

    return DataLoader(
        Bulk(samples), batch_size=None, sampler=BatchSampler(SequentialSampler(range(samples)), 8, drop_last=True)
    )


class SetInWorkers(Dataset):
    """Sums whose last bits depend on the number of threads, and the worker's number."""

    def __len__(self):
        return 64

    def __getitem__(self, index):
        info = get_worker_info()
        noise = torch.rand(100_000, generator=torch.Generator().manual_seed(index))
        return {"sum": noise.sum(), "worker": -1 if info is None else info.id, "label": index}


def four_threads(worker_id):
    torch.set_num_threads(4)


def set_in_workers():
    return DataLoader(SetInWorkers(), num_workers=1, worker_init_fn=four_threads)


def by_lambda(samples=64):
    return DataLoader(Numbers(samples), collate_fn=lambda batch: torch.stack(batch))


class Steps:
    def __init__(self, steps):
        self.steps = steps


class WithTransform(Numbers):
    def __init__(self):
        super().__init__()
        self.transform = Steps([abs, lambda value: value])


def lambda_inside():
    return WithTransform()


def lambda_worker_init():
    return DataLoader(Numbers(), worker_init_fn=lambda worker_id: None, num_workers=1)


class Renewing(DataLoader):
    def __iter__(self):
        yield from super().__iter__()


def loader_with_an_iter_of_its_own():
    return Renewing(Numbers())


class ManyParts(Numbers):
    def __getitem__(self, index):
        return {f"part {number}": index for number in range(1000)}


def many_parts():
    return ManyParts(1024)


def few(samples):
    return Numbers(samples)


def patient():
    return DataLoader(Numbers(), num_workers=1, timeout=60)
