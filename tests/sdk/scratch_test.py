#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scratch memory of kernels, as a tool on librocprofiler-sdk.so.1 gets it.

    RTL_BUILD=build/release scratch_test.py [--runtime NAME]
"""

import collections
import re

from sdk_support import RUNTIME, ToolTest, main, tool

END = r"thread (\d+) SCRATCH_MEMORY_(\w+) agent (\w+) queue (\d+) flags (\d) bytes (\d+)"
SCRATCH = re.compile(rf"scratch (\d+) packet (\d+) of \2 {END}")
RECORD = re.compile(rf"record (\d+) from (\d+) to (\d+) {END}")
KERNEL = re.compile(r"kernel (\d+) number (\d+) agent (\w+) queue (\d+) private (\d+) from (\d+) to (\d+)")
Scratch = collections.namedtuple("Scratch", "id thread operation agent queue flags bytes start end")
Kernel = collections.namedtuple("Kernel", "id number agent queue private start end")
GPU = "a000000002"
# The GPU has 60 units, each with room for 32 waves that use scratch memory, of 64 lanes.
LANES = 60 * 32 * 64


class ScratchMemory(ToolTest):
    def traced(self, program, **variables):
        """Events, kernels with a stack, the program's output, stderr."""
        path = self.folder / "scratch.txt"
        out, said = self.with_tools(tool("scratch_trace"), program, SCRATCH_TRACE_FILE=str(path), **variables)
        lines = path.read_text().splitlines()
        self.assertEqual(lines.pop(), "dropped 0")
        told, records, kernels = [], [], []
        for line in lines:
            if hit := SCRATCH.fullmatch(line):
                told.append((hit[1], *hit.groups()[2:]))
            elif hit := RECORD.fullmatch(line):
                records.append(Scratch(hit[1], *hit.groups()[3:], int(hit[2]), int(hit[3])))
            else:
                kernels.append(Kernel(*KERNEL.fullmatch(line).groups()))
        self.assertEqual(told, [record[:7] for record in records])
        for record in records:
            self.assertLessEqual(record.start, record.end)
        return records, [kernel for kernel in kernels if kernel.private != "0"], out, said

    def without_frees(self, events):
        """From 7.2 on a queue's old memory is freed first, inside the allocation."""
        frees = [event for event in events if event.operation == "FREE"]
        allocations = [event for event in events if event.operation == "ALLOC"]
        self.assertEqual(len(frees), 2 if RUNTIME in ("7.2", "7.14") else 0)
        self.assertEqual(len(frees) + len(allocations), len(events))
        for free, around in zip(frees, allocations[1::2]):
            self.assertEqual((free.id, free.queue, free.thread, free.bytes), ("0", around.queue, around.thread, "0"))
            self.assertLessEqual(around.start, free.start)
            self.assertLessEqual(free.end, around.end)
        return allocations

    def test_each_queue_gets_memory_for_the_first_kernel_of_each_size(self):
        events, kernels, out, said = self.traced(self.program("big_stacks"))
        if RUNTIME is None:
            self.assertEqual(events, [])
            self.assertRegex("\n".join(said), r"^rtl: scratch memory is not reported to tools in process \d+: "
                             r"this needs ROCm 6\.1 or later$")
            return
        self.assertEqual(said, [])
        self.assertEqual((out.splitlines()[-1], kernels), ("4 times", []))
        self.assertEqual({event[:1] + event[3:4] + event[5:6] for event in events}, {("0", GPU, "0")})
        events = self.without_frees(events)
        queues = list(dict.fromkeys(event.queue for event in events))
        self.assertEqual([event.queue for event in events], [queues[0], queues[0], queues[1], queues[1]])
        sizes = [int(event.bytes) for event in events]
        self.assertEqual(sizes[:2], sizes[2:])
        for size, least in zip(sizes, (64 * 4, 192 * 4)):
            self.assertGreaterEqual(size, LANES * least)
            self.assertLess(size, LANES * (least + 64))

    def test_scratch_memory_belongs_to_the_kernel_that_waits_for_it(self):
        if RUNTIME is None:
            self.skipTest("the runtime does not report it")
        events, kernels, _, said = self.traced(self.program("big_stacks"), SCRATCH_TRACE_KERNELS="1")
        self.assertEqual(said, [])
        kernels.sort(key=lambda kernel: int(kernel.number))
        self.assertEqual(len(kernels), 6)
        # The first and the last of each queue's three.
        events = self.without_frees(events)
        expected = [kernels[i] for i in (0, 2, 3, 5)]
        self.assertEqual([(event.id, event.agent, event.queue) for event in events],
                         [(kernel.id, kernel.agent, kernel.queue) for kernel in expected])
        self.assertEqual(len({event.id for event in events} - {"0"}), 4)
        for event, kernel in zip(events, expected):
            self.assertLess(event.start, int(kernel.end))


if __name__ == "__main__":
    main()
