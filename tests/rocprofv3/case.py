# SPDX-License-Identifier: MIT
"""The tests' shared way to run rocprofv3: on the virtual GPU and with the runtime that --runtime names."""

import csv
import os
import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import foreground  # noqa: E402
from frame import (BUILD, IN_RUNTIME, PROGRAMS, ROOT, RUNTIME, RUNTIME_TOOL, main,  # noqa: E402
                   make_folder)

ROCPROFV3 = BUILD / "bin" / "rocprofv3"
LIMIT_SECONDS = 120


def command_of(arguments, program):
    return [*IN_RUNTIME, ROCPROFV3, *arguments, *(["--", *program] if program else [])]


def environment(variables):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("ROCPROF", "RTL_", "SLURM"))}
    return env | variables


def run(*arguments, program=(), folder=None, **variables):
    process = foreground.start(command_of(arguments, program), cwd=folder, env=environment(variables),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        out, errors = foreground.finish(process, LIMIT_SECONDS)
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)


def start(*arguments, program, **variables):
    """Starts it, in a process group of its own, and does not wait."""
    return foreground.start(command_of(arguments, program), env=environment(variables), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def wait_until_gone(spool):
    """Waits for the end of every process that has written into this spool."""
    for page in spool.glob("*.ctl"):
        stat = pathlib.Path("/proc", page.name.split("-")[0], "stat")
        while stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z":
            time.sleep(0.01)


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Case(unittest.TestCase):
    def make_folder(self):
        return make_folder(type(self))

    def program(self, name):
        if not (PROGRAMS / name).exists():
            self.skipTest(f"{name} could not be built for this runtime")
        return PROGRAMS / name

    def refused(self, *arguments, code, text, program=("true",)):
        """It fails with this exit code and one line with this text, and leaves nothing."""
        folder = self.make_folder()
        done = run(*arguments, program=program, folder=folder)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(list(folder.iterdir()), [])

    def assert_nothing_hidden(self, folder):
        self.assertEqual([path.name for path in folder.rglob(".*")], [])
