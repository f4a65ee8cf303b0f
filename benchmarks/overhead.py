#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of tracing a program on the virtual GPU: runs it untraced and traced, interleaved, and prints medians,
ranges and how many of the kernels that the program submitted were recorded. No threshold: read the ranges before you
believe a ratio. Exit code 1 when a kernel is neither recorded nor counted as lost.

The arm "again" repeats the first: the difference is the noise. The arm "bare" is a tool that intercepts every queue
and does nothing: it shows the cost of the runtime's interception for any tracer.
Kernels take modelled time and are not interpreted, so that the virtual GPU, which is a thread, does not dominate.

    benchmarks/overhead.py [--rounds 9] [--build build] [--mode standard] [--other LIB] [CASE...]

--other LIB adds an arm to every round: another tool loaded through HSA_TOOLS_LIB that writes a database with a
rocpd_op table to $RTL_OUTPUT.
"""
import argparse
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile

# name, arguments of launch_bench (or of the program that they begin with), modelled kernel duration in ns, the figure
# compared
CASES = [
    ("rate@1us", ["rate", "1000", "20000"], 500, "rate"),
    ("rate@2.5us", ["rate", "2500", "20000"], 500, "rate"),
    ("rate@5us", ["rate", "5000", "10000"], 500, "rate"),
    ("rate@20us", ["rate", "20000", "5000"], 500, "rate"),
    ("call p50 @5us", ["rate", "5000", "10000"], 500, "call_p50"),
    ("call p99 @5us", ["rate", "5000", "10000"], 500, "call_p99"),
    ("sync p50, 5us kernel", ["sync", "2000"], 5000, "sync_p50"),
    ("sync p99, 5us kernel", ["sync", "2000"], 5000, "sync_p99"),
    ("burst of 1001 x 0.5us", ["burst", "1001", "20"], 500, "burst_p50"),
    ("HIP wait p50, 5us", ["hip_launch_bench", "{programs}/first_kernel.co", "sync", "2000"], 5000, "sync_p50"),
    ("graph of 512 nodes", ["graph_launch_bench", "{programs}/first_kernel.co", "512", "60"], 500, "graph_p50"),
]


def figures(text):
    return {name: float(value) for name, value in (line.split() for line in text.splitlines() if line.strip())}


def run(command, environment):
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"overhead: {' '.join(map(str, command))} exited with {result.returncode}:\n{result.stderr}")
    return figures(result.stdout)


def coverage(database):
    with sqlite3.connect(database) as connection:
        tags = dict(connection.execute("SELECT tag, value FROM rocpd_metadata"))
    return int(tags["recorded.kernels"]), int(tags["submitted.kernels"])


def show(values):
    return f"{statistics.median(values):,.0f} [{min(values):,.0f}..{max(values):,.0f}]"


def rows(database):
    with sqlite3.connect(database) as connection:
        return connection.execute("SELECT count(*) FROM rocpd_op WHERE queueId > 0").fetchone()[0]


class Bench:
    """The ways to run one command; each returns its figures and, when traced, (recorded, submitted); `submitted` of another tool
    is None."""

    def __init__(self, options, folder):
        build = options.build.resolve()
        self.folder, self.rtl, self.vgpu = build / "bin", build / "bin/rtl", build / "bin/vgpu"
        self.bare = build / "lib/libbare_interception.so"
        self.mode, self.other = options.mode, options.other
        self.database = os.path.join(folder, "trace.db")

    def program(self, arguments):
        own = arguments[0].endswith("_bench")
        rest = [argument.format(programs=self.folder / "programs") for argument in arguments[own:]]
        return [self.folder / (arguments[0] if own else "launch_bench"), *rest]

    def untraced(self, arguments, kernel_ns, **environment):
        command = [self.vgpu, "run", "--no-execute", "--dispatch-ns", str(kernel_ns), "--",
                   *self.program(arguments)]
        return run(command, dict(os.environ, **environment)), None

    def bare_interception(self, arguments, kernel_ns):
        return self.untraced(arguments, kernel_ns, HSA_TOOLS_LIB=str(self.bare))

    def traced(self, arguments, kernel_ns):
        environment = dict(os.environ, VGPU_DISPATCH_NS=str(kernel_ns), VGPU_EXECUTE="0")
        command = [self.rtl, "trace", "--vgpu", "--mode", self.mode, "-o", self.database, "--",
                   *self.program(arguments)]
        return run(command, environment), coverage(self.database)

    def other_tool(self, arguments, kernel_ns):
        for leftover in pathlib.Path(self.database).parent.glob("other.db*"):
            leftover.unlink()
        database = os.path.join(os.path.dirname(self.database), "other.db")
        figures_of_run, _ = self.untraced(
            arguments, kernel_ns, HSA_TOOLS_LIB=self.other, RTL_OUTPUT=database, RTL_MODE=self.mode)
        return figures_of_run, (rows(database), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--mode", default="standard")
    parser.add_argument("--other", help="another HSA_TOOLS_LIB to compare with")
    parser.add_argument("cases", nargs="*", help="names of cases; all when none is given")
    options = parser.parse_args()
    chosen = [case for case in CASES if not options.cases or case[0] in options.cases]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        arms = {"untraced": bench.untraced, "again": bench.untraced, "bare": bench.bare_interception,
                "rtl": bench.traced}
        if options.other:
            arms["other"] = bench.other_tool
        print(f"mode {options.mode}, {options.rounds} interleaved rounds, median [min..max]")
        print(f"{'case':24}{'arm':10}{'figure':>36}{'to untraced':>26}  recorded of the submitted kernels")
        balanced = [measure(case, arms, options.rounds) for case in chosen]
    sys.exit(0 if all(balanced) else 1)


def measure(case, arms, rounds):
    name, arguments, kernel_ns, figure = case
    values = {arm: [] for arm in arms}
    ratios = {arm: [] for arm in arms}
    recorded = {arm: 0 for arm in arms}
    submitted = {arm: 0 for arm in arms}
    unaccounted = 0
    for _ in range(rounds):
        for arm, execute in arms.items():
            figures_of_run, counts = execute(arguments, kernel_ns)
            values[arm].append(figures_of_run[figure])
            ratios[arm].append(figures_of_run[figure] / values["untraced"][-1])
            if counts:
                recorded[arm] += counts[0]
                submitted[arm] += figures_of_run["submitted"]
                unaccounted += abs(figures_of_run["submitted"] - counts[1]) if counts[1] is not None else 0
    for arm in arms:
        line = f"{name:24}{arm:10}{show(values[arm]):>36}"
        if arm != "untraced":
            line += f"{statistics.median(ratios[arm]):.3f} [{min(ratios[arm]):.3f}..{max(ratios[arm]):.3f}]".rjust(26)
        if submitted[arm]:
            line += f"  {100 * recorded[arm] / submitted[arm]:.2f} % of {submitted[arm]:,.0f}"
        print(line, flush=True)
    if unaccounted:
        print(f"{name:24}{unaccounted:,.0f} kernels are neither recorded nor counted as lost")
    return unaccounted == 0


if __name__ == "__main__":
    main()
