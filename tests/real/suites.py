#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a sample of the tests that Debian packages with its ROCm libraries on the virtual GPU, each case untraced and
under `rtl trace`. Cases that the libraries run only daily, or more rarely, are left out. Traced it must end as
untraced, and nothing may be lost. A seed draws the sample.

    tests/real/suites.py --build build/release         fetches what is missing (scripts/runtime prints its size)
    tests/real/suites.py --seed 7 --cases 20           another sample, of 20 cases of each suite
    tests/real/suites.py --only rocsolver --gfx 90a    one suite, one GPU
    tests/real/suites.py --only hipcub --filter 'HipcubDeviceScan*'

Exit code 77: nothing could be run. Closes with a table, one row for each suite and GPU, and lists the cases that
failed."""

import argparse
import collections
import concurrent.futures
import dataclasses
import fnmatch
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
RUNTIME = "7.2-suites"
UNAVAILABLE = 77
LIST_LIMIT = 600  # seconds; rocBLAS has some hundred thousand cases
TARGETS = ("906", "90a")
# What the libraries' own tests leave out of a run for every change: minutes of a real GPU.
LEFT_OUT = re.compile("DISABLED_|daily|nightly|weekly|stress|known_bug")


@dataclasses.dataclass(frozen=True)
class Suite:
    """Programs of GoogleTest in a package; `gpus`: that its cases want."""
    name: str
    package: str
    programs: str = "*"
    gpus: int = 1
    targets: tuple = TARGETS


SUITES = (
    Suite("rocRAND", "librocrand1-tests", "test_*"),
    Suite("hipRAND", "libhiprand1-tests", "test_*"),
    Suite("rocPRIM", "librocprim-tests", "test_*"),
    Suite("hipCUB", "libhipcub-tests", "test_*"),
    Suite("rocBLAS", "librocblas5-tests", "rocblas-test"),
    Suite("hipBLAS", "libhipblas3-tests", "hipblas-test"),
    Suite("rocSPARSE", "librocsparse1-tests", "rocsparse-test"),
    Suite("rocSOLVER", "librocsolver0-tests", "rocsolver-test"),
    Suite("RCCL", "librccl1-tests", "rccl-UnitTests", gpus=2, targets=("90a",)),
)

# Debian's packages lack a library that they are linked with.
INCOMPLETE = ("test_linking",)

Case = collections.namedtuple("Case", "program name")
Result = collections.namedtuple("Result", "ended kernels lost seconds")


def root():
    done = subprocess.run([RUNTIME_TOOL, "root", RUNTIME], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        subprocess.run([RUNTIME_TOOL, "get", RUNTIME], check=False)
        done = subprocess.run([RUNTIME_TOOL, "root", RUNTIME], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"SKIPPED: {done.stderr.strip()}", flush=True)
        return None
    return pathlib.Path(done.stdout.strip())


class Machine:
    """One model of virtual GPU, with a folder of its own."""

    def __init__(self, build, suite, target, folder, limit):
        self.build, self.folder, self.limit = build, folder, limit
        self.env = dict(os.environ, VGPU_GFX=target, VGPU_KFD_MINOR="17", VGPU_DIR=str(folder / "vgpu"),
                        VGPU_NUM_GPUS=str(suite.gpus), NCCL_SOCKET_IFNAME="lo",
                        RTL_RUNTIME_BIND=str(folder))

    def run(self, command, limit):
        whole = [RUNTIME_TOOL, "exec", RUNTIME, "--", "env", f"HOME={self.folder}", *command]
        return subprocess.run(whole, env=self.env, capture_output=True, text=True, errors="replace", timeout=limit,
                              check=False, cwd=self.folder, stdin=subprocess.DEVNULL)

    def list_cases(self, program):
        done = self.run([self.build / "bin/vgpu", "run", "--", program, "--gtest_list_tests"], LIST_LIMIT)
        if done.returncode != 0:
            print(f"{program} does not list its cases: {done.stderr.strip()[-200:]}", flush=True)
        return cases_in(program, done.stdout)

    def run_case(self, case, traced):
        tools = self.build / "bin"
        way = [tools / "vgpu", "run"]
        if traced:
            way = [tools / "rtl", "trace", "--vgpu", "--no-summary", "-o", self.folder / "t.db"]
            (self.folder / "t.db").unlink(missing_ok=True)
        began = time.monotonic()
        try:
            done = self.run([*way, "--", case.program, f"--gtest_filter={case.name}"], self.limit)
        except subprocess.TimeoutExpired:
            return Result("too long", 0, 0, self.limit)
        seconds = time.monotonic() - began
        counts = re.search(r"^rtl: kernels: ([\d,]+) submitted, ([\d,]+) recorded", done.stderr, re.MULTILINE)
        kernels = int(counts[2].replace(",", "")) if counts else 0
        lost = int(counts[1].replace(",", "")) - kernels if counts else 0
        return Result(ending_of(done), kernels, lost, seconds)


def cases_in(program, text):
    """In a list of GoogleTest's: the cases of a group are indented under its name."""
    cases, group = [], ""
    for line in text.splitlines():
        name = line.split("#")[0].rstrip()
        if re.fullmatch(r"\S+\.", name):
            group = name
        elif group and re.fullmatch(r"  \S+", name):
            cases.append(Case(program, group + name.strip()))
    return [case for case in cases if not LEFT_OUT.search(case.name)]


def ending_of(done):
    if "[  SKIPPED ]" in done.stdout:
        return "skipped"
    if done.returncode == 0 and re.search(r"\[  PASSED  \] [1-9]", done.stdout):
        return "passed"
    return "failed" if "[  FAILED  ]" in done.stdout else f"exit code {done.returncode}"


def sample(cases, count, seed):
    """The same cases for the same seed, whatever their order."""
    chosen = sorted(cases)
    return random.Random(seed).sample(chosen, min(count, len(chosen)))


def test(build, suite, target, programs, options):
    """The row of the table and the cases that failed or ended in another way when they were traced."""
    with tempfile.TemporaryDirectory(prefix="suites-") as name:
        machine = Machine(build, suite, target, pathlib.Path(name), options.limit)
        cases = [case for program in programs for case in machine.list_cases(program)]
        cases = [case for case in cases if fnmatch.fnmatchcase(case.name, options.filter)]
        notes, ends, kernels, seconds = [], collections.Counter(), 0, 0.0
        for case in sample(cases, options.cases, options.seed):
            plain = machine.run_case(case, traced=False)
            traced = machine.run_case(case, traced=True)
            ends[plain.ended] += 1
            kernels += traced.kernels
            seconds += plain.seconds + traced.seconds
            where = f"{suite.name} on gfx{target}: {case.name}"
            if plain.ended not in ("passed", "skipped"):
                notes.append((where, plain.ended))
            if traced.ended != plain.ended:
                notes.append((where, f"{traced.ended} traced, {plain.ended} untraced"))
            if traced.lost != 0:
                notes.append((where, f"{traced.lost} kernels lost"))
    ended = ", ".join(f"{count} {way}" for way, count in sorted(ends.items())) or "no cases"
    return f"| {suite.name} | gfx{target} | {len(cases):,} | {ended} | {kernels:,} | {seconds:.0f} s |", notes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--seed", default="1", help="any word (%(default)s)")
    parser.add_argument("--cases", type=int, default=10, help="of each suite (%(default)s)")
    parser.add_argument("--limit", type=int, default=120, help="seconds that a case may take (%(default)s)")
    parser.add_argument("--only", metavar="SUITE", default="", help="those whose names begin so")
    parser.add_argument("--filter", metavar="PATTERN", default="*", help="cases with such names alone")
    parser.add_argument("--gfx", choices=TARGETS)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    folder = root()
    if folder is None:
        return UNAVAILABLE
    jobs = []
    for suite in SUITES:
        if not suite.name.lower().startswith(options.only.lower()):
            continue
        inside = folder / "usr/libexec/rocm" / suite.package
        programs = sorted(f"/{path.relative_to(folder)}" for path in inside.glob(suite.programs)
                          if path.name not in INCOMPLETE)
        jobs += [(suite, target, programs) for target in suite.targets if options.gfx in (None, target) and programs]
    if not jobs:
        parser.error("nothing is left to run")
    print(f"seed {options.seed}\n\n| library | GPU | cases | of the sample | kernels | time of both ways |\n"
          + "|---" * 6 + "|", flush=True)
    notes = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        for row, of_suite in pool.map(lambda job: test(options.build.resolve(), *job, options), jobs):
            print(row, flush=True)
            notes += of_suite
    for where, what in notes:
        print(f"{where}: {what}")
    return 1 if notes else 0


if __name__ == "__main__":
    sys.exit(main())
