# SPDX-License-Identifier: MIT
"""The frame of the tests in Python: the build, the runtime that --runtime names, a folder for each test, and how a test
is skipped.

    RTL_BUILD=build/release NAME_test.py [--runtime NAME]    (RTL_BUILD: default build/release)
"""

import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest



def option(name, default=None):
    """Takes an option and its value out of the command line."""
    if name not in sys.argv:
        return default
    at = sys.argv.index(name)
    value = sys.argv[at + 1]
    del sys.argv[at:at + 2]
    return value


ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RTL_BUILD", ROOT / "build" / "release")).resolve()
RTL = BUILD / "bin" / "rtl"
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
RUNTIME = option("--runtime")
IN_RUNTIME = [RUNTIME_TOOL, "exec", RUNTIME, "--"] if RUNTIME else []  # the prefix of a command
PROGRAMS = BUILD / "bin" / (f"programs-{RUNTIME}" if RUNTIME else "programs")
SKIPPED = 77


def ask(database, sql):
    """The rows of a query."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return connection.execute(sql).fetchall()


def facts_of(database):
    """The metadata of a trace."""
    return dict(ask(database, "SELECT tag, value FROM rocpd_metadata"))


def make_folder(test):
    """A folder that goes with the test, or with the class."""
    folder = tempfile.TemporaryDirectory(prefix="test-")
    (test.addClassCleanup if isinstance(test, type) else test.addCleanup)(folder.cleanup)
    return pathlib.Path(folder.name)


class Case(unittest.TestCase):
    """A test with a folder, in which a trace is `database`."""

    def setUp(self):
        self.folder = make_folder(self)
        self.database = self.folder / "t.db"

    def ask(self, sql):
        return ask(self.database, sql)


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(SKIPPED)


def main(*needed, **options):
    """Runs the tests of the program, unless its runtime or one of these files is missing."""
    if RUNTIME:
        root = subprocess.run([RUNTIME_TOOL, "root", RUNTIME], capture_output=True, text=True)
        if root.returncode != 0:
            skip(root.stderr.strip())
    for path in needed:
        if not path.exists():
            skip(f"{path.name} could not be built here")
    unittest.main(module="__main__", **options)
