#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tracing by environment alone: HSA_TOOLS_LIB and RTL_OUTPUT are set, and no launcher starts or waits.

The database exists when a program has ended normally, and soon after a program was killed.
"""

import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, LIMIT_SECONDS, PROGRAMS, VGPU, Case, ask, facts_of, main  # noqa: E402
from processes import wait_for_files  # noqa: E402

LIBRTL = str(BUILD / "lib" / "librtl.so")


class WithoutLauncher(Case):
    def run_program(self, *command, **variables):
        env = os.environ | {"HSA_TOOLS_LIB": LIBRTL, "RTL_OUTPUT": str(self.folder / "t-%p.db")} | variables
        launcher = [VGPU, "run", "--", self.program(command[0]), *command[1:]]
        with subprocess.Popen(launcher, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            out, err = process.communicate(timeout=LIMIT_SECONDS)
        return process, out, err

    def rows(self, database):
        self.assertEqual(ask(database, "PRAGMA integrity_check"), [("ok",)])
        ((count,),) = ask(database, "SELECT count(*) FROM rocpd_op WHERE queueId > 0")
        self.assertEqual(int(facts_of(database)["recorded.kernels"]), count)
        return count

    def test_database_is_complete_when_the_program_has_ended(self):
        process, out, err = self.run_program("way_out", "return")
        self.assertEqual((process.returncode, out, err), (0, "1000 kernels ran\n", ""))
        self.assertEqual([path.name for path in self.folder.iterdir()], [f"t-{process.pid}.db"])
        self.assertEqual(self.rows(self.folder / f"t-{process.pid}.db"), 1000)

    def test_killed_program_leaves_its_database_too(self):
        process, out, _ = self.run_program("way_out", "kill")
        self.assertEqual((process.returncode, out), (-signal.SIGKILL, "1000 kernels ran\n"))
        name = f"t-{process.pid}.db"
        wait_for_files(self.folder, name)
        self.assertEqual(self.rows(self.folder / name), 1000)

    def test_what_a_killed_collector_left_is_finished_by_the_next_one(self):
        program = PROGRAMS / "way_out"
        env = os.environ | {"HSA_TOOLS_LIB": LIBRTL, "RTL_OUTPUT": str(self.database)}
        with subprocess.Popen([VGPU, "run", "--", program, "wait"], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            while process.stdout.readline() not in ("waiting\n", ""):
                pass
            (spool,) = self.folder.glob("t.db.spool-*")
            os.kill(int((spool / "collector").read_text().split()[0]), signal.SIGKILL)
            process.kill()
        self.assertEqual(process.returncode, -signal.SIGKILL)
        _, _, err = self.run_program("way_out", "return", RTL_OUTPUT=str(self.folder / "t.db"))
        self.assertEqual(err, "")
        wait_for_files(self.folder, "t.db", "t.left.db")
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
