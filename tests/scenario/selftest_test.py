#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl selftest on the virtual GPU: nothing is wrong on a healthy one, and each injected fault is found.

    RTL_BUILD=build/release selftest_test.py [--runtime NAME]

One target of the virtual GPU; tests/selftest_matrix.py checks all of them.
"""

import getpass
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, IN_RUNTIME, RTL, RUNTIME, Case, main, need_mounts, run  # noqa: E402

TARGET = "90a"
# What these runtimes lack.
ABSENT = {None: {"graph", "cost-graph", "counters", "samples"}, "6.1": {"counters", "samples"}, "6.4": {"counters"}}
LIMIT_SECONDS = 900
FAULTS = [  # a fault, and the checks that have to find it
    ("clock:packet=15:us=1000000", {"order", "clock", "drift"}),
    ("clock:us=1000000", {"clock", "copies"}),
    ("lost:packet=25", {"storm", "calls"}),
    ("untimed:packet=15", {"storm", "order", "processes", "fork", "events", "signals", "attach", "sdk"}),
    ("doorbell:us=30000", {"latency"}),
    ("queue-error:packet=20", {"storm", "calls", "ranges", "unchanged"}),
]
HARMLESS = ["delay:us=2000", "interrupt:us=2000", "stall:packet=9:us=20000"]
LOADED = {"storm", "clock", "ranges", "signals"}


class Reporting(Case):
    def setUp(self):
        self.report = self.folder / "report.txt"

    def run_selftest(self, *options, program=RTL, preexec_fn=None, **variables):
        return subprocess.run([*IN_RUNTIME, program, "selftest", *options], env=dict(os.environ, **variables),
                              cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_SECONDS,
                              preexec_fn=preexec_fn)

    def check(self, *options, **variables):
        """The verdicts by name, and the exit code."""
        done = self.run_selftest("--vgpu=2", "-o", self.report, *options, **variables)
        lines = re.findall(r"^(right|WRONG|not here) +(\S+) +(.*)$", done.stdout, re.M)
        self.assertTrue(lines, done.stdout + done.stderr)
        return {name: (verdict, figure) for verdict, name, figure in lines}, done


class Selftest(Reporting):
    def test_nothing_is_wrong_on_a_healthy_gpu(self):
        verdicts, done = self.check("--limit", "200", "--minutes", "30", VGPU_GFX=TARGET)
        wrong = {name: found for name, found in verdicts.items() if found[0] == "WRONG"}
        self.assertEqual(wrong, {}, self.report.read_text())
        self.assertEqual(done.returncode, 0, done.stdout)
        absent = {name for name, found in verdicts.items() if found[0] == "not here"}
        self.assertEqual(absent, ABSENT.get(RUNTIME, set()), done.stdout)
        self.assertIn("can be trusted in what is right above", done.stdout)

    def test_finds_each_fault(self):
        for fault, finders in FAULTS:
            with self.subTest(fault=fault):
                present = finders - ABSENT.get(RUNTIME, set())
                verdicts, done = self.check("--limit", "5", "--only", ",".join(sorted(present)), VGPU_FAULTS=fault)
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
        self.assertRegex(done.stderr, "selftest cannot check anything: .*; rtl doctor says more, rtl selftest --vgpu")
        self.assertFalse(self.report.exists())
        done = self.run_selftest("--vgpu", "--only", "strom")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("there is no check strom", done.stderr)


@unittest.skipIf(RUNTIME, "the same with every runtime")
class Obstacles(Reporting):
    """What prevents a run is one line that says what to do."""

    def refused(self, reason, *options, code=1, **more):
        done = self.run_selftest("-o", self.report, *options, **more)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (code, "", 1),
                         done.stdout + done.stderr)
        self.assertRegex(done.stderr, "^rtl: selftest cannot check anything: " + reason)
        self.assertFalse(self.report.exists(), "a report of nothing")

    def test_a_driver_that_this_user_may_not_open(self):
        closed = {"LD_PRELOAD": os.environ["CLOSED_DRIVER"]}
        self.refused("/dev/kfd: Permission denied; is this user in the groups render and video", **closed)
        self.refused("/dev/kfd: Operation not permitted; a container needs --device", CLOSED_DRIVER_ERROR="1", **closed)

    def test_no_hip(self):
        self.refused("HIP cannot be used: /nowhere/libamdhip64.so: cannot open", "--vgpu", "--hip",
                     "/nowhere/libamdhip64.so")

    def test_a_driver_that_is_too_old(self):
        self.refused("the program failed: .*Incompatible kernel and userspace.* Upgrade amdgpu", "--vgpu",
                     VGPU_KFD_MINOR="1")

    def test_no_gpu_that_the_runtime_shows(self):
        self.refused("the HSA runtime shows no GPU; ROCR_VISIBLE_DEVICES is set", "--vgpu", ROCR_VISIBLE_DEVICES="7")

    def test_a_target_without_kernels(self):
        """A copy of rtl whose kernels for gfx906 are for another target."""
        copy = self.folder / "bin" / "rtl"
        copy.parent.mkdir()
        (self.folder / "lib").symlink_to(BUILD / "lib")
        content = bytearray(RTL.read_bytes())
        flags = 48  # of an ELF header; the low byte is the target
        for found in re.finditer(rb"\x7fELF\x02\x01\x01\x40", content):
            if content[found.start() + flags] == 0x2F:  # gfx906
                content[found.start() + flags] = 0x3E
        copy.write_bytes(content)
        copy.chmod(0o755)
        self.refused("no GPU takes selftest's kernels, which are for gfx900 .*; this GPU is gfx906", "--vgpu",
                     program=copy)

    def test_too_little_room_for_traces(self):
        self.refused(".*File too large; traces need 64 MB for a while: set TMPDIR", "--vgpu",
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))

    def test_a_disk_that_is_full_meanwhile_is_no_fault_of_the_gpu(self):
        """It fills after the first check, whose line the shell waits for."""
        small = self.folder / "small"
        small.mkdir()
        script = ('mount -t tmpfs -o size=70m none "$1" && TMPDIR="$1" "$2" selftest --vgpu --only '
                  'storm,calls,copies,ranges -o "$3" | while read -r line; do echo "$line"; case $line in '
                  'right*storm*) dd if=/dev/zero of="$1/fill" bs=1M 2>/dev/null;; esac; done')
        need_mounts(self)
        done = run("unshare", "--mount", "sh", "-c", script, "-", small, RTL, self.report, code=None)
        self.assertNotIn("WRONG", done.stdout)
        self.assertRegex(done.stdout, r"right +storm(?s:.*)\S+: No space left on device; traces need 64 MB for a while: set "
                                      r"TMPDIR to another folder; to check the rest: --only (calls,)?copies,ranges\n")
        self.assertIn("to check the rest: --only", self.report.read_text())

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_results_that_cannot_be_printed(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([RTL, "selftest", "--vgpu", "--only", "ranges", "-o", self.report], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=LIMIT_SECONDS)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Artl: standard output: writing failed; \S+ has the results\n\Z")

    def test_a_report_that_cannot_be_written_is_noticed_first(self):
        for place in ("/proc/none/report.txt", self.folder):
            done = self.run_selftest("--vgpu", "-o", place)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, "^rtl: .* cannot be written: .*; -o FILE names another\n$")

    def test_an_interrupt_keeps_the_results_so_far(self):
        words = [RTL, "selftest", "--vgpu", "-o", self.report]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, TMPDIR=self.folder)) as running:
            for line in running.stdout:
                if line.startswith("right     calls"):
                    break
            running.send_signal(signal.SIGINT)
            said = running.stderr.read()
        self.assertEqual(running.returncode, 128 + signal.SIGINT)
        self.assertRegex(said, r"^rtl: interrupted after \d+ checks; \S*report.txt has their results\n$")
        self.assertIn("right     calls", self.report.read_text())
        self.assertEqual(list(self.folder.glob("rtl-selftest-*")), [], "its folder is left")

    def test_a_gpu_of_which_a_queue_cannot_be_traced(self):
        verdicts, done = self.check("--only", "storm", VGPU_FAULTS="ioctl:call=2:nth=3:errno=5")
        self.assertRegex(verdicts["storm"][1], "of 8001 kernels: HSA queue 0x2 is not traced")
        self.assertEqual(done.returncode, 1)

    def test_whether_a_failure_is_there_without_the_tracer(self):
        verdicts, _ = self.check("--only", "calls", "--limit", "20", VGPU_FAULTS="queue-error:packet=20")
        self.assertRegex(verdicts["calls"][1], "; without rtl, too .*: the GPU, its driver or ROCm is at fault")

    def test_ends_after_the_minutes_that_it_has(self):
        done = self.run_selftest("--vgpu", "--minutes", "0", "--only", "storm,calls", "-o", self.report)
        self.assertIn("0 minutes are over; to check the rest: --only storm,calls\n", done.stdout)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    main(verbosity=2)
