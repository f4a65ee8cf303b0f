#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of sample.py."""

import collections
import unittest

from sample import choose

SCENARIOS = [f"scenario.trace.{name}{runtime}" for name in ("gemm", "copies", "graph")
             for runtime in ("", "@6.1", "@6.4", "@7.2", "@7.14")]
FAULTS = [f"fault.programs.{letter}" for letter in "abcdefgh"]
NAMES = ["unit.base", "abi.layers", "abi.one_unit", "race.kills", *FAULTS, *SCENARIOS]


class Sample(unittest.TestCase):
    def test_every_scenario_runs_with_one_runtime(self):
        for seed in range(20):
            chosen = choose(NAMES, seed, False)
            count = collections.Counter(name.partition("@")[0] for name in chosen if name in SCENARIOS)
            self.assertEqual(list(count.values()), [1, 1, 1])

    def test_of_faults_it_is_one_in_four(self):
        for seed in range(20):
            # With abi.one_unit, nine tests are one in four.
            self.assertIn(len(choose(NAMES, seed, False) & {*FAULTS, "abi.one_unit"}), (2, 3))

    def test_all_other_tests_are_always_chosen(self):
        for seed in range(20):
            self.assertLessEqual({"unit.base", "abi.layers", "race.kills"}, choose(NAMES, seed, seed % 2 == 0))

    def test_some_seed_has_each_test(self):
        self.assertEqual(set().union(*(choose(NAMES, seed, False) for seed in range(60))), set(NAMES))

    def test_a_sanitizer_runs_one_scenario_in_four(self):
        scenarios = [f"scenario.trace.{number}" for number in range(40)]
        chosen = choose(["unit.base", *scenarios], "abc", True)
        self.assertEqual(len(chosen), 11)
        self.assertEqual(chosen, choose(["unit.base", *scenarios], "abc", True))


if __name__ == "__main__":
    unittest.main()
