# SPDX-License-Identifier: MIT
"""The tests' shared way to run rocprofv3: on the virtual GPU and with the runtime that --runtime names."""

import csv
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import foreground  # noqa: E402
import frame  # noqa: E402
from frame import IN_RUNTIME, ROCPROFV3, environment_without, expect, make_folder  # noqa: E402
from processes import wait_for_end  # noqa: E402

LIMIT_SECONDS = 120


def command_of(arguments, program):
    return [*IN_RUNTIME, ROCPROFV3, *arguments, *(["--", *program] if program else [])]


def environment(variables):
    return environment_without("ROCPROF", "RTL_", "SLURM") | variables


def run(*arguments, program=(), code=0, folder=None, **variables):
    process = foreground.start(command_of(arguments, program), cwd=folder, env=environment(variables),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        out, errors = foreground.finish(process, LIMIT_SECONDS)
    expect(code in (None, process.returncode),
           f"{arguments}: exit code {process.returncode}, not {code}\n{out}{errors}")
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)


def start(*arguments, program, **variables):
    """Starts it, in a process group of its own, and does not wait."""
    return foreground.start(command_of(arguments, program), env=environment(variables), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def wait_until_gone(spool):
    """Waits for the end of every process that has written into this spool."""
    for page in spool.glob("*.ctl"):
        wait_for_end(page.name.split("-")[0])


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Case(frame.Case):
    def make_folder(self):
        return make_folder(type(self))

    def refused(self, *arguments, code, text, program=("true",)):
        """It fails with this exit code and one line with this text, and leaves nothing."""
        folder = self.make_folder()
        done = run(*arguments, program=program, code=code, folder=folder)
        self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(list(folder.iterdir()), [])

    def assert_nothing_hidden(self, folder):
        self.assertEqual([path.name for path in folder.rglob(".*")], [])
