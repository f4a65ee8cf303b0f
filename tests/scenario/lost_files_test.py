#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever happens to the folder of a trace, or to rtl itself, the records survive, a line names the command that
makes the database of them, and no other file is replaced.

    RTL_BUILD=build/release lost_files_test.py
"""

import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import foreground  # noqa: E402
from frame import PROGRAMS, RTL, Case, facts_of, main, need_mounts, rtl, run  # noqa: E402
from processes import wait_for_end  # noqa: E402

LIMIT_SECONDS = 120


class LostFiles(Case):
    def trace(self, *arguments, code=0):
        return rtl("trace", "--vgpu", "--no-summary", "-o", self.database, *arguments, code=code)

    def recover(self, said):
        """Runs the command that a line names, for a database elsewhere; returns its facts."""
        command = re.search(r"database of them[^:]*: (rtl collect --spool \S+ --output) FILE.db\n", said)[1].split()
        elsewhere = self.folder / "elsewhere.db"
        rtl(*command[1:], elsewhere)
        return facts_of(elsewhere)

    def waiting(self, folder):
        """A traced program that has submitted 1000 kernels and waits for a signal."""
        process = foreground.start([RTL, "trace", "--vgpu", "--no-summary", "-o", folder / "t.db", "--",
                                    PROGRAMS / "way_out", "wait"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        foreground.read_until(process, "waiting\n", LIMIT_SECONDS)
        return process

    def test_a_full_disk_loses_no_record(self):
        need_mounts(self)
        small = self.folder / "small"
        small.mkdir()
        script = ('mount -t tmpfs -o size=24m none "$1" && "$2" trace --vgpu --no-summary -o "$1/t.db" -- "$3" 600000;'
                  'echo "code $?" >&2; ls "$1"; "$2" collect --spool "$1"/t.db.spool-* --output "$1/../elsewhere.db"')
        done = run("unshare", "--mount", "sh", "-c", script, "-", small, RTL, PROGRAMS / "kernel_flood")
        self.assertRegex(done.stderr, rf"rtl: cannot write {small}/t.db: the disk is full\n"
                         rf"rtl: the records are in {small}/t.db.spool-\w+; this makes the database of them, also on "
                         rf"another disk: rtl collect --spool {small}/t.db.spool-\w+ --output FILE.db\ncode 1\n")
        self.assertRegex(done.stdout, r"in order\nt.db.spool-\w+\n")
        facts = facts_of(self.folder / "elsewhere.db")
        self.assertGreater(int(facts["recorded.kernels"]), 300_000)
        self.assertEqual(int(facts["submitted.kernels"]),
                         int(facts["recorded.kernels"]) + int(facts["loss.kSpoolFull.kernels"]))

    def test_the_next_run_names_what_a_killed_one_left(self):
        process = self.waiting(self.folder)
        pid = int(subprocess.check_output(["pgrep", "-P", str(process.pid)], text=True))
        os.killpg(process.pid, signal.SIGKILL)
        foreground.finish(process, LIMIT_SECONDS)
        wait_for_end(pid)
        (spool,) = self.folder.glob("t.db.spool-*")
        said = self.trace("--", "true").stderr
        self.assertIn(f"rtl: an earlier run was killed and left its records in {spool}; ", said)
        self.assertEqual(self.recover(said)["recorded.kernels"], "1000")
        self.assertNotIn("earlier run", self.trace("--", "true").stderr)

    def test_a_collection_while_the_program_runs_leaves_the_rest_to_another(self):
        process = foreground.start([RTL, "trace", "--vgpu", "--no-summary", "-o", self.database, "--",
                                    PROGRAMS / "hsa_endings", "input"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        foreground.read_until(process, "ready\n", LIMIT_SECONDS)

        def work():
            process.stdin.write("work\n")
            process.stdin.flush()
            foreground.read_until(process, "ten kernels ran: work\n", LIMIT_SECONDS)

        work()
        (spool,) = self.folder.glob("t.db.spool-*")
        process.kill()
        process.wait(LIMIT_SECONDS)
        early = self.folder / "early.db"
        said = rtl("collect", "--spool", spool, "--output", early).stderr
        self.assertIn("rtl: the spool stays, because a process writes into it still; collect it again when the process "
                      "has ended\n", said)
        self.assertEqual(facts_of(early)["recorded.kernels"], "10")
        work()
        pid = int(next(spool.glob("*.ctl")).name.split("-")[0])
        foreground.finish(process, LIMIT_SECONDS)  # the end of its input and of its output
        wait_for_end(pid)
        late = self.folder / "late.db"
        self.assertNotIn("stays", rtl("collect", "--spool", spool, "--output", late).stderr)
        self.assertEqual(facts_of(late)["recorded.kernels"], "20")
        self.assertFalse(spool.exists())

    def test_a_folder_that_gets_another_name_keeps_its_trace(self):
        before, after = self.folder / "before", self.folder / "after"
        before.mkdir()
        process = self.waiting(before)
        before.rename(after)
        os.killpg(process.pid, signal.SIGINT)  # Ctrl-C
        _, said = foreground.finish(process, LIMIT_SECONDS)
        self.assertIn(f"rtl: the folder of {before}/t.db has another name now; this one is in {after}/t.db\n", said)
        self.assertEqual(facts_of(after / "t.db")["recorded.kernels"], "1000")
        self.assertEqual([path.name for path in after.iterdir()], ["t.db"])

    def test_a_folder_that_was_removed_does_not_take_the_trace_along(self):
        folder = self.folder / "out"
        folder.mkdir()
        process = self.waiting(folder)
        for path in folder.iterdir():
            if path.is_file():
                path.unlink()
        os.killpg(process.pid, signal.SIGINT)  # Ctrl-C
        _, said = foreground.finish(process, LIMIT_SECONDS)
        written = pathlib.Path(re.search(r"this one is in (\S+)\n", said)[1])
        self.addCleanup(written.unlink)
        self.assertEqual(facts_of(written)["recorded.kernels"], "1000")

    def test_a_folder_under_another_disk_does_not_hide_the_trace(self):
        need_mounts(self)
        done = run("unshare", "--mount", RTL, "trace", "--vgpu", "--no-summary", "-o", self.database, "--", "sh", "-c",
                   '"$0" && mount -t tmpfs none "$1"', PROGRAMS / "vector_add", self.folder)
        written = pathlib.Path(re.search(rf"rtl: the folder of {self.database} cannot be reached by its name any more; "
                                         r"this one is in (\S+)\n", done.stderr)[1])
        self.addCleanup(written.unlink)
        self.assertEqual(facts_of(written)["recorded.kernels"], "5")

    def test_without_its_spool_the_coverage_is_not_known(self):
        script = '"$0" && mv "$1".spool-* "$1".moved && "$0"'
        done = self.trace("--min-coverage", "100", "--", "sh", "-c", script, PROGRAMS / "vector_add", self.database,
                          code=1)
        self.assertRegex(done.stderr, r"rtl: the spool \S+ was removed or renamed, ")
        self.assertTrue(done.stderr.endswith("rtl: the share of the kernels that are in the trace is not known\n"),
                        done.stderr)
        self.assertEqual(facts_of(self.database)["recorded.kernels"], "5")

    def test_another_users_file_is_refused_before_the_program(self):
        if os.geteuid() != 0:
            self.skipTest("needs files of two users")
        self.folder.chmod(0o1777)
        self.database.write_text("root's")
        done = run("setpriv", "--reuid", "65534", "--clear-groups", RTL, "trace", "--vgpu", "--force", "-o",
                   self.database, "--", "echo", "ran", code=1, folder="/tmp")
        self.assertEqual(done.stdout, "")
        self.assertIn("belongs to another user", done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["t.db"])

    def test_a_file_that_is_no_output_is_replaced_by_force_only(self):
        self.trace("--", PROGRAMS / "vector_add")
        second = self.folder / "second.db"
        shutil.copy(self.database, second)
        program = self.folder / "program"
        shutil.copy(PROGRAMS / "vector_add", program)
        text = self.folder / "text"
        text.write_text("\na letter\n")
        foreign = self.folder / "foreign.db"
        with sqlite3.connect(foreign) as database:
            database.execute("CREATE TABLE mine (x)")
        page, timeline, chrome = (self.folder / f"mine.{end}" for end in ("html", "pftrace", "json"))
        for path in page, timeline, chrome:
            path.write_text("{\"traceEvents\": []}\n")
        for path, command in (
                *((path, ("trace", "--vgpu", "-o", path, "--", program)) for path in (program, text, foreign)),
                (text, ("trace", "--vgpu", "-o", self.folder / "new.db", "--pftrace", text, "--", program)),
                (chrome, ("trace", "--vgpu", "-o", self.folder / "new.db", "--pftrace", chrome, "--", program)),
                (foreign, ("trace", "--pid", "1", "-o", foreign)),
                (foreign, ("merge", self.database, second, "-o", foreign)),
                (foreign, ("convert", self.database, "-o", foreign)),
                (timeline, ("convert", self.database, "-o", timeline)),
                (chrome, ("convert", self.database, "-o", chrome)),
                (page, ("report", self.database, "-o", page))):
            with self.subTest(command[0], path=path.name):
                before = path.read_bytes()
                done = rtl(*command, code=1)
                self.assertRegex(done.stderr, rf"\Artl: {path}: exists and is no [\w ]+; --force replaces it\n\Z")
                self.assertEqual(done.stdout, "", "the program did not run")
                self.assertEqual(path.read_bytes(), before)
        self.assertFalse((self.folder / "new.db").exists())
        for verb, path in (("convert", timeline), ("convert", chrome), ("report", page)):
            for more in ["--force"], []:  # then it is an earlier output
                rtl(verb, self.database, "-o", path, *more)
        rtl("trace", "--vgpu", "--no-summary", "--force", "-o", foreign, "--", program)
        self.assertEqual(facts_of(foreign)["recorded.kernels"], "5")

    def test_packed_outputs_are_recognised(self):
        self.trace("--", PROGRAMS / "vector_add")
        for name in ("a.pftrace.gz", "a.pftrace.zst", "a.json.gz", "a.json.zst", "a.rpd"):
            with self.subTest(name):
                for _ in range(2):
                    rtl("convert", self.database, "-o", self.folder / name)

    def test_a_run_that_recorded_nothing_leaves_an_earlier_trace(self):
        self.trace("--", PROGRAMS / "vector_add")
        before = self.database.read_bytes()
        done = self.trace("--pftrace", self.folder / "t.pftrace", "--", "false", code=1)
        self.assertIn(f"rtl: nothing was recorded; the earlier trace in {self.database} stays\n", done.stderr)
        self.assertEqual(self.database.read_bytes(), before)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["t.db"])
        self.database.unlink()
        self.trace("--", "false", code=1)
        self.assertEqual(facts_of(self.database)["exit_code"], "1")

    def test_a_pipe_that_no_program_reads_does_not_block_for_ever(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        done = self.trace("--pftrace", pipe, "--", PROGRAMS / "vector_add", code=1)
        self.assertTrue(done.stderr.endswith(f"rtl: {pipe}: cannot be written: a pipe that no program reads\n"),
                        done.stderr)
        self.assertEqual(facts_of(self.database)["recorded.kernels"], "5")


if __name__ == "__main__":
    main()
