#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HSA calls and memory of a trace and of a tool on librocprofiler-sdk.so.1, in one process.

A call is intercepted once for both: both have the same calls with the same times.

    RTL_BUILD=build/release hsa_test.py [--runtime NAME]
"""

import collections
import re

from sdk_support import BUILD, LIBRARY, ToolTest, ask, main, tool

# The launcher's own libraries; both orders, by the program's environment.
LIBRARIES = ((), (LIBRARY, BUILD / "lib" / "librtl.so"), (BUILD / "lib" / "librtl.so", LIBRARY))
# A tool that needs the engine for kernels, and one that needs calls only.
TOOLS = {
    "api_trace": ("API_TRACE_FILE", {}),
    "allocation_trace": ("ALLOCATION_TRACE_FILE", {"ALLOCATION_TRACE_CALLS": "1"}),
}
CALL = re.compile(r"call (\d+) in (\d+) (?:thread \d+ ns \d+ )?(\w+)")
RECORD = re.compile(r"record \d+ in \d+ thread (\d+) ns (\d+) (hsa_\w+)")
MEMORY = re.compile(r"record \d+ ns (\d+) in \d+ thread (\d+) MEMORY_ALLOCATION_(\w+) agent \w+ bytes \d+ at 0x(\w+)")
MEMORY_CALLS = re.compile("hsa_(amd_memory_pool|memory)_(allocate|free)|hsa_amd_vmem_handle_(create|release)")


class HsaCalls(ToolTest):
    def alone(self, name, program):
        """A tool's lines, without a trace."""
        path = self.folder / "alone.txt"
        file, more = TOOLS[name]
        _, said = self.with_tools(tool(name), program, **{file: str(path)}, **more)
        self.assertEqual(said, [])
        return path.read_text().splitlines()

    def traced(self, program, libraries=(), name=None):
        """The tool's lines, and the trace's rows: calls by thread, name and time; memory likewise."""
        database, path = self.folder / "t.db", self.folder / "tool.txt"
        for left in (database, path):
            left.unlink(missing_ok=True)
        variables = {}
        if name is not None:
            file, more = TOOLS[name]
            variables = {"ROCP_TOOL_LIBRARIES": tool(name), file: str(path), **more}
            if libraries:
                program = [*program[:3], "env", f"HSA_TOOLS_LIB={' '.join(map(str, libraries))}", *program[3:]]
            else:
                variables["HSA_TOOLS_LIB"] = str(LIBRARY)
        self.run_command([BUILD / "bin" / "rtl", "trace", "--events", "hsa,memory", "-o", database, "--", *program],
                         **variables)
        lost = ask(database, "SELECT tag, value FROM rocpd_metadata WHERE tag LIKE 'loss.%' AND value > 0")
        self.assertEqual(lost, [])
        calls = ask(database, "SELECT tid, end - start, name FROM hsa_call")
        memory = ask(database, "SELECT tid, end - start, name, address FROM memory_allocation")
        return path.read_text().splitlines() if name is not None else [], calls, memory

    def names(self, lines):
        hits = [CALL.match(line) for line in lines if line.startswith("call ")]
        self.assertNotIn(None, hits)
        self.assertEqual(len({hit[1] for hit in hits}), len(hits), "a correlation id is used once")
        return collections.Counter(hit[3] for hit in hits)

    def test_calls_of_one_run_are_the_same_for_both(self):
        for program in (self.program("hsa_allocations"), self.program("hsa_storm", "200", "2")):
            for libraries in LIBRARIES:
                with self.subTest(program=program[3].name, libraries=libraries):
                    lines, calls, _ = self.traced(program, libraries, "api_trace")
                    self.assertEqual(lines[-1], "dropped 0")
                    records = [RECORD.fullmatch(line) for line in lines if line.startswith("record ")]
                    self.assertNotIn(None, records)
                    self.assertGreater(len(calls), 50)
                    self.assertEqual(sorted((int(hit[1]), int(hit[2]), hit[3]) for hit in records), sorted(calls),
                                     "one interception: the same calls, and the same times")
                    self.assertEqual(self.names(lines), collections.Counter(name for *_, name in calls))

    def test_a_pair_has_the_calls_that_each_has_alone(self):
        program = self.program("hsa_allocations")
        tool_alone = self.names(self.alone("api_trace", program))
        _, trace_alone, _ = self.traced(program)
        trace_alone = collections.Counter(name for *_, name in trace_alone)
        self.assertEqual(tool_alone, trace_alone)
        lines, calls, _ = self.traced(program, (), "api_trace")
        self.assertEqual(self.names(lines), tool_alone)
        self.assertEqual(collections.Counter(name for *_, name in calls), trace_alone)

    def test_memory_of_one_run_is_the_same_for_both(self):
        # This tool needs no packets: the trace hooks the runtime for itself.
        program = self.program("hsa_allocations")
        alone = self.names(self.alone("allocation_trace", program))
        for libraries in LIBRARIES:
            with self.subTest(libraries=libraries):
                lines, calls, memory = self.traced(program, libraries, "allocation_trace")
                self.assertEqual(lines[-1], "dropped 0")
                records = [hit for hit in map(MEMORY.fullmatch, lines) if hit]
                self.assertEqual(
                    sorted((int(hit[2]), int(hit[1]), hit[3].lower(), int(hit[4], 16)) for hit in records),
                    sorted((tid, ns, name, address or 0) for tid, ns, name, address in memory))
                times = sorted((tid, ns) for tid, ns, name in calls if MEMORY_CALLS.fullmatch(name))
                self.assertEqual(sorted((tid, ns) for tid, ns, *_ in memory), times, "those of the calls")
                self.assertEqual(self.names(lines), alone)
                self.assertEqual(collections.Counter(name for *_, name in calls), alone)


if __name__ == "__main__":
    main()
