#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of results, made from a file in ctest's format."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TABLE = pathlib.Path(__file__).with_name("runtime_table.py")


def case(name, status):
    return f'<testcase name="{name}" status="{status}"/>'


class RuntimeTable(unittest.TestCase):
    def show(self, *cases):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as junit:
            junit.write(f"<testsuite>{''.join(cases)}</testsuite>")
            junit.flush()
            done = subprocess.run([sys.executable, TABLE, junit.name, "6.1", "7.2"],
                                  capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()

    def test_names_scenario_runtime_and_result(self):
        code, lines = self.show(
            case("scenario.vgpu.gemm", "run"), case("scenario.vgpu.gemm@6.1", "notrun"),
            case("scenario.vgpu.gemm@7.2", "run"), case("scenario.a", "run"), case("unit.x", "fail"))
        self.assertEqual(code, 0)
        self.assertEqual(lines, [
            "           host   6.1   7.2",
            "a            ok     -     -",
            "vgpu.gemm    ok  skip    ok",
            "= ok          2     0     1",
            "= again       0     0     0",
            "= FAIL        0     0     0",
            "= skip        0     1     0",
            "runtime 6.1: SKIPPED, no scenario ran",
            "scenarios: 3 passed, 0 unsteady, 0 failed, 1 skipped",
        ])

    def test_a_failure_is_the_exit_code(self):
        code, lines = self.show(case("scenario.a@6.1", "fail"), case("scenario.a@7.2", "run"))
        self.assertEqual(code, 1)
        self.assertIn("a          -  FAIL    ok", lines)

    def test_a_test_that_passed_when_rerun_is_neither_passed_nor_failed(self):
        code, lines = self.show(case("scenario.a@6.1", "unsteady"), case("scenario.a@7.2", "run"))
        self.assertEqual(code, 0)
        self.assertIn("a          - again    ok", lines)
        self.assertEqual(lines[-1], "scenarios: 1 passed, 1 unsteady, 0 failed, 0 skipped")


if __name__ == "__main__":
    unittest.main()
