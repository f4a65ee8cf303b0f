#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of sample.py."""

import collections
import pathlib
import tempfile
import unittest

from sample import SANITIZERS, choose, programs, sanitizer

SCENARIOS = [f"scenario.trace.{name}{runtime}" for name in ("gemm", "copies", "graph")
             for runtime in ("", "@6.1", "@6.4", "@7.2", "@7.14")]
FAULTS = [f"fault.programs.{letter}" for letter in "abcdefgh"]
NAMES = ["unit.base", "abi.layers", "abi.one_unit", "race.kills", *FAULTS, *SCENARIOS]


class Sample(unittest.TestCase):
    def test_every_other_scenario_runs_with_one_runtime(self):
        scenarios = [name.replace("gemm", f"gemm{number}") for number in range(10) for name in SCENARIOS[:5]]
        for seed in range(20):
            chosen = choose(scenarios, seed, False)
            count = collections.Counter(name.partition("@")[0] for name in chosen)
            self.assertEqual(list(count.values()), [1] * 5)

    def test_of_faults_it_is_one_in_four(self):
        for seed in range(20):
            # With abi.one_unit, nine tests are one in four.
            self.assertIn(len(choose(NAMES, seed, False) & {*FAULTS, "abi.one_unit"}), (2, 3))

    def test_all_other_tests_are_always_chosen(self):
        for seed in range(20):
            self.assertLessEqual({"unit.base", "abi.layers"}, choose(NAMES, seed, seed % 2 == 0))

    def test_some_seed_has_each_test(self):
        self.assertEqual(set().union(*(choose(NAMES, seed, False) for seed in range(60))), set(NAMES))

    def test_a_sanitizer_runs_one_scenario_in_four(self):
        scenarios = [f"scenario.trace.{number}" for number in range(40)]
        chosen = choose(["unit.base", *scenarios], "abc", True)
        self.assertEqual(len(chosen), 11)
        self.assertEqual(chosen, choose(["unit.base", *scenarios], "abc", True))

    def test_each_sanitizer_is_chosen_by_some_seed_and_always_by_the_same(self):
        chosen = [sanitizer(f"{seed:08x}") for seed in range(20)]
        self.assertEqual(set(chosen), set(SANITIZERS))
        self.assertEqual(chosen, [sanitizer(f"{seed:08x}") for seed in range(20)])


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for runtime, of in (("6.1", "programs"), ("7.14", "programs-7.2")):
            (self.folder / "bin" / f"programs-{runtime}").mkdir(parents=True)
            (self.folder / "bin" / f"programs-{runtime}" / "gemm").symlink_to(f"../{of}/gemm")

    def of(self, runtime, command):
        test = {"name": f"scenario.x{runtime}", "command": ["python3", "runner.py", str(command)]}
        return programs(self.folder, [test], {"gemm", "gemm-7.2", "storm", "storm-7.2"})

    def test_a_scenario_needs_the_program_of_its_runtime(self):
        (self.folder / "run.toml").write_text('program = "gemm"\n')
        for runtime, needed in (("", "gemm"), ("@7.2", "gemm-7.2"), ("@6.1", "gemm"), ("@7.14", "gemm-7.2")):
            self.assertEqual(self.of(runtime, self.folder), {needed})

    def test_a_python_test_needs_the_programs_of_the_files_that_it_imports(self):
        (self.folder / "plans.py").write_text('PLANS = {"storm": 1}\n')
        (self.folder / "x_test.py").write_text('import plans\nRUN = PROGRAMS / "gemm"\n')
        self.assertEqual(self.of("", self.folder / "x_test.py"), {"gemm", "storm"})

    def test_a_test_without_a_runtime_needs_the_programs_of_all_that_it_names(self):
        file = self.folder / "formats_test.py"
        file.write_text('RUN = PROGRAMS / "gemm"\nif RUNTIME == "6.1": pass\n')
        test = {"name": "scenario.formats", "command": ["python3", str(file), "--runtimes", "6.4,7.2"]}
        targets = {"gemm", "gemm-6.4", "gemm-7.2", "storm-7.2"}
        self.assertEqual(programs(self.folder, [test], targets), {"gemm", "gemm-6.4", "gemm-7.2"})

    def test_a_test_of_pages_needs_the_programs_that_they_compile(self):
        command = ["python3", str(pathlib.Path(__file__).with_name("guides_test.py"))]
        needed = programs(self.folder, [{"name": "scenario.guides", "command": command}],
                          {"reduction-7.2", "page_fault", "storm"})
        self.assertEqual(needed, {"reduction-7.2", "page_fault"})

    def test_a_unit_test_that_is_not_built_needs_none(self):
        self.assertEqual(programs(self.folder, [{"name": "unit.base"}], {"gemm"}), set())


if __name__ == "__main__":
    unittest.main()
