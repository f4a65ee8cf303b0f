#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks rtl fleet about a generated job whose faults are known (fleet_job.cpp): every question finds them and nothing
else, summaries answer as events do, and ranks that are killed, cut off or missing are named. engines_test.py compares
DuckDB with Spark. Skipped without DuckDB.

    RTL_BUILD=build/release fleet_test.py
"""
import csv
import importlib.util
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "support"),
                str(pathlib.Path(__file__).resolve().parents[2] / "python")]
import foreground  # noqa: E402
from fleet_frame import ENVIRONMENT, LIMIT_SECONDS, RTL, fleet, rows, run  # noqa: E402
from frame import BUILD, ask, main, make_folder, skip  # noqa: E402
os.environ["PATH"] = f"{RTL.parent}:{os.environ['PATH']}"
import rtl  # noqa: E402


def has_engine():
    try:
        import duckdb  # noqa: F401
    except ImportError:
        return shutil.which("duckdb", path=ENVIRONMENT["PATH"]) is not None
    return True


if not has_engine():
    skip("there is no DuckDB")


def make_job(folder, *options):
    return json.loads(run(BUILD / "bin" / "fleet_job", folder, *options).stdout)


class Fleet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = make_folder(cls)
        cls.job = cls.folder / "job"
        cls.truth = make_job(cls.job, "--ranks", 32, "--steps", 12, "--layers", 4)

    def broken(self):
        copy = self.folder / "broken"
        shutil.copytree(self.job, copy)
        self.addCleanup(shutil.rmtree, copy)
        return copy

    def test_finds_the_late_step_and_its_kernel(self):
        for source in ("events", "summaries"):
            first, *others = rows("slowest", self.job, "--from", source)
            self.assertEqual((int(first["step"]), int(first["rank"]), first["kernel"]),
                             (self.truth["late_step"], self.truth["late_rank"], self.truth["late_kernel"]), source)
            self.assertAlmostEqual(int(first["excess"]), self.truth["late_ns"], delta=0.02 * self.truth["late_ns"])
            slow = [row for row in others if int(row["rank"]) == self.truth["slow_rank"]]
            self.assertGreaterEqual(len(slow), 0.8 * len(others), source)

    def test_finds_the_slow_host_and_the_slow_rank_and_no_other(self):
        found = {(row["what"], row["host"], row["rank"]): float(row["slower_percent"])
                 for row in rows("outliers", self.job)}
        host = ("host", self.truth["slow_host"], "")
        rank = ("rank", "node-000", str(self.truth["slow_rank"]))
        self.assertEqual(set(found), {host, rank})  # one late step makes no slow rank
        self.assertAlmostEqual(found[host], 1.5, delta=0.2)
        self.assertAlmostEqual(found[rank], 3.0, delta=0.3)

    def test_says_why_a_rank_came_late(self):
        """A kernel that took longer, or time in which the rank ran none: its host was late."""
        paused = self.folder / "paused"
        make_job(paused, "--ranks", 32, "--steps", 12, "--layers", 4, "--pause")
        late_ns = self.truth["late_ns"]
        for source in ("events", "summaries"):
            for job, longer, other in ((self.job, "excess", "idle"), (paused, "idle", "excess")):
                first = rows("slowest", job, "--from", source)[0]
                self.assertEqual((int(first["step"]), int(first["rank"])),
                                 (self.truth["late_step"], self.truth["late_rank"]), source)
                self.assertAlmostEqual(int(first[longer]), late_ns, delta=0.02 * late_ns)
                self.assertLess(int(first[other]), 0.02 * late_ns)
        late = rf"step {self.truth['late_step']}: rank {self.truth['late_rank']} \(node-003\) held up the others.*; "
        self.assertRegex(fleet("verdict", paused).stdout, late + "it ran no kernel for (39|4[01])[.0-9]* ms longer")
        self.assertRegex(fleet("verdict", self.job).stdout, late + r"its Cijk.* took (39|4[01])[.0-9]* ms longer")

    def test_a_killed_rank_did_not_come_last(self):
        """It has half of the last step, so its time in collectives is the least there."""
        killed = self.folder / "killed-rank"
        make_job(killed, "--ranks", 16, "--steps", 8, "--layers", 3, "--no-faults", "--killed", 9)
        for source in ("events", "summaries"):
            waits = [int(row["waited"]) for row in rows("slowest", killed, "--from", source)]
            self.assertEqual(len(waits), 8, source)
            self.assertLess(waits[0], 3 * waits[len(waits) // 2], source)
        text = fleet("verdict", killed).stdout
        self.assertIn("waiting   no rank and no step stands out", text)
        self.assertIn("slow      no rank and no host stands out", text)
        self.assertRegex(text, r"rank 9: until \d\d:\d\d:\d\d, killed\n")
        self.assertRegex(text, r"losses    2 of \d+ events, on ranks: 9 \(loss.kKilled\)")
        self.assertEqual([row["rank"] for row in rows("losses", killed)], ["9"])

    def test_a_job_without_faults_has_no_findings(self):
        quiet = self.folder / "quiet"
        make_job(quiet, "--ranks", 16, "--steps", 8, "--layers", 3, "--no-faults")
        self.assertEqual(rows("outliers", quiet), [])
        self.assertEqual(rows("losses", quiet), [])
        text = fleet("verdict", quiet).stdout
        self.assertIn("no rank and no step stands out", text)
        self.assertIn("no rank and no host stands out", text)
        self.assertIn("losses    none is known", text)
        other = self.folder / "other"
        make_job(other, "--ranks", 16, "--steps", 8, "--layers", 3, "--no-faults", "--seed", 2)
        self.assertEqual({row["verdict"] for row in rows("compare", quiet, other)}, {"same"})

    def test_compares_two_runs(self):
        quiet = self.folder / "before"
        make_job(quiet, "--ranks", 32, "--steps", 12, "--layers", 4, "--no-faults", "--seed", 3)
        slower = self.folder / "after"
        make_job(slower, "--ranks", 32, "--steps", 12, "--layers", 4, "--no-faults", "--seed", 4, "--slower", 2)
        found = {row["name"]: row for row in rows("compare", quiet, slower)}
        self.assertEqual(len(found), 18)
        changed = [name for name, row in found.items() if row["verdict"] != "same"]
        self.assertEqual(len(changed), 1, found)
        self.assertEqual(found[changed[0]]["verdict"], "slower")
        self.assertTrue(changed[0].startswith("Cijk_Ailk_Bljk_BBS_BH_MT256x128x32"))
        self.assertAlmostEqual(float(found[changed[0]]["change_percent"]), 2, delta=0.2)
        # With faults ranks wait longer in collectives, which are the same.
        self.assertEqual({row["verdict"] for row in rows("compare", quiet, self.job) if row["kind"] == "communication"},
                         {"same"})

    def test_summaries_equal_events(self):
        for question in ("totals", "overlap"):
            of_events = rows(question, self.job, "--from", "events")
            self.assertEqual(rows(question, self.job, "--from", "summaries"), of_events, question)
        exact = {row["name"]: row for row in rows("kernels", self.job, "--from", "events")}
        for row in rows("kernels", self.job, "--from", "summaries"):
            of_events = exact.pop(row["name"])
            for column in ("kernels", "total", "shortest", "longest"):
                self.assertEqual(row[column], of_events[column], row["name"])
            for column in ("p50", "p99"):
                self.assertAlmostEqual(int(row[column]) / int(of_events[column]), 1, delta=0.016, msg=row["name"])
        self.assertEqual(exact, {})

    def test_losses_name_what_was_lost(self):
        self.assertEqual([(row["rank"], row["lost"], row["most_by"]) for row in rows("losses", self.job)],
                         [("3", "12", "kRingFull")])
        earlier = self.folder / "earlier"
        make_job(earlier, "--ranks", 32, "--steps", 12, "--layers", 4, "--seen")
        self.assertEqual(rows("losses", earlier), rows("losses", self.job))
        self.assertRegex(fleet("verdict", earlier).stdout, r"losses    12 of \d+ events, on ranks: 3 \(kRingFull\)")

    def test_names_ranks_that_are_killed_cut_off_or_missing(self):
        broken = self.broken()
        (broken / "processes" / "rank-00001-000000.parquet").unlink()
        for file in broken.glob("*/rank-00002-*"):
            file.unlink()
        cut = broken / "kernels" / "rank-00004-000000.parquet"
        cut.write_bytes(cut.read_bytes()[:-100])
        (broken / "steps" / "rank-00006-000000.parquet").unlink()
        (broken / "kernels" / ".rank-00007-000001.parquet.tmp-99").write_bytes(b"PAR1")
        (broken / "kernels" / "rank-00008-000000.parquet").write_bytes(b"")
        done = fleet("totals", broken, "--from", "events", "--limit", 1000, "--format", "csv")
        self.assertIn("27 of 32 ranks are complete", done.stderr)
        self.assertRegex(done.stderr, r"rank 1: until \d\d:\d\d:\d\d, killed or still running")
        self.assertIn("rank 2: no data", done.stderr)
        self.assertIn("rank 4: damaged: kernels/rank-00004-000000.parquet: it is cut off", done.stderr)
        self.assertIn("rank 6: damaged: steps/rank-00006-000000.parquet: it is missing", done.stderr)
        self.assertIn("rank 8: damaged: kernels/rank-00008-000000.parquet: it is empty", done.stderr)
        ranks = {int(row["rank"]) for row in csv.DictReader(io.StringIO(done.stdout))}
        self.assertEqual(ranks, set(range(32)) - {2, 4, 8})
        states = {row["rank"]: row["state"] for row in rows("losses", broken)}
        self.assertEqual(set(states), {"1", "2", "3", "4", "6", "8"})
        self.assertEqual(states["3"], "complete")
        self.assertIn("27 of them complete", fleet("verdict", broken).stdout)

    def test_files_that_do_not_belong_together_are_named(self):
        pyarrow = importlib.util.find_spec("pyarrow")
        broken = self.broken()
        other = self.folder / "other-run"
        make_job(other, "--ranks", 32, "--steps", 2, "--layers", 1, "--seed", 5)
        # Of another run, under the name of a rank that is there.
        shutil.copy(other / "kernels" / "rank-00001-000000.parquet", broken / "kernels" / "rank-00001-000001.parquet")
        of_ranks = "select rank, count(*) as n from kernels group by rank order by rank"
        expected = {row["rank"]: row for row in rows("sql", of_ranks, self.job)}
        if pyarrow:
            from pyarrow import parquet
            without = broken / "steps" / "rank-00003-000000.parquet"
            parquet.write_table(parquet.read_table(without).drop_columns(["busy"]), without)
            more = broken / "kernels" / "rank-00004-000000.parquet"
            table = parquet.read_table(more)
            parquet.write_table(table.append_column("extra", table.column("rank")), more)
        done = fleet("sql", of_ranks, broken, "--format", "csv")
        self.assertIn("rank 1: damaged: kernels/rank-00001-000001.parquet: it is not in the rank's list", done.stderr)
        found = {row["rank"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
        if pyarrow:
            self.assertIn("rank 3: damaged: steps/rank-00003-000000.parquet: it has no column busy", done.stderr)
            self.assertIn("rank 4: damaged: kernels/rank-00004-000000.parquet: it has a column extra", done.stderr)
            del expected["4"]
        self.assertEqual(found, expected)
        fleet("overlap", broken, "--from", "summaries")

    def test_ranks_of_two_runs_are_noticed(self):
        both = self.folder / "both"
        make_job(both, "--ranks", 4, "--steps", 2, "--layers", 1)
        later = self.folder / "later"
        make_job(later, "--ranks", 4, "--steps", 2, "--layers", 1, "--hours", 1)
        self.assertEqual(fleet("totals", later).stderr, "")
        for file in later.glob("*/rank-0000[23]-*"):
            shutil.copy(file, both / file.parent.name)
        self.assertRegex(fleet("totals", both).stderr, "rank [01] ended before rank [23] began: if these are two jobs")
        self.assertIn("ended before", fleet("verdict", both).stdout)

    def test_jobs_without_much(self):
        alone = self.folder / "alone"
        make_job(alone, "--ranks", 1, "--steps", 2, "--layers", 1, "--no-faults")
        self.assertIn("no collective has more than one rank", fleet("verdict", alone).stdout)
        done = fleet("slowest", alone)
        self.assertEqual((done.stdout, done.stderr),
                         ("Nothing.\n", "rtl: no collective of a step has more than one rank\n"))
        fleet("align", alone)
        without = self.broken()
        for table in ("steps", "step_kernels", "step_histogram"):
            shutil.rmtree(without / table)
        self.assertIn("files of the sums of each step are missing", fleet("verdict", without).stdout)
        self.assertEqual(rows("overlap", without), rows("overlap", self.job))
        self.assertIn("the run after has no summaries", fleet("compare", self.job, without, code=1).stderr)
        done = fleet("steps", without, code=1)
        self.assertIn("steps cannot be answered from events", done.stderr)
        shutil.rmtree(without / "kernels")
        self.assertIn("kernels   none", fleet("verdict", without).stdout)
        for question in ("totals", "slowest", "steps", "align"):
            self.assertIn("no kernel is in the dataset", fleet(question, without, code=1).stderr)

    def test_folders_of_any_name(self):
        name = self.folder / "a job's \"ünïcode\" {folder}; -- 100%"
        shutil.copytree(self.job, name)
        self.assertEqual(rows("slowest", name), rows("slowest", self.job))
        for path in (name, *name.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        self.assertEqual(rows("totals", name), rows("totals", self.job))
        for path in (name, *name.rglob("*")):
            path.chmod(0o755)

    def test_asks_files_of_a_url(self):
        for module in ("duckdb", "pyarrow"):
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"{module} is not installed")
        killed = self.folder / "killed"
        make_job(killed, "--ranks", 4, "--steps", 2, "--layers", 1, "--killed", 2)
        for question in ("losses", "totals"):
            here = fleet(question, killed, "--format", "csv")
            there = fleet(question, f"file://{killed}", "--format", "csv")
            self.assertEqual((here.stdout, here.stderr), (there.stdout, there.stderr))
            self.assertRegex(here.stderr, r"rank 2: until \d\d:\d\d:\d\d, killed\n")

    def test_ctrl_c_ends_the_engine(self):
        """It is sent to rtl alone. The engine is a program that would run on."""
        started, engine = self.folder / "started", self.folder / "engine"
        engine.write_text(f"#!/bin/sh\necho $$ > {started}.new; mv {started}.new {started}; exec sleep 1000\n")
        engine.chmod(0o755)
        for question in (("totals",), ("verdict",), ("align",)):
            with foreground.start([RTL, "fleet", *question, self.job, "--engine", engine], env=ENVIRONMENT, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asking:
                until = time.monotonic() + LIMIT_SECONDS
                while not started.exists():
                    self.assertIsNone(asking.poll())
                    self.assertLess(time.monotonic(), until)
                pid = int(started.read_text())
                asking.send_signal(signal.SIGINT)
                out, error = asking.communicate(timeout=LIMIT_SECONDS)
            self.assertEqual((asking.returncode, out, error), (130, "", "rtl: interrupted\n"))
            self.assertRaises(ProcessLookupError, os.kill, pid, 0)
            started.unlink()

    def test_aligns_the_clocks_of_hosts(self):
        windows = rows("align", self.job, "--windows")
        for host, time, offset in self.truth["clocks"]:
            of_host = sorted((row for row in windows if row["host"] == host), key=lambda row: int(row["time"]))
            self.assertTrue(of_host, host)
            if host == "node-000":
                self.assertEqual([row["offset"] for row in of_host], ["0"])
                continue

            def at(column, of_host=of_host, time=time):
                before, after = max(0, sum(int(row["time"]) <= time for row in of_host) - 1), len(of_host) - 1
                a, b = of_host[min(before, after - 1)], of_host[min(before, after - 1) + 1]
                share = (time - int(a["time"])) / (int(b["time"]) - int(a["time"]))
                return int(a[column]) + round(share * (int(b[column]) - int(a[column])))

            self.assertLessEqual(at("lower"), offset, host)
            self.assertGreaterEqual(at("upper"), offset, host)
            self.assertLessEqual(abs(at("offset") - offset), 1.3 * at("bar"), host)
        found = rows("align", self.job)
        self.assertEqual([row["source"] for row in found], ["reference"] + 3 * ["collectives"])
        self.assertEqual({row["ranks"] for row in found}, {"8"})
        for row in found[1:]:
            self.assertLess(abs(int(row["time_of_day"])), 5000)  # all hosts keep the same time of day
            self.assertLess(int(row["bar"]), 5000)
        self.assertIn("node-003", fleet("align", self.job).stdout)

    def test_compares_times_of_day_where_hosts_share_nothing(self):
        """Without the names rtl does not know which kernels are collectives."""
        apart = self.broken()
        shutil.rmtree(apart / "names")
        found = rows("align", apart, "--windows")
        for host, time, offset in self.truth["clocks"]:
            of_host = [row for row in found if row["host"] == host]
            self.assertTrue(of_host, host)
            if host == "node-000":
                continue
            # Clocks run apart by 10 ppm at most; this is the time of one reading.
            row = min(of_host, key=lambda row: abs(int(row["time"]) - time))
            drift = 1e-5 * abs(int(row["time"]) - time)
            self.assertAlmostEqual(int(row["offset"]), offset, delta=1000 + drift, msg=host)
            self.assertAlmostEqual(int(row["bar"]), 2 * 120_000, delta=1000)
            self.assertAlmostEqual(int(row["upper"]) - int(row["lower"]), 4 * 1_500_000, delta=2000)
        self.assertEqual([row["source"] for row in rows("align", apart)], ["reference"] + 3 * ["time of day"])

    def test_tells_the_clocks(self):
        found = rows("clocks", self.job)
        self.assertEqual([row["host"] for row in found], [f"node-{host:03}" for host in range(4)])
        for row in found:
            names = ("boot_id", "readings", "synchronized", "width", "bar", "bound")
            self.assertEqual(tuple(row[name] for name in names),
                             (f"boot of {row['host']}", "16", "1", "160", "120160", "1500160"))
            self.assertAlmostEqual(float(row["drift_ppm"]), 10, delta=0.01)

    def test_writes_the_formats(self):
        expected = rows("steps", self.job)
        for ending in ("csv", "json", "parquet"):
            file = self.folder / f"steps.{ending}"
            fleet("steps", self.job, "-o", file)
            if ending == "csv":
                self.assertEqual(list(csv.DictReader(io.StringIO(file.read_text()))), expected)
            elif ending == "json":
                found = json.loads(file.read_text())
                self.assertEqual([{name: str(value) for name, value in row.items()} for row in found], expected)
            else:
                found = rows("sql", f"select * from '{file}' order by step", self.job)
                self.assertEqual([list(row.values()) for row in found], [list(row.values()) for row in expected])

    def test_slice_has_one_step_of_the_chosen_ranks(self):
        found = rows("slice", self.job, "--step", 3, "--set", "first=2", "--set", "last=5")
        self.assertEqual({row["rank"] for row in found}, {"2", "3", "4", "5"})
        self.assertEqual(len(found), 4 * self.truth["kernels_of_rank"] // self.truth["steps"])

    def test_slice_opens_only_files_that_may_have_its_rows(self):
        options = ("slice", self.job, "--print-sql", "--set", "first=2", "--set", "last=3")
        sql = fleet(*options, "--step", 3).stdout
        named = sorted({pathlib.Path(line.split("'")[1]).name[:10] for line in sql.splitlines() if ".parquet'" in line})
        self.assertEqual(named, ["rank-00002", "rank-00003"])
        self.assertNotIn(".parquet", fleet(*options, "--step", self.truth["steps"] + 100).stdout)

    def test_slice_is_a_timeline_on_one_clock(self):
        trace = self.folder / "step.db"
        options = ("slice", self.job, "--step", 3, "--set", "first=6", "--set", "last=9")  # of two hosts
        fleet(*options, "-o", trace)
        found = rows(*options)
        kernels = ask(trace, "select o.rank, o.start, o.end - o.start, s.string from rocpd_op o join rocpd_string s "
                             "on s.id = o.description_id order by o.rank, o.start, s.string")
        hosts = ask(trace, "select rank, host from rtl_process order by rank")
        self.assertEqual(hosts, [(6, "node-000"), (7, "node-000"), (8, "node-001"), (9, "node-001")])
        self.assertEqual(sorted((int(row["rank"]), int(row["duration"]), row["name"]) for row in found),
                         sorted((rank, duration, name) for rank, _, duration, name in kernels))
        # All ranks leave a collective within microseconds; as recorded the hosts' clocks are days apart.
        ends = {}
        for rank, start, duration, name in kernels:
            if "ReduceScatter" in name:
                ends.setdefault(rank, []).append(start + duration)
        for together in zip(*ends.values()):
            self.assertLess(max(together) - min(together), 100_000)
        for ending in ("html", "pftrace"):
            file = self.folder / f"step.{ending}"
            fleet(*options, "-o", file)
            self.assertGreater(file.stat().st_size, 10_000)
        self.assertIn("step 3 of", (self.folder / "step.html").read_text())
        done = fleet("slice", self.job, "--step", 999, "-o", self.folder / "none.html", code=1)
        self.assertIn("no kernel of that step", done.stderr)
        self.assertFalse((self.folder / "none.html").exists())
        self.assertIn("4 of 32 ranks are on it", fleet(*options, "-o", self.folder / "step.html").stderr)

    def test_one_folder_of_two_jobs_is_noticed(self):
        mixed = self.folder / "mixed"
        shutil.copytree(self.job, mixed)
        self.addCleanup(shutil.rmtree, mixed)
        other = self.folder / "larger"
        make_job(other, "--ranks", 40, "--steps", 1, "--layers", 1, "--no-faults")
        for file in other.glob("*/rank-0003[2-9]-*"):
            shutil.copy(file, mixed / file.parent.name)
        self.assertIn("files of jobs of 32 and of 40 ranks are mixed", fleet("steps", mixed).stderr)
        self.assertIn("are mixed", fleet("verdict", mixed).stdout)

    def test_no_bar_is_drawn_among_the_rows_of_a_long_answer(self):
        bar = "select value as bar from duckdb_settings() where name = 'enable_progress_bar'"
        self.assertEqual(rows("sql", bar, self.job), [{"bar": "false"}])

    def test_hosts_may_be_named_by_numbers(self):
        file = self.folder / "names.parquet"
        fleet("sql", "select '017' as host, 17 as n", self.job, "-o", file)
        self.assertEqual(rows("sql", f"select host, n from '{file}'", self.job), [{"host": "017", "n": "17"}])
        infinite = fleet("sql", "select '017' as host, 1e999 as n", self.job, "--format", "json")
        self.assertEqual(json.loads(infinite.stdout),
                         [{"host": "017", "n": "inf"}])

    def test_a_connection_of_the_program_answers_as_the_command_does(self):
        try:
            import duckdb
        except ImportError as error:
            raise unittest.SkipTest("duckdb is not installed for python3") from error
        with duckdb.connect() as connection:
            connection.execute("create view kernels as select 7 as x")
            for question, source in (("totals", "events"), ("slowest", "events"), ("overlap", "events"), ("align", None),
                                     ("outliers", "summaries"), ("verdict", None), ("losses", None)):
                with self.subTest(question=question, source=source):
                    theirs = rtl.fleet(question, self.job, engine=connection, source=source)
                    ours = rtl.fleet(question, self.job, source=source)
                    self.assertTrue(theirs.table or theirs.text or question == "losses")
                    self.assertEqual((theirs.table, theirs.text), (ours.table, ours.text))
            twice = rtl.fleet("compare", self.job, self.job, engine=connection).table
            self.assertEqual({row["verdict"] for row in twice}, {"same"})
            self.assertEqual(rtl.fleet("sql", self.job, sql="-- one\nselect '' as a, 'x,\n\"y' as name, 1e0 as n",
                                       engine=connection).table, [{"a": None, "name": 'x,\n"y', "n": 1.0}])
            timeline = self.folder / "from-python.html"
            rtl.fleet("slice", self.job, engine=connection, step=3, output=timeline)
            self.assertIn("step 3 of", timeline.read_text())
            with self.assertRaisesRegex(rtl.Error, "nowhere") as raised:
                rtl.fleet("sql", self.job, sql="select nowhere from kernels", engine=connection)
            self.assertIsInstance(raised.exception.__cause__, duckdb.Error)
            # Its own names are as before.
            self.assertEqual(connection.execute("from kernels").fetchall(), [(7,)])
            self.assertEqual(connection.execute("show tables").fetchall(), [("kernels",)])
        broken = self.folder / "no-rank-3"
        shutil.copytree(self.job, broken)
        (broken / "processes" / "rank-00003-000000.parquet").unlink()
        self.assertIn("rank 3: until", "\n".join(rtl.fleet("steps", broken).notes))
        for wrong, line in ((dict(engine=3), "a SparkSession or a connection of DuckDB, not int"),
                            (dict(engine="session:99"), "session of --engine does not answer"),
                            (dict(sql="select 1"), "the question steps has its own"), (dict(z=1), "has no parameter z")):
            with self.assertRaisesRegex(rtl.Error, line):
                rtl.fleet("steps", self.job, **wrong)

    def test_complains_in_one_line(self):
        twice = shutil.copytree(self.job, self.folder / "twice")
        for arguments, part in (
                (("slowest", self.folder / "none"), "there is no such folder"),
                (("slowest", RTL), "is no folder of a dataset"),
                (("slowest", self.folder), "has no files of a dataset"),
                (("sql", "select * from nothing", self.job), "nothing"),
                (("sql", " ; ", self.job), "the SQL is empty"),
                (("steps", self.job, "--set", "z=1"), "steps has no parameter z"),
                (("steps", self.job, "--limit", "1;drop"), "limit takes a number"),
                (("steps", self.job, "--engine", "oracle"), "--engine takes duckdb"),
                (("slowest", self.job, twice), "these are two runs, or a copy")):
            done = fleet(*arguments, code=1)
            self.assertIn(part, done.stderr)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        for arguments, part in ((("slowst", self.job), "did you mean slowest"), (("compare", self.job), "two folders"),
                                (("steps",), "needs the folder")):
            self.assertIn(part, fleet(*arguments, code=2).stderr)

    def test_without_an_engine_says_what_to_install(self):
        done = fleet("steps", self.job, code=1, environment={"PATH": "/nowhere"})
        self.assertIn("pip install duckdb-cli", done.stderr)
        only_python = self.folder / "python-without-modules"
        only_python.mkdir()
        python = only_python / "python3"
        python.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S \"$@\"\n")
        python.chmod(0o755)
        done = fleet("steps", self.job, code=1, environment={"PATH": str(only_python)})
        self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        self.assertIn("pip install duckdb-cli", done.stderr)
        done = fleet("steps", self.job, "--print-sql", environment={"PATH": "/nowhere"})
        self.assertIn("read_parquet", done.stdout)

    def test_gives_an_engine_the_tables_that_a_question_reads(self):
        printed = fleet("totals", self.job, "--print-sql").stdout
        self.assertIn("create view step_kernels as", printed)
        self.assertNotIn("create view kernels as", printed)
        printed = fleet("collectives", self.job, "--print-sql").stdout  # names is made of all_names
        self.assertLess(printed.index("create view all_names as"), printed.index("create view names as"))
        self.assertEqual(fleet("sql", "SELECT count(*) > 0 AS n FROM Kernels", self.job, "--format", "csv").stdout,
                         "n\ntrue\n")


if __name__ == "__main__":
    main()
