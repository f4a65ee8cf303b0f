#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""When ctest has failed: reruns the failed tests in isolation, to distinguish failures from unsteady tests.

  second_look.py BUILD JUNIT    JUNIT: what ctest --output-junit wrote

Only tests with a real runtime in a process of its own can be unsteady, and at most two in a run. Such a
test passes when it succeeds three times in a row; then it is listed, and marked `unsteady` in JUNIT.
All others are failures, including tests that could not start. Exit code 1 when there is a failure.
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


def is_well(case):
    """It passed, or skipped itself. Otherwise it failed (`fail`) or was never started (`notrun`)."""
    skipped = case.find("skipped")
    said_so = skipped is not None and skipped.get("message", "").startswith("SKIP_")
    return case.get("status") in ("run", "disabled") or said_so


def can_be_unsteady(case):
    return case.get("status") == "fail" and case.get("name").startswith(CAN_BE_UNSTEADY)


def passes_alone(build, name):
    command = ["ctest", "--test-dir", build, "-R", f"^{re.escape(name)}$", "--no-tests=error",
               "--repeat", f"until-fail:{TIMES}", "--timeout", "600", "--output-on-failure"]
    return subprocess.run(command, stdout=sys.stdout, stderr=subprocess.STDOUT).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("junit", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        results = xml.etree.ElementTree.parse(arguments.junit)
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print(f"second look: none; no results of ctest: {error}")
        return 1
    cases = [case for case in results.iter("testcase") if not is_well(case)]
    sure = len(cases) - sum(map(can_be_unsteady, cases))
    if sure or not 1 <= len(cases) <= MOST:
        print(f"second look: none; {len(cases)} tests failed, {sure} of which cannot be unsteady")
        return 1
    failures = 0
    for case in cases:
        name = case.get("name")
        print(f"second look: {name}, alone, {TIMES} times", flush=True)
        if passes_alone(arguments.build, name):
            case.set("status", "unsteady")
            print(f"UNSTEADY: {name} failed once and passed {TIMES} times alone; its output is above")
        else:
            failures += 1
            print(f"FAILED: {name} failed again")
    results.write(arguments.junit)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
