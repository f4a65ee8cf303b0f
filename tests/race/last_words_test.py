#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs die after they have seen kernels end. All of these kernels must be in the trace.

    last_words_test.py [--runs N | --each N | --all N] [--seed S] [--first I] [--last I] [--jobs N] [--runtimes R,R…]

--runs takes a sample of the matrix, --all runs each of its cells N times, --each N of the cells that have the same
runtime, way, signals, threads and lateness. Run I of a seed is the same each time, except for the machine's timing. See
README.md.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import RTL, ask, expect, in_runtime, programs_of, skip  # noqa: E402
from processes import traced_by  # noqa: E402

LIMIT_SECONDS = 120
# Version of the driver's interface. Below it ROCm 6.1 lets only one thread sleep on a signal; others spin. When the
# program waits for a signal with a handler, the runtime's fault thread spins and never queries the driver for faults.
WITH_AGES = "14"
WAYS = ("segv", "abort", "kill", "terminate", "exit_now", "exec")
THREADS = (1, 4)
LATE = ("wait", "launch")
PROGRAMS = {
    "hsa_last_words": {"ways": WAYS, "learn": ("wait", "poll", "handler"), "signals": ("own", "shared", "barrier")},
    "last_words": {"ways": (*WAYS, "fault"), "learn": ("wait", "device", "poll", "event", "copy", "callback", "launch"),
                   "signals": ("own", "shared")},
}
MODES = ("auto", "auto", "standard", "hip", "forward")
CODES = {"segv": 128 + 11, "abort": 128 + 6, "kill": 128 + 9, "terminate": 128 + 15, "exit_now": 3, "exec": 0}


def cells(runtimes):
    for name, program in PROGRAMS.items():
        yield from itertools.product(runtimes, (name,), program["ways"], program["learn"], program["signals"], THREADS,
                                     LATE)


def order_of(arguments, matrix):
    """The cells in the order in which they are run."""
    if arguments.all is not None:
        return [cell for cell in matrix for _ in range(arguments.all)]
    dice = random.Random(arguments.seed)
    if arguments.each is None:
        return [dice.choice(matrix) for _ in range(arguments.first + arguments.runs)]
    alike = {}
    for cell in matrix:
        runtime, _, way, _, signals, threads, late = cell
        alike.setdefault((runtime, way, signals, threads, late), []).append(cell)
    order = [dice.choice(group) for group in alike.values() for _ in range(arguments.each)]
    dice.shuffle(order)  # so that a part of them is a sample
    return order


class Run:
    def __init__(self, seed, index, cell):
        self.runtime, self.program, self.way, self.learn, self.signals, self.threads, self.late = cell
        dice = random.Random(f"{seed}/{index}")
        self.seed = dice.randrange(1 << 32)
        self.mode = dice.choice(MODES)
        self.dispatch_ns = dice.choice((0, 2_000, 50_000))
        self.killed = False  # because it did not end
        if self.runtime == "7.2" and self.mode == "standard":
            self.mode = "auto"  # standard leaves out batches there

    def __str__(self):
        return (f"{self.program} of {self.runtime or 'this system'}: {self.way}, {self.learn}, {self.signals}, "
                f"{self.threads} threads, late {self.late}, mode {self.mode}, kernels of {self.dispatch_ns} ns, "
                f"program's seed {self.seed}")

    def start(self, folder):
        """The number of kernels of each thread known to have ended; the database."""
        note, database = folder / "note", folder / "t.db"
        command = [*in_runtime(self.runtime), RTL, "trace", "--vgpu", "--no-summary", "-o", database, "--",
                   programs_of(self.runtime) / self.program, note, self.way, self.learn, self.signals,
                   str(self.threads), str(self.seed), self.late]
        env = dict(os.environ, VGPU_NUM_GPUS="1", VGPU_DISPATCH_NS=str(self.dispatch_ns),
                   RTL_MODE="auto" if self.mode == "forward" else self.mode)
        if self.learn == "launch":
            env["AMD_SERIALIZE_KERNEL"] = "3"
        if self.mode == "forward":
            env["RTL_APP_SIGNALS"] = "forward"
        if self.runtime == "6.1":
            env["VGPU_KFD_MINOR"] = WITH_AGES
        code, said = self.end_of(command, env)
        wanted = CODES.get(self.way)
        said = f"exit code {code}\n{said}"
        expect(code == wanted or wanted is None and code != 0, said)
        expect(note.exists(), said)
        return struct.unpack(f"{self.threads}I", note.read_bytes()[: 4 * self.threads]), database

    def end_of(self, command, env):
        """Exit code and output. The runtime decides what a program with a page fault does: that of 5.2 has no ages of
        events, and may miss a fault (WITH_AGES). Then the program, which never ends, is killed."""
        running = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   start_new_session=True)
        try:
            said, _ = running.communicate(timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            expect(self.way == "fault" and not self.runtime, f"it does not end in {LIMIT_SECONDS} s")
            os.kill(traced_by(running.pid), signal.SIGKILL)
            said, _ = running.communicate(timeout=LIMIT_SECONDS)
            self.killed = True
        return running.returncode, said

    def check(self, folder):
        """Returns the number of kernels known to have ended."""
        known, database = self.start(folder)
        found = set(ask(database, "SELECT gridX, gridY, workgroupX FROM rocpd_op WHERE kernel_id != 0"))
        for thread, count in enumerate(known):
            missing = [k for k in range(count) if shape(thread, k) not in found]
            expect(not missing, f"thread {thread} has seen {count} kernels end, {len(missing)} of them are not in the "
                                f"trace: {missing[:20]}")
        return sum(known)


def shape(thread, kernel):
    """The same as in last_words.h."""
    workgroup = 1 + kernel % 64
    return workgroup * (1 + kernel // 64), thread + 1, workgroup


def here(runtime):
    return all((programs_of(runtime) / name).exists() for name in PROGRAMS)


def failure_of(run):
    """Runs it. Returns the number of kernels that its check found, and what is wrong."""
    with tempfile.TemporaryDirectory(prefix="race-") as folder:
        try:
            return run.check(pathlib.Path(folder)), None
        except (AssertionError, sqlite3.Error, subprocess.TimeoutExpired) as failure:
            return 0, failure


def run_all(kind, order, arguments, jobs=1):
    """Runs the cells from --first on. Returns the sum of what the checks return, and the failed and killed runs."""
    found = failed = 0
    print(f"seed {arguments.seed}", flush=True)
    runs = {index: kind(arguments.seed, index, order[index]) for index in range(arguments.first, len(order))}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (index, run), (count, failure) in zip(runs.items(), pool.map(failure_of, runs.values())):
            found += count
            if failure is not None:
                print(f"FAILED: run {index} ({run}): {failure}", flush=True)
                failed += 1
    return found, failed, sum(run.killed for run in runs.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--all", type=int, help="how often each cell of the matrix is run")
    parser.add_argument("--each", type=int, help="how often each way of dying is run with each kind of program")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, help="number of the first run")
    parser.add_argument("--last", type=int, help="the run before which to end")
    parser.add_argument("--jobs", type=int, default=1, help="how many are run at once")
    parser.add_argument("--runtimes", default=",6.1,6.4,7.2,7.14")
    arguments = parser.parse_args()
    runtimes = [runtime for runtime in arguments.runtimes.split(",") if here(runtime)]
    matrix = list(cells(runtimes))
    if not matrix:
        skip("none of the runtimes is installed")
    order = order_of(arguments, matrix)[: arguments.last]
    known, failed, killed = run_all(Run, order, arguments, arguments.jobs)
    runs = len(order) - arguments.first
    print(f"{runs} runs on {len(runtimes)} runtimes: {known} kernels were seen to end before the process did; "
          f"{failed} runs lack some of them; {killed} programs were killed because they did not end after a GPU fault")
    return 0 if failed == 0 and known > runs else 1


if __name__ == "__main__":
    sys.exit(main())
