#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tracing by environment alone: HSA_TOOLS_LIB and RTL_OUTPUT are set, and no launcher starts or waits.

The database exists when a program has ended normally, and soon after a program was killed.
"""

import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, PROGRAMS, Case, main  # noqa: E402

LIMIT_SECONDS = 60

SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=0:verify_asan_link_order=0",
              "TSAN_OPTIONS": "ignore_noninstrumented_modules=1:report_thread_leaks=0:die_after_fork=0"}


class WithoutLauncher(Case):
    def run_program(self, *command, **variables):
        program = PROGRAMS / command[0]
        if not program.exists():
            self.skipTest(f"{command[0]} could not be built on this machine")
        env = dict(os.environ, HSA_TOOLS_LIB=str(BUILD / "lib" / "librtl.so"), RTL_OUTPUT=str(self.folder / "t-%p.db"))
        env.update(SANITIZERS | variables)
        launcher = [BUILD / "bin" / "vgpu", "run", "--", program, *command[1:]]
        with subprocess.Popen(launcher, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            out, err = process.communicate(timeout=LIMIT_SECONDS)
        return process, out, err

    def rows(self, database):
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchone()[0], "ok")
            tags = dict(connection.execute("SELECT tag, value FROM rocpd_metadata"))
            count = connection.execute("SELECT count(*) FROM rocpd_op WHERE queueId > 0").fetchone()[0]
        self.assertEqual(int(tags["recorded.kernels"]), count)
        return count

    def wait_for_files(self, names):
        """The collector of a killed program outlives it for a moment."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while sorted(path.name for path in self.folder.iterdir()) != names:
            self.assertLess(time.monotonic(), deadline, f"in the folder: {list(self.folder.iterdir())}")
            time.sleep(0.05)

    def test_database_is_complete_when_the_program_has_ended(self):
        process, out, err = self.run_program("way_out", "return")
        self.assertEqual((process.returncode, out, err), (0, "1000 kernels ran\n", ""))
        self.assertEqual([path.name for path in self.folder.iterdir()], [f"t-{process.pid}.db"])
        self.assertEqual(self.rows(self.folder / f"t-{process.pid}.db"), 1000)

    def test_killed_program_leaves_its_database_too(self):
        process, out, _ = self.run_program("way_out", "kill")
        self.assertEqual((process.returncode, out), (-signal.SIGKILL, "1000 kernels ran\n"))
        name = f"t-{process.pid}.db"
        self.wait_for_files([name])
        self.assertEqual(self.rows(self.folder / name), 1000)

    def test_what_a_killed_collector_left_is_finished_by_the_next_one(self):
        program = PROGRAMS / "way_out"
        env = dict(os.environ, HSA_TOOLS_LIB=str(BUILD / "lib" / "librtl.so"), RTL_OUTPUT=str(self.folder / "t.db"),
                   **SANITIZERS)
        with subprocess.Popen([BUILD / "bin" / "vgpu", "run", "--", program, "wait"], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            while process.stdout.readline() not in ("waiting\n", ""):
                pass
            (spool,) = self.folder.glob("t.db.spool-*")
            os.kill(int((spool / "collector").read_text().split()[0]), signal.SIGKILL)
            process.kill()
        self.assertEqual(process.returncode, -signal.SIGKILL)
        _, _, err = self.run_program("way_out", "return", RTL_OUTPUT=str(self.folder / "t.db"))
        self.assertEqual(err, "")
        self.wait_for_files(["t.db", "t.left.db"])
        self.assertEqual([self.rows(self.folder / name) for name in ("t.db", "t.left.db")], [1000, 1000])

    def test_disabled_leaves_nothing(self):
        process, out, err = self.run_program("way_out", "return", RTL_DISABLE="1")
        self.assertEqual((process.returncode, out, err), (0, "1000 kernels ran\n", ""))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_unknown_mode_says_so_once_and_lets_the_program_run(self):
        process, out, err = self.run_program("way_out", "return", RTL_MODE="fastest")
        self.assertEqual((process.returncode, out), (0, "1000 kernels ran\n"))
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn("fastest", err)
        self.assertIn("standard", err)

    def test_another_tool_sees_the_same_packets_in_either_load_order(self):
        tool, tracer = PROGRAMS / "libintercept_tool.so", BUILD / "lib" / "librtl.so"
        if not tool.exists():
            self.skipTest("libintercept_tool could not be built on this machine")
        for number, tools in enumerate(((tracer, tool), (tool, tracer))):
            database = self.folder / f"{number}.db"
            process, out, err = self.run_program("hsa_storm", "2000", "2", RTL_OUTPUT=str(database),
                                                 HSA_TOOLS_LIB=" ".join(map(str, tools)))
            self.assertEqual((process.returncode, out), (0, "ok every kernel of every queue completed\n"))
            self.assertIn("intercepted 2 queues, 4000 dispatches", err)
            self.assertEqual(self.rows(database), 4000)

    def test_output_that_cannot_be_written_says_so_and_lets_the_program_run(self):
        process, out, err = self.run_program("way_out", "return", RTL_OUTPUT="/proc/nowhere/t.db")
        self.assertEqual((process.returncode, out), (0, "1000 kernels ran\n"))
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn("/proc/nowhere", err)


if __name__ == "__main__":
    main()
