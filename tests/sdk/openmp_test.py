#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Events of an OpenMP runtime for tools on librocprofiler-sdk.so.1: LLVM's libomp, with a program on the host.

    RTL_BUILD=build/release openmp_test.py
"""

import collections
import re

from sdk_support import BUILD, LIBRARY, ToolTest, main, run, tool

TOLD = re.compile(r"(event|begin|end) (\d+) in (\d+) thread (\d+) (\w+)\((.*)\)")
RECORD = re.compile(r"record (\d+) in (\d+) thread (\d+) ns (\d+) (\w+)")
REGIONS, THREADS = 3, 2


class OpenMp(ToolTest):
    def run_program(self, **variables):
        program = BUILD / "bin" / "openmp_program"
        if not program.exists():
            self.skipTest("libomp is missing: package libomp-dev")
        self.path = self.folder / "openmp.txt"
        # Sanitizers want to be preloaded first; they are in the program already.
        done = run(program, ASAN_OPTIONS="verify_asan_link_order=0", OPENMP_TRACE_FILE=self.path, **variables)
        self.assertEqual((done.stdout, done.stderr), (f"ok {REGIONS} tasks\n", ""))

    def lines(self):
        lines = self.path.read_text().splitlines()
        # libomp does not end what GCC's code begins by `single`.
        self.assertLessEqual(int(re.fullmatch(r"dropped (\d+)", lines[-1])[1]), REGIONS * THREADS)
        told, records = [], {}
        for line in lines[:-1]:
            hit = TOLD.fullmatch(line)
            if hit:
                told.append(hit.groups())
                continue
            hit = RECORD.fullmatch(line)
            self.assertIsNotNone(hit, line)
            self.assertNotIn(hit[1], records, "one record for each event")
            records[hit[1]] = hit.groups()
        return told, records

    def check(self, **variables):
        self.run_program(ROCP_TOOL_LIBRARIES=tool("openmp_trace"), **variables)
        told, records = self.lines()
        count = collections.Counter((phase, name) for phase, *_, name, _ in told)
        self.assertEqual(count["event", "omp_parallel_begin"], REGIONS)
        self.assertEqual(count["event", "omp_parallel_end"], REGIONS)
        self.assertEqual(count["event", "omp_callback_functions"], 1)
        self.assertGreaterEqual(count["event", "omp_thread_begin"], THREADS)
        self.assertEqual(count["event", "omp_mutex_acquired"], count["event", "omp_mutex_released"])
        # The program's own, and one of each thread in each region.
        self.assertGreaterEqual(count["begin", "omp_implicit_task"], REGIONS * THREADS)
        self.assertGreaterEqual(count["begin", "omp_work"], REGIONS * THREADS)
        self.assertGreaterEqual(count["event", "omp_task_create"], REGIONS)
        # Workers are still in their last task and its barrier when the process ends.
        for name in ("omp_implicit_task", "omp_sync_region", "omp_sync_region_wait", "omp_reduction"):
            self.assertIn(count["begin", name] - count["end", name], range(THREADS + 1), name)
        self.assertGreaterEqual(count["end", "omp_work"], REGIONS)
        begun = {number: name for phase, number, *_, name, _ in told if phase != "end"}
        ended = {number: name for phase, number, *_, name, _ in told if phase == "end"}
        self.assertEqual({number: begun[number] for number in ended}, ended)
        for number, (_, _, _, nanoseconds, name) in records.items():
            self.assertEqual(begun[number], name)
            if number not in ended:
                self.assertEqual(nanoseconds, "0")
        arguments = [arguments for *_, name, arguments in told if name == "omp_parallel_begin"]
        self.assertIn(f"requested_parallelism={THREADS}", arguments[0])
        around = {outer for phase, _, outer, *_ in told if phase == "begin"}
        self.assertLessEqual(around - {"0"}, set(begun), "an ancestor is a reported scope")

    def test_the_runtime_finds_the_library_by_its_variable(self):
        self.check(OMP_TOOL_LIBRARIES=LIBRARY)

    def test_the_runtime_finds_the_library_that_is_preloaded(self):
        self.check(LD_PRELOAD=LIBRARY)

    def test_a_tool_without_openmp_leaves_the_runtime_alone(self):
        self.run_program(OMP_TOOL_LIBRARIES=LIBRARY, ROCP_TOOL_LIBRARIES=tool("marker_trace"),
                         MARKER_TRACE_FILE=str(self.folder / "markers.txt"))
        self.assertFalse(self.path.exists())


if __name__ == "__main__":
    main()
