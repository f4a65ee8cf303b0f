#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl trace --dataset: files that ranks write while they run. They hold what a database made of the same raw records
holds; a rank that is killed, written twice, or has no room is named, and the others stay as they are. Skipped without
DuckDB for Python.

    RTL_BUILD=build/release live_dataset_test.py
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from fleet_frame import ENVIRONMENT, LIMIT_SECONDS, RTL, fleet, rank_variables, run  # noqa: E402
from frame import PROGRAMS, Case, main, need_mounts, need_package  # noqa: E402
from processes import children_of, wait_until  # noqa: E402

duckdb = need_package("duckdb")
TRAINING = PROGRAMS / "training"
RANKS = 8
ROOM = 64 << 20  # bytes of a small disk: more than rtl asks for, less than the trace takes


def start(*command, **variables):
    return subprocess.Popen([str(word) for word in command], env=ENVIRONMENT | variables, text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True)


def files_of(folder, table):
    return sorted(str(path) for path in (folder / table).glob("*.parquet"))


def ask(folder, table, sql):
    return duckdb.connect().execute(sql.format(f"read_parquet({files_of(folder, table)})")).fetchall()


def wait_for(path, process):
    """Until the file is there; the process must live."""
    wait_until(lambda: path.exists() or process.poll() is not None, path, LIMIT_SECONDS)
    assert process.poll() is None, f"no {path}\n{process.communicate()[1]}"


class LiveDataset(Case):
    def setUp(self):
        self.job = self.folder / "job"

    def same_tables(self, other, tables, left_out=("id", "graph")):
        for table in tables:
            with self.subTest(table=table):
                con = duckdb.connect()
                mine, theirs = (f"read_parquet({files_of(folder, table)})" for folder in (self.job, other))
                columns = ", ".join(f'"{row[0]}"' for row in con.execute(f"describe select * from {mine}").fetchall()
                                    if row[0] not in left_out)
                for one, two in ((mine, theirs), (theirs, mine)):
                    self.assertEqual(con.execute(
                        f"select count(*) from (select {columns} from {one} except all select {columns} from {two})"
                    ).fetchall(), [(0,)])

    def test_parts_are_the_whole(self):
        """Parts and segments, several of each, with steps and streams that go across."""
        job = start(RTL, "trace", "--vgpu", "--dataset", self.job, "--segment", "1ms", "--keep-spool", "--mode", "hip",
                    "--", TRAINING, 80, 4000, 40, **rank_variables(3, RANKS))
        wait_for(self.job / "kernels" / "rank-00003-000000.parquet", job)
        errors = job.communicate("\n", timeout=LIMIT_SECONDS)[1]
        self.assertEqual(job.returncode, 0, errors)
        self.assertGreater(len(files_of(self.job, "kernels")), 1)
        spool = next(path for path in self.job.iterdir() if path.name.startswith("."))
        run(RTL, "collect", "--spool", spool, "--output", self.folder / "whole.db")
        run(RTL, "convert", "--to", "parquet", self.folder / "whole.db", "-o", self.folder / "whole")
        self.assertEqual(ask(self.job, "kernels", "select count(*), count(step), count(distinct step) from {}"),
                         [(360000, 360000, 80)])
        self.same_tables(self.folder / "whole", ("kernels", "calls", "copies", "gpus", "processes", "ranges", "names",
                                                 "step_histogram", "step_kernels", "steps"))
        self.assertEqual(ask(self.job, "kernels", "select count(distinct id) from {}"), [(360000,)])
        losses = "select kind, counter, events from {} where kind <> 'tracer' order by all"
        self.assertEqual(ask(self.job, "losses", losses), ask(self.folder / "whole", "losses", losses))

    def test_steps_are_found_by_repetition(self):
        run(RTL, "trace", "--vgpu", "--dataset", self.job, "--segment", "1ms", "--keep-spool", "--mode", "hip", "--",
            TRAINING, 90, 400, -1, "plain", **rank_variables(0, 1))
        spool = next(path for path in self.job.iterdir() if path.name.startswith("."))
        run(RTL, "collect", "--spool", spool, "--output", self.folder / "whole.db")
        run(RTL, "convert", "--to", "parquet", self.folder / "whole.db", "-o", self.folder / "whole")
        # A step ends with its own kernel: the first one is no whole repetition.
        steps = ask(self.job, "kernels", "select step, count(*) from {} where step is not null group by step")
        self.assertGreater(len(steps), 80)
        self.assertEqual(max(count for _, count in steps), 451)
        self.same_tables(self.folder / "whole", ("kernels", "copies", "names", "step_histogram", "step_kernels", "steps"))
        sums = "select step, name_id, {} from {{}} group by all order by all"
        self.assertEqual(ask(self.job, "step_kernels", sums.format("sum(kernels), sum(total), min(shortest), "
                                                                   "max(longest)")),
                         ask(self.job, "kernels", sums.format("count(*), sum(duration), min(duration), "
                                                              "max(duration)")))

    def test_summaries_alone(self):
        run(RTL, "trace", "--vgpu", "--dataset", self.job, "--", TRAINING, 10, 200, **rank_variables(0, 2))
        run(RTL, "trace", "--vgpu", "--summaries", self.job, "--", TRAINING, 10, 200, **rank_variables(1, 2))
        self.assertFalse((self.job / "kernels" / "rank-00001-000000.parquet").exists())
        sums = "select rank, step, sum(kernels), count(*) from {} group by all order by all"
        rows = ask(self.job, "step_kernels", sums)
        self.assertEqual([row[1:] for row in rows if row[0] == 0], [row[1:] for row in rows if row[0] == 1])
        self.assertEqual(ask(self.job, "step_kernels", "select step, name_id, sum(kernels), sum(total), min(shortest), "
                             "max(longest) from {} where rank = 0 group by all order by all"),
                         ask(self.job, "kernels", "select step, name_id, count(*), sum(duration), min(duration), "
                             "max(duration) from {} group by all order by all"))
        fleet("overlap", self.job)

    def test_eight_ranks_and_two_that_are_killed(self):
        """Of rank 2 the program is killed, of rank 5 the tracer. The others are complete."""
        ranks = [start(RTL, "trace", "--vgpu", "--dataset", self.job, "--segment", "1ms", "--", TRAINING, 6,
                       20000 if rank == 5 else 300, 3, **rank_variables(rank, RANKS)) for rank in range(RANKS)]
        for process in ranks:
            self.assertEqual(process.stdout.readline(), "waiting\n")
        os.kill(children_of(ranks[2].pid)[0], signal.SIGKILL)
        first = self.job / "kernels" / "rank-00005-000000.parquet"
        wait_for(first, ranks[5])
        (orphan,) = children_of(ranks[5].pid)
        ranks[5].kill()
        os.kill(orphan, signal.SIGKILL)
        errors = [process.communicate("\n", timeout=LIMIT_SECONDS)[1] for process in ranks]
        for rank, process in enumerate(ranks):
            expected = {2: 128 + signal.SIGKILL, 5: -signal.SIGKILL}.get(rank, 0)
            self.assertEqual(process.returncode, expected, errors[rank])
        for errors_of in errors:
            self.assertNotIn("an earlier run was killed", errors_of)  # other ranks run
        done = fleet("losses", self.job, "--format", "csv")
        self.assertIn("6 of 8 ranks are complete", done.stderr)
        self.assertNotIn("signals_created", done.stdout)
        self.assertRegex(done.stderr, r"rank 2: until \d\d:\d\d:\d\d, killed\n")
        self.assertRegex(done.stderr, r"rank 5: until \d\d:\d\d:\d\d, killed or still running")
        self.assertEqual(len(files_of(self.job, "processes")), RANKS - 1)
        # Of every rank but the fifth, all events are accounted for, and what the table says is there.
        kernels = dict(ask(self.job, "kernels", "select rank, count(*) from {} group by rank"))
        counts = {}
        for rank, counter, events in ask(self.job, "losses", "select rank, counter, events from {} where kind = "
                                         "'kernels' and (counter in ('submitted', 'recorded') or counter like 'loss.%')"):
            counts.setdefault(rank, {})[counter] = events
        self.assertEqual(sorted(counts), [0, 1, 2, 3, 4, 6, 7])
        for rank, of_rank in counts.items():
            lost = sum(events for counter, events in of_rank.items() if counter.startswith("loss."))
            self.assertEqual(of_rank["submitted"], of_rank["recorded"] + lost)
            self.assertEqual(of_rank["recorded"], kernels[rank])
            self.assertEqual(lost == 0 and of_rank["submitted"] == 6 * 338, rank != 2)
        self.assertGreater(kernels[5], 0)
        # The records of the killed tracer are still there, and made into its rank.
        spool = next(path for path in self.job.iterdir() if path.name.startswith("."))
        run(RTL, "collect", "--spool", spool, "--output", self.folder / "five.db")
        run(RTL, "convert", "--to", "parquet", self.folder / "five.db", "-o", self.job, "--force")
        done = fleet("losses", self.job, "--format", "csv")
        self.assertRegex(done.stderr, r"rank 5: until \d\d:\d\d:\d\d, killed\n")

    def test_a_rank_is_written_by_one_program(self):
        first = start(RTL, "trace", "--vgpu", "--dataset", self.job, "--", TRAINING, 2, 10, 1,
                      **rank_variables(1, RANKS))
        self.assertEqual(first.stdout.readline(), "waiting\n")
        for arguments in ((), ("--force",)):
            done = run(RTL, "trace", "--vgpu", "--dataset", self.job, *arguments, "--", TRAINING, 2, 10, code=1,
                       **rank_variables(1, RANKS))
            self.assertIn("another program is writing rank-00001", done.stderr)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1))  # the program was not started
        first.communicate("\n", timeout=LIMIT_SECONDS)
        self.assertEqual(first.returncode, 0)
        done = run(RTL, "trace", "--vgpu", "--dataset", self.job, "--", TRAINING, 2, 10, code=1,
                   **rank_variables(1, RANKS))
        self.assertIn("is there already", done.stderr)
        self.assertEqual(done.stdout, "")
        run(RTL, "trace", "--vgpu", "--dataset", self.job, "--force", "--", TRAINING, 3, 10, **rank_variables(1, RANKS))
        self.assertEqual(ask(self.job, "steps", "select count(*) from {}"), [(3,)])
        # Here the rank is known too late, when the program runs.
        done = run(RTL, "trace", "--vgpu", "--dataset", self.job, "--", "/bin/sh", "-c",
                   f"RANK=1 WORLD_SIZE={RANKS} {TRAINING} 2 10")
        self.assertRegex(done.stderr, r"process \d+ is written as none-\S+, without its rank: \S+ is there already")
        self.assertEqual(ask(self.job, "steps", "select rank, count(*) from {} group by rank order by rank"),
                         [(1, 3), (None, 2)])

    def test_files_of_an_earlier_schema_are_refused(self):
        run(RTL, "trace", "--vgpu", "--dataset", self.job, "--", TRAINING, 1, 1, **rank_variables(0, 1))
        for path in self.job.glob("*/*.parquet"):
            content = path.read_bytes()
            self.assertEqual(content.count(b"rtl.schema\x18\x012"), 1)  # the key, the value's length, the value
            path.write_bytes(content.replace(b"rtl.schema\x18\x012", b"rtl.schema\x18\x011"))
        done = fleet("losses", self.job, code=1)
        self.assertRegex(done.stderr, r"its schema is 1, and this rtl reads 2; .*rtl convert --to parquet")
        self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1))

    def test_processes_without_a_rank(self):
        run(RTL, "trace", "--vgpu", "--dataset", self.job, "--", "/bin/sh", "-c",
            f"{TRAINING} 2 10 & {TRAINING} 3 10; wait")
        self.assertEqual(ask(self.job, "steps", "select count(*) from {} where rank is null group by pid order by 1"),
                         [(2,), (3,)])
        self.assertEqual(len(files_of(self.job, "processes")), 2)
        # Another run without ranks would be summed with this one.
        self.assertIn("2 processes have no rank: those of a host count as one", fleet("losses", self.job).stderr)

    def test_processes_of_the_same_rank_share_its_files(self):
        run(RTL, "trace", "--vgpu", "--dataset", self.job, "--", "/bin/sh", "-c",
            f"{TRAINING} 2 10; {TRAINING} 3 10", **rank_variables(0, 1))
        self.assertEqual(ask(self.job, "kernels", "select process, count(distinct step), count(*) from {} "
                             "group by process order by process"), [(1, 2, 24), (2, 3, 36)])
        self.assertEqual(ask(self.job, "processes", "select process from {} order by process"), [(1,), (2,)])
        self.assertEqual(len(files_of(self.job, "processes")), 1)

    def test_refusals_come_before_the_program(self):
        (self.folder / "file").write_text("")
        sealed = self.folder / "sealed"
        sealed.mkdir(mode=0o500)
        for arguments, part, code in (
                (("--dataset", self.folder / "file"), "file", 1),
                (("--dataset", self.folder / "none" / "none"), "cannot create the folder", 1),
                (("--dataset", self.job, "-o", "x.db"), "--dataset and -o exclude each other", 2),
                (("--dataset", self.job, "--split"), "exclude each other", 2),
                (("--dataset", self.job, "--summaries", self.job), "exclude each other", 2),
                (("--dataset", self.job, "--ring", "64M"), "exclude each other", 2),
                (("--segment", "60s"), "--segment needs --dataset", 2),
                (("--dataset", self.job, "--segment", "x"), "--segment takes a time", 2)):
            with self.subTest(arguments=arguments):
                done = run(RTL, "trace", "--vgpu", *arguments, "--", TRAINING, 1, 1, code=code)
                self.assertIn(part, done.stderr)
                self.assertEqual(done.stdout, "")
        if os.geteuid() != 0:
            done = run(RTL, "trace", "--vgpu", "--dataset", sealed, "--", TRAINING, 1, 1, code=1)
            self.assertIn("cannot create the folder", done.stderr)

    def test_a_folder_that_is_removed(self):
        """The program goes on, and a line says why nothing more is written."""
        job = start(RTL, "trace", "--vgpu", "--dataset", self.job, "--", TRAINING, 3, 100, 1, **rank_variables(0, 1))
        self.assertEqual(job.stdout.readline(), "waiting\n")
        shutil.rmtree(self.job)
        out, errors = job.communicate("\n", timeout=LIMIT_SECONDS)
        self.assertEqual((job.returncode, out), (1, "ok 3 steps\n"))
        self.assertRegex(errors, r"cannot write .*job.*: No such file or directory")
        self.assertNotIn("/proc/", errors)

    def test_a_full_disk(self):
        """The program goes on. The complete files stay, and the rank is not taken for complete."""
        disk = self.folder / "disk"
        disk.mkdir()
        inside = (f"mount -t tmpfs -o size={ROOM} none {disk} && {RTL} trace --vgpu --mode hip --dataset {disk}/job "
                  f"--segment 1ms -- {TRAINING} 400 4000; code=$?; "
                  f"{RTL} fleet losses {disk}/job --format csv; exit $code")
        need_mounts(self)
        done = run("unshare", "--mount", "--", "/bin/sh", "-c", inside, code=1, **rank_variables(0, 1),
                   RTL_SPOOL_LIMIT_MB="16")
        self.assertIn("ok 400 steps", done.stdout)
        # A file of the dataset, or the database of the names: whichever meets the full disk first.
        self.assertRegex(done.stderr, "cannot write .*: (the disk is full|No space left on device)")
        self.assertNotIn("/proc/", done.stderr)
        self.assertIn("the records are in", done.stderr)
        self.assertRegex(done.stderr, r"rank 0: (until|incomplete).*killed or still running|rank 0: no data|no files")


if __name__ == "__main__":
    main()
