#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PC sampling by several processes and on several GPUs, started and stopped at any time, through endings of every kind,
and the statuses of the service of librocprofiler-sdk.so.1: a GPU has one configuration for all processes.

    RTL_BUILD=build/release pc_sampling_shared_test.py [--runtime NAME]
"""

import contextlib
import os
import re
import signal
import subprocess
import time
import unittest

import pc_sampling_test as base
from pc_sampling_test import BUILD, IN_RUNTIME, KERNEL, RTL, RUNTIME, SAMPLES, SAMPLING, STEPS

MACHINE = ("--gfx", "90a", "--pc-sampling", "--large-bar")
# In the order of the tool's calls. The statuses are those of AMD's library.
ANSWERS = """query of no agent: ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND
query of a CPU: ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE
no agent: ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND
no context: ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND
no buffer: ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND
a CPU: ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE
no method: ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT
last method: ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT
stochastic: ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE
no unit: ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT
last unit: ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT
host traps by cycles: ROCPROFILER_STATUS_ERROR
interval 0: ROCPROFILER_STATUS_ERROR
counting: ROCPROFILER_STATUS_SUCCESS
beside counting: ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT
offered: method 2 unit 3 from 1 to 18446744073709551615 flags 0
query: ROCPROFILER_STATUS_SUCCESS
configured: ROCPROFILER_STATUS_SUCCESS
in use: method 2 unit 3 from 100 to 100 flags 0
query: ROCPROFILER_STATUS_SUCCESS
once more: ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED
another context: ROCPROFILER_STATUS_ERROR
counting beside it: ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT
too late: ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED"""


@unittest.skipUnless(SAMPLES, "PC sampling came with ROCm 6.4")
class Shared(base.Sampled):
    def setUp(self):
        super().setUp()
        self.dir = self.folder / "machine"  # no other test's processes are on it
        self.listed = self.folder / "tool.txt"

    def run_command(self, command, code=0, **variables):
        return super().run_command(command, code, VGPU_DIR=str(self.dir), **variables)

    def tool(self, mode, program=None, interval="100", machine=MACHINE, **variables):
        """The lines that the test's tool writes."""
        self.errors = self.run_command(
            [BUILD / "bin" / "vgpu", "run", *machine, "--", *(program or (self.program, STEPS))],
            HSA_TOOLS_LIB=str(BUILD / "lib" / "librocprofiler-sdk.so.1"),
            ROCP_TOOL_LIBRARIES=str(BUILD / "lib" / "libsdk_sampling_tool.so"), SAMPLING_TOOL=mode,
            SAMPLING_TOOL_OUT=str(self.listed), **dict(SAMPLING, PC_SAMPLING_INTERVAL=interval), **variables).stderr
        return self.listed.read_text().splitlines()

    def counts_by_process(self):
        """By process: submitted samples, and losses by name. The sums are checked."""
        processes = {}
        for process, counter, value in self.ask("SELECT process_id, counter, value FROM rtl_process_counter "
                                                  "WHERE kind = 'pc_samples'"):
            processes.setdefault(process, {})[counter] = value
        rows = dict(self.ask("SELECT process_id, count(*) FROM rtl_pc_sample GROUP BY 1"))
        for process, counts in processes.items():
            lost = sum(value for counter, value in counts.items() if counter.startswith("loss."))
            self.assertEqual(counts["submitted"], counts["recorded"] + lost)
            self.assertEqual(counts["recorded"], rows.get(process, 0))
        return {process: (counts["submitted"], {name: value for name, value in counts.items()
                                           if name.startswith("loss.") and value})
                for process, counts in processes.items()}

    def trace_shell(self, script, *options, code=0, interval="100us", **variables):
        return self.run_command([RTL, "trace", "--vgpu", "--no-summary", "--pc-sampling", interval, *options, "-o",
                                 self.database, "--", "sh", "-c", script, self.program], code=code, **variables)

    def test_every_wrong_call_has_amds_status(self):
        lines = self.tool("statuses")
        self.assertEqual([line for line in lines if not line.startswith(("samples", "rounds"))], ANSWERS.splitlines())
        # Another context counts kernels: on 7.2 they are moved to other queues, and no sample finds its kernel. On 6.4
        # AMD's library is missing, and nothing is counted.
        moved = RUNTIME in ("7.2", "7.14")
        self.assertRegex(lines[-2], r"^samples 0 invalid [1-9]\d* dropped 0$" if moved else
                         r"^samples [1-9]\d* invalid 0 dropped 0$")

    def test_it_is_started_and_stopped_at_any_time(self):
        lines = self.tool("toggle", (self.program, "30"))
        self.assertRegex(lines[-2], r"^samples \d+ invalid \d+ dropped 0$")
        self.assertRegex(lines[-1], r"^rounds [1-9]")

    def test_two_hundred_starts_and_stops_while_kernels_run(self):
        lines = self.tool("race", (self.program, "1000000"))
        self.assertRegex(lines[-2], r"^samples [1-9]\d* invalid 0 dropped 0$")
        self.assertEqual(lines[-1], "rounds 200")

    def test_processes_of_one_trace(self):
        self.trace_shell('"$0" 3 & "$0" 3 & wait')
        counts = [submitted for submitted, _ in self.counts_by_process().values() if submitted]
        self.assertEqual(len(counts), 2)
        self.assertEqual(self.hot()[KERNEL]["launches"], 6)

    @contextlib.contextmanager
    def sampled_program(self):
        """A program whose GPU a tool samples every 100 us, until it is killed."""
        process = subprocess.Popen(
            [*IN_RUNTIME, BUILD / "bin" / "vgpu", "run", *MACHINE, "--", self.program, "1000000"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ) | base.found_by_register(dict(
                VGPU_DIR=str(self.dir), HSA_TOOLS_LIB=str(BUILD / "lib" / "librocprofiler-sdk.so.1"),
                ROCP_TOOL_LIBRARIES=str(BUILD / "lib" / "libsdk_sampling_tool.so"), SAMPLING_TOOL="count",
                SAMPLING_TOOL_OUT=str(self.folder / "first.txt"), **SAMPLING)))
        try:
            configured = "in use: method 2 unit 3 from 100 to 100 flags 0"
            while not (self.folder / "first.txt").exists() or configured not in (self.folder / "first.txt").read_text():
                self.assertIsNone(process.poll())
                time.sleep(0.02)
            yield process
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()

    def test_another_process_is_refused_until_the_first_one_is_killed(self):
        machine = dict(VGPU_PC_SAMPLING="1", VGPU_GFX="90a", VGPU_LARGE_BAR="1")
        plain = self.run_command([BUILD / "bin" / "vgpu", "run", *MACHINE, "--", self.program, "2"]).stdout
        with self.sampled_program():
            # A trace with another interval: the program is not started. With --keep-going everything else is recorded.
            refused = self.trace_shell('exec "$0" 2', code=1, interval="200us", **machine)
            self.assertRegex(refused.stderr, r"^rtl: program counters are not sampled: another process samples this "
                                             r"GPU every 100 us, .*; the program was not started "
                                             r"\(--keep-going .*\)\n$")
            self.assertEqual(refused.stdout, "")
            done = self.trace_shell('exec "$0" 2', "--keep-going", interval="200us", **machine)
            lines = [line for line in done.stderr.splitlines() if "sampled" in line or "samples this" in line]
            self.assertRegex("\n".join(lines), r"^rtl: program counters are not sampled in process \d+: another "
                                               r"process "
                             r"samples this GPU every 100 us, and a GPU has one interval for all$")
            self.assertEqual(done.stdout, plain)
            self.assertRegex(done.stderr, r"kernels: (\d+) submitted, \1 recorded, 0 lost")
            # The same interval is shared.
            self.database.unlink()
            self.trace_shell('exec "$0" 2', **machine)
            ((submitted, _),) = self.counts_by_process().values()
            self.assertGreater(submitted, 0)
            # A tool with another interval.
            lines = self.tool("count", (self.program, "2"), interval="200")
            self.assertIn("configured: ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE", lines)
            self.assertEqual(lines[-2], "samples 0 invalid 0 dropped 0")
            self.assertEqual(len(re.findall("^rtl:", self.errors, re.M)), 1, self.errors)
            self.assertIn("this GPU (gfx90a) is sampled every 100 us already, and has one configuration for all "
                          "processes",
                          self.errors)
            self.assertEqual(self.available("info"), [("host_trap", "time", "100", "100", "none")])
        # It was killed: the GPU is free.
        lines = self.tool("count", (self.program, "2"), interval="200")
        self.assertIn("configured: ROCPROFILER_STATUS_SUCCESS", lines)
        self.assertRegex(lines[-2], r"^samples [1-9]\d* invalid 0 dropped 0$")

    def available(self, command, machine=MACHINE):
        text = self.run_command([BUILD / "bin" / "vgpu", "run", *machine, "--", BUILD / "bin" / "rocprofv3-avail",
                                 command,
                                 "--pc-sampling"]).stdout
        if command == "list":
            return text
        fields = "".join(rf"   {name:20}:\t(.*)\n" for name in ("Method",
                         "Unit", "Min_Interval", "Max_Interval", "Flags"))
        return re.findall(fields, text)

    def test_rocprofv3_avail_lists_configurations(self):
        self.assertEqual(self.available("info"), [("host_trap", "time", "1", str(2**64 - 1), "none")])
        self.assertEqual(self.available("list").split("\n\n")[:2],
                         ["Agents supporting PC Sampling", "GPU     :\t0\nName    :\tgfx90a"])
        other = ("--dir", self.folder / "other", "--gfx", "906")
        self.assertEqual(self.available("info", other), [])
        self.assertEqual(self.available("list", other), "Agents supporting PC Sampling\n\n")

    def test_more_samples_than_buffers_hold_and_waves_that_end(self):
        self.trace_shell('exec "$0" 4', interval="1us")
        ((submitted, losses),) = self.counts_by_process().values()
        self.assertGreater(submitted, 50_000)
        self.assertLessEqual(set(losses), {"loss.kSampleBuffer", "loss.kSpoolFull"})
        instructions = [instruction for line in self.hot()[KERNEL]["lines"] for instruction in line["instructions"]]
        self.assertTrue(any(each["instruction"] == "s_endpgm" for each in instructions))
        self.assertEqual(self.ask("SELECT count(*) FROM rtl_pc_sample WHERE code_object_id IS NULL"), [(0,)])


if __name__ == "__main__":
    base.main()
