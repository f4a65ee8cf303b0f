#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs AMD's tests of the HSA runtime (rocrtst, as Debian packages it) on the virtual GPU, each in a process of its
own, untraced and under `rtl trace`, and prints a row for each test that does not pass in both ways, with the cause. A
failure without a known cause is an error.

    tests/real/rocrtst.py --build build/release
    tests/real/rocrtst.py --gfx 942 --only Memory_ --limit 60

Exit code 77: the runtime or the tests cannot be had here."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
RUNTIME = "7.2-amd-tests"
TESTS = "/usr/libexec/rocm/libhsa-runtime64-tests"
UNAVAILABLE = 77
TARGETS = ("906", "90a", "942")
WAYS = ("untraced", "traced")
LONG = {
    "Max_Reference_Count": "calls hsa_init two thousand million times",
    "Queue_CAS_Write_Index_ConcurrentTest": "four threads take turns by spinning: more than two minutes on two "
                                            "processors",
}
# Tests that may fail, each with its cause; any other failure is one of this program.
KNOWN = {
    "DISABLED_CU_Masking": "masks of compute units are not modelled",
    "Memory_Async_Copy": "hwloc finds no GPU: the virtual one is not in the kernel's list of PCI devices",
    "Memory_Async_Copy_On_Engine": "as Memory_Async_Copy",
    "DISABLED_Memory_Async_Copy_NUMA": "as Memory_Async_Copy",
    "DISABLED_Queue_Validation_InvalidWorkGroupSize":
        "wants the error of a packet before it destroys the queue soon after: too late in some runs",
}
NO_KERNEL = "rtl: none of the kernels is in the trace"  # rejected packets and traps: rtl's exit code is 1


class Machine:
    """`options`: of the virtual GPU."""

    def __init__(self, build, gfx, folder, limit):
        self.build, self.folder, self.limit = build, folder, limit
        self.program = f"{TESTS}/gfx{gfx}/rocrtst64"
        self.env = dict(os.environ, VGPU_GFX=gfx, VGPU_LARGE_BAR="1", VGPU_SVM="1", VGPU_DIR=str(folder / "vgpu"),
                        RTL_RUNTIME_BIND=f"{folder} {build}")

    def start(self, way, *arguments, where):
        prefix = [self.build / "bin/vgpu", "run"]
        if way == "traced":
            prefix = [self.build / "bin/rtl", "trace", "--vgpu", "--no-summary", "-o", where / "t.db"]
        return [RUNTIME_TOOL, "exec", RUNTIME, "--", "env", "-C", os.path.dirname(self.program), *prefix, "--",
                self.program, "--gtest_also_run_disabled_tests", *arguments]

    def names(self):
        done = subprocess.run(self.start("untraced", "--gtest_list_tests", where=self.folder), env=self.env,
                              capture_output=True, text=True, check=False, timeout=300)
        if done.returncode != 0:
            return []
        names, group = [], ""
        for line in done.stdout.splitlines():
            if re.fullmatch(r"\w+\.", line):
                group = line
            elif group and re.fullmatch(r"  \w+", line):
                names.append(group + line.strip())
        return names

    def run(self, name, way):
        """How it ended, seconds, and the line that says most."""
        with tempfile.TemporaryDirectory(dir=self.folder) as where:
            command = self.start(way, f"--gtest_filter={name}", where=pathlib.Path(where))
            began = time.monotonic()
            with subprocess.Popen(command, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", start_new_session=True) as process:
                try:
                    text, _ = process.communicate(timeout=self.limit)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.communicate()
                    return "too long", self.limit, ""
            return ending_of(process.returncode, text), time.monotonic() - began, line_of(text)


def ending_of(code, text):
    """The tracer's own exit code is 1 when the program's is 0 and none of its kernels could be recorded."""
    if "[  FAILED  ]" not in text and re.search(r"\[  PASSED  \] [1-9]", text):
        ended = "skipped" if "[  SKIPPED ]" in text else "passed"
        if code == 1 and NO_KERNEL in text:
            return f"{ended}, no kernel ended"
        return ended if code == 0 else f"{ended}, exit code {code}"
    if "[  FAILED  ]" in text:
        return "failed"
    return f"exit code {code}"


def line_of(text):
    for pattern in (r"^.*Memory access fault.*$", r"^.*Assertion.*$",
                    r"^(?:rtl|vgpu): (?!kernels|copies|mode).*(?:lost|not).*$",
                    r"^(?:Expected|  Actual|  Which is|\S+: Failure).*$", r"^.*(?:[Ee]rror|[Ff]ail).*$"):
        found = [line.strip() for line in re.findall(pattern, text, re.MULTILINE) if "[  FAILED" not in line]
        if found:
            return found[0][:140]
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--gfx", choices=TARGETS, help="one target (default: all)")
    parser.add_argument("--only", metavar="TEXT", default="", help="tests whose names contain it")
    parser.add_argument("--long", action="store_true", help=f"run these, too: {', '.join(LONG)}")
    parser.add_argument("--limit", type=int, default=150, help="seconds of a test (%(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    for command in ("root", "get", "root"):
        done = subprocess.run([RUNTIME_TOOL, command, RUNTIME], capture_output=command == "root", text=True,
                              check=False)
        if command == "root" and done.returncode == 0:
            break
    else:
        print(f"SKIPPED: {done.stderr.strip()}")
        return UNAVAILABLE
    print(f"left out without --long: {'; '.join(f'{name}: {why}' for name, why in LONG.items())}")
    status = 0
    for gfx in [options.gfx] if options.gfx else TARGETS:
        with tempfile.TemporaryDirectory(prefix="rocrtst-") as folder, \
                concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
            machine = Machine(options.build.resolve(), gfx, pathlib.Path(folder), options.limit)
            names = [name for name in machine.names() if options.only in name and
                     (options.long or not name.endswith(tuple(LONG)))]
            asked = [(name, way) for name in names for way in WAYS]
            ended = dict(zip(asked, pool.map(lambda each: machine.run(*each), asked)))
            passed = {way: sum(ended[name, way][0].startswith("passed") for name in names) for way in WAYS}
            print(f"gfx{gfx}: {len(names)} tests, " + ", ".join(f"{passed[way]} passed {way}" for way in WAYS))
            print("| test | untraced | traced | why |\n|---|---|---|---|")
            for name in names:
                plain, traced = (ended[name, way] for way in WAYS)
                known = KNOWN.get(name.rpartition(".")[2])
                good = plain[0] == "passed" and traced[0] in ("passed", "passed, no kernel ended")
                if plain[0] != "passed" or traced[0] != "passed":
                    why = traced[2] if good or known is None else known
                    print(f"| {name} | {plain[0]}, {plain[1]:.0f} s | {traced[0]}, {traced[1]:.0f} s | {why} |",
                          flush=True)
                if not good and known is None:
                    status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
