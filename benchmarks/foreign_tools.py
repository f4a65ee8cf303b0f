#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long `rtl analyze` takes to open a trace of another tool, beside TraceLens and HTA.

Each command opens the file and computes the times of busy, idle, computation and communication of its GPUs. They run in
turn; the median and the range of elapsed and of processor seconds are printed, and the ratio of the medians. What a
Python tool needs to be imported is measured on its own, and part of its time.

    foreign_tools.py TRACE... [--tracelens CHECKOUT] [--hta] [--python PYTHON] [--build DIR] [--runs N]

--python is an interpreter with the packages of TraceLens and HTA (HolisticTraceAnalysis). Neither is part of this
project.
"""

import argparse
import os
import pathlib
import statistics
import sys
import time

TRACELENS = """
import sys
from TraceLens import TreePerfAnalyzer, JaxTreePerfAnalyzer
if len(sys.argv) > 1:
    analyzer = JaxTreePerfAnalyzer if sys.argv[1].endswith(".pb") else TreePerfAnalyzer
    analyzer.from_file(sys.argv[1]).get_df_gpu_timeline()
"""
HTA = """
import sys
from hta.trace_analysis import TraceAnalysis
if len(sys.argv) > 1:
    TraceAnalysis(trace_files={0: sys.argv[1]}, include_last_profiler_step=True).get_temporal_breakdown(visualize=False)
"""


def cost(command, environment):
    """Elapsed and processor seconds; none where the command fails."""
    silent = [(os.POSIX_SPAWN_OPEN, stream, "/dev/null", os.O_WRONLY, 0) for stream in (1, 2)]
    begin = time.monotonic()
    child = os.posix_spawn(command[0], command, environment, file_actions=silent)
    _, status, usage = os.wait4(child, 0)
    elapsed = time.monotonic() - begin
    return (elapsed, usage.ru_utime + usage.ru_stime) if status == 0 else None


def text(values):
    return f"{statistics.median(values):7.2f} s ({min(values):.2f} to {max(values):.2f})"


def compare(trace, kinds, runs):
    results = {kind: [] for kind in kinds}
    for _ in range(runs):
        for kind, (command, environment) in kinds.items():
            results[kind].append(cost([*command, os.path.abspath(trace)] if trace else command, environment))
    ours = None
    for kind, values in results.items():
        if None in values:
            print(f"  {kind:10} fails")
            continue
        elapsed, processor = ([value[i] for value in values] for i in (0, 1))
        medians = statistics.median(elapsed), statistics.median(processor)
        if ours is None:
            ours = medians
        ratios = " ".join(f"{part / own:.0f}x" for part, own in zip(medians, ours))
        print(f"  {kind:10} elapsed {text(elapsed)}  processor {text(processor)}  {ratios}  n={len(values)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", metavar="TRACE")
    parser.add_argument("--tracelens", type=pathlib.Path, metavar="CHECKOUT")
    parser.add_argument("--hta", action="store_true")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--build", default="build/release", type=pathlib.Path)
    parser.add_argument("--runs", default=5, type=int)
    options = parser.parse_args()
    rtl = [str(options.build / "bin" / "rtl"), "analyze", "--json"]
    others = {}
    if options.tracelens:
        others["TraceLens"] = ([options.python, "-c", TRACELENS],
                               {**os.environ, "PYTHONPATH": str(options.tracelens.resolve())})
    if options.hta:
        others["HTA"] = ([options.python, "-c", HTA], dict(os.environ))
    if others:
        print("import alone")
        compare(None, others, options.runs)
    for trace in options.traces:
        print(f"{pathlib.Path(trace).name}, {os.path.getsize(trace) / 1e6:.1f} MB")
        compare(trace, {"rtl": (rtl, dict(os.environ)), **others}, options.runs)


if __name__ == "__main__":
    main()
