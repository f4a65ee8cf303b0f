# SPDX-License-Identifier: MIT
"""The virtual GPU's own log of completed packets (VGPU_COMPLETIONS), see docs/reference/vgpu.md."""

import struct
import sys
from collections import namedtuple

HEADER = struct.Struct("<8sQQQ32x")
ENTRY = struct.Struct("<QIHHQQQQQ8x")
VENDOR_SPECIFIC, KERNEL_DISPATCH, BARRIER_AND, BARRIER_OR = 0, 2, 3, 5

Completion = namedtuple("Completion", "number queue gpu type packet start end signal completed_ns")


NEVER = sys.maxsize


class CompletionLog:
    def __init__(self, path):
        """Without entries when the process was killed before it created the file."""
        data = path.read_bytes() if path.exists() else b""
        data = data.ljust(HEADER.size, b"\0")
        magic, self.capacity, self.count, self.clock_hz = HEADER.unpack_from(data)
        if magic not in (b"vgpudone", bytes(8)):
            raise ValueError(f"{path} is no log of completions")
        self.cut = self.count > self.capacity
        stored = data[HEADER.size:HEADER.size + min(self.count, self.capacity) * ENTRY.size]
        entries = (Completion._make(fields) for fields in ENTRY.iter_unpack(stored))
        # A process killed while it wrote an entry leaves it without its number, or without the time at which the signal
        # was decremented: then it is unknown whether it was.
        self.entries = [entry if entry.completed_ns else entry._replace(completed_ns=NEVER)
                        for index, entry in enumerate(entries, 1) if entry.number == index]

    def kernels(self):
        """The dispatches of each queue, in the order in which they were completed."""
        queues = {}
        for entry in self.entries:
            if entry.type == KERNEL_DISPATCH:
                queues.setdefault(entry.queue, []).append(entry)
        return queues

    def tick_ns(self):
        return 1_000_000_000 / self.clock_hz


def count_of(path):
    """The number of packets completed so far; 0 when there is no log yet."""
    try:
        with path.open("rb") as file:
            head = file.read(HEADER.size)
    except FileNotFoundError:
        return 0
    return HEADER.unpack(head)[2] if len(head) == HEADER.size else 0
