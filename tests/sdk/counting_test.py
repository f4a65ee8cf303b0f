#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hardware counters of kernels, as a tool on librocprofiler-sdk.so.1 gets them.

    RTL_BUILD=build/release counting_test.py [--runtime NAME]

Each wave of tests/programs/hsa_counted.cpp runs 10 vector and 5 scalar moves, and the end, which is scalar
and is not counted; the kernels have 4, 8, … 48 waves.
"""

import unittest

from sdk_support import RUNTIME, ToolTest, main, tool

WAVES = range(4, 52, 4)
COUNTERS = "SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU"


def line_of(waves):
    return f"grid {64 * waves} SQ_WAVES {waves} in 4 SQ_INSTS_VALU {10 * waves} in 4 SQ_INSTS_SALU {5 * waves} in 4"


@unittest.skipUnless(RUNTIME == "7.2", "libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
class Counting(ToolTest):
    def counted(self, program="hsa_counted", **variables):
        """The lines of the kernels, without their numbers, and the numbers."""
        path = self.folder / "counters.txt"
        out, said = self.with_tools(tool("counter_collection"), self.program(program),
                                    COUNTER_COLLECTION_FILE=str(path),
                                    COUNTER_COLLECTION_COUNTERS=COUNTERS, **variables)
        self.assertEqual(said, [])
        self.assertEqual(out, "ok 12 kernels ended\n")
        lines = path.read_text().splitlines()
        self.assertEqual(lines.pop(), "dropped 0")
        kernels = [line.split(" ", 2) for line in lines]
        return sorted((kernel[2] for kernel in kernels), key=lambda line: int(line.split()[1])), [
            int(kernel[1]) for kernel in kernels]

    def test_d105_a_callback_has_the_exact_counts(self):
        lines, numbers = self.counted()
        self.assertEqual(lines, [line_of(waves) for waves in WAVES])
        self.assertEqual(sorted(numbers), list(range(1, 13)))

    def test_d106_a_buffer_has_the_same(self):
        lines, numbers = self.counted(COUNTER_COLLECTION_MODE="buffer")
        self.assertEqual(lines, [line_of(waves) for waves in WAVES])
        self.assertEqual(sorted(numbers), list(range(1, 13)))

    def test_d104_only_what_is_chosen_is_counted(self):
        lines, numbers = self.counted(COUNTER_COLLECTION_EVERY="3")
        self.assertEqual(len(lines), 4)
        self.assertEqual(sorted(numbers), [1, 4, 7, 10])
        self.assertLessEqual(set(lines), {line_of(waves) for waves in WAVES})

    def test_d118_a_library_that_is_missing_is_named(self):
        path = self.folder / "counters.txt"
        _, said = self.with_tools(tool("counter_collection"), self.program("hsa_counted"),
                                  COUNTER_COLLECTION_FILE=str(path), RTL_AQLPROFILE="/nowhere/libaqlprofile.so")
        self.assertTrue(any("counters are not available: /nowhere/libaqlprofile.so cannot be opened" in line
                            for line in said), said)
        self.assertEqual(path.read_text(), "dropped 0\n")

    def test_d118_what_does_not_fit_together_is_refused(self):
        many = "SQ_CYCLES,SQ_BUSY_CYCLES,SQ_WAVES," + ",".join(
            f"SQ_INSTS_{kind}" for kind in ("VALU", "VMEM_WR", "VMEM_RD", "SALU", "SMEM", "FLAT", "LDS"))
        path = self.folder / "counters.txt"
        _, said = self.with_tools(tool("counter_collection"), self.program("hsa_counted"),
                                  COUNTER_COLLECTION_FILE=str(path), COUNTER_COLLECTION_COUNTERS=many)
        self.assertEqual(len(said), 1)
        self.assertIn("counter_collection: configuration: ", said[0])
        self.assertEqual(path.read_text(), "dropped 0\n")


if __name__ == "__main__":
    main()
