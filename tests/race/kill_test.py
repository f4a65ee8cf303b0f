#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A traced storm of kernels is killed at random moments; the trace must hold the kernels completed before.

    kill_test.py [--kills N] [--seed S] [--first I]     100 kills; with RTL_TEST_FULL=1 200

Kill I of a seed is the same each time, except for the exact moment on the machine. See README.md.
"""

import argparse
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import completions  # noqa: E402
from frame import BUILD, PROGRAMS, RTL, ask, check_sums, expect, facts_of, rtl  # noqa: E402
from processes import children_of, wait_until  # noqa: E402

LIMIT_SECONDS, PAUSE = 60, 0.0005  # between looks for the first kernel
GRACE_NS = 50_000_000  # kernels that completed that long before the kill have to be there
WANTED_SHARE = 0.99
CLOCK_TOLERANCE = 200e-6
LOOK_NS = 5_000_000
PATIENCE = 3  # a kill may wait this many times its delay until the tracer had its time
TELLING_SHARE = 0.02  # of the kills: with kernels that had completed before the grace
# A virtual machine may stand still unnoticed.
LATE_SHARE = 0.01
TRACER_THREADS = ("rtl-signals", "rtl-worker")  # the first completes the program's signals, the second writes
# The tracer's Harvester: this many kernels of a queue may be found running while later ones, which end meanwhile, are
# recorded.
# The number of later ones is not bounded: the Forwarder goes through all pending signals once, while more kernels end.
LOOK_AHEAD = 16
SHARED_MEMORY = "/dev/shm"
ROOM_BYTES = 1 << 30


class Plan:
    """The random choices of one kill."""

    def __init__(self, seed, index):
        dice = random.Random(f"{seed}/{index}")
        self.queues = dice.choice((1, 1, 2, 3, 4))
        self.dispatch_ns = dice.choice((0, 0, 2_000, 20_000, 200_000))
        self.launcher = dice.random() < 0.5  # otherwise the spool is collected afterwards
        self.mode = dice.choice(("auto", "standard", "hip"))
        # One in eight is killed while it starts, the others some time after their first kernel.
        self.starting = dice.random() < 0.125
        # Measured in time that the tracer had, see Chances.
        self.after_ns = int(dice.uniform(0, 120_000_000))

    def __str__(self):
        since = "start" if self.starting else "first kernel"
        return (f"{self.queues} queues, kernels of {self.dispatch_ns} ns, mode {self.mode}, "
                f"{'rtl trace' if self.launcher else 'rtl collect'}, {self.after_ns} ns after its {since}")


def raw_ns():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)


def child_of(pid, name):
    """The process of this name that `pid` started; None: it has not started yet."""
    for child in children_of(pid):
        try:
            if os.path.basename(os.readlink(f"/proc/{child}/exe")) == name:
                return child
        except OSError:
            continue
    return None


class TracerThread:
    """The time that a thread of the tracer has waited for a processor."""

    def __init__(self, name):
        self.name = name
        self.task = None
        self.counted = (0, 0, 0)  # its time on a processor, waiting for one, and how often it got one
        self.seen_ns = 0  # when it was last seen not to be waiting

    def waited_ns(self, pid, now):
        try:
            if self.task is None:
                tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
                self.task = next((task for task in tasks if (task / "comm").read_text() == self.name + "\n"), None)
            if self.task is None:
                return 0
            state = (self.task / "stat").read_text().rpartition(") ")[2][0]
            counted = tuple(map(int, (self.task / "schedstat").read_text().split()))
        except (OSError, ValueError):
            return self.counted[1]
        # schedstat does not show a wait that still lasts. The disk can block a thread as well.
        if state not in "RD" or counted != self.counted:
            self.seen_ns = now
        self.counted = counted
        return counted[1] + now - self.seen_ns


class Chances:
    """The time that each of the tracer's threads had, in which neither it nor the test waited for a processor."""

    def __init__(self):
        self.threads = [TracerThread(name) for name in TRACER_THREADS]
        self.looks = []  # (moment, time of each thread until then)
        self.waited = [0] * len(self.threads)

    def look(self, pid):
        now = raw_ns()
        waited = [thread.waited_ns(pid, now) for thread in self.threads]
        before, had = self.looks[-1] if self.looks else (now, [0] * len(self.threads))
        # A virtual machine stands still at times without notice: then the test wakes up late.
        passed = min(now - before, 2 * LOOK_NS)
        waits = [max(0, after - earlier) for after, earlier in zip(waited, self.waited)]
        self.looks.append((now, [so_far + max(0, passed - wait) for so_far, wait in zip(had, waits)]))
        self.waited = waited

    def had_ns(self):
        return min(self.looks[-1][1])

    def since(self, wanted_ns):
        """The moment since which first one thread, then the next, had its share of that time; zero: they had not."""
        moment, had = self.looks[-1]
        share = wanted_ns / len(self.threads)
        for thread in reversed(range(len(self.threads))):
            until = had[thread]
            earlier = (look for look in reversed(self.looks) if look[0] <= moment and until - look[1][thread] >= share)
            moment, had = next(earlier, (0, None))
            if had is None:
                return 0
        return moment


class Kill:
    def __init__(self, plan, folder):
        self.plan = plan
        self.folder = folder
        self.spool = folder / "spool"
        self.spool.mkdir(mode=0o700)
        self.database = folder / "t.db"

    def start(self):
        storm = [PROGRAMS / "hsa_storm", "1000000000", str(self.plan.queues)]
        env = dict(os.environ, VGPU_COMPLETIONS=str(self.folder / "done"), VGPU_NUM_GPUS="1",
                   VGPU_DISPATCH_NS=str(self.plan.dispatch_ns), RTL_MODE=self.plan.mode)
        if self.plan.launcher:
            command = [RTL, "trace", "--vgpu", "--no-summary", "-o", self.database, "--", *storm]
        else:
            command = storm
            env |= {"HSA_TOOLS_LIB": str(BUILD / "lib" / "librtl.so"), "RTL_SPOOL": str(self.spool),
                    "LD_PRELOAD": str(BUILD / "lib" / "libvgpu.so")}
        with (self.folder / "err").open("wb") as err:
            return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=err)

    def kill(self, process):
        """The device's log, and the moment before which completed kernels have to be there."""
        pid = process.pid
        if self.plan.launcher:
            pid = wait_until(lambda: child_of(process.pid, "hsa_storm"), "the program starts", LIMIT_SECONDS, PAUSE)
        log = self.folder / f"done.{pid}"
        if not self.plan.starting:
            wait_until(lambda: completions.count_of(log) > 0, "the first kernel", LIMIT_SECONDS, PAUSE)
        chances = Chances()
        chances.look(pid)
        limit = raw_ns() + PATIENCE * self.plan.after_ns
        while (left := self.plan.after_ns - chances.had_ns()) > 0 and raw_ns() < limit:
            time.sleep(min(left, LOOK_NS) / 1e9)
            chances.look(pid)
        since = chances.since(GRACE_NS)
        os.kill(pid, signal.SIGKILL)
        code = process.wait(timeout=LIMIT_SECONDS)
        expect(code == (128 + signal.SIGKILL if self.plan.launcher else -signal.SIGKILL), f"exit code {code}")
        return log, since

    def collect(self):
        """False when the program was killed before it had opened its trace."""
        if self.plan.launcher:
            return True
        if not list(self.spool.glob("*.ctl")):
            return False
        rtl("collect", "--spool", self.spool, "--output", self.database)
        return True

    def rows(self):
        """The kernels of each queue as (packet, start, end), in the order in which they were submitted, and those that
        were passed through untouched (kBacklog, when a busy machine stops the worker for long): {cause: number}."""
        queues = {}
        expect(ask(self.database, "PRAGMA integrity_check") == [("ok",)], "integrity check")
        tags = facts_of(self.database)
        check_sums(tags)
        passed = {tag.split(".")[1]: int(value) for tag, value in tags.items() if tag.startswith("loss.")
                  and tag.endswith(".kernels") and tag != "loss.kKilled.kernels" and value != "0"}
        of_queues = ask(self.database, "SELECT sum(submitted) FROM rtl_queue")[0][0] or 0
        expect(passed or of_queues == int(tags["submitted.kernels"]), f"the queues saw {of_queues} kernels: {tags}")
        for queue, *kernel in ask(self.database, "SELECT queueId, packet, start, end FROM rocpd_op WHERE queueId > 0 "
                                                 "ORDER BY queueId, packet"):
            queues.setdefault(queue, []).append(kernel)
        return queues, passed

    def run(self):
        """The number of kernels completed when the grace began, and the number in the trace."""
        process = self.start()
        try:
            log, since = self.kill(process)
        finally:
            process.kill()
            process.wait()
        if not self.collect():
            expect(completions.count_of(log) == 0, "kernels were completed, and there is no trace")
            return 0, 0
        rows, passed = self.rows()
        device = completions.CompletionLog(log)
        kernels = device.kernels()
        expect(not device.cut, "the log of completions is full")
        for queue, found in rows.items():
            why = [mismatch(found, done, device.tick_ns(), sum(passed.values())) for done in kernels.values()]
            expect(None in why, f"queue {queue}: its {len(found)} rows are no queue of the device's: {why}, {passed}")
        due = [sum(1 for kernel in done if kernel.completed_ns < since) for done in kernels.values()]
        return sum(due), sum(map(len, rows.values()))


def mismatch(rows, kernels, tick_ns, passed):
    """Why the rows are not the first kernels of a queue; None: they are, except for those that overtook at the end and
    `passed` others."""
    for packet, start, end in rows:
        if packet >= len(kernels):
            return f"packet {packet} was not completed"
        # The program submits nothing else. The runtime estimates the ratio of the two clocks.
        took = (kernels[packet].end - kernels[packet].start) * tick_ns
        if abs(end - start - took) > 2 * tick_ns + CLOCK_TOLERANCE * took:
            return f"packet {packet} took {end - start} ns, on the device {took} ns"
    missing = sorted(set(range(rows[-1][0] + 1)) - {packet for packet, _, _ in rows})
    if len(missing) > LOOK_AHEAD + passed:
        return f"{len(missing)} rows are missing, the first is packet {missing[0]} of {rows[-1][0] + 1}"
    return None


def folder_without_a_disk():
    """A busy disk blocks a writer of a mapped file for longer than the grace. None: there is no better folder."""
    if not os.access(SHARED_MEMORY, os.W_OK):
        return None
    room = os.statvfs(SHARED_MEMORY)
    return SHARED_MEMORY if room.f_bavail * room.f_frsize >= ROOM_BYTES else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200 if os.environ.get("RTL_TEST_FULL") == "1" else 100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, help="number of the first kill")
    arguments = parser.parse_args()
    due = recorded_of_due = failed = late = telling = 0
    for index in range(arguments.first, arguments.first + arguments.kills):
        plan = Plan(arguments.seed, index)
        with tempfile.TemporaryDirectory(prefix="kill-", dir=folder_without_a_disk()) as folder:
            kill = Kill(plan, pathlib.Path(folder))
            try:
                completed, recorded = kill.run()
            except (AssertionError, sqlite3.Error, subprocess.TimeoutExpired) as failure:
                print(f"FAILED: seed {arguments.seed}, kill {index} ({plan}): {failure}\n"
                      f"{(kill.folder / 'err').read_text()}")
                failed += 1
                continue
        due += completed
        recorded_of_due += min(completed, recorded)
        telling += completed > 0
        if recorded < WANTED_SHARE * completed:
            print(f"late: seed {arguments.seed}, kill {index} ({plan}): "
                  f"{recorded} of {completed} kernels that had completed 50 ms before are recorded")
            late += 1
    share = recorded_of_due / due if due else 1
    print(f"{arguments.kills} kills, {telling} of them with kernels that had completed 50 ms before: of {due} such "
          f"kernels {100 * share:.3f} % are recorded; {late} kills with less than 99 %, {failed} failures")
    told = telling >= TELLING_SHARE * arguments.kills
    return 0 if told and failed == 0 and late <= LATE_SHARE * arguments.kills else 1


if __name__ == "__main__":
    sys.exit(main())
