#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks every expectation of run_scenario.py once, with stand-ins for the launchers."""

import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import run_scenario

RUNNER = pathlib.Path(__file__).with_name("run_scenario.py")
SKIPPED = run_scenario.SKIPPED

# Runs the command behind "--" and writes one line to the report, as the virtual GPU does.
VGPU = """#!{python}
import json, os, subprocess, sys
command = sys.argv[sys.argv.index("--") + 1:]
with open(os.environ["VGPU_REPORT"], "a") as report:
    json.dump({counts}, report)
    report.write("\\n")
os.execv(command[0], command)
"""

# The same, and leaves the database that was prepared for it.
RTL = VGPU.replace("with open", """import shutil
path = sys.argv[sys.argv.index("-o") + 1]
shutil.copy({database!r}, path)
{extra}
with open""")

# As scripts/runtime, for one runtime whose root is the machine's own.
RUNTIME = """#!/bin/sh
[ "$2" = 9.9 ] || {{ echo "runtime: $2 is not here" >&2; exit 77; }}
[ "$1" = exec ] || {{ echo /; exit 0; }}
shift 3
IN_RUNTIME=9.9 exec "$@"
"""

COUNTS = {"queues": 0, "events": 3, "objects": 4, "mappings": 5, "fds": 1, "dispatches": 7}
TAGS = {"submitted.kernels": "7", "seen.kernels": "7", "recorded.kernels": "5", "loss.kBatch.kernels": "2"}
TRACED = '[trace]\nlosses."kBatch.kernels" = 2\n'


class RunScenario(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = pathlib.Path(work.name)
        self.programs = self.work / "bin" / "programs"
        self.programs.mkdir(parents=True)
        self.scenario = self.work / "scenario"
        self.scenario.mkdir()
        self.script("vgpu", VGPU, counts=COUNTS)
        self.program("echo out; echo err >&2")

    def script(self, name, text, **values):
        path = self.work / "bin" / name
        path.write_text(text.format(python=sys.executable, **values))
        path.chmod(0o755)

    def program(self, body):
        path = self.programs / "prog"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def tracer(self, tags=TAGS, rows=((1, 2),), counts=COUNTS, extra="", queue=(1, 5, 3, 2)):
        """`queue`: its number, and its counts submitted, recorded and lost."""
        path = self.work / "prepared.db"
        path.unlink(missing_ok=True)
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE rocpd_metadata (tag TEXT, value TEXT)")
            database.execute("CREATE TABLE rocpd_op (start INTEGER, end INTEGER)")
            database.execute("CREATE TABLE rtl_queue (id INTEGER, submitted INTEGER, recorded INTEGER, seen INTEGER)")
            database.execute("CREATE TABLE rtl_queue_loss (queue_id INTEGER, cause TEXT, events INTEGER)")
            database.execute("INSERT INTO rtl_queue VALUES (?, ?, ?, ?)", (*queue[:3], queue[1]))
            database.execute("INSERT INTO rtl_queue_loss VALUES (?, 'kNoSignal', ?)", (queue[0], queue[3]))
            database.executemany("INSERT INTO rocpd_metadata VALUES (?, ?)", tags.items())
            database.executemany("INSERT INTO rocpd_op VALUES (?, ?)", rows)
        database.close()
        self.script("rtl", RTL, database=str(path), counts=counts, extra=extra)

    def run_toml(self, text, unavailable=""):
        (self.scenario / "run.toml").write_text('program = "prog"\n' + text)
        return self.run_it("--unavailable", unavailable)

    def run_it(self, *options):
        done = subprocess.run([sys.executable, RUNNER, "--build", self.work, *options,
                               self.scenario], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def passes(self, text):
        code, said = self.run_toml(text)
        self.assertEqual(code, 0, said)

    def fails(self, text, why):
        code, said = self.run_toml(text)
        self.assertEqual(code, 1, said)
        self.assertIn(f"FAILED: {why}", said)

    def test_a_run_as_expected_passes(self):
        self.passes('stdout = "out"\nstderr_regex = "^err$"\n[report]\nqueues = 0\nevents = ">=3"')

    def test_another_exit_code_fails(self):
        self.fails("exit = 3", "exit code: expected 3, got 0")

    def test_a_signal_is_expected_by_name(self):
        self.program("kill -ABRT $$")
        self.passes('exit = "SIGABRT"')
        self.fails("", "exit code: expected 0, got -6")

    def test_other_output_fails(self):
        self.fails('stdout = "other"', "stdout: expected")
        self.fails('stdout_regex = "other"', "stdout: no match")
        self.fails('stderr_regex = "other"', "stderr: no match")

    def test_other_counts_fail(self):
        self.fails("[report]\nqueues = 1", "report: queues: expected 1, got 0")
        self.fails('[report]\nevents = ">3"', "report: events: expected >3, got 3")
        self.fails("[report]\nprocesses = 2", "report: processes: expected 2, got 1")

    def test_a_sanitizer_that_complains_fails(self):
        self.program("echo 'x.cpp:1: runtime error: shift' >&2")
        self.fails("", "a sanitizer complains on stderr")

    def test_a_program_that_does_not_end_fails(self):
        self.program("while :; do :; done")
        self.fails("timeout = 0.2", "the program did not end in time")

    def test_a_program_that_is_not_built_fails(self):
        (self.programs / "prog").unlink()
        code, said = self.run_toml("")
        self.assertEqual(code, 1, said)
        self.assertIn("is not built", said)

    def test_a_program_that_cannot_be_built_is_skipped(self):
        code, said = self.run_toml("", unavailable="other,prog")
        self.assertEqual(code, SKIPPED, said)
        self.assertIn("SKIPPED: not available on this machine: prog", said)

    def with_runtime(self, name, text):
        self.script("runtime", RUNTIME)
        (self.work / "bin" / f"programs-{name}").symlink_to("programs")
        (self.scenario / "run.toml").write_text('program = "prog"\n' + text)
        return self.run_it("--runtime", name, "--runtime-tool", self.work / "bin" / "runtime")

    def test_a_runtime_that_is_not_here_is_skipped(self):
        code, said = self.with_runtime("1.0", "")
        self.assertEqual(code, SKIPPED, said)
        self.assertIn("SKIPPED: runtime: 1.0 is not here", said)

    def test_a_program_runs_in_the_runtime_and_the_tracer_does(self):
        self.program("echo $IN_RUNTIME")
        self.tracer()
        code, said = self.with_runtime("9.9", 'stdout = "9.9"\n' + TRACED)
        self.assertEqual(code, 0, said)

    def test_a_runtime_table_changes_expectations_for_that_runtime_only(self):
        differs = 'stdout_regex = "out"\nexit = 0\n[runtime."9.9"]\nexit = 3\n'
        self.passes(differs)
        code, said = self.with_runtime("9.9", differs)
        self.assertEqual(code, 1, said)
        self.assertIn("FAILED: exit code: expected 3, got 0", said)

    def test_a_runtime_is_as_another_where_it_does_not_say_otherwise(self):
        (self.scenario / "run.toml").write_text(
            'program = "prog"\nexit = 0\n[runtime."7.2"]\nexit = 3\nskip = "no"\n[runtime."7.14"]\nskip = ""\n')
        newest = run_scenario.Scenario(self.scenario, "7.14")
        self.assertEqual((newest.get("exit"), newest.get("skip")), (3, ""))
        self.assertEqual(run_scenario.Scenario(self.scenario, "7.2").get("skip"), "no")

    def test_a_runtime_without_the_feature_is_skipped(self):
        lacks = '[runtime.host]\nskip = "it has no such thing"\n'
        code, said = self.run_toml(lacks)
        self.assertEqual(code, SKIPPED, said)
        self.assertIn("SKIPPED: it has no such thing", said)
        code, said = self.with_runtime("9.9", lacks)
        self.assertEqual(code, 0, said)

    def test_an_unknown_key_is_an_error_of_the_scenario(self):
        code, said = self.run_toml('stdoutt = "out"')
        self.assertEqual(code, 1, said)
        self.assertIn("unknown keys: stdoutt", said)

    def test_a_good_trace_passes(self):
        self.tracer()
        self.passes(TRACED)

    def test_a_library_of_another_runtime_is_copied(self):
        root = self.work / "root"
        library = root / "usr/lib/x86_64-linux-gnu/libhsa-amd-aqlprofile64.so.1"
        library.parent.mkdir(parents=True)
        library.write_text("the library")
        self.script("runtime", RUNTIME.replace("echo /;", f"echo {root};"))
        self.program('cat "$RTL_AQLPROFILE"; echo " $RTL_AQLPROFILE"')
        borrows = 'stdout_regex = "the library /.*[.]so[.]1"\nlibrary_of = "9.9"\n'

        def run(text):
            (self.scenario / "run.toml").write_text('program = "prog"\n' + text)
            return self.run_it("--runtime-tool", self.work / "bin" / "runtime")

        code, said = run(borrows)
        self.assertEqual(code, 0, said)
        library.unlink()
        code, said = run(borrows)
        self.assertEqual(code, SKIPPED, said)
        self.assertIn(f"{library} is not there", said)
        code, said = run('library_of = "8.8"\n')
        self.assertEqual(code, SKIPPED, said)
        self.assertIn("runtime: 8.8 is not here", said)

    def test_events_that_vanish_fail(self):
        self.tracer(tags=TAGS | {"recorded.kernels": "4"})
        self.fails(TRACED, "kernels: submitted 7, recorded 4")

    def test_a_loss_that_was_not_announced_fails(self):
        self.tracer()
        self.fails("[trace]", "metadata: loss.kBatch.kernels: expected 0, got 2")

    def test_kernels_that_the_tracer_did_not_see_fail(self):
        self.tracer(counts=COUNTS | {"dispatches": 8})
        self.fails(TRACED, "submitted.kernels is 7 and the runtime's own are 0, but the device executed 8")
        self.passes(TRACED + "runtime_dispatches = 1")
        self.passes(TRACED + 'runtime_dispatches = "any"')

    def test_a_queue_that_does_not_add_up_fails(self):
        self.tracer(queue=(4, 7, 3, 2))
        self.fails(TRACED, "queue 4: submitted 7, recorded 3, lost 2")

    def test_things_left_behind_fail(self):
        self.tracer(counts=COUNTS | {"events": 4})
        self.fails(TRACED, "events left behind: 4, untraced 3")
        self.passes(TRACED + 'left_behind = "any"')

    def test_a_program_that_leaves_queues_is_checked_for_queues_and_files_only(self):
        self.script("vgpu", VGPU, counts=COUNTS | {"queues": 2})
        self.tracer(counts=COUNTS | {"queues": 2, "events": 4})
        self.passes(TRACED)
        self.tracer(counts=COUNTS | {"queues": 3})
        self.fails(TRACED, "queues left behind: 3, untraced 2")

    def test_rows_that_end_before_they_start_fail(self):
        self.tracer(rows=((1, 2), (5, 4)))
        self.fails(TRACED, "1 rows end before they start")

    def test_a_broken_database_fails(self):
        self.tracer(extra="open(path, 'r+b').truncate(5000)")
        self.fails(TRACED, "the database cannot be read")

    def test_files_beside_the_database_fail(self):
        self.tracer(extra="open(path + '-wal', 'w').close()")
        self.fails(TRACED, "beside the database: trace.db-wal")

    def test_output_that_differs_under_the_tracer_fails(self):
        self.tracer(extra="print('traced!', flush=True)")
        self.fails(TRACED, "stdout differs from the untraced run")

    def test_queries_are_compared_with_what_is_expected(self):
        self.tracer()
        (self.scenario / "query.sql").write_text("SELECT start, end FROM rocpd_op; SELECT NULL;")
        (self.scenario / "expect.txt").write_text("1|2\n\n")
        self.passes(TRACED)
        (self.scenario / "expect.txt").write_text("1|3\n")
        self.fails(TRACED, "query.sql: expected")
        self.passes(TRACED + "query = false")
        (self.scenario / "other.txt").write_text("1|2\n")
        self.passes(TRACED + 'expect = "other.txt"')


if __name__ == "__main__":
    unittest.main()
