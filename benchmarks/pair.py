#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of a trace and a tool of librocprofiler-sdk.so.1 in one process, against each of them alone. Kernels:
launch_bench with `--host-ns` of host work per launch measures the time of a launch. Calls: hip_call_bench with one
thread, on a HIP whose functions do nothing, measures the time that is added to a call; with a tool that gets
callbacks, and with one that gets records with times. Programs: kernel_flood on HIP 5.2 launches as fast as it can, and
every HIP call is reported to both; the wall time of a launch. Rounds are interleaved; medians and ranges; no threshold.

    benchmarks/pair.py [--rounds 7] [--build build/release]

of dearer  the pair's added time divided by that of the dearer of the two in the same round
reported   the share of the submitted events that the trace and the tool have
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


def show(values, digits):
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f} .. {max(values):.{digits}f}]"


class Bench:
    """One program: `value` finds what it measured, None: the wall time of one of `submitted` events."""

    def __init__(self, options, folder, program, tool, mode, value, submitted, count):
        build = options.build.resolve()
        self.lib, self.bin, self.database = build / "lib", build / "bin", pathlib.Path(folder) / "trace.db"
        self.program, self.tool, self.mode, self.value = [self.bin / program[0], *program[1:]], tool, mode, value
        self.submitted, self.count = submitted, count

    def run(self, trace=False, tool=False):
        variables = {}
        if tool:
            variables = {"HSA_TOOLS_LIB": str(self.lib / "librocprofiler-sdk.so.1"), "NULL_TOOL": self.tool,
                         "ROCP_TOOL_LIBRARIES": str(self.lib / "libnull_tool.so")}
        if trace:
            command = [self.bin / "rtl", "trace", "--vgpu", "--mode", self.mode, "--no-summary", "-o", self.database,
                       "--"]
        else:
            command = []
            variables["LD_PRELOAD"] = ":".join(str(self.lib / name) for name in ("libvgpu.so", "librtl_hip.so"))
        began = time.monotonic()
        done = subprocess.run([*command, *self.program], env=dict(os.environ, **variables), capture_output=True,
                              text=True)
        seconds = time.monotonic() - began
        if done.returncode != 0:
            sys.exit(f"pair: {self.program[0]} exited with {done.returncode}\n{done.stderr}")
        reported = []
        if trace:
            with sqlite3.connect(self.database) as database:
                reported.append(database.execute(self.count).fetchone()[0])
        if tool:
            reported.append(int(re.search(r"null_tool: (\d+) ", done.stderr)[1]))
        value = self.value(done.stdout) if self.value else 1e9 * seconds / self.submitted
        return value, min((100 * min(each / self.submitted, 1) for each in reported), default=100)


def report(name, bench, rounds):
    arms = {"untraced": {}, "untraced again (noise)": {}, "trace": {"trace": True}, "tool": {"tool": True},
            "both": {"trace": True, "tool": True}}
    results = [{arm: bench.run(**how) for arm, how in arms.items()} for _ in range(rounds)]
    print(f"{name}: {rounds} rounds, median [range]\n{'':24}{'ns':30}{'added':30}{'of dearer':22}reported")
    for arm in arms:
        taken = [each[arm][0] for each in results]
        added = [each[arm][0] - each["untraced"][0] for each in results]
        ratio = [more / max(each["trace"][0], each["tool"][0]) if arm == "both" else 0
                 for more, each in zip(taken, results)]
        reported = [each[arm][1] for each in results]
        print(f"{arm:24}{show(taken, 1):30}{show(added, 1):30}"
              f"{show(ratio, 2) if arm == 'both' else '':22}{min(reported):.2f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--host-ns", type=int, default=2500)
    options = parser.parse_args()
    launches, batches = 60000, 2000
    with tempfile.TemporaryDirectory(prefix="pair-") as folder:
        kernels = Bench(options, folder, ["launch_bench", "rate", str(options.host_ns), str(launches)], "kernels",
                        "auto",
                        lambda out: 1e9 / float(re.search(r"^rate ([\d.]+)", out, re.M)[1]), launches + 100,
                        "SELECT count(*) FROM rocpd_op WHERE queueId > 0")
        report("kernels, a launch", kernels, options.rounds)
        added = re.compile(r"^one thread$.*?^ +added +([-\d.]+)", re.M | re.S)
        for tool in ("callback", "buffer"):
            calls = Bench(options, folder, ["hip_call_bench", str(batches), "1"], tool, "hip",
                          lambda out: float(added.search(out)[1]), 2 * batches * 100,
                          "SELECT count(*) FROM rocpd_api JOIN rocpd_string s ON s.id = apiName_id"
                          " WHERE s.string = 'hipGetDevice'")
            report(f"HIP calls, more than by address, a tool with a {tool}", calls, options.rounds)
            flood = Bench(options, folder, ["programs/kernel_flood", str(launches)], tool, "hip", None, launches,
                          "SELECT count(*) FROM rocpd_api JOIN rocpd_string s ON s.id = apiName_id"
                          " WHERE s.string = 'hipLaunchKernel'")
            report(f"kernel_flood, a tool with a {tool}", flood, options.rounds)


if __name__ == "__main__":
    main()
