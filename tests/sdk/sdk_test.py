#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tools on librocprofiler-sdk.so.1, in programs on the virtual GPU.

What a tool is told is compared with what `rtl trace` records of the same program.

    RTL_BUILD=build/release sdk_test.py [--runtime NAME]
"""

import collections
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
LIBRARY = str(BUILD / "lib" / "librocprofiler-sdk.so.1")
FIRST = str(BUILD / "lib" / "libkernel_trace.so")
SECOND = str(BUILD / "lib" / "libsdk_second_tool.so")
RUNTIME_TOOL = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "runtime"
RUNTIME = sys.argv[sys.argv.index("--runtime") + 1] if "--runtime" in sys.argv else None
SKIPPED = 77
LINE = re.compile(r"kernel (\d+) (\S+?)(?:\.kd)? agent a000000002 queue \d+ grid [\dx]+ ns \d+")


class Tools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sdk-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.programs = BUILD / "bin" / (f"programs-{RUNTIME}" if RUNTIME else "programs")

    def run_command(self, command, **variables):
        env = dict(os.environ, **variables)
        prefix = [RUNTIME_TOOL, "exec", RUNTIME, "--"] if RUNTIME else []
        result = subprocess.run([*prefix, *command], env=env, capture_output=True, text=True, timeout=200)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        # 7.2 says this with any tool in the process, also with one that only passes packets on.
        said = [line for line in result.stderr.splitlines() if "SharedSignalPool" not in line]
        return result.stdout, said

    def program(self, name, *arguments):
        path = self.programs / name
        if not path.exists():
            self.skipTest(f"{name} could not be built here")
        return [BUILD / "bin" / "vgpu", "run", "--", path, *arguments]

    def with_tools(self, tools, program, **variables):
        return self.run_command(program, HSA_TOOLS_LIB=LIBRARY, ROCP_TOOL_LIBRARIES=tools, **variables)

    def kernels_of_sample(self, program, **variables):
        """Kernels by name, as the sample prints them; the program's output."""
        path = self.folder / "kernels.txt"
        out, said = self.with_tools(FIRST, program, KERNEL_TRACE_FILE=str(path), **variables)
        self.assertEqual(said, [])
        lines = path.read_text().splitlines()
        self.assertEqual(lines[1], "agent a000000002 gfx906")
        self.assertEqual(lines[-1], "dropped 0")
        hits = [LINE.fullmatch(line) for line in lines[2:-1]]
        self.assertNotIn(None, hits, lines)
        self.assertEqual(len({hit[1] for hit in hits}), len(hits), "every dispatch has its number")
        return collections.Counter(hit[2] for hit in hits), out

    def kernels_of_trace(self, program):
        database = self.folder / "t.db"
        self.run_command([BUILD / "bin" / "rtl", "trace", "-o", database, "--", *program])
        query = """SELECT s.string FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id
                   WHERE o.queueId > 0"""
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return collections.Counter(row[0] for row in connection.execute(query))

    def test_the_sample_sees_the_kernels_that_a_trace_has(self):
        program = self.program("vector_add")
        names, out = self.kernels_of_sample(program)
        self.assertEqual(names["_Z9VectorAddPKfS0_Pfi"], 1, names)
        self.assertEqual(out, self.run_command(program)[0])
        # The trace's names are demangled; how often each kernel ran is the same.
        self.assertEqual(sorted(names.values()), sorted(self.kernels_of_trace(program).values()))

    def test_thousands_of_kernels_on_several_queues(self):
        names, _ = self.kernels_of_sample(self.program("hsa_storm", "2000", "2"))
        self.assertEqual(sum(names.values()), 4000)

    def test_all_tools_are_configured_before_one_is_initialised(self):
        for tools in (f"{SECOND}:{FIRST}", f"{SECOND}:{FIRST}:"):
            path = self.folder / "both.txt"
            _, said = self.with_tools(tools, self.program("hsa_storm", "300", "2"), KERNEL_TRACE_FILE=str(path))
            self.assertEqual(said, ["second: configure, version 10000 (1.0.0), 0 before", "second: initialize",
                                    "second: finalize, 600 kernels, 0 copies, 0 drops, several calls"])
            self.assertEqual(path.read_text().count("\nkernel "), 600)

    def test_a_tool_that_fails_to_initialise_is_off_and_others_are_not(self):
        path = self.folder / "both.txt"
        _, said = self.with_tools(f"{FIRST}:{SECOND}", self.program("hsa_storm", "20", "1"), SECOND_TOOL="off",
                                  KERNEL_TRACE_FILE=str(path))
        self.assertEqual(said, ["second: configure, version 10000 (1.0.0), 1 before", "second: initialize"])
        self.assertEqual(path.read_text().count("\nkernel "), 20)

    def test_code_objects_come_before_their_kernels_and_go_after_them(self):
        lives = 2 if RUNTIME in (None, "6.1") else 1  # later runtimes start once
        files = [self.programs / f"{name}_kernel.co" for name in ("first", "second")]
        _, said = self.with_tools(str(BUILD / "lib" / "libsdk_code_object_tool.so"),
                                  self.program("hsa_reload", *files, str(lives)))
        kernels = ["kernel first_kernel.kd", "kernel second_kernel.kd"] * 3 * lives
        count = len(kernels)
        self.assertEqual(said, [*kernels, f"objects {count} - {count}, kernels {count} - {count}, wrong 0"])

    def test_a_preloaded_tool_is_found(self):
        path = self.folder / "kernels.txt"
        program = self.program("hsa_storm", "20", "1")
        program[3:3] = ["env", f"LD_PRELOAD={FIRST}:{BUILD / 'lib' / 'libvgpu.so'}"]
        self.run_command(program, HSA_TOOLS_LIB=LIBRARY, KERNEL_TRACE_FILE=str(path))
        self.assertEqual(path.read_text().count("\nkernel "), 20)

    def test_registered_tables_are_taken(self):
        path = self.folder / "kernels.txt"
        registrar = str(self.programs / "libregistrar.so")
        _, said = self.run_command(self.program("hsa_storm", "20", "1"), HSA_TOOLS_LIB=registrar,
                                   ROCPROFILER_REGISTER_LIBRARY=LIBRARY, ROCP_TOOL_LIBRARIES=FIRST,
                                   KERNEL_TRACE_FILE=str(path))
        how = "librocprofiler-register" if RUNTIME == "7.2" else "rocprofiler_set_api_table"
        self.assertEqual(said, [f"registrar: {how}: 0"])
        self.assertEqual(path.read_text().count("\nkernel "), 20)

    def test_what_is_no_tool_is_one_line(self):
        _, said = self.with_tools("/nowhere/tool.so", self.program("hsa_storm", "20", "1"))
        self.assertEqual(len(said), 1, said)
        self.assertTrue(said[0].startswith("rtl: ROCP_TOOL_LIBRARIES: /nowhere/tool.so is no tool: "), said)

    def test_without_a_tool_nothing_is_said_or_done(self):
        program = self.program("hsa_storm", "20", "1")
        self.assertEqual(self.run_command(program, HSA_TOOLS_LIB=LIBRARY), self.run_command(program))


if __name__ == "__main__":
    if RUNTIME:
        root = subprocess.run([RUNTIME_TOOL, "root", RUNTIME], capture_output=True, text=True)
        if root.returncode != 0:
            print(f"SKIPPED: {root.stderr.strip()}")
            sys.exit(SKIPPED)
        sys.argv = sys.argv[:1]
    unittest.main()
