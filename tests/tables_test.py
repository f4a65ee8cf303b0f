#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Python's `rtl` over real traces: every table has the sums that SQL has over the trace, in each package, and the
verbs have the numbers of the command line. Packages that are missing are named, and their tests skipped.

    RTL_BUILD=build/release tables_test.py
"""
import ctypes
import importlib.util
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
VENV = BUILD.parent / "venv" / "bin" / "python"
PROGRAM = BUILD / "bin" / "programs" / "gemm"
SKIPPED = 77
# The library and the command of the build, and the packages of the tests' environment.
if "RTL_TABLES_TEST" not in os.environ:
    paths = {"LD_LIBRARY_PATH": BUILD / "lib", "PATH": BUILD / "bin", "PYTHONPATH": SOURCE / "python"}
    more = {name: f"{path}:{os.environ.get(name, '')}".rstrip(":") for name, path in paths.items()}
    python = str(VENV) if VENV.exists() else sys.executable
    os.execve(python, [python, *sys.argv], os.environ | more | {"RTL_TABLES_TEST": "1"})

import rtl  # noqa: E402  pylint: disable=wrong-import-position

KERNELS = "FROM rocpd_op WHERE opType_id = (SELECT id FROM rocpd_string WHERE string = 'KernelExecution')"
# The number of rows, and the sum of a column, by table.
SQL = {
    "kernels": ("duration", f"SELECT count(*), sum(end - start) {KERNELS}"),
    "calls": ("duration", "SELECT count(*), sum(d) FROM (SELECT end - start AS d FROM rocpd_api UNION ALL"
              " SELECT duration FROM rtl_hsa_call UNION ALL SELECT duration FROM rtl_rccl_call)"),
    "copies": ("bytes", "SELECT count(*), sum(bytes) FROM rtl_copy"),
    "barriers": ("dependencies", "SELECT count(*), sum(dependencies) FROM rtl_barrier"),
    "ranges": ("duration", "SELECT count(*), sum(end - start) FROM rocpd_op WHERE opType_id ="
               " (SELECT id FROM rocpd_string WHERE string = 'UserMarker')"),
    "events": ("bytes", "SELECT count(*), sum(b) FROM (SELECT bytes AS b FROM rtl_memory_allocation UNION ALL"
               " SELECT bytes FROM rtl_scratch_memory UNION ALL SELECT NULL FROM rtl_runtime_init)"),
    "counters": ("value", "SELECT count(*), sum(value) FROM rtl_counter"),
    "gpus": ("compute_units", "SELECT count(*), sum(compute_units) FROM rtl_agent WHERE is_gpu"),
    "processes": ("pid", "SELECT count(*), sum(pid) FROM rtl_process"),
    "losses": ("events", "SELECT count(*), sum(value) FROM rtl_process_counter"),
}


def has(module):
    return importlib.util.find_spec(module) is not None


def trace(path, *options):
    command = [BUILD / "bin" / "rtl", "trace", "--vgpu", "--no-summary", "-o", path, *options, "--", PROGRAM]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tables-")))
        cls.full, cls.hip = cls.folder / "full.db", cls.folder / "hip.db"
        trace(cls.full, "--mode", "full", "--barriers")
        trace(cls.hip, "--mode", "hip")

    def traces(self):
        for files in (self.full, self.hip, [self.full, self.hip]):
            with rtl.open(files) as opened, sqlite3.connect(opened.database) as database:
                yield opened, database

    def compare(self, sums):
        """`sums(table, column)`: (rows, sum), of every table of every trace."""
        for opened, database in self.traces():
            for name, (column, sql) in SQL.items():
                rows, total = database.execute(sql).fetchone()
                self.assertEqual(sums(opened.tables[name], column), (rows, total or 0), f"{name} of {opened.name}")

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

    def test_errors_are_those_of_the_command(self):
        short = self.folder / "short.db"
        short.write_bytes(self.hip.read_bytes()[:5000])
        damaged = self.folder / "damaged.db"
        content = bytearray(self.hip.read_bytes())
        content[4096:] = os.urandom(len(content) - 4096)
        damaged.write_bytes(content)
        for path in (short, damaged, self.folder / "none.db", pathlib.Path("/dev/null"), PROGRAM):
            done = subprocess.run(["rtl", "summary", path], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1, path)
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
            return json.loads(subprocess.run(["rtl", *words], capture_output=True, check=True).stdout)
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

    def test_the_module_is_the_command(self):
        done = subprocess.run([sys.executable, "-m", "rtl", "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, f"rtl {rtl.__version__}\n")


# argv: the mode or "-"; what is before the first part: "loaded" is HIP's library, "late" use of the GPU. It records parts with 3 and 5 kernels.
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


class Record(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="record-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "parts.py").write_text(PARTS, encoding="utf-8")

    def run_parts(self, *arguments, tool=("vgpu", "run")):
        done = subprocess.run([*tool, "--", sys.executable, "parts.py", *arguments], cwd=self.folder,
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

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

    def test_under_rtl_trace_they_are_ranges_and_the_only_parts_of_a_paused_trace(self):
        for option, kernels in (("--paused", 8), ("--force", 10)):
            self.run_parts("-", "late", tool=("rtl", "trace", "--vgpu", option, "--no-summary", "-o", "t.db"))
            self.assertEqual(self.kernels("t.db"), kernels)
            with rtl.open(self.folder / "t.db") as opened:
                self.assertEqual([row["name"] for row in opened.ranges.to_pylist()],
                                 ["record first.db", "record second.db"])

    def test_one_part_at_a_time(self):
        (self.folder / "parts.py").write_text(
            "import rtl\nwith rtl.record('a.db'):\n try:\n  rtl.record('b.db').__enter__()\n"
            " except rtl.Error as error:\n  print(error)\n", encoding="utf-8")
        done = subprocess.run(["vgpu", "run", "--", sys.executable, "parts.py"], cwd=self.folder, capture_output=True,
                              text=True, timeout=120, check=False)
        self.assertEqual(done.stdout, "b.db: another part of the program is being recorded\n", done.stderr)


if __name__ == "__main__":
    if not PROGRAM.exists():
        print("SKIPPED: the HIP program gemm could not be built here")
        sys.exit(SKIPPED)
    unittest.main()
