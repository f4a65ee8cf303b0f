#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How suites.py, rocrtst.py and upstream.py read lists of cases and their ends, and draw a sample; without a GPU."""

import subprocess
import unittest
import xml.etree.ElementTree

import rocrtst
import suites
import upstream

LIST = """Query device success: there are 1 devices.
Running main() from gtest_main.cc
quick/Copy.
  float/0  # GetParam() = (1, 2)
  float/1  # GetParam() = (3, 4)
  DISABLED_float/2
Daily/Copy.
  daily_float/0
Scan/0.  # TypeParam = int
  Sum
"""


def done(text, code=0):
    return subprocess.CompletedProcess([], code, text, "")


class Suites(unittest.TestCase):
    def test_cases_are_read_from_the_list_of_a_program(self):
        cases = suites.cases_in("/test", LIST)
        self.assertEqual([case.name for case in cases], ["quick/Copy.float/0", "quick/Copy.float/1", "Scan/0.Sum"])
        self.assertEqual({case.program for case in cases}, {"/test"})

    def test_a_seed_draws_the_same_sample_in_any_order(self):
        cases = [suites.Case("/test", f"Copy.{i}") for i in range(100)]
        drawn = suites.sample(cases, 10, "7")
        self.assertEqual(drawn, suites.sample(cases[::-1], 10, "7"))
        self.assertNotEqual(drawn, suites.sample(cases, 10, "8"))
        self.assertEqual(len(suites.sample(cases[:3], 10, "7")), 3)

    def test_a_case_passes_only_if_it_ran(self):
        self.assertEqual(suites.ending_of(done("[  PASSED  ] 1 test.")), "passed")
        self.assertEqual(suites.ending_of(done("[  PASSED  ] 0 tests.\n[  SKIPPED ] 1 test")), "skipped")
        self.assertEqual(suites.ending_of(done("[  PASSED  ] 0 tests.")), "exit code 0")
        self.assertEqual(suites.ending_of(done("[  FAILED  ] 1 test", 1)), "failed")
        self.assertEqual(suites.ending_of(done("", -6)), "exit code -6")

    def test_a_test_of_the_runtime_may_pass_without_a_kernel(self):
        passed = "[  PASSED  ] 1 test.\n"
        self.assertEqual(rocrtst.ending_of(0, passed), "passed")
        self.assertEqual(rocrtst.ending_of(1, passed + rocrtst.NO_KERNEL), "passed, no kernel ended")
        self.assertEqual(rocrtst.ending_of(1, passed), "passed, exit code 1")
        self.assertEqual(rocrtst.ending_of(1, "[  FAILED  ] 1 test"), "failed")
        self.assertEqual(rocrtst.ending_of(-6, "Assertion `x' failed."), "exit code -6")
        self.assertEqual(rocrtst.line_of("Assertion `x' failed.\n"), "Assertion `x' failed.")

    def test_results_of_ctest_are_read(self):
        ended = {"run": "passed", "fail": "failed", "disabled": "not run", "notrun": "not run"}
        for status, way in ended.items():
            case = xml.etree.ElementTree.fromstring(
                f'<testcase status="{status}"><system-out>a\nE   assert 1 == 2\nb</system-out></testcase>')
            self.assertEqual(upstream.ending_of(case), way)
            self.assertEqual(upstream.reason_of(case), "assert 1 == 2")
        self.assertEqual(upstream.ending_of(None), "not run")


if __name__ == "__main__":
    unittest.main()
