#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A wrapper between the tracer and the program takes the tracer's variables away: the trace says so, and claims nothing
that it cannot know.

    RTL_BUILD=build/release untraced_test.py
"""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, PROGRAMS, Case, facts_of, main  # noqa: E402

LIMIT_SECONDS = 120
PROGRAM = PROGRAMS / "vector_add"
LOST = "HSA_TOOLS_LIB is missing or replaced in its environment"


class Untraced(Case):
    def run_tool(self, *command):
        return subprocess.run([BUILD / "bin" / command[0], *command[1:]], cwd=self.folder, capture_output=True,
                              text=True, timeout=LIMIT_SECONDS, check=False)

    def facts(self):
        return facts_of(self.database)

    def test_calls_are_recorded_and_the_lost_variable_is_named(self):
        for wrapper in (["-u", "HSA_TOOLS_LIB"], ["HSA_TOOLS_LIB=/nowhere/libother.so"]):
            done = self.run_tool("rtl", "trace", "--vgpu", "--mode", "hip", "--no-summary", "-o", "t.db", "--", "env",
                                 *wrapper, PROGRAM)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, rf"rtl: the kernels of env were not traced: {LOST}")
            self.assertNotIn("no GPU", done.stderr)
            self.assertGreater(int(self.facts()["recorded.hip_calls"]), 0)
            self.assertEqual(self.facts()["seen.kernels"], "0")

    def test_a_traced_process_beside_it_does_not_hide_it(self):
        both = f"{PROGRAM} && env -u HSA_TOOLS_LIB {PROGRAM}"
        for options, code in ((), 0), (("--min-coverage", "50"), 1):
            done = self.run_tool("rtl", "trace", "--vgpu", "--mode", "hip", "--no-summary", *options, "-o", "t.db",
                                 "--", "sh", "-c", both)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertRegex(done.stderr, rf"rtl: process \d+ is not traced: {LOST}")
            self.assertEqual("is not known" in done.stderr, code == 1, done.stderr)
            self.assertGreater(int(self.facts()["recorded.kernels"]), 0)

    def test_rocprofv3_keeps_what_it_has(self):
        done = self.run_tool("rocprofv3", "--vgpu", "--hip-trace", "--kernel-trace", "-f", "csv", "-d", self.folder,
                             "-o", "x", "--", "env", "-u", "HSA_TOOLS_LIB", PROGRAM)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, rf"rocprofv3: process \d+ is not traced: {LOST}")
        self.assertTrue((self.folder / "x_hip_api_trace.csv").exists(), list(self.folder.iterdir()))


if __name__ == "__main__":
    main()
