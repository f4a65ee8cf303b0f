#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a user does with the wheel and nothing else but Python, 3.9 or newer. Run in an environment with the wheel.

    wheel_user.py TRACE [HIP]    TRACE has kernels; HIP: a libamdhip64, with a GPU, for rtl.record
"""
import ctypes
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import warnings

import rtl

TABLES = {"kernels", "calls", "copies", "barriers", "ranges", "operators", "events", "counters", "samples", "gpus",
          "processes", "threads", "losses"}
is_capsule = ctypes.pythonapi.PyCapsule_IsValid
is_capsule.argtypes = [ctypes.py_object, ctypes.c_char_p]


def command(*words):
    """What `python -m rtl` prints, on both streams."""
    done = subprocess.run([sys.executable, "-m", "rtl", *map(str, words)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, check=False)
    return done.returncode, done.stdout, done.stderr


def error_of(call):
    try:
        call()
    except rtl.Error as error:
        return str(error)
    raise AssertionError("no rtl.Error")


def read_tables(trace):
    with rtl.open(trace) as opened:
        assert set(opened.tables) == TABLES
        rows = {name: table.to_pylist() for name, table in opened.tables.items()}
        assert rows["kernels"] and rows["processes"] and rows["losses"], "an empty trace"
        for name, table in opened.tables.items():
            assert all(list(row) == list(table.columns) for row in rows[name])
            assert is_capsule(table.__arrow_c_stream__(), b"arrow_array_stream") == 1
        first = rows["kernels"][0]
        assert isinstance(first["start"], int) and isinstance(first["name"], str)
        chosen = opened.kernels.where(name=first["name"], columns=["duration", "name"]).to_pylist()
        assert {row["name"] for row in chosen} == {first["name"]} and list(chosen[0]) == ["duration", "name"]
        summary = rtl.summary(opened)
        assert sum(row["calls"] for row in summary.table) == len(rows["kernels"])
        assert "idle by cause" in repr(rtl.analyze(opened)) and "<table>" in summary._repr_html_()
        assert "<iframe" in opened._repr_html_() and "<iframe" in rtl.report(opened)._repr_html_()
        assert not rtl.diff(opened, trace).data.get("gone")
        found = []
        threads = [threading.Thread(target=lambda: found.append(opened.kernels.to_pylist())) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [rows["kernels"]] * 2
        kernels = opened.kernels
        for method in ("to_arrow", "to_pandas", "to_polars", "to_duckdb"):
            package = method[3:].replace("arrow", "pyarrow")
            if importlib.util.find_spec(package) is None:
                assert error_of(getattr(kernels, method)) == f"{method} needs the package {package}, which is not installed"
    assert error_of(kernels.to_pylist) == f"{trace}: the trace is closed"
    return rows


def refuse_files(trace, folder):
    content = pathlib.Path(trace).read_bytes()
    for name, bad in (("short.db", content[:5000]), ("damaged.db", content[:4096] + bytes(len(content) - 4096)),
                      ("text.db", b"no trace"), ("empty.db", b"")):
        path = folder / name
        path.write_bytes(bad)
        code, _, line = command("summary", path)
        assert code == 1 and line.count("\n") == 1, (name, line)
        assert f"rtl: {error_of(lambda: rtl.open(path).kernels.to_pylist())}\n" == line, (name, line)
    assert "no such file" in error_of(lambda: rtl.open(folder / "none.db")).lower()
    assert "no column end" in error_of(rtl.open(trace).kernels.where(columns=["end"]).to_pylist)


def read_dataset(trace, folder, rows):
    dataset = folder / "dataset"
    assert command("convert", "--to", "parquet", trace, "-o", dataset)[0] == 0
    with rtl.open(dataset) as opened:
        assert opened.losses.to_pylist() == rows["losses"]
        assert (sum(row["duration"] for row in opened.kernels.to_pylist())
                == sum(row["duration"] for row in rows["kernels"]))
    for path in (dataset / "processes").iterdir():
        path.unlink()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert rtl.open(dataset).notes and caught


class Shell:
    """As much of IPython's as %load_ext needs."""
    magics = {}

    def register_magic_function(self, function, _, name):
        self.magics[name] = function

    def run_cell(self, cell):
        exec(cell, {})  # pylint: disable=exec-used
        return self

    def raise_error(self):
        pass


def record_parts(hip, folder):
    work = ("import ctypes\nhip = ctypes.CDLL({!r})\nmemory = ctypes.c_void_p()\n"
            "assert hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(4096)) == 0\n"
            "for _ in range({}):\n    assert hip.hipMemset(memory, 0, ctypes.c_size_t(4096)) == 0\n"
            "assert hip.hipDeviceSynchronize() == 0\n")
    with rtl.record(folder / "part.db"):
        exec(work.format(hip, 3), {})  # pylint: disable=exec-used

    @rtl.record(os.fspath(folder / "function.db"))
    def five():
        with rtl.range("five"):
            exec(work.format(hip, 5), {})  # pylint: disable=exec-used
    five()
    rtl.load_ipython_extension(Shell())
    Shell.magics["rtl"](f"'{folder / 'cell.db'}'", work.format(hip, 2))
    counts = [len(rtl.open(folder / name).kernels.to_pylist()) for name in ("part.db", "function.db", "cell.db")]
    assert counts == [3, 5, 2], counts


def expect_the_systems_libraries():
    """What Python loads later must not get the wheel's libraries, which may be older than the system's."""
    assert "numpy" not in sys.modules
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        brought = sorted({os.path.basename(line.split()[-1]) for line in maps if "rocm_trace_lite/deps/" in line})
    assert not brought, brought


def main():
    trace = sys.argv[1]
    code, said, _ = command("--version")
    assert code == 0 and said.startswith(f"rtl {rtl.__version__}"), said
    with tempfile.TemporaryDirectory(prefix="wheel é-") as name:
        folder = pathlib.Path(name)
        rows = read_tables(trace)
        refuse_files(trace, folder)
        read_dataset(trace, folder, rows)
        expect_the_systems_libraries()
        if len(sys.argv) > 2:
            record_parts(sys.argv[2], folder)
    print(f"{len(rows['kernels'])} kernels read by Python {sys.version_info[0]}.{sys.version_info[1]}")


if __name__ == "__main__":
    main()
