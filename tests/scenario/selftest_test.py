#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl selftest on the virtual GPU: nothing is wrong on a healthy one, and each injected fault is found.

    RTL_BUILD=build/release selftest_test.py [--runtime NAME]

With RTL_TEST_FULL=1 every target of the virtual GPU is checked, else one.
"""

import getpass
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
RUNTIME = sys.argv[sys.argv.index("--runtime") + 1] if "--runtime" in sys.argv else None
SKIPPED = 77
NEWER = RUNTIME in ("6.4", "7.2", "7.14")
TARGETS = ["90a", "906", "900"] + (["942"] if NEWER else [])
# What these runtimes lack.
ABSENT = {None: {"graph", "counters", "samples"}, "6.1": {"counters", "samples"}, "6.4": {"counters"}}
LIMIT_SECONDS = 900
FAULTS = [  # a fault, and the checks that have to find it
    ("clock:packet=15:us=1000000", {"order", "clock", "drift"}),
    ("clock:us=1000000", {"clock"}),
    ("lost:packet=25", {"storm", "calls"}),
    ("untimed:packet=15", {"storm", "order", "processes", "fork", "events", "signals", "attach", "sdk"}),
    ("doorbell:us=30000", {"latency"}),
    ("queue-error:packet=20", {"storm", "calls", "ranges", "unchanged"}),
]
HARMLESS = ["delay:us=2000", "interrupt:us=2000", "stall:packet=9:us=20000"]
LOADED = {"storm", "clock", "ranges", "signals"}


class Selftest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="selftest-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.report = self.folder / "report.txt"

    def run_selftest(self, *options, program=BUILD / "bin" / "rtl", **variables):
        prefix = [RUNTIME_TOOL, "exec", RUNTIME, "--"] if RUNTIME else []
        return subprocess.run([*prefix, program, "selftest", *options], env=dict(os.environ, **variables),
                              cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_SECONDS)

    def check(self, *options, **variables):
        """The verdicts by name, and the exit code."""
        done = self.run_selftest("--vgpu=2", "-o", self.report, *options, **variables)
        lines = re.findall(r"^(right|WRONG|not here) +(\S+) +(.*)$", done.stdout, re.M)
        self.assertTrue(lines, done.stdout + done.stderr)
        return {name: (verdict, figure) for verdict, name, figure in lines}, done

    def test_nothing_is_wrong_on_a_healthy_gpu(self):
        for target in TARGETS if os.environ.get("RTL_TEST_FULL") == "1" else TARGETS[:1]:
            with self.subTest(target=target):
                verdicts, done = self.check("--limit", "200", VGPU_GFX=target)
                wrong = {name: found for name, found in verdicts.items() if found[0] == "WRONG"}
                self.assertEqual(wrong, {}, self.report.read_text())
                self.assertEqual(done.returncode, 0, done.stdout)
                absent = {name for name, found in verdicts.items() if found[0] == "not here"}
                expected = set(ABSENT.get(RUNTIME, set()))
                if target != "90a":
                    expected |= {"samples"}
                if target == "900":
                    absent.discard("counters")
                    expected.discard("counters")
                self.assertEqual(absent - {"cost-graph"}, expected, done.stdout)

    def test_finds_each_fault(self):
        for fault, finders in FAULTS:
            with self.subTest(fault=fault):
                present = finders - ABSENT.get(RUNTIME, set())
                verdicts, done = self.check("--limit", "8", "--only", ",".join(sorted(present)), VGPU_FAULTS=fault)
                right = {name: found for name, found in verdicts.items() if found[0] != "WRONG"}
                self.assertEqual(right, {}, f"not found by these\n{done.stdout}")
                self.assertEqual(set(verdicts), present)
                self.assertEqual(done.returncode, 1)
                self.assertIn("send the file with a bug report", done.stdout)

    def test_trusts_a_gpu_that_is_only_slow(self):
        for fault in HARMLESS:
            with self.subTest(fault=fault):
                verdicts, done = self.check("--only", ",".join(sorted(LOADED)), VGPU_FAULTS=fault)
                self.assertEqual({name: found[0] for name, found in verdicts.items()},
                                 dict.fromkeys(LOADED, "right"), self.report.read_text())

    def test_the_report_shows_the_failure_and_no_names(self):
        self.check("--only", "storm", "--limit", "30", VGPU_FAULTS="untimed:packet=15")
        report = self.report.read_text()
        self.assertIn("kBadTimestamps", report)
        self.assertIn("rtl_selftest_count", report)  # rows of the trace
        names = [str(self.folder), str(BUILD), os.path.expanduser("~") + "/", socket.gethostname()]
        if getpass.getuser() != "root":
            names.append(getpass.getuser())
        for name in names:
            self.assertNotIn(name, report)

    def test_leaves_other_files_alone(self):
        self.report.write_text("mine\n")
        done = self.run_selftest("--vgpu", "-o", self.report)
        self.assertEqual((done.returncode, done.stdout, self.report.read_text()), (1, "", "mine\n"))
        self.assertIn("--force", done.stderr)

    def test_says_what_is_missing(self):
        done = self.run_selftest("-o", self.report)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        self.assertRegex(done.stderr, "selftest cannot check anything: .*; rtl doctor says more, --vgpu")
        done = self.run_selftest("--vgpu", "--only", "strom")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("there is no check strom", done.stderr)


if __name__ == "__main__":
    if RUNTIME and subprocess.run([RUNTIME_TOOL, "root", RUNTIME], capture_output=True, check=False).returncode != 0:
        sys.exit(SKIPPED)
    sys.argv = [each for each in sys.argv if each not in ("--runtime", RUNTIME)]
    unittest.main(verbosity=2)
