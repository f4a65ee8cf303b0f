#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/reference/sdk-status.md has a line for each number of the acceptance list, and finished lines have tests.

A line whose status begins with "yes" needs its numbers in the table of tests at the end of the page; tests are
named as their programs list them (Suite.Name), as MODULE.test_name of tests/sdk, or as ctest does.

    RTL_BUILD=build/release status_test.py PAGE
"""

import importlib
import os
import pathlib
import re
import subprocess
import sys
import unittest

BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
PAGE = pathlib.Path(sys.argv[1]).read_text()
NUMBERS = {f"D{n:02}" for first, last in ((1, 17), (20, 26), (30, 42), (50, 68), (70, 81), (85, 88), (90, 92), (95, 96),
                                                (100, 118), (120, 125))
           for n in range(first, last + 1)}
PROGRAMS = ("sdk_library_test", "sdk_cxx_test", "rtl_sdk_test", "rtl_capture_test", "rtl_counters_test")
MODULES = ("sdk_test", "hsa_test", "hip_test", "marker_test", "allocation_test", "scratch_test", "events_test",
           "package_test", "counting_test", "rccl_test", "consumers_test", "openmp_test")
NUMBER = re.compile(r"D\d+")


def rows(text):
    """The cells of the lines that begin with numbers."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")]
             for line in text.splitlines() if line.startswith("| D")]
    return [(NUMBER.findall(row[0]), row[1:]) for row in cells]


def tests_of_program(name):
    listed = subprocess.run([BUILD / "bin" / name, "--gtest_list_tests"], capture_output=True, text=True, check=True)
    suite = ""
    for line in listed.stdout.splitlines():
        if line.startswith("  "):
            yield suite + line.strip()
        elif line.endswith("."):
            suite = line


def tests_of_module(name):
    def flat(tests):
        for test in tests:
            yield from flat(test) if isinstance(test, unittest.TestSuite) else [f"{name}.{test.id().split('.')[-1]}"]
    return flat(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name)))


def tests_of_ctest():
    listed = subprocess.run(["ctest", "--test-dir", BUILD, "-N"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"Test +#\d+: (\S+)", listed)


class Status(unittest.TestCase):
    def setUp(self):
        states, tests = PAGE.split("\n## Tests\n")
        self.states = rows(states)
        self.tests = rows(tests)

    def test_every_number_has_a_line(self):
        named = {number for numbers, _ in self.states for number in numbers}
        self.assertEqual(NUMBERS - named, set())

    def test_finished_rows_name_tests(self):
        done = {number for numbers, row in self.states if row[-1].startswith("yes") for number in numbers}
        tested = {number for numbers, _ in self.tests for number in numbers}
        self.assertGreater(len(done), 40)
        self.assertEqual(done - tested, set())
        self.assertEqual(tested - NUMBERS, set())

    def test_the_tests_exist(self):
        known = {*tests_of_ctest()}
        for program in PROGRAMS:
            known.update(tests_of_program(program))
        for module in MODULES:
            known.update(tests_of_module(module))
        for numbers, (names,) in self.tests:
            self.assertNotEqual(names, "", numbers)
            self.assertEqual(set(re.split(r", +", names)) - known, set(), numbers)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
