#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels of a trace in Python: `rtl` beside sqlite3 with pandas. Prints the median and the range of each way, which
take turns, of time and of processor time, and what each adds to the peak of memory beyond its result.

    benchmarks/tables.py TRACE [--kernels N] [--rounds N]

The trace is one of rtl with a kernel in it. Its kernels are repeated, at other times, until there are N, in a copy.
Needs pandas and pyarrow.
"""
import argparse
import json
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

QUERY = ("SELECT o.id, s.string AS name, o.gpuId AS gpu, o.queueId AS queue, o.start, o.end - o.start AS duration, "
         "o.submit FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE o.opType_id = "
         "(SELECT id FROM rocpd_string WHERE string = 'KernelExecution')")
COLUMNS = ["id", "name", "gpu", "queue", "start", "duration", "submit"]
WAYS = ("rtl, 7 columns, to Arrow", "rtl, all columns, to Arrow", "rtl, 7 columns, to pandas",
        "sqlite3 and pandas, 7 columns", "rtl, 7 columns, dataset to Arrow", "rtl, all columns, dataset to Arrow")

ONE = """
import json, resource, sys, time
way, path, query, columns = json.loads(sys.argv[1])
import pandas, pyarrow, sqlite3, rtl
if way == 3:
    database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
trace = rtl.open(path + ".dataset" if way > 3 else path)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begin, busy = time.perf_counter(), time.process_time()
if way in (0, 4):
    made = trace.kernels.where(columns=columns).to_arrow()
elif way in (1, 5):
    made = trace.kernels.to_arrow()
elif way == 2:
    made = trace.kernels.where(columns=columns).to_pandas()
else:
    made = pandas.read_sql_query(query, database)
seconds, busy = time.perf_counter() - begin, time.process_time() - busy
peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
result = made.nbytes if way not in (2, 3) else int(made.memory_usage(deep=True).sum())
print(json.dumps([seconds, busy, (peak - result) / 1e6, result / 1e6, len(made)]))
"""


def enlarge(source, path, kernels):
    shutil.copy(source, path)
    with sqlite3.connect(path) as database:
        launches = [row[0] for row in database.execute(
            "SELECT l.id FROM rtl_launch l JOIN rocpd_string s ON s.id = l.opType_id WHERE s.string = 'KernelExecution'")]
        if not launches:
            sys.exit(f"{source}: there is no kernel in it")
        last = database.execute("SELECT max(id) FROM rtl_op").fetchone()[0]
        database.executemany(
            "INSERT INTO rtl_op (id, launch, start, duration, waited, sequence, packet, link) VALUES (?,?,?,?,?,?,?,?)",
            ((last + i, launches[i % len(launches)], 10_000 * i + i * 7919 % 5000, 2000 + i * 104729 % 6000,
              3000 + i * 31 % 900, 0, 0, 0) for i in range(1, kernels + 1)))
    database.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace", type=pathlib.Path)
    parser.add_argument("--kernels", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tables-") as folder:
        path = os.path.join(folder, "large.db")
        enlarge(options.trace, path, options.kernels)
        subprocess.run(["rtl", "convert", "--to", "parquet", path, "-o", path + ".dataset"], stderr=subprocess.PIPE,
                       check=True)
        found = [[] for _ in WAYS]
        for _ in range(options.rounds):
            for way in range(len(WAYS)):
                done = subprocess.run([sys.executable, "-c", ONE, json.dumps([way, path, QUERY, COLUMNS])],
                                      stdout=subprocess.PIPE, check=True)
                found[way].append(json.loads(done.stdout))
    print(f"{options.kernels} kernels, {options.rounds} rounds, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for name, rounds in zip(WAYS, found):
        seconds, busy = ([each[i] for each in rounds] for i in (0, 1))
        print(f"{name:34} {statistics.median(seconds):7.3f} s ({min(seconds):.3f} to {max(seconds):.3f}), processor "
              f"{statistics.median(busy):.3f} s ({min(busy):.3f} to {max(busy):.3f}), result {rounds[0][3]:.0f} MB, beyond "
              f"it {statistics.median(each[2] for each in rounds):.0f} MB, {rounds[0][4]} rows")


if __name__ == "__main__":
    main()
