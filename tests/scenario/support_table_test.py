#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The support table, written from results as ctest writes them, and checked."""

import tempfile
import unittest

import support_table

FEATURES = {"Kernels": ["trace.*"], "Graphs": ["trace.graph_*"], "Other": ["*"]}
RESULTS = {
    "trace.gemm": {"host": "ok", "7.2": "ok"},
    "trace.memory": {"host": "skip", "7.2": "ok"},
    "trace.graph_replay": {"host": "ok", "7.2": "FAIL"},
    "doctor": {"host": "again"},
}


def made(runtimes=("7.2",)):
    return list(support_table.block(FEATURES, RESULTS, {"trace.memory": "HSA 5.2 has none"},
                                    runtimes, "5.2"))


class SupportTable(unittest.TestCase):
    def test_a_row_for_each_feature_and_a_line_for_each_scenario_that_did_not_pass(self):
        self.assertEqual(made(), [
            "| scenarios passed, of those there are | 5.2 | 7.2 |",
            "|---|---|---|",
            "| Kernels | 1 of 2 | 2 of 2 |",
            "| Graphs | 1 of 1 | 0 of 1 |",
            "| Other | 0 of 1 | - |",
            "",
            "Not passed:",
            "",
            "- `doctor` with 5.2: failed once, passed when it ran again",
            "- `trace.graph_replay` with 7.2: FAILED",
            "- `trace.memory` with 5.2: HSA 5.2 has none",
        ])

    def test_a_run_of_one_runtime_has_its_column_beside_the_others(self):
        results = {"trace.gemm": {"7.14": "ok"}, "trace.memory": {"7.14": "skip"}}
        why = {"trace.memory@7.14": "HSA 5.2 has none"}
        new = list(support_table.block(FEATURES, results, why, ["7.14"], "5.2"))
        added = list(support_table.with_column("\n".join(made()), new, "7.14"))
        self.assertEqual(added[:5], [
            "| scenarios passed, of those there are | 5.2 | 7.2 | 7.14 |",
            "|---|---|---|---|",
            "| Kernels | 1 of 2 | 2 of 2 | 1 of 2 |",
            "| Graphs | 1 of 1 | 0 of 1 | - |",
            "| Other | 0 of 1 | - | - |",
        ])
        self.assertEqual(added[-2:], ["- `trace.memory` with 5.2: HSA 5.2 has none",
                                      "- `trace.memory` with 7.14: HSA 5.2 has none"])
        again = list(support_table.with_column("\n".join(added), new, "7.14"))
        self.assertEqual(again, added)

    def test_the_sums_count_every_scenario_once(self):
        self.assertEqual(list(support_table.sums(RESULTS, ["7.2"], "5.2")), [
            "| ROCm runtime | 5.2 | 7.2 |",
            "|---|---|---|",
            "| scenarios passed | 2 of 4 | 2 of 3 |",
        ])

    def test_scenarios_that_share_a_reason_share_a_line(self):
        results = {name: {"host": "skip", "7.2": "skip"} for name in ("trace.a", "trace.b")}
        why = {f"trace.{name}{runtime}": "no" for name in "ab" for runtime in ("", "@7.2")}
        lines = list(support_table.block(FEATURES, results, why, ["7.2"], "5.2"))
        self.assertEqual(lines[-1], "- `trace.a`, `trace.b` with 5.2, 7.2: no")

    def test_a_reason_is_in_the_scenarios_words(self):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as junit:
            junit.write("""<testsuite>
	<testcase name="scenario.trace.memory" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out>SKIPPED: HSA 5.2 has none
</system-out>
	</testcase>
	<testcase name="scenario.trace.gemm" status="run"><system-out></system-out></testcase>
</testsuite>""")
            junit.flush()
            self.assertEqual(support_table.reasons(junit.name), {"trace.memory": "HSA 5.2 has none"})

    def test_only_text_between_the_comments_is_replaced(self):
        readme = f"before\n{support_table.BEGIN}\nold\nrows\n{support_table.END}\nafter\n"
        before, inside, after = support_table.split(readme)
        self.assertEqual(inside, "old\nrows")
        self.assertEqual(before + inside + after, readme)
        with self.assertRaises(SystemExit):
            support_table.split("no comments")

    def test_a_new_table_passes_the_check(self):
        self.assertEqual(self.check(RESULTS, ["7.2"], FEATURES), [])

    def test_names_what_does_not_exist(self):
        scenarios = set(RESULTS) - {"trace.memory"}
        features = {"Kernels": ["*"], "Other": ["*"]}
        self.assertEqual(self.check(scenarios, ["6.4"], features), [
            "there is no runtime 7.2",
            "features.toml has no row 'Graphs'",
            "there is no scenario trace.memory",
        ])

    def check(self, scenarios, runtimes, features):
        return support_table.check("\n".join(made()), features, set(scenarios), runtimes)


if __name__ == "__main__":
    unittest.main()
