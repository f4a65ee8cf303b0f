#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces of ranks on the virtual GPU become a dataset: every table has the rows of the trace, the ranks keep their
numbers, and a rank is written once. Skipped without DuckDB for Python.

    RTL_BUILD=build/release dataset_test.py
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from fleet_frame import RTL, fleet, rank_variables, run  # noqa: E402
from frame import ARE_KERNELS, PROGRAMS, ask, main, make_folder, need_package  # noqa: E402

duckdb = need_package("duckdb")
STORM = PROGRAMS / "hsa_storm"
RANKS = 3
WORLD = 4  # the last one never starts


class Dataset(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = make_folder(cls)
        cls.job = cls.folder / "job"
        cls.traces = []
        for rank in range(RANKS):
            trace = cls.folder / f"rank{rank}.db"
            run(RTL, "trace", "--vgpu", "--no-summary", "-o", trace, "--", STORM, 200 + rank, 2,
                **rank_variables(rank, WORLD))
            cls.traces.append(trace)
        run(RTL, "convert", "--to", "parquet", *cls.traces, "-o", cls.job)

    def ask(self, sql, table):
        return duckdb.connect().execute(sql.format(f"read_parquet('{self.job}/{table}/*.parquet')")).fetchall()

    def in_traces(self, sql):
        return [row for trace in self.traces for row in ask(trace, sql)]

    def test_kernels_are_those_of_the_traces(self):
        sums = "count(*), sum({0}), min(start), max(start), sum(submit)"
        own = self.ask(f"select rank, {sums.format('duration')} from {{}} group by rank order by rank", "kernels")
        traced = self.in_traces(f"select rank, {sums.format('end - start')} from rocpd_op where {ARE_KERNELS} "
                                "group by rank")
        self.assertEqual(own, traced)
        self.assertEqual(self.ask("select distinct name from {} order by name", "kernels"),
                         sorted(set(self.in_traces("select Name from top"))))

    def test_losses_and_processes_are_those_of_the_traces(self):
        self.assertEqual(
            sorted(self.ask("select kind, counter, events from {}", "losses")),
            sorted(self.in_traces("select kind, counter, value from rtl_process_counter where counter <> 'seen'")))
        self.assertEqual(self.ask("select rank, pid, world from {} order by rank", "processes"),
                         self.in_traces("select rank, pid, world from rtl_process"))

    def test_clocks_are_those_of_the_traces(self):
        """One is read when the collector sees the process, one at its end."""
        own = self.ask("select rank, time, time + realtime_offset, realtime_width, time + raw_offset, raw_width, "
                       "synchronized, status, frequency, max_error, estimated_error, tai_offset, boot_id from {} "
                       "order by rank, time", "clocks")
        self.assertEqual(own, self.in_traces(
            "select p.rank, c.time, realtime, realtime_width, raw, raw_width, synchronized, status, frequency, "
            "max_error, estimated_error, tai_offset, boot_id from rtl_clock c join rtl_process p on p.id = c.process_id "
            "order by c.time"))
        self.assertGreaterEqual(len(own), 2 * len(self.traces))

    def test_one_host_is_its_own_reference(self):
        done = fleet("align", self.job, "--format", "csv")
        self.assertEqual([line.split(",")[2:6] for line in done.stdout.splitlines()[1:]], [["reference", "", "0", "0"]])

    def test_summaries_are_the_sums_of_the_kernels(self):
        own = self.ask("select rank, sum(kernels), sum(total), min(shortest), max(longest) from {} group by rank order by rank",
                       "step_kernels")
        self.assertEqual(own, self.ask("select rank, count(*), sum(duration), min(duration), max(duration) from {} "
                                       "group by rank order by rank", "kernels"))
        self.assertEqual(self.ask("select rank, sum(kernels) from {} group by rank order by rank", "step_histogram"),
                         self.ask("select rank, count(*) from {} group by rank order by rank", "kernels"))

    def test_a_rank_that_never_started_is_named(self):
        done = fleet("losses", self.job, "--format", "csv")
        self.assertIn("3 of 4 ranks are complete", done.stderr)
        self.assertIn("rank 3: no data", done.stderr)
        # What the tracer counts of its own actions is no loss.
        self.assertEqual([line.split(",")[1] for line in done.stdout.splitlines()[1:]], ["3"])
        self.assertIn("losses    none is known", fleet("verdict", self.job).stdout)

    def test_a_rank_is_written_once(self):
        files = sorted(path.relative_to(self.job) for path in self.job.rglob("*") if path.is_file())
        done = run(RTL, "convert", "--to", "parquet", self.traces[0], "-o", self.job, code=1)
        self.assertIn("is there already", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        run(RTL, "convert", "--to", "parquet", self.traces[0], "-o", self.job, "--force")
        self.assertEqual(files, sorted(path.relative_to(self.job) for path in self.job.rglob("*") if path.is_file()))

    def test_summaries_alone_answer(self):
        small = self.folder / "small"
        run(RTL, "convert", "--to", "parquet", "--summaries", *self.traces, "-o", small)
        self.assertFalse((small / "kernels").exists())
        answers = [fleet(question, folder, "--from", "summaries", "--format", "csv").stdout
                   for question in ("totals", "kernels", "overlap") for folder in (small, self.job)]
        self.assertEqual(answers[0::2], answers[1::2])
        fleet("verdict", small)
        done = fleet("collectives", small, code=1)
        self.assertIn("collectives cannot be answered from summaries", done.stderr)

    def test_complains_in_one_line(self):
        for arguments, part in (((self.traces[0], "-o", "-"), "writes a folder, not standard output"),
                                ((self.traces[0], "-o", self.folder / "x", "--rank", 1), "select when you ask")):
            self.assertIn(part, run(RTL, "convert", "--to", "parquet", *arguments, code=2).stderr)
        done = run(RTL, "convert", "--to", "pftrace", *self.traces, "-o", self.folder / "x", code=2)
        self.assertIn("only --to parquet takes several traces", done.stderr)
        (self.folder / "file").write_text("")
        done = run(RTL, "convert", "--to", "parquet", self.traces[0], "-o", self.folder / "file", code=1)
        self.assertIn("cannot create the folder", done.stderr)


if __name__ == "__main__":
    main()
