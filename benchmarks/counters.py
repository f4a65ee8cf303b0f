#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of hardware counters of kernels: the wall time of tests/programs/kernel_flood.hip, untraced, traced, with
four counters of every kernel, and with counters but no chosen kernel. Rounds are interleaved; medians and ranges of the
ratios to the untraced run of the same round; no threshold.

    benchmarks/counters.py [--rounds 7] [--kernels 20000] [--build build/release] [--runtime 7.2]
"""
import argparse
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

COUNTERS = "SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_LDS"
ARMS = {"untraced": None, "untraced again (noise)": None, "rtl trace --mode full": ["--mode", "full"],
        "no kernel is chosen": ["--pmc", COUNTERS, "--pmc-kernels", "^$"], "four counters of each": ["--pmc", COUNTERS]}


def show(values, digits):
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f} .. {max(values):.{digits}f}]"


def run(options, folder, arguments):
    build = options.build.resolve()
    program = [build / "bin" / f"programs-{options.runtime}" / "kernel_flood", str(options.kernels)]
    database = pathlib.Path(folder) / "trace.db"
    if arguments is None:
        command = [build / "bin" / "vgpu", "run", "--", *program]
    else:
        command = [build / "bin" / "rtl", "trace", "--vgpu", "--no-summary", "-o", database, *arguments, "--", *program]
    tool = pathlib.Path(__file__).resolve().parents[1] / "scripts" / "runtime"
    began = time.monotonic()
    done = subprocess.run([tool, "exec", options.runtime, "--", *command], env=os.environ, capture_output=True,
                          text=True)
    seconds = time.monotonic() - began
    if done.returncode != 0:
        sys.exit(f"counters: kernel_flood exited with {done.returncode}\n{done.stderr}")
    if arguments is None:
        return seconds, None
    with sqlite3.connect(database) as opened:
        kernels = opened.execute("SELECT count(*) FROM rocpd_op WHERE kernel_id != 0").fetchone()[0]
        counted = opened.execute("SELECT count(DISTINCT dispatch) FROM rtl_counter_value").fetchone()[0]
    return seconds, (kernels, counted)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kernels", type=int, default=20000)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--runtime", default="7.2")
    options = parser.parse_args()
    seconds = {name: [] for name in ARMS}
    seen = {}
    with tempfile.TemporaryDirectory(prefix="counters-") as folder:
        for _ in range(options.rounds):
            for name, arguments in ARMS.items():
                took, found = run(options, folder, arguments)
                seconds[name].append(took)
                seen[name] = found
    print(f"kernel_flood {options.kernels}, ROCm {options.runtime}, {options.rounds} rounds: "
          "median [lowest .. highest]")
    for name, values in seconds.items():
        ratios = [value / base for value, base in zip(values, seconds["untraced"])]
        found = "" if seen[name] is None else f"  {seen[name][0]} kernels, {seen[name][1]} counted"
        print(f"  {name:24} {show([1000 * value for value in values], 0)} ms, {show(ratios, 2)} of untraced{found}")


if __name__ == "__main__":
    main()
