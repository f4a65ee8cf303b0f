#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory that a program allocates from HSA, as a tool on librocprofiler-sdk.so.1 gets it.

    RTL_BUILD=build/release allocation_test.py [--runtime NAME]
"""

import collections
import re

from sdk_support import RUNTIME, ToolTest, main, tool

LINE = re.compile(r"(?:memory (\d+) of \1|record (\d+) ns \d+) in (\d+) thread (\d+) MEMORY_ALLOCATION_(\w+) "
                  r"agent (\w+) bytes (\d+) at 0x(\w+)")
OPERATIONS = {"allocate": "ALLOCATE", "free": "FREE", "vmem": "VMEM_ALLOCATE", "vmem_free": "VMEM_FREE"}
AGENTS = {"cpu": "a000000001", "gpu": "a000000002", "none": "0"}
# The allocations of the four threads of tests/programs/hsa_allocations.cpp.
IN_THREADS, PIECE = 100, "65536"


class Allocations(ToolTest):
    def traced(self, program, **variables):
        """Callbacks and records, in their order; calls by id; the program's output."""
        path = self.folder / "memory.txt"
        out, said = self.with_tools(tool("allocation_trace"), program, ALLOCATION_TRACE_FILE=str(path), **variables)
        self.assertEqual(said, [])
        lines = path.read_text().splitlines()
        self.assertEqual(lines.pop(), "dropped 0")
        found = {word: [LINE.fullmatch(line) for line in lines if line.startswith(word)]
                 for word in ("memory ", "record ")}
        for word, hits in found.items():
            self.assertNotIn(None, hits, word)
        calls = {hit[1]: hit.groups()[1:]
                 for hit in re.finditer(r"^call (\d+) in (\d+) (\w+)$", "\n".join(lines), re.M)}
        self.assertEqual(sum(map(len, found.values())) + len(calls), len(lines))
        reported = [hit.group(1, 3, 4, 5, 6, 7, 8) for hit in found["memory "]]
        recorded = [hit.group(2, 3, 4, 5, 6, 7, 8) for hit in found["record "]]
        # Threads write their lines and their records independently.
        self.assertEqual(sorted(reported), sorted(recorded))
        return reported, calls, out

    def test_each_allocation_and_free_of_the_program_is_reported(self):
        reported, _, out = self.traced(self.program("hsa_allocations"))
        main_thread = reported[0][2]
        said = [line.split() for line in out.splitlines()]
        expected = [(OPERATIONS[what], AGENTS[whose], size, address.removeprefix("0x").replace("(nil)", "0"))
                    for what, whose, size, address in said]
        self.assertEqual([event[3:] for event in reported if event[2] == main_thread], expected)
        self.assertEqual("vmem" in {line[0] for line in said}, RUNTIME is not None, "newer runtimes have handles")
        others = [event for event in reported if event[2] != main_thread]
        self.assertEqual(collections.Counter(event[3:6] for event in others),
                         {("ALLOCATE", AGENTS["cpu"], PIECE): IN_THREADS, ("FREE", "0", "0"): IN_THREADS})
        self.assertEqual(len({event[2] for event in others}), 4)
        self.assertEqual(len({event[0] for event in reported}), len(reported), "each has an id of its own")
        self.assertEqual({event[1] for event in reported}, {"0"})

    def test_memory_belongs_to_the_call_that_allocates_it(self):
        reported, calls, _ = self.traced(self.program("hsa_allocations"), ALLOCATION_TRACE_CALLS="1")
        functions = {"ALLOCATE": "hsa_amd_memory_pool_allocate|hsa_memory_allocate",
                     "FREE": "hsa_amd_memory_pool_free|hsa_memory_free",
                     "VMEM_ALLOCATE": "hsa_amd_vmem_handle_create", "VMEM_FREE": "hsa_amd_vmem_handle_release"}
        for number, ancestor, _, operation, *_ in reported:
            self.assertRegex(calls[number][1], f"^({functions[operation]})$")
            self.assertEqual(calls[number][0], ancestor)
        memory = re.compile("hsa_(amd_memory_pool|memory)_(allocate|free)|hsa_amd_vmem_handle_(create|release)")
        self.assertEqual(sum(memory.fullmatch(name) is not None for _, name in calls.values()), len(reported))

    def test_memory_of_a_program_of_hip(self):
        reported, calls, _ = self.traced(self.program("vector_add"))
        on_gpu = [event for event in reported if event[3] == "ALLOCATE" and event[4] == AGENTS["gpu"]]
        self.assertGreaterEqual(len(on_gpu), 1, reported)
        self.assertEqual(calls, {})
        given = {event[6] for event in reported if event[3] == "ALLOCATE"}
        self.assertLessEqual({event[6] for event in reported if event[3] == "FREE"}, given | {"0"})


if __name__ == "__main__":
    main()
