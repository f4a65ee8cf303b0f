#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The n-th call of a kind fails, for every n until none is reached. See README.md.

RTL_FAULT_STEP=1 in the environment: no call is left out.
"""

import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

LIMIT_SECONDS = 120
BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
FAIL_NTH = pathlib.Path(os.environ["RTL_FAIL_NTH"]).resolve()
KINDS = ("mmap", "open", "fallocate", "read", "pthread_create", "pthread_key_create",
         "aligned_alloc", "realloc")
# Every call fails with the first two; with the others, one in so many, and not the same ones with each program.
STEP = int(os.environ.get("RTL_FAULT_STEP", "4"))
PROGRAMS = (("hsa_storm", "500"), ("hsa_copies",))
SAMPLED = (("hsa_burst",), ("hsa_async_handler",), ("hsa_many_queues", "10"), ("hsa_dispatch_times",), ("hsa_held_queue",),
           ("streams_events",))
# Of these, one call in RARE_STEP of two kinds each fails; every kind has two or three of them.
RARE_STEP = 4 * STEP
BINARIES = BUILD / "bin" / "programs"
RARE = (("hsa_barriers",), ("hsa_markers",), ("callbacks",), ("device_printf",), ("graph_replay",),
        ("host_memory",), ("independent_queues",), ("scratch",),
        ("hsa_reload", BINARIES / "first_kernel.co", BINARIES / "second_kernel.co", "2"),
        ("hsa_code_object", BINARIES / "vector_add_kernel.co"))
# Calls of the driver by number, and how many are left out between two that fail.
CALLS = {0x01: 1, 0x02: 1, 0x03: 1, 0x05: 8, 0x06: 1, 0x07: 1, 0x08: 1, 0x09: 1, 0x11: 1, 0x13: 1, 0x14: 1, 0x15: 1,
         0x16: STEP, 0x17: STEP, 0x18: STEP, 0x19: STEP, 0x21: 1}
# Counted by the virtual GPU when the program has ended.
LIVE_COUNTS = ("queues", "events", "objects", "mappings", "fds")


class Outcome:
    def __init__(self, process, out, err, report):
        self.code, self.out, self.err = process.returncode, out, err
        processes = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
        self.live = [{name: process[name] for name in LIVE_COUNTS} for process in processes]
        # A process that was ended by a signal has no line: it is said to have got that far.
        self.call_failed = not processes or any(process["injected_call_failures"] for process in processes)


class Fault(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fault-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, command, **variables):
        report = self.folder / "report"
        report.unlink(missing_ok=True)
        preload = f"{FAIL_NTH}:{BUILD / 'lib' / 'libvgpu.so'}"
        env = dict(os.environ, LD_PRELOAD=preload, VGPU_REPORT=str(report), VGPU_NUM_GPUS="1") | variables
        with subprocess.Popen([BINARIES / command[0], *command[1:]], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                out, err = process.communicate(timeout=LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()  # else this block would wait for its end
                raise
        return Outcome(process, out, err, report)

    def check_trace(self, spool):
        """A database of what there is, if the trace could be opened at all."""
        if not list(spool.glob("*.ctl")):
            return False
        path = self.folder / "t.db"
        collected = subprocess.run([BUILD / "bin" / "rtl", "collect", "--spool", spool, "--output", path],
                                   capture_output=True, text=True, timeout=LIMIT_SECONDS)
        self.assertEqual(collected.returncode, 0, collected.stderr)
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchone()[0], "ok")
            tags = dict(database.execute("SELECT tag, value FROM rocpd_metadata"))
        for kind in [tag.removeprefix("seen.") for tag in tags if tag.startswith("seen.")]:
            lost = sum(int(value) for tag, value in tags.items()
                       if tag.startswith("loss.") and tag.endswith("." + kind))
            self.assertEqual(int(tags["seen." + kind]), int(tags["recorded." + kind]) + lost, tags)
        path.unlink()
        return True

    def run_with_fault(self, command, plain, fault):
        """False when the armed call was not reached."""
        spool = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        reached = self.folder / "reached"
        reached.unlink(missing_ok=True)
        got = self.run_program(command, HSA_TOOLS_LIB=str(BUILD / "lib" / "librtl.so"), RTL_SPOOL=str(spool),
                               RTL_STRICT="1", RTL_FAULT=fault, RTL_FAULT_REPORT=str(reached))
        self.assertEqual((got.out, got.code), (plain.out, plain.code), got.err)
        for line in got.err.splitlines():
            self.assertTrue(line.startswith("rtl: "), got.err)
        self.assertLessEqual(len(got.err.splitlines()), 1, got.err)
        # A program that leaves its queues to the kernel leaves what the runtime keeps with each intercept queue.
        counts = LIVE_COUNTS if plain.live[0]["queues"] == 0 else ("queues", "fds")
        self.assertEqual([[live[name] for name in counts] for live in got.live],
                         [[live[name] for name in counts] for live in plain.live])
        opened = self.check_trace(spool)
        self.assertTrue(opened or got.err, "no trace, and not a word about it")
        return reached.exists()

    def fail_calls(self, command, kind, first=1, step=1):
        """How many calls failed."""
        if not all(path.exists() for path in (BINARIES / command[0], *command[1:]) if isinstance(path, pathlib.Path)):
            return 0  # could not be built on this machine
        plain = self.run_program(command)
        self.assertEqual(plain.code, 0, plain.err)
        for failed, n in enumerate(range(first, 500, step)):
            reached = False
            with self.subTest(command=command[0], fault=f"{kind}:{n}"):
                reached = self.run_with_fault(command, plain, f"{kind}:{n}")
            if not reached:
                return failed
        self.fail("the program does not get past its faults")

    def run_with_driver_fault(self, command, call, n, **variables):
        return self.run_program(command, VGPU_FAULTS=f"ioctl:call={call}:nth={n}", **variables)

    def fail_driver_call(self, command, plain, call, step):
        """How many calls failed. What the tracer calls the driver for shifts the numbers of the program's own calls:
        so the traced program may do what the untraced one does when any call of the kind fails, or when none does."""
        outcomes = {(plain.code, plain.out)}
        for n in range(1, 500):
            got = self.run_with_driver_fault(command, call, n)
            if not got.call_failed:
                break
            outcomes.add((got.code, got.out))
        for failed, n in enumerate(range(1, 500, step)):
            spool = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            with self.subTest(command=command[0], call=hex(call), n=n):
                got = self.run_with_driver_fault(command, call, n, HSA_TOOLS_LIB=str(BUILD / "lib" / "librtl.so"),
                                                 RTL_SPOOL=str(spool), RTL_STRICT="1")
                self.assertIn((got.code, got.out), outcomes, got.err)
                ours = [line for line in got.err.splitlines() if line.startswith("rtl: ")]
                self.assertLessEqual(len(ours), 1, got.err)
                self.check_trace(spool)
            if not got.call_failed:
                return failed
        self.fail("the program does not get past its faults")

    def test_driver_calls(self):
        failed = {}
        for command in PROGRAMS:
            plain = self.run_program(command)
            self.assertEqual(plain.code, 0, plain.err)
            for call, step in CALLS.items():
                failed[call] = failed.get(call, 0) + self.fail_driver_call(command, plain, call, step)
        print("driver calls failed:", {hex(call): count for call, count in failed.items()}, file=sys.stderr)
        self.assertGreater(sum(failed.values()), 0)


def add_tests():
    for index, kind in enumerate(KINDS):
        def test(self, index=index, kind=kind):
            reached = sum(self.fail_calls(command, kind) for command in PROGRAMS)
            self.assertGreater(reached, 0, "the tracer makes no such call")
            for number, command in enumerate(SAMPLED):
                reached += self.fail_calls(command, kind, 1 + number % STEP, STEP)
            for number, command in enumerate(RARE):
                if STEP == 1 or (number + index) % 4 == 0:
                    reached += self.fail_calls(command, kind, 1 + (number + index) % RARE_STEP, RARE_STEP if STEP > 1 else 1)
            print(f"{kind}: {reached} calls failed", file=sys.stderr)
        setattr(Fault, f"test_{kind}", test)


add_tests()

if __name__ == "__main__":
    unittest.main()
