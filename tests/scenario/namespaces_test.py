#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs and tools in PID namespaces of their own, where a process has other numbers than outside: the trace is whole,
and questions about the process find it.

    RTL_BUILD=build/release namespaces_test.py
"""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import foreground  # noqa: E402
from frame import PROGRAMS, RTL, Case, main, rtl, run, skip  # noqa: E402

LIMIT_SECONDS = 60
# With a /proc of its own and with that of outside.
NAMESPACES = (["unshare", "--pid", "--fork", "--mount-proc"], ["unshare", "--pid", "--fork"])


class Namespaces(Case):
    def start(self, program, inside=(), outside=()):
        process = foreground.start(
            [*outside, RTL, "trace", "--vgpu", "--no-summary", "--min-coverage", "100", "-o", self.database, "--",
             *inside, PROGRAMS / "hsa_endings", program],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = {"input": "ready\n", "hang": "ten kernels ran and ten never will\n"}[program]
        foreground.read_until(process, line, LIMIT_SECONDS)
        return process

    def control_page(self):
        (page,) = self.folder.glob("t.db.spool-*/*.ctl")
        return page

    def pid_outside(self):
        """Of the process that has mapped the control page."""
        page = str(self.control_page())
        for maps in pathlib.Path("/proc").glob("[0-9]*/maps"):
            try:
                if page in maps.read_text(errors="replace") and self.is_program(maps.parent):
                    return int(maps.parent.name)
            except OSError:
                continue
        return self.fail("no process has the page")

    @staticmethod
    def is_program(process):
        return os.readlink(process / "exe").endswith("/hsa_endings")

    def info(self, *arguments, code=0):
        return rtl("info", "--in-flight", *arguments, code=code).stdout

    def work(self, process):
        process.stdin.write("work\n")
        process.stdin.flush()
        foreground.read_until(process, "ten kernels ran: work\n", LIMIT_SECONDS)

    def kill(self, pid):
        with contextlib.suppress(ProcessLookupError):  # its input may have ended before
            os.kill(pid, signal.SIGKILL)

    def test_a_trace_is_whole(self):
        for side in "inside", "outside":
            for namespace in NAMESPACES:
                with self.subTest(side, namespace=namespace):
                    process = self.start("input", **{side: namespace})
                    # The collector's answer: it has looked at the process, and found it alive.
                    self.assertIn("no kernel is in flight", self.info(self.control_page().parent))
                    self.work(process)
                    self.assertIn("no kernel is in flight", self.info(self.control_page().parent))
                    self.work(process)
                    _, said = foreground.finish(process, LIMIT_SECONDS)
                    self.assertEqual(process.returncode, 0, said)
                    self.assertIn("rtl: kernels: 20 submitted, 20 recorded, 0 lost\n", said)
                    self.assertNotIn("not traced", said)

    def test_kernels_in_flight_are_found_by_the_number_outside(self):
        process = self.start("hang", inside=NAMESPACES[0])
        pid = self.pid_outside()
        said = self.info(str(pid))
        self.assertRegex(said, r"process \d: 10 kernels are in flight\n")
        self.assertRegex(said, r"barrier packet 10 waits for signal 0x[0-9a-f]+ \(value 1\)\n")
        os.kill(pid, signal.SIGKILL)
        foreground.finish(process, LIMIT_SECONDS)
        self.assertEqual(self.ask("SELECT ending FROM rtl_process"), [("killed",)])

    def test_a_program_that_outlives_a_killed_tool_is_not_taken_for_dead(self):
        process = self.start("input", inside=NAMESPACES[0])
        pid = self.pid_outside()
        self.addCleanup(self.kill, pid)
        process.kill()
        process.wait(LIMIT_SECONDS)
        self.assertNotIn("earlier run", rtl("trace", "--no-summary", "-o", self.database, "true", code=None).stderr)


if __name__ == "__main__":
    if run(*NAMESPACES[0], "true", code=None).returncode != 0:
        skip("needs the right to make a PID namespace")
    main()
