#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names from a trace never give the terminal a command, and never begin a line, whichever verb prints them.

    RTL_BUILD=build/release hostile_names_test.py
"""

import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, PROGRAMS, ROOT, RTL, main, make_folder  # noqa: E402

# An end of a line, a colour, a carriage return, a title, an 8-bit control sequence, a change of direction.
HOSTILE = "a\nLINE\x1b[31m\rb\x1b]0;title\x07\x9b2J\u202ec"
BAD = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
# Strings that mean something to readers.
FIXED = re.compile(r"KernelExecution|UserMarker|Copy|Barrier|hip[A-Z]|^$")
COLUMNS = {"rtl_process": ("host", "executable", "command", "loaded_by", "door", "job"), "rtl_agent": ("name", "product", "uuid"),
           "rtl_stream": ("name",), "rtl_name": ("name",)}
METADATA = ("command", "host", "loaded_by", "door", "mode_reason", "runtime", "warning.1")
VERBS = (["summary"], ["summary", "--all"], ["info"], ["info", "--in-flight"], ["analyze", "--sql", "-n", "0"],
         ["diff", "{}", "{}"], ["hot"], ["counters"], ["convert", "--force", "-o", "{}.x.pftrace"],
         ["report", "--force", "-o", "{}.x.html"], ["merge", "--force", "-o", "{}.m.db", "{}", "{}"],
         ["summary", "--by", "operator"], ["summary", "/nowhere/" + HOSTILE], ["analyze", "--kernel", HOSTILE])


def rtl(*words, **more):
    done = subprocess.run([RTL, *words], capture_output=True, timeout=100, check=False, **more)
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", errors="surrogateescape")


class HostileNames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = make_folder(cls)
        cls.trace = cls.folder / f"{HOSTILE}.db"
        status, said = rtl("trace", "--vgpu", "--mode", "hip", "--no-summary", "-o", cls.folder / "t.db", "--",
                           PROGRAMS / "slow_steps")
        assert status == 0, said
        shutil.copy(cls.folder / "t.db", cls.trace)
        with sqlite3.connect(cls.trace) as database:
            database.create_function("fixed", 1, lambda text: FIXED.search(text or "") is not None)
            database.execute("UPDATE rocpd_string SET string = string || ? WHERE NOT fixed(string)", (HOSTILE,))
            for table, columns in COLUMNS.items():
                there = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
                for column in there.intersection(columns):
                    database.execute(f"UPDATE {table} SET {column} = {column} || ?", (HOSTILE,))
            database.execute("INSERT INTO rocpd_metadata (tag, value) VALUES ('warning.1', '')")
            for tag in METADATA:
                database.execute("UPDATE rocpd_metadata SET value = value || ? WHERE tag = ?", (HOSTILE, tag))
        database.close()

    def expect_harmless(self, said, words):
        self.assertIsNone(BAD.search(said), (words, said))
        self.assertFalse([line for line in said.splitlines() if line.startswith("LINE")], (words, said))

    def test_no_verb_prints_them(self):
        for verb in VERBS:
            words = [each.format(self.trace) if each != verb[0] else each for each in verb]
            if str(self.trace) not in words and words[0] != "merge" and "/nowhere/" not in words[-1]:
                words.append(str(self.trace))
            with self.subTest(words=verb):
                self.expect_harmless(rtl(*words)[1], verb)

    def test_no_verb_prints_them_from_the_command_line(self):
        for words in ([HOSTILE], ["trace", "--" + HOSTILE], ["trace", "--mode", HOSTILE, "--", "true"],
                      ["trace", "-o", str(self.folder / HOSTILE / "x.db"), "--", "true"],
                      ["trace", "--", "/nowhere/" + HOSTILE], ["trace", "--pmc", HOSTILE, "--vgpu", "--", "true"],
                      ["trace", "--vgpu", "-o", str(self.folder / (HOSTILE + "2.db")), "--",
                       PROGRAMS / "vector_add", HOSTILE],
                      ["convert", "--to", HOSTILE, self.trace], ["dump", HOSTILE], ["attach", HOSTILE],
                      ["import", "/nowhere/" + HOSTILE], ["collect", "--spool", HOSTILE]):
            with self.subTest(words=words):
                self.expect_harmless(rtl(*words, cwd=self.folder)[1], words)

    def test_rocprofv3_prints_none(self):
        mark = f"import roctx; roctx.rangePush({HOSTILE!r}); roctx.rangePop()"
        done = subprocess.run([BUILD / "bin" / "vgpu", "run", "--", BUILD / "bin" / "rocprofv3", "--marker-trace", "-S",
                               "--stats", "-d", self.folder / HOSTILE, "--", sys.executable, "-c", mark],
                              capture_output=True, timeout=100, check=False,
                              env=os.environ | {"PYTHONPATH": str(ROOT / "python")})
        self.expect_harmless((done.stdout + done.stderr).decode("utf-8", errors="surrogateescape"), "rocprofv3")

    def test_the_sql_of_hostile_names_runs(self):
        """Pasted into a shell, each line gives a number of nanoseconds."""
        if not shutil.which("sqlite3"):
            self.skipTest("sqlite3 is not installed")
        _, said = rtl("analyze", "--sql", "-n", "0", self.trace)
        lines = [line for line in said.splitlines() if line.startswith("  sqlite3 ")]
        self.assertGreater(len(lines), 5)
        for line in lines:
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False)
            self.assertRegex(done.stdout, r"^\d+(\|\d+)?\n$", line + done.stderr)


if __name__ == "__main__":
    main()
