#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what other readers read of the Parquet files that rtl writes with what was written: PyArrow and DuckDB,
and Polars, pandas, fastparquet and ClickHouse (chdb) where they are installed. Statistics are compared as well,
because engines skip row groups by them. Skipped without PyArrow and DuckDB.

usage: readers_test.py PROGRAM [SEED...]
"""
import importlib
import math
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import skip  # noqa: E402


def available(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"readers_test: without {name}, which is not installed")
        return None


arrow = available("pyarrow.parquet")
duckdb = available("duckdb")
polars = available("polars")
pandas = available("pandas")
chdb = available("chdb")
if not arrow or not duckdb:
    skip("PyArrow or DuckDB is not installed")


def cell(text):
    if text == "NULL":
        return None
    if text.startswith("'"):
        return text[1:]
    return float.fromhex(text) if "x" in text else int(text)


def by_arrow(path):
    return list(zip(*(column.to_pylist() for column in arrow.read_table(path).columns)))


def by_duckdb(path):
    return duckdb.connect().execute(f"select * from read_parquet('{path}')").fetchall()


def by_polars(path):
    return polars.read_parquet(path).rows()


def by_pandas(path):
    frame = pandas.read_parquet(path, dtype_backend="pyarrow")
    return [tuple(None if value is pandas.NA else value for value in row) for row in frame.itertuples(index=False)]


def by_chdb(path):
    text = chdb.query(f"select * from file('{path}', Parquet)", "Parquet").bytes()
    import pyarrow
    rows = arrow.read_table(pyarrow.BufferReader(text))
    return [tuple(value.decode() if isinstance(value, bytes) else value for value in row)
            for row in zip(*(column.to_pylist() for column in rows.columns))]


def check_statistics(path, rows):
    metadata = arrow.ParquetFile(path).metadata
    first = 0
    for group in range(metadata.num_row_groups):
        count = metadata.row_group(group).num_rows
        for index in range(metadata.num_columns):
            known = [row[index] for row in rows[first:first + count] if row[index] is not None]
            statistics = metadata.row_group(group).column(index).statistics
            assert statistics.null_count == count - len(known), (path, group, index)
            if not statistics.has_min_max:
                continue
            key = str.encode if isinstance(known[0], str) else lambda value: value
            assert statistics.min == min(known, key=key) and statistics.max == max(known, key=key), (path, group, index)
        first += count


def check(program, seed, folder):
    path = folder / f"{seed}.parquet"
    text = folder / f"{seed}.tsv"
    subprocess.run([program, str(seed), path, text], check=True)
    rows = [tuple(cell(value) for value in line.split("\t")) for line in text.read_text().splitlines()]
    readers = {"PyArrow": by_arrow, "DuckDB": by_duckdb}
    if polars:
        readers["Polars"] = by_polars
    if pandas:
        readers["pandas"] = by_pandas
    if chdb:
        readers["ClickHouse"] = by_chdb
    for name, read in readers.items():
        got = read(path)
        assert len(got) == len(rows), f"seed {seed}: {name} reads {len(got)} rows, not {len(rows)}"
        for number, (one, other) in enumerate(zip(got, rows)):
            if one != other and not all(a == b or (isinstance(a, float) and math.isnan(a)) for a, b in zip(one, other)):
                sys.exit(f"seed {seed}, row {number}: {name} reads\n{one}\nnot\n{other}")
    check_statistics(path, rows)
    return ", ".join(readers)


def main():
    program = sys.argv[1]
    seeds = [int(seed) for seed in sys.argv[2:]] or [random.randrange(10**9) for _ in range(25)]
    print("seeds:", *seeds)
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            readers = check(program, seed, pathlib.Path(folder))
    print(f"{len(seeds)} files read alike by {readers}")


main()
