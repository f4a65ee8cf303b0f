#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long `rtl analyze` takes to open a trace of another tool, beside TraceLens, HTA and raptor.

Each command opens the file and computes the times of busy, idle, computation and communication of its GPUs (raptor: the
times of categories). They run in turn; the median and the range of elapsed and of processor seconds are printed, and
the ratio of the medians, at last the smallest ratios. What a Python tool needs to be imported is measured on its own,
and part of its time. Files that a tool does not read are left out: TraceLens reads no RPD, HTA torch.profiler's alone,
raptor RPD alone, none of them rocpd. A folder of CSV files is a trace, too. What xprof, by which TraceLens reads XPlane
files, keeps beside such a file for the next time is removed before each run.

    foreign_tools.py TRACE... [--tracelens CHECKOUT] [--hta [CHECKOUT]] [--raptor CHECKOUT] [--python PYTHON]
                     [--build DIR] [--runs N] [--table FILE]

--python is an interpreter with the packages of TraceLens, HTA (HolisticTraceAnalysis) and raptor (rocmProfileData).
None is part of this project. --table writes the elapsed times as a table in Markdown.
"""

import argparse
import gzip
import os
import pathlib
import statistics
import sys
import time

TRACELENS = """
import sys
from TraceLens import TreePerfAnalyzer, JaxTreePerfAnalyzer
if len(sys.argv) > 1:
    analyzer = JaxTreePerfAnalyzer if sys.argv[2] == "jax" else TreePerfAnalyzer
    analyzer.from_file(sys.argv[1]).get_df_gpu_timeline()
"""
TRACELENS_ROCPROF = """
import sys
from TraceLens.util import RocprofParser
from TraceLens.Reporting.rocprof_analysis import RocprofAnalyzer
data = RocprofParser.load_rocprof_data(sys.argv[1])
analyzer = RocprofAnalyzer(RocprofParser.extract_kernel_events(data), RocprofParser.extract_memory_events(data),
                           RocprofParser.extract_api_events(data), RocprofParser.get_metadata(data))
analyzer.get_df_gpu_timeline()
analyzer.get_df_kernel_summary()
"""
TRACELENS_CSV = """
import pathlib, sys, tempfile
from TraceLens.Reporting.genesis_rocprof_util import convert_rocprof_csv_to_json
from TraceLens.util import RocprofParser
from TraceLens.Reporting.rocprof_analysis import RocprofAnalyzer
with tempfile.TemporaryDirectory() as folder:
    path = convert_rocprof_csv_to_json(sys.argv[1], str(pathlib.Path(folder) / "results.json"), include_api=True)
    data = RocprofParser.load_rocprof_data(path)
analyzer = RocprofAnalyzer(RocprofParser.extract_kernel_events(data), RocprofParser.extract_memory_events(data),
                           RocprofParser.extract_api_events(data), RocprofParser.get_metadata(data))
analyzer.get_df_gpu_timeline()
analyzer.get_df_kernel_summary()
"""
RAPTOR = """
import sys
from raptor_parser import RaptorParser
if len(sys.argv) > 1:
    RaptorParser(sys.argv[1]).get_category_df()
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


def kind_of(trace):
    """What wrote a file, by its first bytes."""
    if os.path.isdir(trace):
        return "csv"
    with open(trace, "rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if compressed else open)(trace, "rb") as file:
        begin = file.read(1 << 16)
    for mark, kind in ((b"rocpd_info_process", "rocpd"), (b"SQLite format 3", "rpd"),
                       (b"rocprofiler-sdk-tool", "rocprofv3")):
        if mark in begin:
            return kind
    return "jax" if trace.endswith(".pb") or b"highres-ticks" in begin else "torch"


def compare(title, kinds, runs, caches=()):
    """Runs the commands in turn. Returns the elapsed times of each, and by how much it took longer than the first one:
    the ratios of elapsed and of the processor's time."""
    print(title)
    results = {kind: [] for kind in kinds}
    for _ in range(runs):
        for kind, (command, environment) in kinds.items():
            for cache in caches:
                cache.unlink(missing_ok=True)
            results[kind].append(cost(command, environment))
    ours, longer, times = None, {}, {}
    for kind, values in results.items():
        if None in values:
            print(f"  {kind:10} fails", flush=True)
            continue
        elapsed, processor = ([value[i] for value in values] for i in (0, 1))
        times[kind] = elapsed
        medians = statistics.median(elapsed), statistics.median(processor)
        if ours is None:
            ours = medians
        else:
            longer[kind] = medians[0] / ours[0], medians[1] / ours[1]
        ratios = " ".join(f"{part / own:.0f}x" for part, own in zip(medians, ours))
        print(f"  {kind:10} elapsed {text(elapsed)}  processor {text(processor)}  {ratios}  n={len(values)}", flush=True)
    return times, longer


def row_of(trace, kind, times, longer, tools):
    """A row of the table."""
    def cell(name):
        if name not in times:
            return ""
        values = times[name]
        text = f"{statistics.median(values):.2f} [{min(values):.2f} .. {max(values):.2f}]"
        return text + (f", {longer[name][0]:.0f} times" if name in longer else "")
    size = sum(file.stat().st_size for file in ([trace] if trace.is_file() else trace.iterdir()))
    parts = trace.parts[-2:] if len(trace.parts) > 1 else trace.parts
    return "| " + " | ".join([f"`{'/'.join(parts)}`", kind, f"{size / 1e6:.2f}", *map(cell, ["rtl", *tools])]) + " |\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", metavar="TRACE")
    parser.add_argument("--tracelens", type=pathlib.Path, metavar="CHECKOUT")
    parser.add_argument("--hta", nargs="?", const="", metavar="CHECKOUT")
    parser.add_argument("--raptor", type=pathlib.Path, metavar="CHECKOUT")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--build", default="build/release", type=pathlib.Path)
    parser.add_argument("--runs", default=5, type=int)
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()

    def python(program, path, *words):
        paths = {"PYTHONPATH": str(path.resolve())} if path else {}
        return ([options.python, "-c", program, *words], {**os.environ, **paths})

    rtl = [str(options.build / "bin" / "rtl"), "analyze", "--json"]
    tools = {}  # by name: what it reads, its program, and where it is
    if options.tracelens:
        tools["TraceLens"] = ({"torch": TRACELENS, "jax": TRACELENS, "rocprofv3": TRACELENS_ROCPROF,
                               "csv": TRACELENS_CSV}, options.tracelens)
    if options.hta is not None:
        tools["HTA"] = ({"torch": HTA}, pathlib.Path(options.hta) if options.hta else None)
    if options.raptor:
        tools["raptor"] = ({"rpd": RAPTOR}, options.raptor / "raptor")
    for name, (programs, path) in tools.items():
        compare("import alone", {name: python(next(iter(programs.values())), path)}, options.runs)
    ratios = {name: [] for name in tools}
    rows = ["| " + " | ".join(["trace", "kind", "MB", "rtl, s", *(f"{name}, s" for name in tools)]) + " |\n",
            "|" + "---|" * (4 + len(tools)) + "\n"]
    for trace in options.traces:
        kind, whole = kind_of(trace), os.path.abspath(trace)
        others = {name: python(programs[kind], path, whole, kind)
                  for name, (programs, path) in tools.items() if kind in programs}
        caches = [pathlib.Path(whole.removesuffix(".xplane.pb") + ".SSTABLE")] if whole.endswith(".pb") else []
        times, longer = compare(f"{trace}, {kind}", {"rtl": ([*rtl, whole], dict(os.environ)), **others}, options.runs,
                                caches)
        for name, ratio in longer.items():
            ratios[name].append((ratio, trace))
        rows.append(row_of(pathlib.Path(trace), kind, times, longer, tools))
        if options.table:
            options.table.write_text("".join(rows))
    for i, what in enumerate(("time", "processor's time")):
        for name, values in ratios.items():
            for ratio, trace in sorted((ratio[i], trace) for ratio, trace in values)[:5]:
                print(f"{name} took {ratio:.1f} times the {what} of rtl for {trace}, of {len(values)} traces")


if __name__ == "__main__":
    main()
