#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Python's `rtl` over real traces: every table has the sums that SQL has over the trace, in each package, and the
verbs have the numbers of the command line. Packages that are missing are named, and their tests skipped.

    RTL_BUILD=build/release tables_test.py      RTL_TABLES_VENV: another environment than build/venv
"""
import ast
import collections
import contextlib
import ctypes
import gzip
import importlib.util
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import unittest
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from frame import (BUILD, LIMIT_SECONDS, PROGRAMS, ROOT, RTL, Case, in_runtime, main, make_folder,  # noqa: E402
                   programs_of, root_of, run)
from processes import children_of  # noqa: E402

VENV = pathlib.Path(os.environ.get("RTL_TABLES_VENV", BUILD.parent / "venv")) / "bin" / "python"
PROGRAM = PROGRAMS / "gemm"
NEWER = "7.2"  # native ROCm may have neither counters nor samples
NEWER_PROGRAM = programs_of(NEWER) / "slow_rows"
# The library and the command of the build, and the packages of the tests' environment.
if "RTL_TABLES_TEST" not in os.environ:
    paths = {"LD_LIBRARY_PATH": BUILD / "lib", "PATH": BUILD / "bin", "PYTHONPATH": ROOT / "python"}
    more = {name: f"{path}:{os.environ.get(name, '')}".rstrip(":") for name, path in paths.items()}
    python = str(VENV) if VENV.exists() else sys.executable
    os.execve(python, [python, *sys.argv], os.environ | more | {"RTL_TABLES_TEST": "1"})

import rtl  # noqa: E402  pylint: disable=wrong-import-position

OPS = ("rocpd_op", "opType_id = (SELECT id FROM rocpd_string WHERE string = '{}')")
# Each count once: this schema has an alias of it as well, and earlier ones have only that name.
COUNTED = "counter <> 'seen' OR NOT EXISTS (SELECT 1 FROM rtl_process_counter WHERE counter = 'submitted')"
# The column that is summed, and where SQL finds it, by table: tables, expressions, conditions. Earlier schemas lack
# some.
SQL = {
    "kernels": ("duration", [("rocpd_op", "end - start", OPS[1].format("KernelExecution"))]),
    "calls": ("duration", [("rocpd_api", "end - start", "1"), ("rtl_hsa_call", "duration", "1"),
                           ("rtl_rccl_call", "duration", "1")]),
    "copies": ("bytes", [("rtl_copy", "bytes", "1")]),
    "barriers": ("dependencies", [("rtl_barrier", "dependencies", "1")]),
    "ranges": ("duration", [("rocpd_op", "end - start", OPS[1].format("UserMarker"))]),
    "operators": ("duration", [("rtl_operator", "duration", "1")]),
    "events": ("bytes", [("rtl_memory_allocation", "bytes", "1"), ("rtl_scratch_memory", "bytes", "1"),
                         ("rtl_runtime_init", "NULL", "1")]),
    "counters": ("value", [("rtl_counter", "value", "1")]),
    "samples": ("wave", [("rtl_pc_sample", "wave", "1")]),
    "gpus": ("compute_units", [("rtl_agent", "compute_units", "is_gpu")]),
    "processes": ("pid", [("rtl_process", "pid", "1")]),
    "threads": ("tid", [("rtl_name", "target", "kind = 'thread'")]),
    "losses": ("events", [("rtl_process_counter", "value", COUNTED)]),
}
# One kernel in the two forms of jax.profiler.
JAX = """{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
{"ph":"M","pid":1,"tid":7,"name":"thread_name","args":{"name":"Stream #7(Compute)"}},
{"ph":"X","pid":1,"tid":7,"ts":10.0,"dur":3.0,"name":"Gemm","args":{"correlation_id":"5"}}]}"""


def message(*fields):
    """Of protobuf: pairs of a field's number and a number, a text, or bytes."""
    def varint(value):
        return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)
    encoded = b""
    for number, value in fields:
        if isinstance(value, int):
            encoded += bytes([number << 3]) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            encoded += bytes([number << 3 | 2]) + varint(len(value)) + value
    return encoded


XPLANE = message((1, message((2, "/device:GPU:0"),
                             (3, message((1, 7), (2, "Stream #7(Compute)"), (3, 10000),
                                         (4, message((1, 1), (2, 0), (3, 3_000_000))))),
                             (4, message((1, 1), (2, message((1, 1), (2, "Gemm"))))))))
SCHEMAS = ROOT / "tests" / "support" / "earlier_schemas.h"


def sum_of(database, name):
    """(rows, sum) of a table, by SQL."""
    rows = total = 0
    for table, expression, condition in SQL[name][1]:
        if database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
            found = database.execute(f"SELECT count(*), sum({expression}) FROM {table} WHERE {condition}").fetchone()
            rows, total = rows + found[0], total + (found[1] or 0)
    return rows, total


def earlier(trace, folder):
    """The trace in all earlier schemas that are read."""
    steps = dict(re.findall(r'char (\w+)\[\] = R"sql\((.*?)\)sql"', SCHEMAS.read_text(encoding="utf-8"), re.DOTALL))
    spans = ("hsa_call", "memory_allocation", "scratch_memory", "runtime_init")
    drop = "DROP VIEW {0}; DROP TABLE rtl_{0};"
    ways = {12: steps["kMakeEarlierNamesSql"], 11: "", 10: steps["kMakeLinkTableSql"],
            9: drop.format("rccl_call"), 8: "", 7: steps["kMakeWideCallsSql"],
            6: "".join(map(drop.format, spans))}
    last = trace
    for version, sql in ways.items():
        path = folder / f"{trace.stem}-schema{version}.db"
        shutil.copy(last, path)
        with sqlite3.connect(path) as database:
            database.executescript(sql + f"UPDATE rocpd_metadata SET value = '{version}' WHERE tag = 'schema_version'")
        database.close()
        yield path
        last = path


def has(module):
    return importlib.util.find_spec(module) is not None


def trace(path, *options, program=(PROGRAM,), within=(), **variables):
    run(*within, RTL, "trace", "--vgpu", "--no-summary", "-o", path, *options, "--", *program, **variables)


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = make_folder(cls)
        cls.full, cls.hip = cls.folder / "full.db", cls.folder / "hip.db"
        trace(cls.full, "--mode", "full", "--barriers")
        trace(cls.hip, "--mode", "hip")
        cls.lossy = cls.folder / "lossy.db"
        trace(cls.lossy, "--ring", "1M", program=[PROGRAM.with_name("kernel_flood")])
        newer = []  # what an older ROCm does not have
        if NEWER_PROGRAM.exists() and root_of(NEWER):
            newer = [cls.folder / "counted.db", cls.folder / "sampled.db"]
            for path, option in zip(newer, ("--pmc=SQ_WAVES", "--pc-sampling=10us")):
                trace(path, option, program=[NEWER_PROGRAM], within=in_runtime(NEWER), RTL_RUNTIME_BIND=cls.folder)
        for name in ("kineto.json", "a.rpd"):
            shutil.copy(ROOT / "tests" / "fuzz" / "import" / name, cls.folder / name)
        cls.compressed = [cls.folder / "hip.db.gz", cls.folder / "lossy.db.gz"]
        for path in cls.compressed:
            path.write_bytes(gzip.compress(path.with_suffix("").read_bytes()))
        cls.all = [cls.full, cls.hip, cls.lossy, *newer]
        cls.merged, cls.dataset = cls.folder / "merged.db", cls.folder / "dataset"
        run(RTL, "merge", *cls.all, "-o", cls.merged)
        run(RTL, "convert", "--to", "parquet", *cls.all, "-o", cls.dataset)
        cls.sources = [cls.full, cls.hip, [cls.full, cls.hip], cls.all, cls.lossy, *cls.compressed, *newer,
                       *earlier(cls.hip, cls.folder), *earlier(cls.lossy, cls.folder), cls.folder / "kineto.json",
                       cls.folder / "a.rpd", cls.dataset]

    def traces(self):
        for files in self.sources:
            with rtl.open(files) as opened:
                with sqlite3.connect(self.merged if files == self.dataset else opened.database) as database:
                    yield opened, database
                database.close()

    def compare(self, sums):
        """`sums(table, column)`: (rows, sum), of every table of every trace."""
        for opened, database in self.traces():
            self.assertEqual(set(SQL), set(opened.tables))
            for name, (column, _) in SQL.items():
                self.assertEqual(sums(opened.tables[name], column), sum_of(database, name), f"{name} of {opened.name}")

    def test_sums_without_any_package(self):
        def sums(table, column):
            rows = table.to_pylist()
            return len(rows), sum(row[column] or 0 for row in rows)
        self.compare(sums)

    @unittest.skipUnless(has("pyarrow"), "pyarrow is not installed")
    def test_sums_in_pyarrow(self):
        import pyarrow.compute

        def sums(table, column):
            table = table.to_arrow()
            table.validate(full=True)
            return table.num_rows, pyarrow.compute.sum(table[column]).as_py() or 0
        self.compare(sums)

    @unittest.skipUnless(has("duckdb") and has("pyarrow"), "duckdb or pyarrow is not installed")
    def test_sums_in_duckdb(self):
        import duckdb

        def sums(table, column):
            with duckdb.connect() as connection:
                connection.register("t", table.to_arrow())
                return connection.execute(f"SELECT count(*), coalesce(sum({column}), 0) FROM t").fetchall()[0]
        self.compare(sums)
        with rtl.open(self.hip) as opened:
            self.assertEqual(opened.kernels.to_duckdb().count("*").fetchall(), [(1,)])

    @unittest.skipUnless(has("polars"), "polars is not installed")
    def test_sums_in_polars(self):
        self.compare(lambda table, column: (lambda frame: (frame.height, frame[column].sum() or 0))(table.to_polars()))

    @unittest.skipUnless(has("pandas"), "pandas is not installed")
    def test_sums_in_pandas(self):
        self.compare(lambda table, column: (lambda frame: (len(frame), frame[column].sum()))(table.to_pandas()))

    def test_the_traces_have_what_they_are_made_for(self):
        lossy = [path for path in self.sources if path in (self.all, self.dataset) or "lossy" in str(path)]
        self.assertGreater(len(lossy), 9)
        for path in lossy:
            with rtl.open(path) as opened:
                events = collections.Counter()
                for row in opened.losses.to_pylist():
                    events[row["kind"], row["counter"]] += row["events"]
                self.assertGreater(events["kernels", "submitted"], events["kernels", "recorded"])
                self.assertEqual(events["kernels", "submitted"],
                                 sum(number for (kind, counter), number in events.items()
                                     if kind == "kernels" and counter != "submitted"))
                self.assertEqual(events["kernels", "recorded"], len(opened.kernels.to_pylist()))
        for path in self.sources:
            if isinstance(path, pathlib.Path) and path.name in ("counted.db", "sampled.db"):
                with rtl.open(path) as opened:
                    table = opened.counters if path.name == "counted.db" else opened.samples
                    self.assertGreater(len(table.to_pylist()), 0, path)

    def test_rows_are_selected(self):
        with rtl.open(self.hip) as opened:
            gemm = opened.kernels.where(name="Gemm*", columns=["duration", "name"])
            self.assertEqual([list(row) for row in gemm.to_pylist()], [["duration", "name"]])
            self.assertEqual(opened.kernels.where(name="nothing").to_pylist(), [])
            self.assertEqual(list(gemm.columns), ["duration", "name"])
            self.assertEqual(opened.kernels.columns["duration"]["unit"], "ns")
            for wish, words in (({"during": "step 7"}, "no range in it is named step 7"), ({"rank": 5}, "rank 5"),
                                ({"columns": ["end"]}, "no column end")):
                with self.assertRaisesRegex(rtl.Error, words):
                    opened.kernels.where(**wish).to_pylist()

    def test_conditions_are_checked_before_they_are_used(self):
        with rtl.open(self.hip) as opened:
            kernels = opened.kernels
            for wish in ({"rank": [0, 1]}, {"rank": "0"}, {"gpu": 1.5}, {"name": 3}, {"during": b"x"},
                         {"columns": "name"}, {"columns": [1]}):
                with self.assertRaisesRegex(TypeError, next(iter(wish))):
                    kernels.where(**wish)
            for wish in ({"rank": -1}, {"rank": 2**32}, {"start": 2**63}, {"name": "\0"}, {"during": ""}, {"columns": []}):
                with self.assertRaises(rtl.Error, msg=wish):
                    kernels.where(**wish)
            self.assertEqual(kernels.where(start=0.0).to_pylist(), kernels.to_pylist())
            self.assertEqual(rtl.summary(opened, start=0.0).data["kernels"], rtl.summary(opened).data["kernels"])
            with self.assertRaisesRegex(rtl.Error, "no kernel in it matches -x"):
                rtl.summary(opened, kernel="-x")
            with self.assertRaisesRegex(rtl.Error, "given twice"):
                kernels.where(columns=["name", "name"]).to_pylist()

    def test_a_dataset_has_the_rows_of_its_traces(self):
        wishes = [{}, {"name": "*emm*"}, {"name": "hip*"}, {"gpu": 0}, {"start": 1_000_000}, {"stop": 5_000_000_000},
                  {"columns": ["pid"]}, {"gpu": 9}, {"rank": 3}, {"during": "none"}]
        marked, ranges = self.folder / "marked.db", self.folder / "ranges"
        trace(marked, program=[PROGRAM.with_name("slow_steps")])
        run(RTL, "convert", "--to", "parquet", marked, "-o", ranges)
        with rtl.open(marked) as opened:
            steps = opened.ranges.where(name="finish*").to_pylist()
            middle = steps[len(steps) // 2]
            begin = middle["start"] - opened.processes.to_pylist()[0]["start"]
        in_steps = [*wishes, {"during": middle["name"]}, {"start": begin, "stop": begin + middle["duration"]},
                    {"during": "load batch", "name": "load*"}]
        compared = 0
        # A GPU has another number in a merged trace.
        merged = [wish for wish in wishes if "gpu" not in wish]
        cases = [(self.merged, self.dataset, merged), (marked, ranges, in_steps)]
        for path in (path for path in self.all if path.stem in ("counted", "sampled")):
            folder = path.with_suffix(".dataset")
            run(RTL, "convert", "--to", "parquet", path, "-o", folder)
            with rtl.open(path) as opened:
                kernels = opened.kernels.to_pylist()
                begin = kernels[len(kernels) // 2]["start"] - opened.processes.to_pylist()[0]["start"]
            cases.append((path, folder, [*wishes, {"start": begin}, {"stop": begin}, {"start": begin, "stop": begin + 1},
                                         {"gpu": 0, "name": "SQ*", "stop": begin}, {"name": ""}]))
        for files, folder, asked in cases:
            with rtl.open(files) as opened, rtl.open(folder) as dataset:
                for name, table in opened.tables.items():
                    # A dataset finds steps by repetition, too.
                    columns = [column for column in table.columns if column not in ("step", "collective")]
                    for wish in ({"columns": columns, **wish} for wish in asked):
                        found = []
                        for each in (table, dataset.tables[name]):
                            try:
                                found.append(sorted(map(repr, each.where(**wish).to_pylist())))
                            except rtl.Error as error:
                                found.append(str(error).partition(": ")[2])
                        if files == self.merged:  # numbers are those of each trace
                            found = [each if isinstance(each, str) else len(each) for each in found]
                        self.assertEqual(*found, f"{name} {wish}")
                        compared += isinstance(found[0], int) or len(found[0]) > 0
        self.assertGreater(compared, 100)

    def test_a_dataset_that_lacks_something_says_so(self):
        def error_of(folder, table="kernels"):
            with warnings.catch_warnings(action="ignore"), rtl.open(folder) as opened:
                with self.assertRaises(rtl.Error) as raised:
                    opened.tables[table].to_pylist()
            return str(raised.exception)
        folder = self.folder / "lacking"
        shutil.copytree(self.dataset, folder)
        file = next((folder / "kernels").glob("*.parquet"))
        content = file.read_bytes()
        file.write_bytes(content[:-9])
        self.assertEqual(error_of(folder), f"{file}: it is cut off")
        file.write_bytes(content[:4] + bytes(200) + content[204:])
        self.assertEqual(error_of(folder), f"{file}: it is damaged")
        file.unlink()
        self.assertIn(f"{file}: it is missing", error_of(folder))
        with self.assertWarns(UserWarning):
            opened = rtl.open(folder)
        with opened, rtl.open(self.merged) as whole:  # other tables are whole
            self.assertEqual(len(opened.losses.to_pylist()), len(whole.losses.to_pylist()))
            with self.assertRaisesRegex(rtl.Error, "rtl fleet"):
                rtl.summary(opened)
            self.assertIn("<table>", opened._repr_html_())
        shutil.rmtree(folder / "processes")
        with self.assertWarnsRegex(UserWarning, f"0 of {len(self.all)} ranks are complete"), rtl.open(folder) as opened:
            self.assertIn("killed or still running", " ".join(opened.notes))
        sums = self.folder / "sums"
        run(RTL, "convert", "--to", "parquet", "--summaries", self.hip, "-o", sums)
        self.assertIn("sums of steps only", error_of(sums, "calls"))
        with rtl.open(sums) as opened:
            self.assertGreater(len(opened.losses.to_pylist()), 0)
        with self.assertRaisesRegex(rtl.Error, "not read together with a trace"):
            rtl.open([self.dataset, self.hip])
        with self.assertRaisesRegex(rtl.Error, "two runs, or a copy"):
            rtl.open([self.dataset, sums])

    def test_errors_are_those_of_the_command(self):
        short = self.folder / "short.db"
        short.write_bytes(self.hip.read_bytes()[:5000])
        damaged = self.folder / "damaged.db"
        content = bytearray(self.hip.read_bytes())
        content[4096:] = os.urandom(len(content) - 4096)
        damaged.write_bytes(content)
        for path in (short, damaged, self.folder / "none.db", pathlib.Path("/dev/null"), PROGRAM):
            done = run(RTL, "summary", path, code=1)
            with self.assertRaises(rtl.Error) as raised:
                with rtl.open(path) as opened:
                    opened.kernels.to_pylist()
            self.assertEqual(f"rtl: {raised.exception}\n", done.stderr)
        opened = rtl.open(self.hip)
        kernels = opened.kernels
        opened.close()
        with self.assertRaisesRegex(rtl.Error, "the trace is closed"):
            kernels.to_pylist()

    def test_a_stream_outlives_its_trace_and_may_be_left_unread(self):
        opened = rtl.open([self.full, self.hip])
        capsule = opened.kernels.__arrow_c_stream__()
        made = pathlib.Path(opened.database)
        opened.close()
        self.assertTrue(made.exists())
        is_valid = ctypes.pythonapi.PyCapsule_IsValid
        is_valid.argtypes = [ctypes.py_object, ctypes.c_char_p]
        self.assertEqual(is_valid(capsule, b"arrow_array_stream"), 1)
        del capsule
        self.assertFalse(made.exists())

    def test_copies_of_a_trace_are_opened_for_themselves(self):
        with rtl.open(self.hip) as opened:
            copy = pickle.loads(pickle.dumps(opened.kernels.where(columns=["name"])))
        self.assertEqual(len(copy.to_pylist()), 1)
        with multiprocessing.get_context("spawn").Pool(1) as pool, rtl.open(self.hip) as opened:
            self.assertEqual(pool.map(rtl.Table.to_pylist, [opened.kernels]), [opened.kernels.to_pylist()])
        with self.assertRaises(TypeError):
            pickle.dumps(rtl.open(self.hip)._handle())

    def test_a_child_leaves_the_files_of_its_parent(self):
        for files in ([self.full, self.hip], self.compressed[0]):
            with rtl.open(files) as opened:
                expected = opened.kernels.to_pylist()
                child = os.fork()
                if child == 0:
                    with contextlib.suppress(BaseException):
                        is_same = opened.kernels.to_pylist() == expected
                        opened.close()
                        os._exit(0 if is_same else 1)
                    os._exit(2)
                self.assertEqual(os.waitpid(child, 0)[1], 0)
                self.assertEqual(opened.kernels.to_pylist(), expected)
                made = opened.database
            self.assertFalse(pathlib.Path(made).exists())

    def test_names_are_those_that_the_user_gave(self):
        folder = self.folder / "names é 漢"
        folder.mkdir()
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder)
        names = [pathlib.Path("-x.db"), "name é.db", b"bytes \xff.db"]
        for name in names:
            shutil.copy(self.hip, name)
        opened = [rtl.open(name) for name in names]
        shutil.copy(ROOT / "tests" / "fuzz" / "import" / "kineto.json", folder)
        run(RTL, "convert", "--to", "parquet", self.hip, "-o", "dataset")
        foreign, dataset = rtl.open("kineto.json"), rtl.open("dataset")
        self.assertIn("kineto.json to name é.db: ", repr(rtl.diff(foreign, opened[1])))
        os.chdir(self.folder)
        for trace, name in zip(opened, names):
            self.assertEqual(len(trace.kernels.to_pylist()), 1)
            self.assertEqual(len(rtl.summary(trace).table), 1)
        self.assertEqual(len(dataset.kernels.to_pylist()), 1)
        self.assertGreater(len(foreign.kernels.to_pylist()), 0)

    def test_every_kind_of_trace_opens(self):
        """Those of the reference page: the exports of one trace have its kernels, others have theirs."""
        folder = self.folder / "kinds"
        folder.mkdir()
        paths = {"chrome": "t.json.gz", "pftrace": "t.pftrace", "rpd": "t.rpd", "json": "json/t", "csv": "csv/t",
                 "rocpd": "rocpd/t"}
        for kind, name in paths.items():
            (folder / name).parent.mkdir(exist_ok=True)
            run(RTL, "convert", "--to", kind, self.full, "-o", folder / name)

        def kernels(trace):
            return sorted((row["name"], row["duration"]) for row in trace.kernels.to_pylist())
        with rtl.open(self.full) as opened:
            expected = kernels(opened)
        self.assertGreater(len(expected), 0)
        for kind, name in paths.items():
            path = (folder / name).parent if "/" in name else folder / name
            with self.subTest(kind), rtl.open(path) as opened:
                self.assertEqual(kernels(opened), expected)
                self.assertEqual(sum(row["total_ns"] for row in rtl.summary(opened).data["kernels"]),
                                 sum(duration for _, duration in expected))
        jax = folder / "jax.trace.json.gz"
        jax.write_bytes(gzip.compress(JAX.encode()))
        space = folder / "a.xplane.pb"
        space.write_bytes(XPLANE)
        fuzzed = ROOT / "tests" / "fuzz" / "import"
        with rtl.open(fuzzed / "kineto.json") as opened:
            torch = kernels(opened)
        self.assertIn(("void gemm<float>(float*)", 4125), torch)
        for path, found in ((jax, [("Gemm", 3000)]), (space, [("Gemm", 3000)]), (fuzzed / "kineto.json.gz", torch),
                            (fuzzed / "kineto.json.zst", torch)):
            with self.subTest(path.name), rtl.open(path) as opened:
                self.assertEqual(kernels(opened), found)

    def test_whatever_is_no_trace_is_named(self):
        file = next((self.dataset / "kernels").iterdir())
        for source, words in (([], "no file of a trace"), (file, "a Parquet file"), (-5, "-5"), (os.getpid(), "not traced"),
                              ([self.hip, self.hip], "would occur twice"), (self.folder / "names", "")):
            with self.assertRaisesRegex(rtl.Error, words):
                rtl.open(source)
        for source in (None, True, 1.5):
            with self.assertRaisesRegex(TypeError, "takes a path"):
                rtl.open(source)

    def test_everything_shows_itself_in_a_notebook(self):
        with rtl.open(self.lossy) as opened:
            for table in opened.tables.values():
                self.assertIn(table.name, table._repr_html_())
            page = opened.kernels._repr_html_()
            self.assertEqual(page.count("<tr>"), 11)
            self.assertIn("to_pandas(), ", page)
            self.assertIn("save()", repr(rtl.report(opened)))

    def test_the_package_is_of_python_39(self):
        for path in (ROOT / "python").rglob("*.py"):
            ast.parse(path.read_text(encoding="utf-8"), path, feature_version=(3, 9))

    def test_a_trace_is_closed_while_its_tables_are_read(self):
        for _ in range(5):
            opened = rtl.open(self.full)
            expected, wrong = len(opened.calls.to_pylist()), []

            def read(table, expected=expected, wrong=wrong):
                with contextlib.suppress(rtl.Error):  # closed by then
                    while len(table.to_pylist()) == expected:
                        pass
                    wrong.append(table)
            threads = [threading.Thread(target=read, args=(opened.calls,)) for _ in range(3)]
            for each in threads:
                each.start()
            opened.close()
            for each in threads:
                each.join()
            self.assertEqual(wrong, [])

    def test_two_tables_are_read_at_once(self):
        with rtl.open(self.full) as opened:
            expected = {name: table.to_pylist() for name, table in opened.tables.items()}
            found = {}

            def read(name):
                found[name] = opened.tables[name].to_pylist()
            threads = [threading.Thread(target=read, args=(name,)) for name in expected]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
            self.assertEqual(found, expected)

    def test_verbs_have_the_numbers_of_the_command(self):
        def said(*words):
            return json.loads(run(RTL, *words).stdout)
        with rtl.open(self.hip) as opened:
            self.assertEqual(rtl.summary(opened).data, said("summary", "--json", self.hip))
            analysis = rtl.analyze(opened)
            self.assertEqual(analysis.data, said("analyze", "--json", self.hip))
            self.assertEqual(sum(row["idle_ns"] for row in analysis.table),
                             sum(cause["idle_ns"] for gpu in analysis.data["gpus"] for cause in gpu["causes"]))
            self.assertEqual(rtl.diff(self.hip, self.full).data,
                             said("diff", "--json", self.hip, self.full))
            self.assertIn("<table>", analysis._repr_html_())
            self.assertIn("srcdoc=", rtl.report(opened)._repr_html_())
        with self.assertRaisesRegex(rtl.Error, "no such file"):
            rtl.summary(self.folder / "none.db")

    @unittest.skipUnless(has("mypy"), "mypy is not installed")
    def test_type_hints_are_right(self):
        (self.folder / "user.py").write_text(
            "import rtl\nwith rtl.open('t.db') as t, rtl.range('step 7'):\n"
            "    names = t.kernels.where(name='a*', columns=['name']).to_pylist()\n"
            "    print(names[0]['name'], rtl.summary(t, rank=3).table)\n"
            "@rtl.record('x.db', mode='hip')\ndef step(number: int) -> int:\n    rtl.mark('here')\n    return number\n",
            encoding="utf-8")
        mypy = [sys.executable, "-m", "mypy", "--python-version", "3.10", "--cache-dir", os.devnull]
        for words in (["--disable-error-code=import-untyped", ROOT / "python" / "rtl", ROOT / "python" / "roctx"],
                      ["--strict", "--follow-imports=silent", self.folder / "user.py"]):
            run(*mypy, *words, MYPYPATH=ROOT / "python")

    def test_the_module_is_the_command(self):
        done = run(sys.executable, "-m", "rtl", "--version")
        self.assertEqual(done.stdout.splitlines()[0], f"rtl {rtl.__version__}")


# argv: the mode or "-"; what is before the first part: "loaded" is HIP's library, "late" use of the GPU. It records
# parts with 3 and 5 kernels.
PARTS = """
import ctypes
import sys
import rtl

def work(kernels):
    hip = ctypes.CDLL("libamdhip64.so.5")
    memory = ctypes.c_void_p()
    assert hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(4096)) == 0
    for _ in range(kernels):
        assert hip.hipMemset(memory, 0, ctypes.c_size_t(4096)) == 0
    assert hip.hipDeviceSynchronize() == 0

@rtl.record("second.db")
def five():
    work(5)

if sys.argv[2:] == ["loaded"]:
    ctypes.CDLL("libamdhip64.so.5")
if sys.argv[2:] == ["late"]:
    work(2)
with rtl.record("first.db", mode=None if sys.argv[1] == "-" else sys.argv[1]):
    work(3)
five()
"""


class Record(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "parts.py").write_text(PARTS, encoding="utf-8")

    def run_parts(self, *arguments, tool=("vgpu", "run")):
        return run(*tool, "--", sys.executable, "parts.py", *arguments, folder=self.folder)

    def kernels(self, name):
        with rtl.open(self.folder / name) as opened:
            return len(opened.kernels.to_pylist())

    def test_parts_have_their_kernels_before_and_after_the_first_use_of_the_gpu(self):
        for arguments in (("-",), ("hip",), ("-", "loaded"), ("-", "late"), ("hip", "late")):
            with self.subTest(arguments):
                self.run_parts(*arguments)
                self.assertEqual((self.kernels("first.db"), self.kernels("second.db")), (3, 5))
                for name in ("first.db", "second.db"):
                    (self.folder / name).unlink()

    def test_a_background_job_of_a_script_ends_its_parts(self):
        # Such a shell has its jobs ignore SIGINT, and so does what they start.
        self.run_parts("-", tool=("env", "--ignore-signal=INT", "vgpu", "run"))
        self.assertEqual((self.kernels("first.db"), self.kernels("second.db")), (3, 5))

    def test_under_rtl_trace_they_are_ranges_and_the_only_parts_of_a_paused_trace(self):
        for option, kernels in (("--paused", 8), ("--force", 10)):
            self.run_parts("-", "late", tool=("rtl", "trace", "--vgpu", option, "--no-summary", "-o", "t.db"))
            self.assertEqual(self.kernels("t.db"), kernels)
            with rtl.open(self.folder / "t.db") as opened:
                self.assertEqual([row["name"] for row in opened.ranges.to_pylist()],
                                 ["record first.db", "record second.db"])

    def test_the_ring_of_a_program_that_runs_is_a_trace(self):
        program = PARTS.partition("@rtl")[0] + "work(3)\nprint('ready', flush=True)\nsys.stdin.read()\n"
        (self.folder / "parts.py").write_text(program, encoding="utf-8")
        with subprocess.Popen(["rtl", "trace", "--vgpu", "--ring", "64M", "--no-summary", "-o", "t.db", "--",
                               sys.executable, "parts.py"], cwd=self.folder, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as tracer:
            self.assertEqual(tracer.stdout.readline(), "ready\n")
            (program,) = children_of(tracer.pid)
            with rtl.open(program) as opened:
                made = pathlib.Path(opened.database)
                self.assertEqual(len(opened.kernels.to_pylist()), 3)
            self.assertFalse(made.exists())
            tracer.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual(self.kernels("t.db"), 3)
        with self.assertRaises(rtl.Error):
            rtl.open(program)

    def test_a_mode_that_is_none_is_refused_before_it_turns_tracing_off(self):
        with self.assertRaisesRegex(rtl.Error, "no mode foo"):
            rtl.record(self.folder / "a.db", mode="foo")

    def test_one_part_at_a_time(self):
        (self.folder / "parts.py").write_text(
            "import rtl\nwith rtl.record('a.db'):\n try:\n  rtl.record('b.db').__enter__()\n"
            " except rtl.Error as error:\n  print(error)\n", encoding="utf-8")
        done = self.run_parts()
        self.assertEqual(done.stdout, "b.db: another part of the program is being recorded\n", done.stderr)


if __name__ == "__main__":
    main(PROGRAM)
