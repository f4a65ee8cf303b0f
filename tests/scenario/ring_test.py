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
from frame import BUILD, IN_RUNTIME, PROGRAMS, RTL, RUNTIME, Case, ask, main  # noqa: E402


class Ring(Case):
    def setUp(self):
        super().setUp()
        self.trace = self.folder / "t.db"

    def command(self, *options, program):
        words = [*IN_RUNTIME, RTL, "trace", "--vgpu", "--no-summary", "-o", self.trace, *options, "--", *program]
        return [str(word) for word in words]

    def run_traced(self, *options, program):
        done = subprocess.run(self.command(*options, program=program), capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def counts(self, path, kind="kernels"):
        """Submitted, recorded, left out and lost events of one kind, from rtl info; checks the sums."""
        text = subprocess.run([RTL, "info", path], capture_output=True, text=True, check=True).stdout
        left_out = r"(?:([\d,]+) left out on purpose \([^)]*\), )?"
        line = re.search(rf"^{kind}: ([\d,]+) \w+, ([\d,]+) recorded, {left_out}([\d,]+) lost", text, re.M)
        self.assertIsNotNone(line, text)
        seen, recorded, left_out, lost = (int((number or "0").replace(",", "")) for number in line.groups())
        self.assertEqual(seen, recorded + left_out + lost, line[0])
        return seen, recorded, left_out, lost

    def test_the_window_ends_with_the_program_and_the_rest_is_named(self):
        self.run_traced("--ring", "1M", program=[PROGRAMS / "kernel_flood"])
        seen, recorded, left_out, lost = self.counts(self.trace)
        self.assertIn(seen, (20001, 20002))  # 7.2 copies with a kernel
        self.assertEqual(lost, 0)
        # A record has 120 bytes; one of the ring's four parts is being filled.
        self.assertGreater(recorded, 750_000 // 120 - 100)
        self.assertLess(recorded, (1 << 20) // 120 + 1)
        ((rows,),) = ask(self.trace, "SELECT count(*) FROM rocpd_op WHERE opType_id ="
                                           " (SELECT id FROM rocpd_string WHERE string = 'KernelExecution')")
        self.assertEqual(rows, recorded)
        self.assertEqual(ask(self.trace, "SELECT q.seen, q.recorded, l.loss, l.events FROM rtl_queue q"
                                         " JOIN rtl_queue_loss l ON l.queue_id = q.id"),
                         [(seen, recorded, "kOutOfWindow", left_out)])

    def test_a_program_that_fits_is_there_whole(self):
        self.run_traced("--ring", "64M", program=[PROGRAMS / "vector_add"])
        seen, recorded, left_out, lost = self.counts(self.trace)
        self.assertEqual((recorded, left_out, lost), (seen, 0, 0))

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
        running = subprocess.Popen(self.command("--ring", "4M", program=[PROGRAMS / "hsa_endings", "hang"]),
                                   stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True)
        self.addCleanup(running.stdout.close)
        self.assertEqual(running.stdout.readline(), "ten kernels ran and ten never will\n")
        (page,) = self.folder.glob("t.db.spool-*/*.ctl")
        pid = int(page.name.split("-")[0])
        chosen = self.folder / "chosen.db"
        for options, window in (([], self.folder / "t.1.db"), (["-o", chosen], chosen)):
            done = subprocess.run([RTL, "dump", str(pid), *options], capture_output=True, text=True, timeout=200)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{window}\n", ""))
            self.assertEqual(self.counts(window)[1], 10)
        in_flight = subprocess.run([RTL, "info", "--in-flight", str(pid)], capture_output=True, text=True, timeout=200)
        self.assertIn("10 kernels are in flight\n", in_flight.stdout)
        os.kill(running.pid, signal.SIGUSR2)
        window = self.folder / "t.2.db"
        while not window.exists():
            self.assertIsNone(running.poll(), "the program must go on")
        self.assertEqual(self.counts(window)[1], 10)
        os.kill(pid, signal.SIGKILL)
        self.assertEqual(running.wait(200), 128 + signal.SIGKILL)
        said = pathlib.Path(errors.name).read_text(encoding="utf-8")
        self.assertIn(f"SIGUSR2: the last events are in {window}\n", said)
        self.assertEqual(self.counts(self.trace)[1], 10)
        self.assertFalse(list(self.folder.glob("t.db.spool-*")), "the spool stayed")

    def test_a_trace_without_a_ring_has_nothing_to_dump(self):
        running = subprocess.Popen(self.command(program=[PROGRAMS / "hsa_endings", "hang"]), stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        self.addCleanup(running.stdout.close)
        self.assertNotEqual(running.stdout.readline(), "")
        (page,) = self.folder.glob("t.db.spool-*/*.ctl")
        pid = page.name.split("-")[0]
        done = subprocess.run([RTL, "dump", pid], capture_output=True, text=True, timeout=200)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
        self.assertIn("windows are written with --ring", done.stderr)
        os.kill(int(pid), signal.SIGKILL)
        self.assertEqual(running.wait(200), 128 + signal.SIGKILL)
        done = subprocess.run([RTL, "dump", pid], capture_output=True, text=True, timeout=200)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))

    def test_wrong_options_are_one_line(self):
        for options, complaint in ((["--ring", "12"], "--ring takes a size"),
                                   (["--ring", "64M", "--split"], "exclude each other"),
                                   (["--dump-on-mark", "x"], "--dump-on-mark needs --ring"),
                                   (["--ring", "4M", "--dump-on-mark", "("], "is not a regular expression"),
                                   (["--ring", "4M", "--dump-on-range", "step"], "takes a name and a time")):
            done = subprocess.run(self.command(*options, program=["true"]), capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(complaint, done.stderr)
            self.assertLessEqual(done.stderr.count("\n"), 2, done.stderr)


if __name__ == "__main__":
    main(PROGRAMS / "kernel_flood")
