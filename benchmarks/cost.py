#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tracing costs, as one table: the lines of benchmarks/README.md, measured in one run. Untraced and traced runs
take turns; each line has the noise (the untraced run once more, to the untraced run of the same round), the same for
three tools of bare_interception.cpp, and how many of the submitted events were recorded. The first tool intercepts
every queue and does nothing. The second, "times", also does the least that yields times: a signal for each kernel, a
thread that reads it, two time stamps for each call. The third, "records", also writes 32 bytes for each kernel and each
call to a mapped file, which is not read. No threshold: read the ranges.

    benchmarks/cost.py [--rounds 9] [--build build/release] [--other LIB] [LINE...]

LINE: storm, busy, wait, start, call, bytes, collector, summary, convert, empty; all when none is given.
--other LIB: another tool, loaded through HSA_TOOLS_LIB, that writes a database with rocpd_op to $RTL_OUTPUT; it runs in
the lines storm and wait.

Kernels take modelled time and are not executed, so that the virtual GPU, which is a thread, does not dominate.
"""
import argparse
import os
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

MILLION = 1_000_000
# Prints the peak memory of a command in KB. A small process of its own, because the memory of the parent counts, too.
PEAK = "import os, sys; print(os.wait4(os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0)[2].ru_maxrss)"


def show(values, digits=2):
    if not values:
        return ""
    return f"{statistics.median(values):,.{digits}f} [{min(values):,.{digits}f} .. {max(values):,.{digits}f}]"


class Run:
    """One run of a command: what it printed, its seconds by the clock and on processors, and its events."""

    def __init__(self, command, environment, may_fail=False):
        command = [str(part) for part in command]
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
            begin = time.monotonic()
            process = subprocess.Popen(command, env=dict(os.environ, **environment), stdout=out, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds, process.returncode = time.monotonic() - begin, os.waitstatus_to_exitcode(status)
            out.seek(0)
            errors.seek(0)
            self.output = out.read()
            self.failed = process.returncode != 0
            if self.failed and not may_fail:
                sys.exit(f"cost.py: {' '.join(command)} exited with {process.returncode}:\n{errors.read()}")
        self.processor = usage.ru_utime + usage.ru_stime  # of all its processes
        self.figures = dict(re.findall(r"^(\w+) ([\d.]+)$", self.output, re.M))
        self.recorded = None  # of the submitted kernels and calls, in percent

    def figure(self, name):
        return float(self.figures[name])

    @property
    def host_seconds(self):
        """On processors, without the threads that stand for the GPU."""
        return self.processor - self.figure("device") / 1e9


class Bench:
    def __init__(self, options, folder):
        self.rounds, self.other = options.rounds, options.other
        self.bin = options.build.resolve() / "bin"
        self.folder = pathlib.Path(folder)
        self.database = self.folder / "trace.db"
        self.bare = options.build.resolve() / "lib/libbare_interception.so"
        self.print_line("line", "noise", "interception", "times", "records", "rtl", "goal", "other tool", "recorded")

    def print_line(self, *cells):
        widths = (44, 22, 22, 22, 22, 24, 8, 24, 0)
        print("".join(str(cell).ljust(width) for cell, width in zip(cells, widths)).rstrip(), flush=True)

    def vgpu(self, program, kernel_ns, may_fail=False, **environment):
        command = [self.bin / "vgpu", "run", "--no-execute", "--dispatch-ns", kernel_ns, "--", *program]
        return Run(command, environment, may_fail)

    def least(self, program, kernel_ns, **records):
        run = self.vgpu(program, kernel_ns, HSA_TOOLS_LIB=str(self.bare), LD_PRELOAD=str(self.bare), BARE_TIMES="1",
                        **records)
        if run.figure("unsignalled") > 0:
            run.recorded = 100 * run.figure("timed") / run.figure("unsignalled")
        return run

    def rtl(self, program, kernel_ns, mode):
        command = [self.bin / "rtl", "trace", "--vgpu", "--no-summary", "--mode", mode, "-o", self.database, "--",
                   *program]
        self.database.unlink(missing_ok=True)
        run = Run(command, {"VGPU_DISPATCH_NS": str(kernel_ns), "VGPU_EXECUTE": "0"})
        with sqlite3.connect(self.database) as database:
            tags = dict(database.execute("SELECT tag, value FROM rocpd_metadata"))
        kinds = ["kernels", "hip_calls"] if mode == "hip" else ["kernels"]
        submitted = sum(int(tags[f"submitted.{kind}"]) for kind in kinds)
        run.recorded = 100 * sum(int(tags[f"recorded.{kind}"]) for kind in kinds) / submitted
        if run.figures.get("submitted") not in (None, tags["submitted.kernels"]):
            sys.exit(f"cost.py: {tags['submitted.kernels']} kernels submitted of {run.figures['submitted']} submitted")
        return run

    def other_tool(self, program, kernel_ns, mode):
        database = self.folder / "other.db"
        for leftover in self.folder.glob("other.db*"):
            leftover.unlink()
        run = self.vgpu(program, kernel_ns, True, HSA_TOOLS_LIB=self.other, RTL_OUTPUT=str(database), RTL_MODE=mode)
        if run.failed:
            return run
        with sqlite3.connect(database) as connection:
            (kernels,) = connection.execute("SELECT count(*) FROM rocpd_op WHERE gpuId >= 0").fetchone()
        run.recorded = 100 * kernels / run.figure("submitted")
        return run

    def interleaved(self, program, kernel_ns, mode, times=True):
        """The runs of each arm, in turns."""
        arms = {"untraced": lambda: self.vgpu(program, kernel_ns), "again": lambda: self.vgpu(program, kernel_ns),
                "bare": lambda: self.vgpu(program, kernel_ns, HSA_TOOLS_LIB=str(self.bare)),
                "rtl": lambda: self.rtl(program, kernel_ns, mode)}
        if times:
            arms["times"] = lambda: self.least(program, kernel_ns)
            arms["records"] = lambda: self.least(program, kernel_ns, BARE_RECORDS="1")
        if self.other:
            arms["other"] = lambda: self.other_tool(program, kernel_ns, mode)
        runs = {arm: [] for arm in arms}
        for _ in range(self.rounds):
            for arm, run in arms.items():
                runs[arm].append(run())
        return runs

    def compare(self, name, runs, value, goal, digits=2):
        """A line of values of (the run, the untraced run of its round)."""
        each = {arm: [value(run, untraced) for run, untraced in zip(runs[arm], runs["untraced"]) if not run.failed]
                for arm in runs}
        failed = sum(run.failed for run in runs.get("other", []))
        others = f"{show(each.get('other'), digits)}{f' ({failed} runs failed)' if failed else ''}"
        recorded = {arm: min((run.recorded for run in runs[arm] if run.recorded is not None), default=0)
                    for arm in runs if arm in ("rtl", "times", "records", "other")}
        columns = ("again", "bare", "times", "records", "rtl")
        self.print_line(name, *(show(each.get(arm), digits) for arm in columns), goal, others,
                        ", ".join(f"{percent:.2f} %" for percent in recorded.values() if percent != 0))

    def hip(self, *arguments):
        return [self.bin / "hip_launch_bench", self.bin / "programs/first_kernel.co", *arguments]

    def storm(self):
        launches = 300_000
        for threads, ratio, extra in ((1, "1.15", "0.8"), (4, "1.3", "1.5")):
            runs = self.interleaved(self.hip("storm", launches, threads), 500, "hip")
            self.compare(f"storm, mode hip, {threads} threads, to untraced", runs,
                         lambda run, untraced: run.figure("storm") / untraced.figure("storm"), ratio)
            self.compare(f"  processor time a launch with its call, us", runs,
                         lambda run, untraced: (run.processor - untraced.processor) / launches * MILLION, extra)
            self.compare("  without the virtual GPU's threads, us", runs,
                         lambda run, untraced: (run.host_seconds - untraced.host_seconds) / launches * MILLION, "")

    def busy(self):
        """Threads that compute between launches, as many as processors and four times as many."""
        for threads in (2, 8):
            for mode in ("standard", "hip"):
                runs = self.interleaved(self.hip("storm", 20_000, threads, 20_000), 500, mode)
                self.compare(f"{threads} busy threads, mode {mode}, to untraced", runs,
                             lambda run, untraced: run.figure("storm") / untraced.figure("storm"), "")

    def wait(self):
        for mode, program, goal in (("auto", [self.bin / "launch_bench", "sync", 5000], "1.02"),
                                    ("hip", self.hip("sync", 5000), "1.05")):
            runs = self.interleaved(program, 5000, mode)
            self.compare(f"launch and wait, mode {mode}, to untraced", runs,
                         lambda run, untraced: run.figure("sync_p50") / untraced.figure("sync_p50"), goal)

    def start(self):
        other, self.other = self.other, None
        runs = self.interleaved([self.bin / "launch_bench", "burst", 1, 1], 500, "auto", times=False)
        self.compare("start and end of one kernel, added, ms", runs,
                     lambda run, untraced: (run.seconds - untraced.seconds) * 1000, "5", 1)
        self.compare("  processor time, ms", runs,
                     lambda run, untraced: (run.processor - untraced.processor) * 1000, "", 1)
        self.other = other

    def call(self):
        """The goal is a multiple of two calls of clock_gettime; the tracer reads the processor's counter."""
        command = [self.bin / "rtl", "trace", "--vgpu", "--mode", "hip", "--no-summary", "-o", self.database, "--",
                   self.bin / "hip_call_bench", 2000, 1]
        values = {name: [] for name in (r"one thread$.*?added", r"clock_gettime\(CLOCK_BOOTTIME\)",
                                        "the processor's counter")}
        for _ in range(self.rounds):
            output = Run(command, {}).output
            for name, each in values.items():
                each.append(float(re.search(rf"^ *{name} +([-\d.]+)", output, re.M | re.S)[1]))
        added, system, counter = values.values()
        self.print_line("HIP call that does nothing, added, ns", "", "", "", "", show(added, 1))
        for name, stamps, goal in (("clock_gettime", system, "1.5"), ("the counter", counter, "")):
            self.print_line(f"  to two reads of {name}, {statistics.median(stamps):.1f}", "", "", "", "",
                            show([more / two for more, two in zip(added, stamps)]), goal)

    def bytes(self):
        launches = 400_000
        run = self.rtl(self.hip("storm", launches, 4), 500, "hip")
        size = self.database.stat().st_size / launches
        self.print_line("trace.db, bytes a launch with its call", "", "", "", "", f"{size:.1f}", "60", "",
                        f"{run.recorded:.2f} %")

    def collector(self):
        output = Run([self.bin / "collector_bench", self.rounds], {}).output
        rates = dict(re.findall(r"^(\w+) +stored k/s (\d+ \[\d+ \.\. \d+\])", output, re.M))
        self.print_line("collector, thousand records/s", rates["again"], "", "", "", rates["free"], "4,000")
        self.print_line("  half of them calls", "", "", "", "", rates["calls"])

    def timed(self, name, arguments, goal):
        runs = [Run([self.bin / "rtl", *arguments], {}) for _ in range(2 * self.rounds)]
        noise = [again.seconds / first.seconds for first, again in zip(runs[::2], runs[1::2])]
        self.print_line(name, show(noise), "", "", "", show([run.seconds for run in runs]), goal)
        peak = subprocess.run([sys.executable, "-S", "-c", PEAK, self.bin / "rtl", *arguments], check=True,
                              capture_output=True, text=True).stdout
        return int(peak.splitlines()[-1]) / 1024

    def big_trace(self):
        trace = self.folder / "big.db"
        if not trace.exists():
            Run([self.bin / "big_trace", trace, MILLION], {})
        return trace

    def summary(self):
        self.timed("summary of 1 M kernels, s", ["summary", self.big_trace()], "0.2")

    def convert(self):
        for name, goal, most in (("chrome", "1.0", "64"), ("pftrace", "0.6", "")):
            output = self.folder / f"big.{name}"
            memory = self.timed(f"{name} of 1 M kernels, s", ["convert", self.big_trace(), "--to", name, "-o", output],
                                goal)
            self.print_line("  memory, MB", "", "", "", "", f"{memory:.0f}", most)

    def empty(self):
        Run([self.bin / "rtl", "trace", "--no-summary", "-o", self.database, "--", "true"], {})
        self.print_line("empty trace.db, bytes", "", "", "", "", f"{self.database.stat().st_size:,}", "64,000")


LINES = ("storm", "busy", "wait", "start", "call", "bytes", "collector", "summary", "convert", "empty")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--other", help="another HSA_TOOLS_LIB to compare with")
    parser.add_argument("lines", nargs="*", metavar="LINE", choices=[[], *LINES])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cost-") as folder:
        bench = Bench(options, folder)
        for line in options.lines or LINES:
            getattr(bench, line)()


if __name__ == "__main__":
    main()
