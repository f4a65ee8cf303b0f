#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program with a profiler of its own, as frameworks have: it calls rocprofiler_force_configure, before its first call
of HIP or after kernels have run, and no variable names a tool. Alone, inside rtl trace, and inside rocprofv3.

    RTL_BUILD=build/release own_profiler_test.py [--runtime NAME]
"""

import re
import unittest

from sdk_support import BUILD, LIBRARY, REGISTERS, RUNTIME, ToolTest, ask, main, tool

WINDOWS = 2
KERNELS, CALLS = 46, 32
CROWD = 4 * 100  # wide kernels of a window
# HIP 5.2 has neither tables nor a usable callback: its calls are seen by librtl_hip.so only.
SILENT = RUNTIME is None
# Before the windows, in each of them, and after each.
ALL_KERNELS = 3 + WINDOWS * (KERNELS + 1)
LINE = re.compile(r"rtl: HIP calls are not reported to tools in process \d+: HIP 5.2 needs librtl_hip.so in "
                  r"LD_PRELOAD, where `rtl trace` puts it")
NOT_OURS = re.compile(r"vgpu\[")


class OwnProfiler(ToolTest):
    def check(self, out, said, calls):
        linked, seen = (KERNELS, CALLS) if calls else (0, 0)
        windows = [f"window {i}: start 0, {KERNELS} kernels, {linked} linked, {seen} calls" for i in range(WINDOWS)]
        lines = [line for line in out.splitlines() if line.startswith(("force", "window")) or line.endswith(" names")]
        self.assertEqual(lines, ["force_configure: 0", *windows, "1 names"])
        said = [line for line in said if "not reported" in line]
        self.assertEqual(len(said), 0 if calls else 1, said)
        for line in said:
            self.assertRegex(line, LINE)

    def both_times(self):
        for when in ("early", "late"):
            with self.subTest(when=when):
                yield when, self.program("own_profiler", when, str(WINDOWS))

    def test_it_gets_its_kernels_and_calls_alone(self):
        for _, program in self.both_times():
            out, said = self.run_command(program)
            self.check(out, said, not SILENT)

    def test_it_gets_them_in_a_forked_worker(self):
        for when in ("early", "late"):
            out, said = self.run_command(self.program("own_profiler", when, str(WINDOWS), "worker"))
            self.check(out, said, not SILENT)

    def test_a_fork_after_its_configuration_has_a_status_and_a_line(self):
        out, said = self.run_command(self.program("own_profiler", "early", "1", "heir"))
        self.assertIn("force_configure: 16\nwindow 0: start 16, 0 kernels, 0 linked, 0 calls", out)
        said = [line for line in said if "child of a fork" in line]
        self.assertEqual(len(said), 1, said)

    def test_a_fork_after_the_first_use_has_a_status_and_a_line(self):
        for interrupts in ("1", "0"):  # without them the runtime has no thread that a fork would leave behind
            with self.subTest(interrupts=interrupts):
                out, said = self.run_command(self.program("own_profiler", "late", "1", "orphan"),
                                             HSA_ENABLE_INTERRUPT=interrupts)
                self.assertEqual(out, "force_configure: 16\n")
                self.assertEqual(len(said), 1, said)
                self.assertRegex(said[0], r"nothing is reported to tools in process \d+: its HSA runtime was started "
                                          r"by the process that")

    def test_it_is_found_inside_a_trace(self):
        for mode in ("hip", "auto"):
            with self.subTest(mode=mode):
                out, said = self.traced(self.program("own_profiler_exported", "found", str(WINDOWS)), mode)
                self.check("force_configure: 0\n" + out, said, mode == "hip" or not SILENT)

    @unittest.skipIf(not REGISTERS, "here nothing configures the named tool before")
    def test_a_second_tool_has_a_status_and_a_line(self):
        out, said = self.run_command(self.program("own_profiler", "early", "1"),
                                     KERNEL_TRACE_FILE=str(self.folder / "k"),
                                     ROCP_TOOL_LIBRARIES=tool("kernel_trace"), ROCPROFILER_REGISTER_LIBRARY=LIBRARY)
        self.assertIn("force_configure: 16\n", out)
        self.assertEqual(len(said), 1, said)
        self.assertIn("is refused", said[0])

    def test_a_window_gets_whole_calls_of_threads_that_launch_all_the_time(self):
        for when in ("early", "late"):
            with self.subTest(when=when):
                out, _ = self.run_command(self.program("own_profiler", when, str(4 * WINDOWS), "crowd"))
                linked = 0 if SILENT else CROWD
                self.assertEqual([line for line in out.splitlines() if line.startswith("window")],
                                 [f"window {i}: start 0, {CROWD} wide kernels, {linked} linked"
                                  for i in range(4 * WINDOWS)])

    def test_a_trace_that_begins_paused_takes_nothing_from_it(self):
        for _, program in self.both_times():
            attach = {"RTL_ATTACH": "1", "HSA_TOOLS_LIB": str(BUILD / "lib" / "librtl.so")}
            for variables in ({"RTL_PAUSED": "1"}, attach):
                out, said = self.run_command(program, **variables)
                self.check(out, said, not SILENT)
            out, said = self.traced(program, "auto", "--paused", "--force", left_out=ALL_KERNELS)
            self.check(out, said, not SILENT)

    def traced(self, program, mode, *options, left_out=0):
        database = self.folder / f"{mode}.db"
        command = [BUILD / "bin" / "rtl", "trace", "--vgpu", "--mode", mode, *options, "-o", database, "--",
                   *program[3:]]
        out, said = self.run_command(command)
        counts = dict(ask(database, "SELECT tag, value FROM rocpd_metadata WHERE tag LIKE 'submitted.%' OR"
                                           " tag LIKE 'recorded.%' OR tag LIKE 'loss.%'"))
        self.assertEqual({tag: count for tag, count in counts.items() if "loss." in tag and count != "0"},
                         {"loss.kPaused.kernels": str(left_out)} if left_out else {})
        self.assertEqual((counts["submitted.kernels"], counts["recorded.kernels"]),
                         (str(ALL_KERNELS), str(ALL_KERNELS - left_out)))
        return out, said

    def test_it_gets_them_inside_a_trace_which_has_all_kernels(self):
        for when, program in self.both_times():
            for mode in ("auto", "full") if when == "late" else ("auto", "lite", "standard"):
                out, said = self.traced(program, mode, "--force")
                self.check(out, said, not SILENT)

    def test_it_gets_them_inside_a_trace_of_calls(self):
        for _, program in self.both_times():
            out, said = self.traced(program, "hip")
            self.check(out, said, True)

    def test_it_gets_them_inside_rocprofv3(self):
        for when, program in self.both_times():
            folder = self.folder / when
            out, said = self.run_command([*program[:3], BUILD / "bin" / "rocprofv3", "--hip-trace", "--kernel-trace",
                                          "-d", folder, "-o", "x", "--output-format", "csv", "--", *program[3:]])
            self.check(out, said, True)
            rows = (folder / "x_kernel_trace.csv").read_text().splitlines()
            self.assertEqual(len(rows) - 1, ALL_KERNELS)


if __name__ == "__main__":
    main()
