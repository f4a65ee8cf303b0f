#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs die while kernels are in flight. The trace must name them: those that are not in the device's log.

    in_flight_test.py [--runs N] [--seed S] [--first I] [--runtimes R,R…]

Run I of a seed is the same each time, except for the machine's timing. See README.md.
"""

import argparse
import itertools
import os
import pathlib
import random
import sqlite3
import sys
import time

import last_words_test
from completions import CompletionLog
from frame import expect, skip

LOSSES = ("kKilled", "kExec", "kShutdown")
DISPATCH_NS = (0, 20_000, 1_000_000, 20_000_000)
SERIAL_NS = 1_000_000
# The device's log has a clock with a rate of its own, and two readings of clocks are a moment apart.
TOLERANCE_NS = 1_000_000


class Run(last_words_test.Run):
    """The same programs, with slower kernels and the device's log."""

    def __init__(self, seed, index, cell):
        super().__init__(seed, index, cell)
        self.dispatch_ns = random.Random(f"{seed}/{index}/ns").choice(DISPATCH_NS)
        if self.learn == "launch" and self.threads > 1:
            # HIP holds a lock while it waits, and the thread that has it gets it again: the one that is to end the
            # process may come after all kernels of the others, traced or not.
            self.dispatch_ns = min(self.dispatch_ns, SERIAL_NS)

    def check(self, folder):
        """Returns the number of kernels in flight."""
        log = folder / "log"
        os.environ["VGPU_COMPLETIONS"] = str(log)
        _, path = self.start(folder)
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        found = list(database.execute("SELECT pid FROM rtl_process"))
        expect(len(found) == 1, f"{len(found)} processes")
        in_flight = rows_in_flight(database)
        metadata = dict(database.execute("SELECT tag, value FROM rocpd_metadata"))
        lost = sum(int(metadata[f"loss.{loss}.kernels"]) for loss in LOSSES)
        expect(len(in_flight) == lost, f"{lost} kernels have no row, {len(in_flight)} are said to be in flight")
        if self.mode == "hip" and self.program == "last_words":
            # The interrupted call has no row.
            unlinked = sum(1 for row in in_flight if row["call"] is None)
            expect(unlinked <= self.threads, f"{unlinked} of {len(in_flight)} kernels in flight have no call")
        completions = CompletionLog(pathlib.Path(f"{log}.{found[0][0]}"))
        expect(not completions.cut, "the device's log is full")
        self.check_queues(database, in_flight, completions)
        database.close()
        return len(in_flight)

    def check_queues(self, database, in_flight, completions):
        """For each queue: kernels in flight are those that the device has not completed, and those that ended after the
        tracer's last look. The trace does not name the device's queue: one of its queues must fit."""
        # The log has a raw clock.
        raw_to_boot = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        queues = database.execute("SELECT q.queue, (SELECT count(*) FROM rocpd_op o WHERE o.queueId = q.id AND "
                                  "o.kernel_id != 0) FROM rtl_queue q")
        fitting = []
        said = []
        for queue, recorded in list(queues):
            own = [row for row in in_flight if row["queue"] == queue]
            fits = set()
            for device, done in completions.kernels().items():
                # Kernels of one queue end in their order here: each waits for the one before.
                late = [kernel.completed_ns + raw_to_boot - row["looked"]
                        for row, kernel in zip(own, done[recorded:])]
                early = sum(1 for ns in late if ns < -TOLERANCE_NS)
                if recorded <= len(done) <= recorded + len(own) and not early:
                    fits.add(device)
                said.append(f"queue {queue}, {recorded} recorded, {len(own)} in flight; device queue {device}, "
                            f"{len(done)} completed, {early} of those in flight long before the last look")
            if recorded == 0:
                fits.add(-queue)  # the device has completed none of its kernels
            fitting.append(fits)
        expect(can_choose(fitting), "\n  ".join(said))


def can_choose(sets):
    """Whether one element can be chosen from each set without a repetition."""
    return not sets or any(can_choose([rest - {one} for rest in sets[1:]]) for one in sets[0])


def rows_in_flight(database):
    if not list(database.execute("SELECT 1 FROM sqlite_master WHERE name = 'rtl_in_flight'")):
        return []
    database.row_factory = sqlite3.Row
    rows = list(database.execute("SELECT f.*, a.id AS call FROM rtl_in_flight f LEFT JOIN rocpd_api a ON "
                                 "a.id = f.api_id WHERE NOT f.barrier ORDER BY f.queue, f.packet"))
    database.row_factory = None
    return rows


def cells(runtimes):
    for name, program in last_words_test.PROGRAMS.items():
        ways = [way for way in program["ways"] if way != "fault"]
        learn = [learn for learn in program["learn"] if learn != "copy"]  # HIP's own kernels
        yield from itertools.product(runtimes, (name,), ways, learn, program["signals"], last_words_test.THREADS,
                                     ("launch",))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, help="number of the first run")
    parser.add_argument("--runtimes", default=",6.1,6.4,7.2,7.14")
    arguments = parser.parse_args()
    runtimes = [runtime for runtime in arguments.runtimes.split(",") if last_words_test.here(runtime)]
    matrix = list(cells(runtimes))
    if not matrix:
        skip("none of the runtimes is installed")
    dice = random.Random(arguments.seed)
    order = [dice.choice(matrix) for _ in range(arguments.first + arguments.runs)]
    in_flight, failed, _ = last_words_test.run_all(Run, order, arguments)
    print(f"{arguments.runs} runs on {len(runtimes)} runtimes: {in_flight} kernels were in flight at the end; "
          f"{failed} runs name others, or not all of them")
    return 0 if failed == 0 and in_flight > arguments.runs else 1


if __name__ == "__main__":
    sys.exit(main())
