#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A page that says what there is has an answer for everything, and a test for each "yes".

The tests stand in a table of their own, COVERAGE, with the names of the page's rows. They are named as their programs
list them (Suite.Name), as MODULE.test_name of this folder, or as ctest does. With INCLUDE_FOLDER the page has each
function of the headers once.

    RTL_BUILD=build/release status_test.py PAGE COVERAGE [INCLUDE_FOLDER]
"""

import importlib
import pathlib
import re
import sys
import unittest

from exports_test import declared
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, main, run  # noqa: E402

PAGE, COVERAGE = (pathlib.Path(name).read_text() for name in sys.argv[1:3])
HEADERS = [pathlib.Path(name) for name in sys.argv[3:]]
PROGRAMS = ("sdk_library_test", "sdk_cxx_test", "hip_preload_test", "roctx_shim_test", "clr_test", "clr_pause_flat_test",
            "rtl_sdk_test", "rtl_capture_test", "rtl_counters_test", "rtl_trace_test", "rtl_analysis_test")
MODULES = ("sdk_test", "hsa_test", "hip_test", "marker_test", "allocation_test", "scratch_test", "events_test",
           "package_test", "counting_test", "rccl_test", "consumers_test", "openmp_test", "own_profiler_test", "attached_test")


def rows(text, last):
    """The cells of the rows of the tables whose last column has that name."""
    found, inside = [], False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|--"):
            found.append(cells)
        inside |= line.startswith("|") and cells[-1] == last
    return found


def tests_of_program(name):
    suite = ""
    for line in run(BUILD / "bin" / name, "--gtest_list_tests").stdout.splitlines():
        line = line.split("#")[0].rstrip()
        if line.startswith("  "):  # a test with parameters: Name/0 of Prefix/Suite.
            yield suite.split("/")[-1] + line.strip().split("/")[0]
        elif line.endswith("."):
            suite = line


def tests_of_module(name):
    def flat(tests):
        for test in tests:
            yield from flat(test) if isinstance(test, unittest.TestSuite) else [f"{name}.{test.id().split('.')[-1]}"]
    return flat(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name)))


def tests_of_ctest():
    return re.findall(r"Test +#\d+: (\S+)", run("ctest", "--test-dir", BUILD, "-N").stdout)


class Status(unittest.TestCase):
    def setUp(self):
        self.answers = {row[0]: row[-1] for row in rows(PAGE, "status")}
        self.tests = {name: set(re.split(r", +", tests)) for name, tests in rows(COVERAGE, "tests")}

    def test_every_row_has_a_name_and_an_answer(self):
        self.assertEqual(len(self.answers), len(rows(PAGE, "status")))
        for name, answer in self.answers.items():
            self.assertRegex(answer, r"^(yes|no|in part)\b", name)

    def test_every_function_has_one_row(self):
        for headers in HEADERS:
            named = [function for row in rows(PAGE, "status") for function in re.findall(r"`(\w+)`", row[1])]
            self.assertEqual(sorted(named), sorted(declared(headers)))

    def test_everything_that_is_there_has_tests(self):
        there = {name for name, answer in self.answers.items() if answer.startswith("yes")}
        self.assertGreater(len(there), 20)
        self.assertEqual(there - set(self.tests), set())
        self.assertEqual(set(self.tests) - set(self.answers), set())

    def test_the_tests_exist(self):
        known = {*tests_of_ctest()}
        runtimes = {name.split("@")[1] for name in known if "@" in name}
        for program in PROGRAMS:
            known.update(tests_of_program(program))
        for module in MODULES:
            known.update(tests_of_module(module))
        for name, tests in self.tests.items():
            here = {test for test in tests if "@" not in test or test.split("@")[1] in runtimes}
            self.assertEqual(here - known, set(), name)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    main()
