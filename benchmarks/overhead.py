#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tracing costs a program on the virtual GPU: runs it untraced and traced, interleaved, and prints medians, ranges
and coverage. No threshold: read the ranges before you believe a ratio.

    benchmarks/overhead.py [--rounds 9] [--build build] [--mode standard] [CASE...]
"""
import argparse
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile

# name, arguments of launch_bench, modelled kernel duration in ns, the figure compared, True when bigger is better
CASES = [
    ("rate@1us", ["rate", "1000", "20000"], 0, "rate", True),
    ("rate@2.5us", ["rate", "2500", "20000"], 0, "rate", True),
    ("rate@5us", ["rate", "5000", "10000"], 0, "rate", True),
    ("rate@20us", ["rate", "20000", "5000"], 0, "rate", True),
    ("call p50 @5us", ["rate", "5000", "10000"], 0, "call_p50", False),
    ("call p99 @5us", ["rate", "5000", "10000"], 0, "call_p99", False),
    ("sync p50, 5us kernel", ["sync", "2000"], 5000, "sync_p50", False),
    ("sync p99, 5us kernel", ["sync", "2000"], 5000, "sync_p99", False),
    ("burst of 1001 x 0.5us", ["burst", "1001", "20"], 500, "burst_p50", False),
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
    return int(tags["recorded.kernels"]), int(tags["seen.kernels"])


def show(values):
    return f"{statistics.median(values):,.0f} [{min(values):,.0f}..{max(values):,.0f}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--mode", default="standard")
    parser.add_argument("cases", nargs="*", help="names of cases; all when none is given")
    options = parser.parse_args()
    binaries = options.build.resolve() / "bin"
    bench, rtl, vgpu = binaries / "launch_bench", binaries / "rtl", binaries / "vgpu"
    chosen = [case for case in CASES if not options.cases or case[0] in options.cases]

    print(f"{'case':24}{'untraced':>32}{'traced (' + options.mode + ')':>32}{'traced/untraced':>26}  coverage")
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "trace.db")
        for name, arguments, kernel_ns, figure, _ in chosen:
            environment = dict(os.environ, VGPU_DISPATCH_NS=str(kernel_ns))
            plain, traced, ratios, recorded, seen = [], [], [], 0, 0
            for _ in range(options.rounds):
                a = run([vgpu, "run", "--dispatch-ns", str(kernel_ns), "--", bench, *arguments], environment)[figure]
                b = run([rtl, "trace", "--vgpu", "--mode", options.mode, "-o", database, "--", bench, *arguments],
                        environment)[figure]
                got, all_of_them = coverage(database)
                recorded, seen = recorded + got, seen + all_of_them
                plain.append(a)
                traced.append(b)
                ratios.append(b / a)
            ratio = f"{statistics.median(ratios):.3f} [{min(ratios):.3f}..{max(ratios):.3f}]"
            share = f"{100 * recorded / seen:.2f} % of {seen:,}" if seen else "no kernels"
            print(f"{name:24}{show(plain):>32}{show(traced):>32}{ratio:>26}  {share}", flush=True)


if __name__ == "__main__":
    main()
