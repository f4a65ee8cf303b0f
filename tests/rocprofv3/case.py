# SPDX-License-Identifier: MIT
"""The tests' shared way to run rocprofv3: on the virtual GPU and with the runtime that --runtime names."""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import foreground  # noqa: E402

BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
RUNTIME = sys.argv[sys.argv.index("--runtime") + 1] if "--runtime" in sys.argv else None
PROGRAMS = BUILD / "bin" / (f"programs-{RUNTIME}" if RUNTIME else "programs")
ROCPROFV3 = BUILD / "bin" / "rocprofv3"
LIMIT_SECONDS = 120
SKIPPED = 77


def command_of(arguments, program):
    prefix = [RUNTIME_TOOL, "exec", RUNTIME, "--"] if RUNTIME else []
    return [*prefix, ROCPROFV3, *arguments, *(["--", *program] if program else [])]


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
        folder = tempfile.TemporaryDirectory(prefix="rocprofv3-")
        self.addClassCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

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


def main():
    if RUNTIME and subprocess.run([RUNTIME_TOOL, "root", RUNTIME], capture_output=True).returncode != 0:
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0]])
