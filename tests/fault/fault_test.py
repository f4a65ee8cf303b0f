#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One call of the tracer's fails, for every place in it that makes one. See README.md.

RTL_FAULT_STEP=1 in the environment: no call is left out.
"""

import collections
import json
import os
import pathlib
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest

LIMIT_SECONDS = 120
BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
FAIL_NTH = pathlib.Path(os.environ["RTL_FAIL_NTH"]).resolve()
BINARIES = BUILD / "bin" / "programs"
TRACER = BUILD / "lib" / "librtl.so"
# Of places that another case has been through, one in so many is tried again in each case.
STEP = int(os.environ.get("RTL_FAULT_STEP", "16"))
# Of this many calls from one place every one fails; then the 16th, the 32nd ... and the last.
EVERY = 12 if STEP > 1 else 10_000
# Counted by the virtual GPU when the program has ended.
LIVE_COUNTS = ("queues", "events", "objects", "mappings", "fds")

# A program, and what else is in its environment.
Case = collections.namedtuple("Case", ("command", "environment"), defaults=({},))
# In the mode and by the ways that the tracer chooses itself.
PROGRAMS = (
    Case(("hsa_storm", "500")),
    Case(("hsa_copies",)),
    Case(("hsa_code_object", BINARIES / "vector_add_kernel.co")),
    Case(("hsa_reload", BINARIES / "first_kernel.co", BINARIES / "second_kernel.co", "2")),
    Case(("hsa_markers",)),
    Case(("hsa_many_queues", "10")),
    Case(("hsa_burst",)),
    Case(("hsa_async_handler",)),
    Case(("hsa_dispatch_times",)),
    Case(("hsa_held_queue",)),
    Case(("hsa_barriers",)),
    Case(("streams_events",)),
    Case(("graph_replay",)),
    Case(("callbacks",)),
    Case(("device_printf",)),
    Case(("host_memory",)),
    Case(("independent_queues",)),
    Case(("scratch",)),
)
# In modes and by ways that somebody asked for.
MODES = (
    Case(("hsa_storm", "500"), {"RTL_OUTPUT": "own"}),
    Case(("hsa_markers",), {"RTL_OUTPUT": "own"}),
    Case(("hsa_storm", "500"), {"RTL_QUEUE_DOOR": "doorbell"}),
    Case(("hsa_async_handler",), {"RTL_APP_SIGNALS": "forward"}),
    Case(("hsa_barriers",), {"RTL_BARRIERS": "1"}),
    Case(("hsa_burst",), {"RTL_MODE": "lite"}),
    Case(("hsa_storm", "10000"), {"RTL_LOSSLESS": "1"}),
    Case(("hsa_storm", "500"), {"RTL_FAULT_NO_FALLOCATE": "1"}),
    Case(("graph_replay",), {"RTL_MODE": "full"}),
    Case(("streams_events",), {"RTL_MODE": "hip", "RTL_HIP_DOOR": "activity"}),
    Case(("streams_events",), {"RTL_MODE": "hip", "RTL_HIP_DOOR": "preload"}),
)
LASTING = (
    Case(("hsa_storm", "500")),
    Case(("hsa_copies",)),
    Case(("hsa_async_handler",), {"RTL_APP_SIGNALS": "forward"}),
    Case(("hsa_storm", "500"), {"RTL_OUTPUT": "own"}),
    Case(("graph_replay",), {"RTL_MODE": "hip", "RTL_HIP_DOOR": "activity"}),
)
# Calls of the driver by number; one in so many fails.
CALLS = {0x01: 1, 0x02: 1, 0x03: 1, 0x05: 8, 0x06: 1, 0x07: 1, 0x08: 1, 0x09: 1, 0x11: 1, 0x13: 1, 0x14: 1, 0x15: 1,
         0x16: 6, 0x17: 6, 0x18: 6, 0x19: 6, 0x21: 1}


def numbers(calls):
    """Which of the calls from one place fail."""
    return sorted(n for n in {*range(1, EVERY + 1), *(1 << power for power in range(20)), calls} if n <= calls)


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
        preload = f"{FAIL_NTH}:{BUILD / 'lib' / 'libvgpu.so'}{variables.pop('PRELOAD', '')}"
        env = dict(os.environ, LD_PRELOAD=preload, VGPU_REPORT=str(report), VGPU_NUM_GPUS="1") | variables
        with subprocess.Popen([BINARIES / command[0], *command[1:]], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                out, err = process.communicate(timeout=LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()  # else this block would wait for its end
                raise
        return Outcome(process, out, err, report)

    def collect(self, spool, path):
        collected = subprocess.run([BUILD / "bin" / "rtl", "collect", "--spool", spool, "--output", path],
                                   capture_output=True, text=True, timeout=LIMIT_SECONDS)
        self.assertEqual(collected.returncode, 0, collected.stderr)

    def check_database(self, path):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchone()[0], "ok")
            tags = dict(database.execute("SELECT tag, value FROM rocpd_metadata"))
        for kind in [tag.removeprefix("seen.") for tag in tags if tag.startswith("seen.")]:
            lost = sum(int(value) for tag, value in tags.items()
                       if tag.startswith("loss.") and tag.endswith("." + kind))
            self.assertEqual(int(tags["seen." + kind]), int(tags["recorded." + kind]) + lost, tags)

    def check_trace(self, spool):
        """A database of what there is, if the trace could be opened at all."""
        if not list(spool.glob("*.ctl")):
            return False
        path = self.folder / "t.db"
        self.collect(spool, path)
        self.check_database(path)
        path.unlink()
        return True

    def check_own_output(self, folder):
        """The same of a database that the program's own collector has made, or of the spool that it left."""
        for spool in folder.glob("*.spool-*"):
            if list(spool.glob("*.ctl")):
                self.check_trace(spool)
        made = folder / "own.db"
        if not made.exists():
            return False
        self.check_database(made)
        return True

    def traced(self, case, **variables):
        """What a traced run did, and whether there is a trace."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        environment = {"HSA_TOOLS_LIB": f"{FAIL_NTH} {TRACER}", "RTL_STRICT": "1"} | case.environment | variables
        own = "RTL_OUTPUT" in environment
        if own:
            environment["RTL_EXIT_WAIT_MS"] = str(LIMIT_SECONDS * 500)  # until it is there, however busy the machine is
        environment["RTL_OUTPUT" if own else "RTL_SPOOL"] = str(folder / "own.db" if own else folder)
        if environment.get("RTL_HIP_DOOR") == "preload":
            environment["PRELOAD"] = f":{BUILD / 'lib' / 'librtl_hip.so'}"
        got = self.run_program(case.command, **environment)
        return got, self.check_own_output(folder) if own else self.check_trace(folder)

    def check_run(self, plain, got, opened):
        self.assertEqual((got.out, got.code), (plain.out, plain.code), got.err)
        for line in got.err.splitlines():
            self.assertTrue(line.startswith("rtl: "), got.err)
        self.assertLessEqual(len(got.err.splitlines()), 1, got.err)
        # A program that leaves its queues to the kernel leaves what the runtime keeps with each intercept queue.
        counts = LIVE_COUNTS if plain.live[0]["queues"] == 0 else ("queues", "fds")
        self.assertEqual([[live[name] for name in counts] for live in got.live],
                         [[live[name] for name in counts] for live in plain.live])
        self.assertTrue(opened or got.err, "no trace, and not a word about it")

    def places_of(self, case, plain):
        """How often each function was called from each place in the tracer: (name, offset) -> calls."""
        path = self.folder / "places"
        path.unlink(missing_ok=True)
        got, opened = self.traced(case, RTL_FAULT_PLACES=str(path))
        self.check_run(plain, got, opened)
        data = path.read_bytes()
        functions, = struct.unpack_from("<Q", data)
        names = [name.rstrip(b"\0").decode() for name, in struct.iter_unpack("48s", data[8:8 + 48 * functions])]
        places = {}
        for key, calls in struct.iter_unpack("<QQ", data[8 + 48 * functions:]):
            if key != 0:
                places[names[(key >> 48) - 1], key & (1 << 48) - 1] = calls
        self.assertGreater(len(places), 20, "the tracer calls hardly anything: is it there?")
        return places

    def available(self, cases):
        """Those that could be built on this machine, and what they do untraced."""
        for case in cases:
            if all(path.exists() for path in (BINARIES / case.command[0], *case.command[1:])
                   if isinstance(path, pathlib.Path)):
                plain = self.run_program(case.command)
                self.assertEqual(plain.code, 0, plain.err)
                yield case, plain

    def run_cases(self, cases, known):
        """Each call from a place that is not among `known` yet fails, and some from those that are."""
        failed = collections.Counter()
        for case, plain in self.available(cases):
            for index, ((name, offset), calls) in enumerate(sorted(self.places_of(case, plain).items())):
                old = (name, offset) in known
                if old and (index + len(known)) % STEP != 0:
                    continue
                known.add((name, offset))
                for n in numbers(calls) if not old or STEP == 1 else [1]:
                    failed[name] += self.fail_call(case, plain, f"{name}@{offset:x}:{n}")
        self.show("calls failed", failed)
        return failed

    def show(self, what, failed):
        print(f"{what}: {sum(failed.values())}", dict(failed), file=sys.stderr)

    def fail_call(self, case, plain, fault):
        """False when the armed call was not reached."""
        reached = self.folder / "reached"
        reached.unlink(missing_ok=True)
        with self.subTest(command=case.command[0], environment=case.environment, fault=fault):
            got, opened = self.traced(case, RTL_FAULT=fault, RTL_FAULT_REPORT=str(reached))
            self.check_run(plain, got, opened)
        return reached.exists()

    def test_programs(self):
        failed = self.run_cases(PROGRAMS, set())
        for name in ("mmap", "open", "pthread_create", "hsa_amd_signal_create"):
            self.assertGreater(failed[name], 0, name)

    def test_modes(self):
        known = set()
        for case, plain in self.available(PROGRAMS):
            known.update(self.places_of(case, plain))
        failed = self.run_cases(MODES, known)
        for name in ("clone", "mkdtemp", "pwrite"):
            self.assertGreater(failed[name], 0, name)

    def test_lasting(self):
        """What has failed goes on failing."""
        failed = collections.Counter()
        for case, plain in self.available(LASTING):
            calls = collections.Counter()
            for (name, _), count in self.places_of(case, plain).items():
                calls[name] += count
            for name, count in sorted(calls.items()):
                chosen = numbers(count) if STEP == 1 else {1, (count + 1) // 2} if case is LASTING[0] else {(count + 1) // 2}
                for n in chosen:
                    failed[name] += self.fail_call(case, plain, f"{name}:{n}+")
        self.show("calls failed and all later ones", failed)
        for name in ("mmap", "open", "pthread_create", "hsa_amd_signal_create"):
            self.assertGreater(failed[name], 0, name)

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
                got = self.run_with_driver_fault(command, call, n, HSA_TOOLS_LIB=str(TRACER),
                                                 RTL_SPOOL=str(spool), RTL_STRICT="1")
                self.assertIn((got.code, got.out), outcomes, got.err)
                ours = [line for line in got.err.splitlines() if line.startswith("rtl: ")]
                self.assertLessEqual(len(ours), 1, got.err)
                self.check_trace(spool)
            if not got.call_failed:
                return failed
        self.fail("the program does not get past its faults")

    def test_driver(self):
        failed = {}
        for case, times in zip(PROGRAMS, (1, 3)):
            plain = self.run_program(case.command)
            self.assertEqual(plain.code, 0, plain.err)
            for call, step in CALLS.items():
                step = 1 if STEP == 1 else step * times
                failed[call] = failed.get(call, 0) + self.fail_driver_call(case.command, plain, call, step)
        print("driver calls failed:", {hex(call): count for call, count in failed.items()}, file=sys.stderr)
        self.assertGreater(sum(failed.values()), 0)


if __name__ == "__main__":
    unittest.main()
