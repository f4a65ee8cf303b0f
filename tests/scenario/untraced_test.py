#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A wrapper between the tracer and the program takes the tracer's variables away: the trace says so, and claims nothing
that it cannot know.

    RTL_BUILD=build/release untraced_test.py
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import PROGRAMS, ROCPROFV3, Case, facts_of, main, run, trace  # noqa: E402

PROGRAM = PROGRAMS / "vector_add"
LOST = "HSA_TOOLS_LIB is missing or replaced in its environment"


class Untraced(Case):
    def facts(self):
        return facts_of(self.database)

    def test_calls_are_recorded_and_the_lost_variable_is_named(self):
        for wrapper in (["-u", "HSA_TOOLS_LIB"], ["HSA_TOOLS_LIB=/nowhere/libother.so"]):
            done = trace(self.database, "env", *wrapper, PROGRAM, options=("--mode", "hip"), code=1)
            self.assertRegex(done.stderr, rf"rtl: the kernels of env were not traced: {LOST}")
            self.assertNotIn("no GPU", done.stderr)
            self.assertGreater(int(self.facts()["recorded.hip_calls"]), 0)
            self.assertEqual(self.facts()["submitted.kernels"], "0")

    def test_a_traced_process_beside_it_does_not_hide_it(self):
        both = f"{PROGRAM} && env -u HSA_TOOLS_LIB {PROGRAM}"
        for options, code in ((), 0), (("--min-coverage", "50"), 1):
            done = trace(self.database, "sh", "-c", both, options=("--mode", "hip", *options), code=code)
            self.assertRegex(done.stderr, rf"rtl: process \d+ is not traced: {LOST}")
            self.assertEqual("is not known" in done.stderr, code == 1, done.stderr)
            self.assertGreater(int(self.facts()["recorded.kernels"]), 0)

    def test_rocprofv3_keeps_what_it_has(self):
        done = run(ROCPROFV3, "--vgpu", "--hip-trace", "--kernel-trace", "-f", "csv", "-d", self.folder, "-o", "x",
                   "--", "env", "-u", "HSA_TOOLS_LIB", PROGRAM, code=1, folder=self.folder)
        self.assertRegex(done.stderr, rf"rocprofv3: process \d+ is not traced: {LOST}")
        self.assertTrue((self.folder / "x_hip_api_trace.csv").exists(), list(self.folder.iterdir()))


if __name__ == "__main__":
    main()
