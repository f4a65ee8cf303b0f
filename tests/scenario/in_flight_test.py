#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that hangs: rtl lists the kernels in flight while it runs, on request, when it is interrupted, when
--hang-timeout passes, and after its end. The program continues all the time.

    RTL_BUILD=build/release in_flight_test.py [--runtime NAME]
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import foreground  # noqa: E402
from frame import IN_RUNTIME, PROGRAMS, RTL, Case, main, rtl  # noqa: E402
from processes import wait_for_end, wait_for_state  # noqa: E402

PROGRAM = PROGRAMS / "hsa_endings"
LIMIT = 60


def in_flight(*arguments, code=0):
    return rtl("info", "--in-flight", *arguments, code=code)


class InFlight(Case):
    def start(self, *options):
        """A traced program that never ends by itself, and has printed that it hangs."""
        self.errors = self.enterContext(open(self.folder / "errors", "w+", encoding="utf-8"))
        # In a group of its own: an interrupt of the program does not reach the test.
        self.tracer = foreground.start([*IN_RUNTIME, RTL, "trace", "--vgpu", "--no-summary", "-o", self.database,
                                        *options, "--", PROGRAM, "hang"], stdout=subprocess.PIPE, stderr=self.errors,
                                       text=True)
        self.addCleanup(foreground.end, self.tracer, LIMIT)
        with foreground.limit(self.tracer, LIMIT):
            self.assertEqual(self.tracer.stdout.readline(), "ten kernels ran and ten never will\n")
        (self.spool,) = self.folder.glob("t.db.spool-*")
        (page,) = self.spool.glob("*.ctl")  # the program's process is the one that has a control page
        self.pid = int(page.name.split("-")[0])

    def said(self):
        return pathlib.Path(self.errors.name).read_text(encoding="utf-8")

    def await_said(self, pattern):
        with foreground.limit(self.tracer, LIMIT):
            while not re.search(pattern, self.said()):
                self.assertIsNone(self.tracer.poll(), f"it ended before it said {pattern}: {self.said()}")

    def kill_program(self):
        os.kill(self.pid, signal.SIGKILL)
        self.assertEqual(self.tracer.wait(LIMIT), 128 + signal.SIGKILL)

    def check_kernels(self, where, alive):
        text = in_flight("--json", where).stdout
        rows = json.loads(text)["in_flight"]
        self.assertEqual([row["packet"] for row in rows], list(range(11, 21)), text)
        # They have no barrier bit. A barrier packet holds them, and its signal has a value while the process lives.
        why = r"barrier packet 10 waits for signal 0x[0-9a-f]+ \(value 1\)"
        if not alive:
            why = r"barrier packet 10 may wait for signal 0x[0-9a-f]+ \(the process has ended: no value\)"
        for row in rows:
            self.assertEqual((row["state"], row["alive"]), ("waits" if alive else "unknown", alive), text)
            self.assertRegex(row.get("behind", ""), f"^{why}$")
            self.assertEqual((row["grid"], row["queue"]), ([64, 1, 1], 1), text)
            self.assertGreater(row["for_ns"], 0)

    def test_kernels_are_listed_while_the_program_runs_and_after_its_end(self):
        self.start()
        for name in (self.pid, self.spool):
            self.check_kernels(name, True)
        self.assertIn("10 kernels are in flight\n", in_flight(self.pid).stdout)
        self.assertEqual(list(self.spool.glob("a*")), [], "requests or answers are left")
        self.kill_program()
        self.check_kernels(self.database, False)

    def test_a_kernel_that_does_not_end_in_time_is_named(self):
        self.start("--hang-timeout", "200ms")
        self.await_said("a kernel has not ended for 200")
        self.await_said(r"process \d+: 10 kernels are in flight\n")
        self.await_said(r"  queue 1: barrier packet 10 waits for signal 0x[0-9a-f]+ \(value 1\)\n")
        self.assertIsNone(self.tracer.poll(), "the program must go on")
        self.kill_program()

    def test_an_interrupt_that_the_program_ignores(self):
        """rtl passes it on and lists the kernels in flight."""
        self.start()
        os.kill(self.pid, signal.SIGSTOP)  # the interrupt cannot end it
        wait_for_state(self.pid, "T")
        os.kill(self.tracer.pid, signal.SIGINT)
        self.await_said(r"interrupted, and the program goes on\nprocess \d+: 10 kernels are in flight\n")
        self.kill_program()

    def test_a_collector_that_was_killed(self):
        """No collector responds; after the program's end rtl collect finishes the trace."""
        self.start()
        self.tracer.kill()
        self.tracer.wait(LIMIT)
        done = in_flight(self.spool, code=1)
        self.assertEqual(done.stdout, "")
        self.assertIn("no collector reads this spool any more", done.stderr)
        os.kill(self.pid, signal.SIGKILL)
        wait_for_end(self.pid)
        rtl("collect", "--spool", self.spool, "--output", self.database)
        self.check_kernels(self.database, False)

    def test_a_process_that_is_stopped_is_neither_hung_nor_ended(self):
        self.start()
        os.kill(self.pid, signal.SIGSTOP)
        wait_for_state(self.pid, "T")
        self.check_kernels(self.pid, True)
        os.kill(self.pid, signal.SIGCONT)
        self.kill_program()
        self.check_kernels(self.database, False)

    def test_mistakes_are_named(self):
        done = in_flight("4194999", code=1)
        self.assertEqual((done.stdout, done.stderr), (
            "", "rtl: process 4194999 is not traced, has ended, or belongs to another user\n"))
        self.assertIn("--hang-timeout takes a time", rtl("trace", "--hang-timeout", "soon", "true", code=2).stderr)


if __name__ == "__main__":
    main(PROGRAM)
