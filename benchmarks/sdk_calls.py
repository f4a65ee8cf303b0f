#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of a call of HIP under a tool of librocprofiler-sdk.so.1 that does nothing, against the same call recorded
by rtl in mode hip: hip_call_bench with one thread, on a HIP whose functions do nothing. Rounds are interleaved; medians
and ranges; no threshold.

    benchmarks/sdk_calls.py [--rounds 7] [--build build/release] [--batches 4000]

added     ns more than the same call by its address, which cannot be interposed: the median of each run's batches
"of rtl"  the same divided by rtl's of the same round
reported  calls by symbol that the tool got, or that are in the trace
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

CALLS_OF_A_BATCH = 100


def show(values, digits):
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f} .. {max(values):.{digits}f}]"


class Bench:
    def __init__(self, options, folder):
        build = options.build.resolve()
        self.rtl, self.program = build / "bin/rtl", [build / "bin/hip_call_bench", str(options.batches), "1"]
        self.lib, self.database = build / "lib", pathlib.Path(folder) / "trace.db"
        # hip_call_bench measures one thread, and then the given number of threads: here one again.
        self.expected = 2 * options.batches * CALLS_OF_A_BATCH

    def run(self, command, **variables):
        result = subprocess.run(command, env=dict(os.environ, **variables), capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"sdk_calls: {command[0]} exited with {result.returncode}\n{result.stderr}")
        added = re.search(r"^one thread$.*?^ +added +([-\d.]+)", result.stdout, re.MULTILINE | re.DOTALL)
        return float(added[1]), result.stderr

    def recorded(self):
        added, _ = self.run([self.rtl, "trace", "--vgpu", "--mode", "hip", "--no-summary", "-o", self.database, "--",
                             *self.program])
        with sqlite3.connect(self.database) as trace:
            reported = trace.execute("SELECT count(*) FROM rocpd_api JOIN rocpd_string s ON s.id = apiName_id"
                                     " WHERE s.string = 'hipGetDevice'").fetchone()[0]
        return added, reported / self.expected

    def with_tool(self, what):
        preload = ":".join(str(self.lib / name) for name in ("libvgpu.so", "librtl_hip.so"))
        added, said = self.run(self.program, LD_PRELOAD=preload, NULL_TOOL=what,
                               HSA_TOOLS_LIB=str(self.lib / "librocprofiler-sdk.so.1"),
                               ROCP_TOOL_LIBRARIES=str(self.lib / "libnull_tool.so"))
        reported = re.search(r"null_tool: (\d+) calls", said)
        return added, int(reported[1]) / self.expected if reported else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--batches", type=int, default=4000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sdk_calls-") as folder:
        bench = Bench(options, folder)
        arms = {
            "rtl --mode hip": bench.recorded,
            "rtl again (noise)": bench.recorded,
            "tool, callbacks": lambda: bench.with_tool("callback"),
            "tool, buffer": lambda: bench.with_tool("buffer"),
        }
        rounds = [{name: arm() for name, arm in arms.items()} for _ in range(options.rounds)]
    print(f"{options.rounds} rounds, median [range]\n{'':20}{'added ns':26}{'of rtl':22}reported")
    for name in arms:
        added = [results[name][0] for results in rounds]
        ratio = [results[name][0] / results["rtl --mode hip"][0] for results in rounds]
        reported = [100 * results[name][1] for results in rounds]
        print(f"{name:20}{show(added, 1):26}{show(ratio, 2):22}{show(reported, 2)} %")


if __name__ == "__main__":
    main()
