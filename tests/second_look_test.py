#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rerun of failed tests, with tests that fail as often as a file says."""

import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

SECOND_LOOK = pathlib.Path(__file__).with_name("second_look.py")
# Fails as long as there is a line left in the file.
TEST = 'add_test({name} sh -c "test ! -s {left} || {{ sed -i 1d {left}; exit 1; }}")\n'


class SecondLook(unittest.TestCase):
    def look(self, **failures):
        """Runs ctest, then second_look.py; `failures`: how often each test fails. Returns exit code, words, lines."""
        with tempfile.TemporaryDirectory() as folder:
            tests = ""
            for name, times in failures.items():
                name = name.replace("_", ".", 1)
                left = pathlib.Path(folder, name)
                left.write_text("once more\n" * times)
                tests += TEST.format(name=name, left=left)
            pathlib.Path(folder, "CTestTestfile.cmake").write_text(tests)
            junit = pathlib.Path(folder, "tests.xml")
            subprocess.run(["ctest", "--test-dir", folder, "--output-junit", junit], capture_output=True)
            done = subprocess.run([SECOND_LOOK, folder, junit], capture_output=True, text=True)
            cases = xml.etree.ElementTree.parse(junit).getroot().iter("testcase")
            words = {case.get("name"): case.get("status") for case in cases}
        return done.returncode, words, done.stdout.splitlines()

    def test_a_test_that_failed_once_is_reported_as_unsteady(self):
        code, words, lines = self.look(scenario_a=1, scenario_ab=0, unit_b=0)
        self.assertEqual((code, words), (0, {"scenario.a": "unsteady", "scenario.ab": "run", "unit.b": "run"}))
        self.assertIn("UNSTEADY: scenario.a failed once and passed 3 times alone; its output is above", lines)

    def test_once_more_in_four_times_is_a_failure(self):
        code, words, lines = self.look(race_a=2, fault_b=1)
        self.assertEqual((code, words), (1, {"race.a": "fail", "fault.b": "unsteady"}))
        self.assertIn("FAILED: race.a failed again", lines)

    def test_a_test_without_a_runtime_has_no_second_look(self):
        code, words, lines = self.look(scenario_a=1, unit_b=1)
        self.assertEqual((code, words), (1, {"scenario.a": "fail", "unit.b": "fail"}))
        self.assertEqual(lines, ["second look: none; 2 tests failed, 1 of which cannot be unsteady"])

    def test_three_failures_are_not_chance(self):
        code, words, _ = self.look(scenario_a=1, scenario_b=1, scenario_c=1)
        self.assertEqual((code, set(words.values())), (1, {"fail"}))

    def test_a_test_that_could_not_start_is_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "CTestTestfile.cmake").write_text(
                'add_test(scenario.a /no/such/program)\nadd_test(scenario.b sh -c "exit 77")\n'
                "set_tests_properties(scenario.b PROPERTIES SKIP_RETURN_CODE 77)\n")
            junit = pathlib.Path(folder, "tests.xml")
            ran = subprocess.run(["ctest", "--test-dir", folder, "--output-junit", junit], capture_output=True)
            self.assertNotEqual(ran.returncode, 0)
            done = subprocess.run([SECOND_LOOK, folder, junit], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout),
                         (1, "second look: none; 1 tests failed, 1 of which cannot be unsteady\n"))

    def test_that_no_test_failed_does_not_say_why_ctest_did(self):
        self.assertEqual(self.look(scenario_a=0)[0], 1)

    def test_without_results_there_is_nothing_to_look_at(self):
        done = subprocess.run([SECOND_LOOK, "/no/build", "/no/such/tests.xml"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertTrue(done.stdout.startswith("second look: none; no results of ctest: "))


if __name__ == "__main__":
    unittest.main()
