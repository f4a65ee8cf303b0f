# SPDX-License-Identifier: MIT
"""The frame of the tests in Python: the build, the runtime that --runtime names, a folder for each test, how commands
are run and traces are read, and how a test is skipped.

    RTL_BUILD=build/release NAME_test.py [--runtime NAME]    (RTL_BUILD: default build/release)
"""

import contextlib
import functools
import importlib
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
RTL, VGPU, ROCPROFV3 = (BUILD / "bin" / name for name in ("rtl", "vgpu", "rocprofv3"))
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
SKIPPED = 77
LIMIT_SECONDS = 600  # for a command, on a busy machine
# The condition of the rows of rocpd_op that are kernels.
ARE_KERNELS = "opType_id = (SELECT id FROM rocpd_string WHERE string = 'KernelExecution')"


def root_of(runtime):
    """The root folder of a runtime; None: it is not here."""
    asked = subprocess.run([RUNTIME_TOOL, "root", runtime], capture_output=True, text=True, check=False)
    return pathlib.Path(asked.stdout.strip()) if asked.returncode == 0 else None


def in_runtime(runtime):
    """The prefix of a command that runs with this runtime; None or "" is the machine's own."""
    return [RUNTIME_TOOL, "exec", runtime, "--"] if runtime else []


def programs_of(runtime):
    """The folder of the programs that were built for this runtime."""
    return BUILD / "bin" / (f"programs-{runtime}" if runtime else "programs")


RUNTIME = option("--runtime")
IN_RUNTIME = in_runtime(RUNTIME)
PROGRAMS = programs_of(RUNTIME)


def expect(holds, text):
    if not holds:
        raise AssertionError(text)


def environment_without(*prefixes):
    """This environment without the variables whose names begin so."""
    return {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}


def run(*command, code=0, folder=None, environment=os.environ, seconds=LIMIT_SECONDS, **variables):
    """Runs a command to its end. `code`: the exit code that it must have, None: any. `variables` are added to the
    environment."""
    done = subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          env={**environment, **{name: str(value) for name, value in variables.items()}}, text=True,
                          timeout=seconds, check=False)
    expect(code in (None, done.returncode),
           f"{command}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done


def refused(*command, code=1, **more):
    """The line that a command says when it refuses to do something: it says nothing else."""
    done = run(*command, code=code, **more)
    expect((done.stdout, done.stderr.count("\n")) == ("", 1), f"{command}: {done.stdout}{done.stderr}")
    return done.stderr


def rtl(*arguments, **more):
    return run(RTL, *arguments, **more)


def trace(database, *program, options=(), **more):
    """Traces a program on the virtual GPU, with the runtime that --runtime names."""
    return run(*IN_RUNTIME, RTL, "trace", "--vgpu", "--no-summary", *options, "-o", database, "--", *program, **more)


def ask(database, sql):
    """The rows of a query."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def facts_of(database):
    """The metadata of a trace."""
    return dict(ask(database, "SELECT tag, value FROM rocpd_metadata"))


def calls_of(database):
    """The names of the recorded calls of HIP, and how often each was made."""
    return dict(ask(database, "SELECT s.string, count(*) FROM rocpd_api a JOIN rocpd_string s ON s.id = a.apiName_id "
                              "GROUP BY 1"))


def check_sums(facts):
    """Of every kind of event, all that were submitted are recorded or counted as lost."""
    for kind in [tag.removeprefix("submitted.") for tag in facts if tag.startswith("submitted.")]:
        lost = sum(int(value) for tag, value in facts.items() if tag.startswith("loss.") and tag.endswith(f".{kind}"))
        expect(int(facts[f"submitted.{kind}"]) == int(facts[f"recorded.{kind}"]) + lost, f"{kind}: {facts}")


def need_package(name):
    """The module; without it the whole program is skipped."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return skip(f"{name} is not installed")


def make_folder(test):
    """A folder that goes with the test, or with the class."""
    folder = tempfile.TemporaryDirectory(prefix="test-")
    (test.addClassCleanup if isinstance(test, type) else test.addCleanup)(folder.cleanup)
    return pathlib.Path(folder.name)


def need_mounts(test):
    """Skips the test where a file system cannot be mounted in a namespace of its own."""
    if run("unshare", "--mount", "true", code=None).returncode != 0:
        test.skipTest("needs the right to mount")


class Case(unittest.TestCase):
    """A test with a folder, in which a trace is `database`. A class may have a folder for all of its tests."""

    @functools.cached_property
    def folder(self):
        return make_folder(self)

    @functools.cached_property
    def database(self):
        return self.folder / "t.db"

    def ask(self, sql):
        return ask(self.database, sql)

    def program(self, name):
        if not (PROGRAMS / name).exists():
            self.skipTest(f"{name} could not be built for this runtime")
        return PROGRAMS / name


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(SKIPPED)


def main(*needed, **options):
    """Runs the tests of the program, unless its runtime or one of these files is missing."""
    if RUNTIME and root_of(RUNTIME) is None:
        skip(f"runtime {RUNTIME} is not here (scripts/runtime get {RUNTIME})")
    for path in needed:
        if not path.exists():
            skip(f"{path.name} could not be built here")
    unittest.main(module="__main__", **options)
