#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long one trace takes to analyze: analyze, summary, diff and Chrome's JSON, and rocm-trace-lite's
`summary` and `convert` of the same rows. Rounds are interleaved; medians and ranges; no
threshold.

    benchmarks/analyze.py [--rounds 5] [--build build/release] [--kernels 10000000] [--calls] [--other CHECKOUT]

wall    s, from the start to the end of the command
user    s, of processor time, including the system's
MB      peak memory
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def show(values, digits=2):
    return f"{statistics.median(values):,.{digits}f} [{min(values):,.{digits}f} .. {max(values):,.{digits}f}]"


def measure(command, **more):
    """Wall time, processor time and peak memory of a command whose output is discarded."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode != 0:
        raise RuntimeError(f"{command}: {said.decode(errors='replace')}")
    return time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--kernels", type=int, default=10_000_000)
    parser.add_argument("--calls", action="store_true", help="with the HIP call of each kernel")
    parser.add_argument("--other", type=pathlib.Path, help="a checkout of rocm-trace-lite")
    parser.add_argument("--only", default="", help="arms whose name has this word")
    options = parser.parse_args()
    programs = options.build.resolve() / "bin"
    rtl = programs / "rtl"
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.db"
        calls = ["calls"] if options.calls else []
        subprocess.run([programs / "big_trace", trace, str(options.kernels), *calls], check=True)
        arms = {
            "analyze": [rtl, "analyze", trace],
            "summary": [rtl, "summary", trace],
            "diff": [rtl, "diff", trace, trace],
            "chrome": [rtl, "convert", trace, "--to", "chrome", "-o", "-"],
        }
        if options.other:
            other = [sys.executable, "-m", "rocm_trace_lite.cli"]
            arms["rocm-trace-lite summary"] = [*other, "summary", trace]
            arms["rocm-trace-lite convert"] = [*other, "convert", trace, "-o", pathlib.Path(folder) / "other.json"]
        arms = {name: command for name, command in arms.items() if options.only in name}
        env = os.environ | ({"PYTHONPATH": str(options.other.resolve())} if options.other else {})
        taken = {name: [] for name in arms}
        for _ in range(options.rounds):
            for name, command in arms.items():
                taken[name].append(measure(command, env=env))
        print(f"{options.rounds} rounds of {options.kernels:,} kernels{' and their calls' if options.calls else ''}: "
              f"{trace.stat().st_size / 1e6:,.0f} MB")
        for name, values in taken.items():
            wall, user, memory = zip(*values)
            print(f"{name}: wall {show(wall)}, user {show(user)}, {show(memory, 0)} MB")


if __name__ == "__main__":
    main()
