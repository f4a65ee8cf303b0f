#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The n-th call of a kind that the tracer makes fails, for every n until none is reached. See README.md."""

import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

LIMIT_SECONDS = 120
BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
FAIL_NTH = pathlib.Path(os.environ["RTL_FAIL_NTH"]).resolve()
KINDS = ("mmap", "open", "fallocate", "read", "pthread_create", "pthread_key_create",
         "aligned_alloc", "realloc")
# Counted by the virtual GPU when the program has ended.
LIVE_COUNTS = ("queues", "events", "objects", "mappings", "fds")


class Outcome:
    def __init__(self, process, out, err, report):
        self.code, self.out, self.err = process.returncode, out, err
        self.live = [{name: json.loads(line)[name] for name in LIVE_COUNTS}
                     for line in report.read_text().splitlines()]


class Fault(unittest.TestCase):
    program = ("hsa_storm", "500")
    copies = ("hsa_copies",)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fault-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, command, **variables):
        report = self.folder / "report"
        report.unlink(missing_ok=True)
        preload = f"{FAIL_NTH}:{BUILD / 'lib' / 'libvgpu.so'}"
        env = dict(os.environ, LD_PRELOAD=preload, VGPU_REPORT=str(report), VGPU_NUM_GPUS="1", **variables)
        with subprocess.Popen([BUILD / "bin" / "programs" / command[0], *command[1:]], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            out, err = process.communicate(timeout=LIMIT_SECONDS)
        return Outcome(process, out, err, report)

    def check_trace(self, spool):
        """A database of what there is, if the trace could be opened at all."""
        if not list(spool.glob("*.ctl")):
            return False
        path = self.folder / "t.db"
        collected = subprocess.run([BUILD / "bin" / "rtl", "collect", "--spool", spool, "--output", path],
                                   capture_output=True, text=True, timeout=LIMIT_SECONDS)
        self.assertEqual(collected.returncode, 0, collected.stderr)
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchone()[0], "ok")
            tags = dict(database.execute("SELECT tag, value FROM rocpd_metadata"))
        for kind in [tag.removeprefix("seen.") for tag in tags if tag.startswith("seen.")]:
            lost = sum(int(value) for tag, value in tags.items()
                       if tag.startswith("loss.") and tag.endswith("." + kind))
            self.assertEqual(int(tags["seen." + kind]), int(tags["recorded." + kind]) + lost, tags)
        path.unlink()
        return True

    def run_with_fault(self, command, plain, fault):
        """False when the armed call was not reached."""
        spool = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        reached = self.folder / "reached"
        reached.unlink(missing_ok=True)
        got = self.run_program(command, HSA_TOOLS_LIB=str(BUILD / "lib" / "librtl.so"), RTL_SPOOL=str(spool),
                               RTL_STRICT="1", RTL_FAULT=fault, RTL_FAULT_REPORT=str(reached))
        self.assertEqual((got.out, got.code), (plain.out, plain.code), got.err)
        for line in got.err.splitlines():
            self.assertTrue(line.startswith("rtl: "), got.err)
        self.assertLessEqual(len(got.err.splitlines()), 1, got.err)
        self.assertEqual(got.live, plain.live)
        opened = self.check_trace(spool)
        self.assertTrue(opened or got.err, "no trace, and not a word about it")
        return reached.exists()

    def fail_every_call(self, command, kind):
        plain = self.run_program(command)
        self.assertEqual(plain.code, 0, plain.err)
        for n in range(1, 500):
            reached = False
            with self.subTest(command=command[0], fault=f"{kind}:{n}"):
                reached = self.run_with_fault(command, plain, f"{kind}:{n}")
            if not reached:
                return n - 1
        self.fail("the program does not get past its faults")


def add_tests():
    for kind in KINDS:
        def test(self, kind=kind):
            reached = self.fail_every_call(self.program, kind) + self.fail_every_call(self.copies, kind)
            self.assertGreater(reached, 0, "the tracer makes no such call")
            print(f"{kind}: {reached} calls failed", file=sys.stderr)
        setattr(Fault, f"test_{kind}", test)


add_tests()

if __name__ == "__main__":
    unittest.main()
