#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl trace --ring: the trace is a window of the last events, and further windows are written on request.

    RTL_BUILD=build/release ring_test.py [--runtime NAME]
"""

import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import (ARE_KERNELS, BUILD, IN_RUNTIME, PROGRAMS, RTL, RUNTIME, Case, ask, main, refused, rtl,  # noqa: E402
                   trace)


class Ring(Case):
    def run_traced(self, *options, program):
        return trace(self.database, *program, options=options)

    def start_hung(self, *options, errors=subprocess.DEVNULL):
        """`rtl trace`, and the process of its program, in which ten kernels never end."""
        running = subprocess.Popen([*IN_RUNTIME, RTL, "trace", "--vgpu", "--no-summary", "-o", self.database, *options,
                                    "--", PROGRAMS / "hsa_endings", "hang"], stdout=subprocess.PIPE, stderr=errors,
                                   text=True, start_new_session=True)
        self.addCleanup(running.stdout.close)
        self.assertEqual(running.stdout.readline(), "ten kernels ran and ten never will\n")
        (page,) = self.folder.glob("t.db.spool-*/*.ctl")
        return running, int(page.name.split("-")[0])

    def counts(self, path, kind="kernels"):
        """Submitted, recorded, left out and lost events of one kind, from rtl info; checks the sums."""
        text = rtl("info", path).stdout
        left_out = r"(?:([\d,]+) left out on purpose \([^)]*\), )?"
        line = re.search(rf"^{kind}: ([\d,]+) \w+, ([\d,]+) recorded, {left_out}([\d,]+) lost", text, re.M)
        self.assertIsNotNone(line, text)
        submitted, recorded, left_out, lost = (int((number or "0").replace(",", "")) for number in line.groups())
        self.assertEqual(submitted, recorded + left_out + lost, line[0])
        return submitted, recorded, left_out, lost

    def test_the_window_ends_with_the_program_and_the_rest_is_named(self):
        self.run_traced("--ring", "1M", program=[PROGRAMS / "kernel_flood"])
        submitted, recorded, left_out, lost = self.counts(self.database)
        self.assertIn(submitted, (20001, 20002))  # 7.2 copies with a kernel
        self.assertEqual(lost, 0)
        # A record has 120 bytes; one of the ring's four parts is being filled.
        self.assertGreater(recorded, 750_000 // 120 - 100)
        self.assertLess(recorded, (1 << 20) // 120 + 1)
        self.assertEqual(self.ask(f"SELECT count(*) FROM rocpd_op WHERE {ARE_KERNELS}"), [(recorded,)])
        self.assertEqual(self.ask("SELECT q.submitted, q.recorded, l.loss, l.events FROM rtl_queue q"
                                  " JOIN rtl_queue_loss l ON l.queue_id = q.id"),
                         [(submitted, recorded, "kOutOfWindow", left_out)])

    def test_a_program_that_fits_is_there_whole(self):
        self.run_traced("--ring", "64M", program=[PROGRAMS / "vector_add"])
        submitted, recorded, left_out, lost = self.counts(self.database)
        self.assertEqual((recorded, left_out, lost), (submitted, 0, 0))

    def test_a_mark_and_a_range_trigger_windows(self):
        marker_program = BUILD / "bin" / "marker_program"
        if RUNTIME:
            self.skipTest("markers need no runtime")
        done = self.run_traced("--ring", "4M", "--dump-on-mark", ".", program=[marker_program])
        window = self.folder / "t.1.db"
        self.assertIn(f"the last events are in {window}", done.stderr)
        self.assertGreater(ask(window, "SELECT count(*) FROM rocpd_op")[0][0], 0)
        done = self.run_traced("--ring", "4M", "--dump-on-range", ".>1ns", program=[marker_program])
        self.assertRegex(done.stderr, r'range ".*" took \d+ us')

    def test_a_living_process_is_dumped_by_pid_and_by_signal(self):
        errors = open(self.folder / "errors", "w+", encoding="utf-8")
        self.addCleanup(errors.close)
        running, pid = self.start_hung("--ring", "4M", errors=errors)
        chosen = self.folder / "chosen.db"
        for options, window in (([], self.folder / "t.1.db"), (["-o", chosen], chosen)):
            done = rtl("dump", pid, *options)
            self.assertEqual((done.stdout, done.stderr), (f"{window}\n", ""))
            self.assertEqual(self.counts(window)[1], 10)
        self.assertIn("10 kernels are in flight\n", rtl("info", "--in-flight", pid).stdout)
        os.kill(running.pid, signal.SIGUSR2)
        window = self.folder / "t.2.db"
        while not window.exists():
            self.assertIsNone(running.poll(), "the program must go on")
        self.assertEqual(self.counts(window)[1], 10)
        os.kill(pid, signal.SIGKILL)
        self.assertEqual(running.wait(200), 128 + signal.SIGKILL)
        said = pathlib.Path(errors.name).read_text(encoding="utf-8")
        self.assertIn(f"SIGUSR2: the last events are in {window}\n", said)
        self.assertEqual(self.counts(self.database)[1], 10)
        self.assertFalse(list(self.folder.glob("t.db.spool-*")), "the spool stayed")

    def test_a_trace_without_a_ring_has_nothing_to_dump(self):
        running, pid = self.start_hung()
        self.assertIn("windows are written with --ring", refused(RTL, "dump", pid))
        os.kill(pid, signal.SIGKILL)
        self.assertEqual(running.wait(200), 128 + signal.SIGKILL)
        refused(RTL, "dump", pid)

    def test_wrong_options_are_one_line(self):
        for options, complaint in ((["--ring", "12"], "--ring takes a size"),
                                   (["--ring", "64M", "--split"], "exclude each other"),
                                   (["--dump-on-mark", "x"], "--dump-on-mark needs --ring"),
                                   (["--ring", "4M", "--dump-on-mark", "("], "is not a regular expression"),
                                   (["--ring", "4M", "--dump-on-range", "step"], "takes a name and a time")):
            done = trace(self.database, "true", options=options, code=2)
            self.assertIn(complaint, done.stderr)
            self.assertLessEqual(done.stderr.count("\n"), 2, done.stderr)


if __name__ == "__main__":
    main(PROGRAMS / "kernel_flood")
