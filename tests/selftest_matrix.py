#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl selftest with each runtime on each target of the virtual GPU, and with each fault that it has to find.

    tests/selftest_matrix.py [--build build/release] [RUNTIMES...]

RUNTIMES: names of scripts/runtime, and `native` for this machine's own; default: all that are here. Prints a line for
each run: what is right, wrong and not here, and the seconds that it took. Exit code 1: a check was wrong on a healthy
GPU, was not here and should have been, or missed its fault, or a run took more than five minutes.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent / folder) for folder in ("support", "scenario")]
from frame import ROOT, in_runtime, root_of  # noqa: E402
from selftest_test import ABSENT, FAULTS  # noqa: E402

RUNTIMES = ["native", "6.1", "6.4", "7.2", "7.14"]
TARGETS = ["900", "906", "90a", "942"]
UNKNOWN = {"native": {"942"}}  # targets that are newer than the runtime
SAMPLED = "90a"  # the target on which the virtual GPU offers samples
LIMIT_SECONDS = 300


def name_of(runtime):
    """None: this machine's own."""
    return None if runtime == "native" else runtime


class Matrix:
    def __init__(self, build):
        self.rtl = build / "bin" / "rtl"
        self.failures = 0

    def run(self, runtime, *options, **variables):
        """The verdicts by name, the seconds, and what was printed."""
        with tempfile.TemporaryDirectory(prefix="selftest-") as folder:
            began = time.monotonic()
            done = subprocess.run([*in_runtime(name_of(runtime)), self.rtl, "selftest", "--vgpu=2", "-o",
                                   f"{folder}/report.txt", *options], env=dict(os.environ, **variables),
                                  capture_output=True, text=True)
            seconds = time.monotonic() - began
        lines = re.findall(r"^(right|WRONG|not here) +(\S+) +(.*)$", done.stdout, re.M)
        return {name: (verdict, figure) for verdict, name, figure in lines}, seconds, done.stdout + done.stderr

    def report(self, name, problem, seconds, more=""):
        self.failures += problem != ""
        print(f"{'ok  ' if not problem else 'FAIL'} {name:<32} {seconds:5.1f} s  {problem or more}", flush=True)

    def healthy(self, runtime, target, absent):
        found, seconds, text = self.run(runtime, VGPU_GFX=target)
        by_verdict = {verdict: sorted(name for name in found if found[name][0] == verdict)
                      for verdict in ("right", "WRONG", "not here")}
        if target != SAMPLED:
            absent = absent | {"samples"}
        if target == "900":  # no counters are known for it
            absent = absent | {"counters"}
        unexpected = set(by_verdict["not here"]) - absent
        problem = ""
        if not found or by_verdict["WRONG"]:
            problem = text
        elif unexpected:
            problem = f"not here, and should be: {', '.join(sorted(unexpected))}"
        elif seconds > LIMIT_SECONDS:
            problem = "took more than five minutes"
        self.report(f"{runtime} gfx{target}", problem, seconds,
                    f"{len(by_verdict['right'])} right; not here: {', '.join(by_verdict['not here']) or 'none'}")

    def faulty(self, runtime, fault, finders):
        found, seconds, text = self.run(runtime, "--limit", "5", "--only", ",".join(sorted(finders)), VGPU_FAULTS=fault)
        missed = sorted(name for name in finders if found.get(name, ("",))[0] != "WRONG")
        problem = f"not found by {', '.join(missed)}:\n{text}" if missed else ""
        self.report(f"{runtime} {fault}", problem, seconds, f"found by {', '.join(sorted(finders))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("runtimes", nargs="*", choices=[*RUNTIMES, []], help="default: all that are here")
    options = parser.parse_args()
    matrix = Matrix(options.build.resolve())
    for runtime in options.runtimes or RUNTIMES:
        if name_of(runtime) and root_of(runtime) is None:
            print(f"skip {runtime}: it is not here (scripts/runtime get {runtime})")
            continue
        absent = ABSENT.get(name_of(runtime), set())
        for target in TARGETS:
            if target not in UNKNOWN.get(runtime, set()):
                matrix.healthy(runtime, target, absent)
        for fault, finders in FAULTS:
            matrix.faulty(runtime, fault, finders - absent)
    return 1 if matrix.failures else 0


if __name__ == "__main__":
    sys.exit(main())
