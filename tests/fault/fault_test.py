#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One call of the tracer fails, for every call site in it. See README.md.

usage: fault_test.py [--runtime NAME] [TEST ...]     all without one
       fault_test.py [--runtime NAME] names          lists the tests

RTL_TEST_FULL=1: every call from each call site fails; otherwise a part of them that RTL_TEST_SEED chooses.
"""

import collections
import itertools
import json
import os
import pathlib
import random
import select
import shutil
import signal
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import frame  # noqa: E402
from frame import BUILD, IN_RUNTIME, RTL, RUNTIME, ask, check_sums, facts_of, make_folder  # noqa: E402

LIMIT_SECONDS = 120
BINARIES = frame.PROGRAMS
FAIL_NTH, TRACER, VGPU = (BUILD / "lib" / name for name in ("fail_nth.so", "librtl.so", "libvgpu.so"))
# The number of runs that count the calls before calls fail. Threads make some calls in some runs only.
COUNTED_RUNS = 3
# The number of tries for a call that each of those runs made. It may still stay away: the number of calls from a call
# site depends on how the machine's threads meet. For one call site in ONE_IN no call may come at all.
TRIES = 3
ONE_IN = 20
# From each call site the first call fails, and one in SAMPLED_ONE_IN of the others.
SAMPLED_ONE_IN = 1 if os.environ.get("RTL_TEST_FULL") == "1" else 5
SEED = os.environ.get("RTL_TEST_SEED", "1")
# Counted by the virtual GPU when the program has ended.
LIVE_COUNTS = ("queues", "events", "objects", "mappings", "fds")

# A program, and what else is in its environment.
Case = collections.namedtuple("Case", ("command", "environment"), defaults=({},))
# In the mode and with the methods that the tracer chooses itself.
PROGRAMS = (
    Case(("hsa_storm", "40")),
    Case(("hsa_copies", "1000000", "2")),
    Case(("hsa_code_object", BINARIES / "vector_add_kernel.co")),
    Case(("hsa_reload", BINARIES / "first_kernel.co", BINARIES / "second_kernel.co", "2")),
    Case(("hsa_markers",)),
    Case(("hsa_many_queues", "1")),
    Case(("hsa_burst",)),
    Case(("hsa_async_handler",)),
    Case(("hsa_dispatch_times",)),
    Case(("hsa_held_queue", "50")),
    Case(("hsa_barriers", "5")),
    Case(("streams_events", "1000")),
    Case(("graph_replay",)),
    Case(("callbacks",)),
    Case(("device_printf",)),
    Case(("host_memory",)),
    Case(("independent_queues",)),
    Case(("scratch",)),
)
# In modes and with methods that the environment requests.
MODES = (
    Case(("hsa_storm", "40"), {"RTL_OUTPUT": "own"}),
    Case(("hsa_markers",), {"RTL_OUTPUT": "own"}),
    Case(("hsa_storm", "40"), {"RTL_QUEUE_METHOD": "doorbell"}),
    Case(("hsa_async_handler",), {"RTL_APP_SIGNALS": "forward"}),
    Case(("hsa_barriers", "5"), {"RTL_BARRIERS": "1"}),
    Case(("hsa_burst",), {"RTL_MODE": "lite"}),
    Case(("hsa_storm", "100", "2", "64"), {"RTL_LOSSLESS": "1"}),
    Case(("graph_replay",), {"RTL_MODE": "full"}),
    Case(("streams_events", "1000"), {"RTL_MODE": "hip", "RTL_HIP_METHOD": "activity"}),
    Case(("streams_events", "1000"), {"RTL_MODE": "hip", "RTL_HIP_METHOD": "preload"}),
)
LASTING = (
    Case(("hsa_storm", "40")),
    Case(("hsa_copies", "1000000", "2")),
    Case(("hsa_async_handler",), {"RTL_APP_SIGNALS": "forward"}),
    Case(("hsa_storm", "40"), {"RTL_OUTPUT": "own"}),
    Case(("graph_replay",), {"RTL_MODE": "hip", "RTL_HIP_METHOD": "activity"}),
)
# Where counters can be read.
COUNTERS = (
    Case(("hsa_counted",), {"RTL_COUNTERS": "SQ_WAVES,SQ_INSTS_VALU"}),
    Case(("graph_replay",), {"RTL_COUNTERS": "SQ_WAVES,TCC_HIT"}),
)
DRIVER = (Case(("hsa_storm", "40")), Case(("hsa_copies", "1000000", "2")))
# Calls of the driver by number.
CALLS = (0x01, 0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x11, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x21)


def name_of(case):
    """The name of a case in its tests' names."""
    ways = (f"{variable.removeprefix('RTL_').lower()}={value}" for variable, value in case.environment.items())
    return ",".join((case.command[0], *ways))


class Outcome:
    def __init__(self, code, out, err, report):
        self.code, self.out, self.err = code, out, err
        processes = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
        self.live = [{name: process[name] for name in LIVE_COUNTS} for process in processes]
        # A process that a signal ended has no line.
        self.call_failed = not processes or any(process["injected_call_failures"] for process in processes)


class Server:
    """A program that is loaded once, and forked for each run: fork_server.cpp."""

    def __init__(self, command, folder, environment):
        self.out, self.err, self.report = folder / "out", folder / "err", folder / "report"
        (folder / "comgr").mkdir(parents=True)
        env = dict(os.environ, RTL_FAULT_SERVER="1", RTL_FAULT_COMGR=str(folder / "comgr"),
                   VGPU_REPORT=str(self.report), RUN_OUT=str(self.out), RUN_ERR=str(self.err)) | environment
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(LIMIT_SECONDS)

    def number(self):
        if not select.select([self.process.stdout], [], [], LIMIT_SECONDS)[0]:
            raise TimeoutError
        return struct.unpack("<i", self.process.stdout.read(4))[0]

    def run(self, environment=None):
        self.report.unlink(missing_ok=True)
        text = b"".join(f"{name}={value}\0".encode() for name, value in (environment or {}).items())
        self.process.stdin.write(struct.pack("<I", len(text)) + text)
        run = self.number()
        try:
            status = self.number()
        except TimeoutError:
            os.kill(run, signal.SIGKILL)
            self.number()
            raise
        return Outcome(os.waitstatus_to_exitcode(status), self.out.read_text(), self.err.read_text(), self.report)


class Fault(unittest.TestCase):
    """Its tests are those in TESTS, for each of their cases."""

    def setUp(self):
        self.folder = make_folder(self)
        self.spool, self.database = self.folder / "spool", self.folder / "t.db"

    def start(self, name, command, preload, **environment):
        if name == "program" and RUNTIME:
            command = (*IN_RUNTIME, "env", f"LD_PRELOAD={preload}", *command)
        else:
            environment["LD_PRELOAD"] = preload
        server = Server(command, self.folder / name, environment)
        self.addCleanup(server.close)
        return server

    def start_case(self, case):
        """The program, and its untraced run."""
        command = (BINARIES / case.command[0], *case.command[1:])
        if not all(path.exists() for path in command if isinstance(path, pathlib.Path)):
            self.skipTest("could not be built on this machine")
        preload = f"{FAIL_NTH}:{VGPU}"
        if case.environment.get("RTL_HIP_METHOD") == "preload":
            preload += f":{BUILD / 'lib' / 'librtl_hip.so'}"
        self.program = self.start("program", command, preload, VGPU_NUM_GPUS="1")
        self.start_collector()
        plain = self.program.run()
        self.assertEqual(plain.code, 0, plain.err)
        return plain

    def start_collector(self):
        command = (RTL, "collect", "--spool", self.spool, "--output", self.database)
        self.collector = self.start("collector", command, str(FAIL_NTH))

    def check_database(self, path):
        self.assertEqual(ask(path, "PRAGMA integrity_check"), [("ok",)])
        check_sums(facts_of(path))

    def check_trace(self):
        """Collects a database, if the trace could be opened at all."""
        if not list(self.spool.glob("*.ctl")):
            return False
        collected = self.collector.run()
        self.assertEqual(collected.code, 0, collected.err)
        self.check_database(self.database)
        self.database.unlink()
        return True

    def check_own_output(self, folder):
        """The same for a database that the program's own collector has made, or for the spool that it left."""
        for left in list(folder.glob("*.spool-*")):
            left.rename(self.spool)
            self.check_trace()
            shutil.rmtree(self.spool, ignore_errors=True)
        made = folder / "own.db"
        if not made.exists():
            return False
        self.check_database(made)
        return True

    def traced(self, case, **variables):
        """The result of a traced run, and whether there is a trace."""
        environment = {"HSA_TOOLS_LIB": f"{FAIL_NTH} {TRACER}", "HSA_TOOLS_ROCPROFILER_V1_TOOLS": "1",
                       "RTL_STRICT": "1"} | case.environment | variables
        if "RTL_OUTPUT" not in environment:
            self.spool.mkdir()
            got = self.program.run(environment | {"RTL_SPOOL": self.spool})
            opened = self.check_trace()
            shutil.rmtree(self.spool, ignore_errors=True)  # a collected one is gone
            return got, opened
        folder = self.folder / "own"
        folder.mkdir()
        # Waits until it is there, however busy the machine is.
        got = self.program.run(environment | {"RTL_OUTPUT": folder / "own.db", "RTL_EXIT_WAIT_MS": LIMIT_SECONDS * 500})
        opened = self.check_own_output(folder)
        shutil.rmtree(folder)
        return got, opened

    def check_run(self, plain, got, opened, lines=1, joined=True):
        self.assertEqual((got.out, got.code), (plain.out, plain.code), got.err)
        # ROCm 7.2 counts the signals that are left at its end, one of its own among them. A thread that cannot be
        # joined keeps the tracer's.
        leak = "Warning: Resource leak detected by SharedSignalPool"
        ours = [line for line in got.err.splitlines() if not (leak in plain.err and line.startswith(leak))]
        for line in ours:
            self.assertTrue(line.startswith("rtl: "), got.err)
        self.assertEqual(len(set(ours)), len(ours), got.err)
        self.assertLessEqual(len(ours), lines, got.err)
        # A program that leaves its queues to the kernel also leaves the runtime's objects of each intercept queue.
        # A thread that is not joined in time may still use what it has.
        counts = LIVE_COUNTS if plain.live[0]["queues"] == 0 and joined else ("queues", "fds")
        self.assertEqual([[live[name] for name in counts] for live in got.live],
                         [[live[name] for name in counts] for live in plain.live])
        self.assertTrue(opened or ours, "no trace, and no message about it")

    def places_of(self, case, plain):
        """The number of calls of each function from each call site in the tracer: (name, offset) -> calls."""
        path = self.folder / "sites"
        path.unlink(missing_ok=True)
        got, opened = self.traced(case, RTL_FAULT_PLACES=str(path))
        self.check_run(plain, got, opened)
        data = path.read_bytes()
        functions, = struct.unpack_from("<Q", data)
        names = [name.rstrip(b"\0").decode() for name, in struct.iter_unpack("48s", data[8:8 + 48 * functions])]
        sites = collections.Counter()
        for key, calls in struct.iter_unpack("<QQ", data[8 + 48 * functions:]):
            if key != 0:
                sites[names[(key >> 48) - 1], key & (1 << 48) - 1] = calls
        self.assertGreater(len(sites), 20, "the tracer makes hardly any calls: is it loaded?")
        return sites

    def fail_call(self, case, plain, fault):
        """False when the armed call was not reached."""
        reached = self.folder / "reached"
        reached.unlink(missing_ok=True)
        with self.subTest(command=case.command[0], environment=case.environment, fault=fault):
            try:
                got, opened = self.traced(case, RTL_FAULT=fault, RTL_FAULT_REPORT=str(reached))
                # Lasting failures concern two parts of the tracer: its collector, and its hooks. Each counter that
                # cannot be read has a line.
                counters = len(case.environment.get("RTL_COUNTERS", "").split(",")) if RUNTIME else 0
                self.check_run(plain, got, opened, lines=(2 if fault.endswith("+") else 1) + counters,
                               joined=not (counters and fault.startswith("pthread_timedjoin_np")))
            finally:  # nothing is left for the next
                for left in (self.spool, self.folder / "own"):
                    shutil.rmtree(left, ignore_errors=True)
                self.database.unlink(missing_ok=True)
        return reached.exists()

    def fail_calls(self, case, plain, counts, fault_of):
        """Fails calls that one of the counted runs made: the first from each call site, and a sample of the others. A
        call that all of them made is tried again when it did not come this time. `counts`: for each run, site ->
        calls; a site is (name, ...)."""
        failed, missed, untouched = collections.Counter(), collections.Counter(), []
        sites = sorted({site for count in counts for site in count})
        chance = random.Random(f"{SEED} {name_of(case)}")
        left_out = 0
        for site in sites:
            always = min(count[site] for count in counts)
            reached = []
            for n in range(1, max(count[site] for count in counts) + 1):
                if n > 1 and chance.randrange(SAMPLED_ONE_IN) != 0:
                    left_out += 1
                    continue
                tries = TRIES if n <= always else 1
                reached.append(any(self.fail_call(case, plain, fault_of(site, n)) for _ in range(tries)))
            failed[site[0]] += sum(reached)
            missed[site[0]] += len(reached) - sum(reached)
            if always > 0 and not any(reached):
                untouched.append(fault_of(site, 1))
        print(f"seed {SEED}, calls left out: {left_out}, calls failed: {failed.total()}", dict(failed),
              f"not reached: {missed.total()}", dict(+missed),
              f"sites: {len(sites)}, without a failed call: {untouched}", file=sys.stderr)
        self.assertLessEqual(len(untouched), len(sites) // ONE_IN, untouched)
        self.assertGreater(failed.total(), 20)

    def one_call(self, case):
        """Each call from each call site fails."""
        plain = self.start_case(case)
        counts = [self.places_of(case, plain) for _ in range(COUNTED_RUNS)]
        self.fail_calls(case, plain, counts, lambda key, n: f"{key[0]}@{key[1]:x}:{n}")

    def lasting(self, case):
        """From each call on, all calls of that function fail, from any call site."""
        plain = self.start_case(case)
        counts = [collections.Counter() for _ in range(COUNTED_RUNS)]
        for count in counts:
            for (name, _), calls in self.places_of(case, plain).items():
                count[name,] += calls
        self.fail_calls(case, plain, counts, lambda key, n: f"{key[0]}:{n}+")

    def run_with_driver_fault(self, command, call, n, **variables):
        report = self.folder / "report"
        report.unlink(missing_ok=True)
        env = dict(os.environ, LD_PRELOAD=f"{VGPU}", VGPU_REPORT=str(report), VGPU_NUM_GPUS="1",
                   VGPU_FAULTS=f"ioctl:call={call}:nth={n}") | variables
        got = subprocess.run([BINARIES / command[0], *command[1:]], env=env, capture_output=True, text=True,
                             timeout=LIMIT_SECONDS)
        return Outcome(got.returncode, got.stdout, got.stderr, report)

    def fail_driver_call(self, command, plain, call):
        """Returns the number of failed calls. The tracer's own calls of the driver shift the numbers of the program's
        calls. So the traced program may do what the untraced one does when any call of the kind fails, or when none
        does. Where the runtime ends the untraced one it may end the traced one sooner or later, in the same way."""
        outcomes = {(plain.code, plain.out)}
        for n in itertools.count(1):
            got = self.run_with_driver_fault(command, call, n)
            if not got.call_failed:
                break
            outcomes.add((got.code, got.out))
        ends = {code for code, _ in outcomes} - {plain.code}
        for n in itertools.count(1):
            self.spool.mkdir()
            with self.subTest(command=command[0], call=hex(call), n=n):
                got = self.run_with_driver_fault(command, call, n, HSA_TOOLS_LIB=str(TRACER),
                                                 RTL_SPOOL=str(self.spool), RTL_STRICT="1")
                ours = [line for line in got.err.splitlines(True) if line.startswith("rtl: ")]
                if got.code not in ends or not plain.out.startswith(got.out):
                    self.assertIn((got.code, got.out), outcomes, got.err)
                self.assertLessEqual(len(ours), 1, got.err)
                self.check_trace()
            shutil.rmtree(self.spool, ignore_errors=True)
            if not got.call_failed:
                return n - 1

    def driver(self, case):
        """Each call of the driver fails."""
        plain = self.start_case(case)
        failed = {call: self.fail_driver_call(case.command, plain, call) for call in CALLS}
        print(f"driver calls failed: {sum(failed.values())}", {hex(call): count for call, count in failed.items()},
              file=sys.stderr)
        self.assertGreater(sum(failed.values()), 20)


KINDS = (("programs", PROGRAMS, Fault.one_call), ("modes", MODES, Fault.one_call),
         ("lasting", LASTING, Fault.lasting), ("driver", DRIVER, Fault.driver))
KINDS_WITH_COUNTERS = (("counters", COUNTERS, Fault.one_call), ("counters.lasting", COUNTERS[:1], Fault.lasting))
TESTS = {
    f"{kind}.{name_of(case)}": (check, case)
    for kind, cases, check in (KINDS_WITH_COUNTERS if RUNTIME else KINDS)
    for case in cases
}
for test, (check, case) in TESTS.items():
    setattr(Fault, f"test_{test}", lambda self, check=check, case=case: check(self, case))


if __name__ == "__main__":
    if sys.argv[1:] == ["names"]:
        print(*TESTS, sep="\n")
    else:
        suite = unittest.TestSuite(Fault(f"test_{test}") for test in sys.argv[1:] or TESTS)
        sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())
