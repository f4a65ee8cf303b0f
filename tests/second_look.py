#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at tests that failed once more, each alone: is it a failure, or is the test unsteady?

  second_look.py BUILD JUNIT    JUNIT: what ctest --output-junit wrote

Only tests with a real runtime in a process of its own can be unsteady, and at most two of a run. Such a
test passes when it does so three times in a row; then it is named, and marked `unsteady` in JUNIT.
Everything else that failed is a failure. Exit code 1 when there is one.
Why: docs/adr/0050-unsteady-tests.md
"""

import argparse
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

CAN_BE_UNSTEADY = ("scenario.", "fault.", "race.")
MOST = 2
TIMES = 3


def failed_cases(results):
    return [case for case in results.iter("testcase") if case.get("status") not in ("run", "notrun", "disabled")]


def passes_alone(build, name):
    command = ["ctest", "--test-dir", build, "-R", f"^{re.escape(name)}$", "--no-tests=error",
               "--repeat", f"until-fail:{TIMES}", "--timeout", "600", "--output-on-failure"]
    return subprocess.run(command, stdout=sys.stdout, stderr=subprocess.STDOUT).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("junit", type=pathlib.Path)
    arguments = parser.parse_args()
    results = xml.etree.ElementTree.parse(arguments.junit)
    cases = failed_cases(results)
    names = [case.get("name") for case in cases]
    sure = [name for name in names if not name.startswith(CAN_BE_UNSTEADY)]
    if sure or len(cases) > MOST:
        print(f"second look: none; {len(cases)} tests failed, {len(sure)} of which cannot be unsteady")
        return 1
    failures = 0
    for case, name in zip(cases, names):
        print(f"second look: {name}, alone, {TIMES} times", flush=True)
        if passes_alone(arguments.build, name):
            case.set("status", "unsteady")
            print(f"UNSTEADY: {name} failed once and passed {TIMES} times alone; what it said is above")
        else:
            failures += 1
            print(f"FAILED: {name} failed again")
    results.write(arguments.junit)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
