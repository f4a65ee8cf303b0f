#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of hardware counters of kernels, untraced, traced, with four counters of every kernel, and with counters but
no chosen kernel, by `rtl trace` and by tools of rocprofiler-sdk. Of such a tool's kernels only the first is chosen:

- the time of a launch and the wait for its end (launch_bench sync, the median of a run's launches);
- the wall time of a program that launches as fast as it can (tests/programs/kernel_flood.hip).

Rounds are interleaved; medians and ranges of the ratios to the untraced run of the same round; no threshold.

    benchmarks/counters.py [--rounds 7] [--kernels 20000] [--launches 5000] [--build build/release] [--runtime 7.2]
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
# Arguments of rtl trace, or the variables of a tool.
COUNTING_TOOL = {"library": "counter_collection", "COUNTER_COLLECTION_COUNTERS": COUNTERS}
ARMS = {"untraced": None, "untraced again (noise)": None,
        "rtl trace --mode full": ["--mode", "full"],
        "no kernel is chosen": ["--pmc", COUNTERS, "--pmc-kernels", "^$"],
        "four counters of each": ["--pmc", COUNTERS],
        "tool, traces kernels": {"library": "kernel_trace"},
        "tool, chooses one kernel": COUNTING_TOOL | {"COUNTER_COLLECTION_EVERY": "1000000000"},
        "tool, counters of each": COUNTING_TOOL}


def show(values, digits):
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f} .. {max(values):.{digits}f}]"


def run(options, folder, arguments, program):
    """Seconds, what the program has printed, and how many kernels the trace has, and has counted."""
    database = pathlib.Path(folder) / "trace.db"
    build = options.build.resolve()
    lines = pathlib.Path(folder) / "lines"
    if arguments is None:
        command = [build / "bin" / "vgpu", "run", "--", *program]
    elif isinstance(arguments, dict):
        variables = {"HSA_TOOLS_LIB": build / "lib" / "librocprofiler-sdk.so.1",
                     "ROCP_TOOL_LIBRARIES": build / "lib" / f"lib{arguments['library']}.so",
                     f"{arguments['library'].upper()}_FILE": lines} | arguments
        command = ["env", *(f"{name}={value}" for name, value in variables.items() if name != "library"),
                   build / "bin" / "vgpu", "run", "--", *program]
    else:
        command = [build / "bin" / "rtl", "trace", "--vgpu", "--no-summary", "-o", database, *arguments, "--", *program]
    tool = pathlib.Path(__file__).resolve().parents[1] / "scripts" / "runtime"
    began = time.monotonic()
    done = subprocess.run([tool, "exec", options.runtime, "--", *command], env=os.environ, capture_output=True,
                          text=True)
    seconds = time.monotonic() - began
    if done.returncode != 0:
        sys.exit(f"counters: {program[0].name} exited with {done.returncode}\n{done.stderr}")
    if arguments is None:
        return seconds, done.stdout, None
    if isinstance(arguments, dict):
        printed = sum(line.startswith("kernel ") for line in lines.read_text().splitlines())
        counting = arguments["library"] == "counter_collection"
        return seconds, done.stdout, (None if counting else printed, printed if counting else 0)
    with sqlite3.connect(database) as opened:
        kernels = opened.execute("SELECT count(*) FROM rocpd_op WHERE kernel_id != 0").fetchone()[0]
        counted = opened.execute("SELECT count(DISTINCT dispatch) FROM rtl_counter_value").fetchone()[0]
    return seconds, done.stdout, (kernels, counted)


def report(title, unit, values, seen, digits):
    print(title)
    for name, of_arm in values.items():
        ratios = [value / base for value, base in zip(of_arm, values["untraced"])]
        found = ""
        if seen[name] is not None:
            kernels, counted = seen[name]
            found = f"  {'' if kernels is None else f'{kernels} kernels, '}{counted} counted"
        print(f"  {name:24} {show(of_arm, digits)} {unit}, {show(ratios, 2)} of untraced{found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kernels", type=int, default=20000)
    parser.add_argument("--launches", type=int, default=5000)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--runtime", default="7.2")
    options = parser.parse_args()
    binaries = options.build.resolve() / "bin"
    flood = [binaries / f"programs-{options.runtime}" / "kernel_flood", str(options.kernels)]
    waits = [binaries / "launch_bench", "sync", str(options.launches)]
    waited = {name: [] for name in ARMS}
    flooded = {name: [] for name in ARMS}
    seen = {"waits": {}, "flood": {}}
    with tempfile.TemporaryDirectory(prefix="counters-") as folder:
        for _ in range(options.rounds):
            for name, arguments in ARMS.items():
                _, printed, seen["waits"][name] = run(options, folder, arguments, waits)
                figures = dict(line.split() for line in printed.splitlines() if len(line.split()) == 2)
                waited[name].append(float(figures["sync_p50"]) / 1000)
            for name, arguments in ARMS.items():
                took, _, seen["flood"][name] = run(options, folder, arguments, flood)
                flooded[name].append(1000 * took)
    print(f"ROCm {options.runtime}, {options.rounds} rounds: median [lowest .. highest]")
    report(f"launch and wait, {options.launches} times", "us", waited, seen["waits"], 1)
    report(f"kernel_flood {options.kernels}", "ms", flooded, seen["flood"], 0)


if __name__ == "__main__":
    main()
