#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one scenario: a program, its options, and the expected results. See README.md.

Exit code: 0 as expected, 1 not as expected, 2 the scenario itself is wrong, 77 skipped.
"""

import argparse
import json
import operator
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import tomllib

SKIPPED = 77
RUNTIME_TOOL = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "runtime"
DEFAULT_TIMEOUT = 120
LIVE_COUNTS = ("queues", "events", "objects", "mappings", "fds")
SANITIZER = r"runtime error: |ERROR: \w+Sanitizer|WARNING: \w+Sanitizer"
OPERATORS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
# A runtime that differs from the others as this one does, where its own table does not say otherwise.
LIKE = {"7.14": "7.2"}
KEYS = {"program", "args", "env", "vgpu", "exit", "timeout", "stdout", "stdout_regex",
        "stderr_regex", "report", "trace", "skip", "library_of"}
TRACE_KEYS = {"mode", "args", "losses", "query", "expect", "left_behind", "runtime_dispatches",
              "stderr_regex", "exit"}


class Failure(Exception):
    """One expectation that does not hold."""


def expect(holds, text):
    if not holds:
        raise Failure(text)


def as_list(value):
    return value if isinstance(value, list) else [value]


def merge(base, changes):
    """`changes` over `base`, table by table."""
    merged = dict(base)
    for key, value in changes.items():
        nested = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = merge(base[key], value) if nested else value
    return merged


class Scenario:
    """The contents of run.toml, for one runtime."""

    def __init__(self, folder, runtime=None):
        self.folder = folder
        with open(folder / "run.toml", "rb") as file:
            self.spec = tomllib.load(file)
        differences = self.spec.pop("runtime", {})
        for name in (LIKE.get(runtime), runtime or "host"):
            self.spec = merge(self.spec, differences.get(name, {}))
        unknown = set(self.spec) - KEYS | set(self.spec.get("trace", {})) - TRACE_KEYS
        if unknown:
            raise SystemExit(f"{folder}/run.toml: unknown keys: {', '.join(sorted(unknown))}")
        if "program" not in self.spec:
            raise SystemExit(f"{folder}/run.toml: no program")
        self.program = self.spec["program"]
        self.trace = self.spec.get("trace")
        self.library = None  # AMD's for counters, when another runtime's is used

    def get(self, key, default=None):
        return self.spec.get(key, default)

    def gpus(self):
        return self.get("vgpu", {}).get("gpus", 1)

    def vgpu_flags(self):
        """The table `vgpu` as flags of `vgpu run`."""
        flags = []
        for name, value in self.get("vgpu", {}).items():
            if value is True:
                flags.append(f"--{name}")
            else:
                flags += [f"--{name}", str(value)]
        return flags

    def vgpu_variables(self):
        """The same for a launcher that only knows the number of GPUs."""
        variables = {}
        for name, value in self.get("vgpu", {}).items():
            if name == "gpus":
                continue
            off = value is True and name.startswith("no-")
            word = name.removeprefix("no-").replace("-", "_").upper()
            variables[f"VGPU_{word}"] = "0" if off else "1" if value is True else str(value)
        return variables


class Machine:
    """Where programs run: on this one, or in the root of another ROCm runtime."""

    def __init__(self, build, runtime=None, tool=RUNTIME_TOOL):
        self.bin = build / "bin"
        self.programs = self.bin / (f"programs-{runtime}" if runtime else "programs")
        self.prefix = [tool, "exec", runtime, "--"] if runtime else []
        self.root = pathlib.Path("/")
        self.absent = None  # why there is no such runtime
        if runtime:
            asked = subprocess.run([tool, "root", runtime], capture_output=True, text=True)
            self.absent = asked.stderr.strip() or None
            self.root = pathlib.Path(asked.stdout.strip() or "/")

    def has(self, installed):
        return (self.root / installed.removeprefix("/")).exists()


class Borrowed:
    """AMD's library for counters, of a runtime that has it, for one that has none."""
    PATH = "usr/lib/x86_64-linux-gnu/libhsa-amd-aqlprofile64.so.1"

    def __init__(self, owner, tool=RUNTIME_TOOL):
        asked = subprocess.run([tool, "root", owner], capture_output=True, text=True)
        self.absent = asked.stderr.strip() or None
        self.source = pathlib.Path(asked.stdout.strip() or "/") / self.PATH
        if not self.absent and not self.source.exists():
            self.absent = f"{self.source} is not there"

    def copy_to(self, work):
        """The path of a copy that every runtime can see."""
        copy = work / self.source.name
        shutil.copy(self.source, copy)
        return str(copy)


class Run:
    """One run of the program and the state that it left."""

    def __init__(self, command, env, timeout, report):
        self.command = command
        with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True) as process:
            try:
                out, err = process.communicate(timeout=timeout)
                self.finished = True
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
                self.finished = False
            self.exit = process.returncode
        self.stdout = out.decode(errors="replace")
        self.stderr = err.decode(errors="replace")
        self.processes = []
        if report.exists():
            self.processes = [json.loads(line) for line in report.read_text().splitlines()]

    def total(self, count):
        if count == "processes":
            return len(self.processes)
        return sum(process[count] for process in self.processes)

    def show(self):
        print(f"--- {' '.join(map(str, self.command))}\n--- exit {self.exit}")
        for name, text in (("stdout", self.stdout), ("stderr", self.stderr)):
            print(f"--- {name}\n{text}", end="" if text.endswith("\n") else "\n")
        for process in self.processes:
            print(f"--- report {json.dumps(process)}")


def check_count(name, wanted, got):
    """`wanted` is a number, or a text such as ">=20000"."""
    match = re.fullmatch(r"(>=|<=|>|<)\s*(\d+)", str(wanted))
    holds = OPERATORS[match[1]](got, int(match[2])) if match else got == int(wanted)
    expect(holds, f"{name}: expected {wanted}, got {got}")


def check_exit(run, wanted):
    """`wanted` is an exit code, or the name of a signal."""
    expect(run.finished, "the program did not end in time")
    code = -signal.Signals[wanted] if isinstance(wanted, str) else wanted
    # A launcher that does not become the program reports its signal as 128 + n.
    codes = {code, 128 - code} if code < 0 else {code}
    expect(run.exit in codes, f"exit code: expected {wanted}, got {run.exit}")


def check_regexes(name, patterns, text):
    for pattern in as_list(patterns):
        found = re.search(pattern, text, re.MULTILINE)
        expect(found, f"{name}: no match for {pattern!r}")


def check_sanitizers(run):
    finding = re.search(SANITIZER, run.stderr)
    expect(finding is None, "a sanitizer complains on stderr")


def check_run(scenario, run):
    check_exit(run, scenario.get("exit", 0))
    check_sanitizers(run)
    wanted = scenario.get("stdout")
    if wanted is not None:
        expect(run.stdout.strip() == wanted.strip(), f"stdout: expected\n{wanted.strip()}")
    check_regexes("stdout", scenario.get("stdout_regex", []), run.stdout)
    check_regexes("stderr", scenario.get("stderr_regex", []), run.stderr)
    for name, wanted in scenario.get("report", {}).items():
        check_count(f"report: {name}", wanted, run.total(name))


def metadata_of(database):
    """Tags and values; numbers of several processes are in one row each already."""
    return dict(database.execute("SELECT tag, value FROM rocpd_metadata"))


def check_conservation(metadata):
    """submitted == recorded + sum of losses, for every kind of event."""
    kinds = [tag.removeprefix("submitted.") for tag in metadata if tag.startswith("submitted.")]
    expect("kernels" in kinds, "metadata: no tag submitted.kernels")
    for kind in kinds:
        submitted = int(metadata[f"submitted.{kind}"])
        expect(metadata.get(f"seen.{kind}") == metadata[f"submitted.{kind}"], f"metadata: seen.{kind} is no alias")
        expect(f"recorded.{kind}" in metadata, f"metadata: no tag recorded.{kind}")
        recorded = int(metadata[f"recorded.{kind}"])
        losses = {tag: int(value) for tag, value in metadata.items()
                  if tag.startswith("loss.") and tag.endswith(f".{kind}")}
        expect(submitted == recorded + sum(losses.values()),
               f"{kind}: submitted {submitted}, recorded {recorded}, lost {losses}")


def check_queues(database):
    """The same for every queue that has counts. Each of them has an alias."""
    expect(not database.execute("SELECT 1 FROM rtl_queue WHERE seen IS NOT submitted").fetchone(),
           "rtl_queue.seen is no alias of submitted")
    query = ("SELECT id, submitted, recorded, (SELECT coalesce(sum(events), 0) FROM rtl_queue_loss"
             " WHERE queue_id = rtl_queue.id) FROM rtl_queue WHERE submitted IS NOT NULL")
    for queue, submitted, recorded, lost in database.execute(query):
        expect(submitted == recorded + lost,
               f"queue {queue}: submitted {submitted}, recorded {recorded}, lost {lost}")


def check_losses(scenario, metadata):
    """Only the losses that the scenario names may occur, as often as it says."""
    wanted = scenario.trace.get("losses", {})
    for tag, value in metadata.items():
        if tag.startswith("loss."):
            name = tag.removeprefix("loss.")
            check_count(f"metadata: {tag}", wanted.get(name, 0), int(value))
    for name in wanted:
        expect(f"loss.{name}" in metadata, f"metadata: no tag loss.{name}")


def check_queries(scenario, database):
    """query.sql against expect.txt, as the sqlite3 shell would print it."""
    query = scenario.folder / "query.sql"
    if not query.exists() or not scenario.trace.get("query", True):
        return
    wanted = (scenario.folder / scenario.trace.get("expect", "expect.txt")).read_text().strip()
    rows = []
    for statement in filter(str.strip, query.read_text().split(";")):
        for row in database.execute(statement):
            rows.append("|".join("" if value is None else str(value) for value in row))
    got = "\n".join(rows).strip()
    expect(got == wanted, f"query.sql: expected\n{wanted}\ngot\n{got}")


def check_live_counts(run, plain):
    """The tracer leaves nothing. A program that leaves its queues to the kernel also leaves the
    runtime's objects of each intercept queue, so there only the queues themselves count."""
    for name in ("queues", "fds") if plain.total("queues") else LIVE_COUNTS:
        expect(run.total(name) == plain.total(name),
               f"{name} left behind: {run.total(name)}, untraced {plain.total(name)}")


def check_trace(scenario, path, run, plain):
    expect(path.exists(), f"there is no {path.name}")
    leftovers = sorted(p.name for p in path.parent.iterdir()
                       if p.name.startswith(path.name) and p != path)
    expect(not leftovers, f"beside the database: {', '.join(leftovers)}")
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
    expect(verdict == "ok", f"integrity check: {verdict}")
    backwards = database.execute("SELECT count(*) FROM rocpd_op WHERE end < start").fetchone()[0]
    expect(backwards == 0, f"{backwards} rows end before they start")
    metadata = metadata_of(database)
    check_conservation(metadata)
    check_queues(database)
    check_losses(scenario, metadata)
    own = scenario.trace.get("runtime_dispatches", 0)
    if own != "any":
        submitted, executed = int(metadata["submitted.kernels"]), run.total("dispatches")
        expect(submitted + own == executed, f"submitted.kernels is {submitted} and the runtime's own are {own}, "
                                       f"but the device executed {executed}")
    check_queries(scenario, database)
    database.close()
    if scenario.trace.get("left_behind") != "any":
        check_live_counts(run, plain)


def place(text, machine, work):
    """`text` with ${PROGRAMS} and ${WORK} filled in."""
    places = {"PROGRAMS": str(machine.programs), "WORK": str(work)}
    return re.sub(r"\$\{(\w+)\}", lambda match: places[match[1]], str(text))


def environment(scenario, machine, work, report):
    env = dict(os.environ)
    # Sanitizers: the runtime under test leaks by design, and the virtual GPU is preloaded.
    env["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0:" + env.get("ASAN_OPTIONS", "")
    # The runtime orders copies and fills for a program with atomics of its own,
    # which the sanitizer cannot see.
    # The tracer's worker thread runs until the process ends: signals may still be pending.
    env["TSAN_OPTIONS"] = ("ignore_noninstrumented_modules=1:report_thread_leaks=0:"
                           + env.get("TSAN_OPTIONS", ""))
    env["VGPU_REPORT"] = str(report)
    for name, value in scenario.get("env", {}).items():
        env[name] = place(value, machine, work)
    if scenario.library is not None:
        env["RTL_AQLPROFILE"] = scenario.library.copy_to(work)
    return env


def run_plain(scenario, machine, work, command):
    report = work / "plain.report"
    launcher = [*machine.prefix, machine.bin / "vgpu", "run", *scenario.vgpu_flags(), "--"]
    return Run(launcher + command, environment(scenario, machine, work, report),
               scenario.get("timeout", DEFAULT_TIMEOUT), report)


def run_traced(scenario, machine, work, command, path):
    report = work / "traced.report"
    launcher = [*machine.prefix, machine.bin / "rtl", "trace", "-o", path,
                f"--vgpu={scenario.gpus()}"]
    if "mode" in scenario.trace:
        launcher += ["--mode", scenario.trace["mode"]]
    launcher += [*scenario.trace.get("args", []), "--"]
    env = environment(scenario, machine, work, report) | scenario.vgpu_variables()
    return Run(launcher + command, env, scenario.get("timeout", DEFAULT_TIMEOUT), report)


def run_scenario(scenario, machine, work):
    program = machine.programs / scenario.program
    expect(program.exists() or machine.has(scenario.program), f"{program} is not built")
    command = [program, *(place(arg, machine, work) for arg in scenario.get("args", []))]

    plain = run_plain(scenario, machine, work, command)
    shown = [plain]
    try:
        check_run(scenario, plain)
        if scenario.trace is None:
            return
        path = work / "trace.db"
        traced = run_traced(scenario, machine, work, command, path)
        shown = [traced]
        expect(traced.finished, "the traced program did not end in time")
        expect(traced.stdout == plain.stdout, "stdout differs from the untraced run")
        check_exit(traced, scenario.trace.get("exit", scenario.get("exit", 0)))
        check_sanitizers(traced)
        check_regexes("stderr", scenario.trace.get("stderr_regex", []), traced.stderr)
        try:
            check_trace(scenario, path, traced, plain)
        except sqlite3.Error as error:
            raise Failure(f"the database cannot be read: {error}") from error
    except Failure:
        for run in shown:
            run.show()
        raise


def missing_programs(scenario, machine, unavailable, own_only):
    """Programs that the scenario needs and this machine cannot build, or does not have installed."""
    needed = {scenario.program, *re.findall(r"\$\{PROGRAMS\}/(\w+)\.co", str(scenario.spec))}
    installed = {name for name in needed if name.startswith("/")}
    absent = {name for name in installed if own_only or not machine.has(name)}
    return needed & set(unavailable) | absent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build directory")
    parser.add_argument("--unavailable", default="", help="programs that could not be built here")
    parser.add_argument("folder", type=pathlib.Path, help="folder with a run.toml")
    parser.add_argument("--runtime", help="run it with this runtime of scripts/runtime")
    parser.add_argument("--runtime-tool", default=RUNTIME_TOOL, help="in place of scripts/runtime")
    parser.add_argument("--own-programs-only", action="store_true",
                        help="skip scenarios of installed programs: they bring no sanitizer along")
    arguments = parser.parse_args()

    scenario = Scenario(arguments.folder, arguments.runtime)
    machine = Machine(arguments.build.resolve(), arguments.runtime, arguments.runtime_tool)
    if machine.absent:
        print(f"SKIPPED: {machine.absent}")
        return SKIPPED
    if scenario.get("skip"):
        print(f"SKIPPED: {scenario.get('skip')}")
        return SKIPPED
    if scenario.get("library_of"):
        scenario.library = Borrowed(scenario.get("library_of"), arguments.runtime_tool)
        if scenario.library.absent:
            print(f"SKIPPED: {scenario.library.absent}")
            return SKIPPED
    missing = missing_programs(scenario, machine, arguments.unavailable.split(","),
                               arguments.own_programs_only)
    if missing:
        print(f"SKIPPED: not available on this machine: {', '.join(sorted(missing))}")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="scenario-") as work:
        try:
            run_scenario(scenario, machine, pathlib.Path(work))
        except Failure as failure:
            print(f"FAILED: {failure}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
