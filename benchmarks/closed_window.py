#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a profiler costs that is in the process: libnull_tool.so with the services that frameworks' profilers request
(kernels, copies, calls of HIP, code objects), its window never opened ("closed") and open from the start ("open"; with
calls by callback, as PyTorch's Kineto requests them, "kineto"), against the untraced program, the untraced program
again ("again", the noise) and `rtl trace --mode hip` ("trace").
Rounds are interleaved; medians and ranges of the ratios to untraced of the same round; no threshold. Exit code 1 when a
kernel is missing.

    benchmarks/closed_window.py [--runtime 7.14] [--rounds 11] [--build build/release] [CASE...]

wall  time of the measured part
host  processor time of the process in that part, without the threads that stand for the GPU
least the lowest of `host`, to the lowest of untraced: what a loaded machine disturbs least
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

CASES = {
    "storm of 1 thread": ["storm", "200000", "1"],
    "storm of 4 threads": ["storm", "200000", "4"],
    "launch and wait": ["sync", "50000"],
    "graph of 500 nodes, 200 times": ["graph", "500", "200"],
}


def show(values):
    return f"{statistics.median(values):.2f} [{min(values):.2f} .. {max(values):.2f}]"


class Bench:
    def __init__(self, options, folder):
        build = options.build.resolve()
        self.lib, self.bin, self.database = build / "lib", build / "bin", pathlib.Path(folder) / "trace.db"
        self.programs = self.bin / (f"programs-{options.runtime}" if options.runtime else "programs")
        runtime = pathlib.Path(__file__).resolve().parent.parent / "scripts/runtime"
        self.prefix = [runtime, "exec", options.runtime, "--"] if options.runtime else []

    def run(self, command, **variables):
        result = subprocess.run([*self.prefix, *command], env=dict(os.environ, VGPU_EXECUTE="0", **variables),
                                capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"closed_window: {' '.join(map(str, command))} exited with {result.returncode}\n{result.stderr}")
        figures = {name: float(value) for name, value in re.findall(r"^(\w+) (\d+)$", result.stdout, re.MULTILINE)}
        return figures, result.stderr

    def program(self, arguments):
        return [self.bin / "vgpu", "run", "--no-execute", "--", self.programs / "window_program", *arguments]

    def untraced(self, arguments):
        figures, _ = self.run(self.program(arguments))
        return figures, None

    def with_tool(self, arguments, window):
        library = str(self.lib / "librocprofiler-sdk.so.1")
        figures, said = self.run(self.program(arguments), HSA_TOOLS_LIB=library, NULL_TOOL=window,
                                 ROCPROFILER_REGISTER_LIBRARY=library,
                                 ROCP_TOOL_LIBRARIES=str(self.lib / "libnull_tool.so"))
        return figures, int(re.search(r"null_tool: (\d+) kernels", said)[1])

    def trace(self, arguments):
        figures, _ = self.run([self.bin / "rtl", "trace", "--vgpu", "--mode", "hip", "--no-summary", "-o", self.database,
                               "--", *self.program(arguments)[4:]])
        with sqlite3.connect(self.database) as trace:
            return figures, trace.execute("SELECT count(*) FROM rocpd_op WHERE queueId > 0").fetchone()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", help="one of scripts/runtime; without it this machine's own")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("cases", nargs="*", help="names of cases; all when none is given")
    options = parser.parse_args()
    missing = 0
    with tempfile.TemporaryDirectory(prefix="closed_window-") as folder:
        bench = Bench(options, folder)
        arms = {
            "untraced": bench.untraced,
            "again": bench.untraced,
            "closed": lambda arguments: bench.with_tool(arguments, "closed"),
            "open": lambda arguments: bench.with_tool(arguments, "window"),
            "kineto": lambda arguments: bench.with_tool(arguments, "kineto"),
            "trace": bench.trace,
        }
        print(f"HIP {options.runtime or 'of this machine'}, {options.rounds} rounds, to untraced: median [range]")
        for case, arguments in CASES.items():
            if options.cases and case not in options.cases:
                continue
            results = []
            for _ in range(options.rounds):
                results.append({arm: run(arguments) for arm, run in arms.items()})
            first = results[0]["untraced"][0]
            each = first["wall"] / (first["submitted"] if arguments[0] != "graph" else float(arguments[2]))
            print(f"\n{case} ({each / 1000:.2f} us each in the first untraced run)\n"
                  f"{'':12}{'wall':24}{'host':24}{'least':8}kernels got of those submitted")
            for arm in arms:
                of = {name: [round_[arm][0][name] / round_["untraced"][0][name] for round_ in results]
                      for name in ("wall", "host")}
                got = [round_[arm][1] for round_ in results]
                submitted = int(first["submitted"])
                expected = 0 if arm == "closed" else submitted
                told = "" if got[0] is None else f"{min(got)} .. {max(got)} of {expected}"
                missing += sum(1 for count in got if count is not None and count != expected)
                least = [min(round_[each][0]["host"] for round_ in results) for each in (arm, "untraced")]
                print(f"{arm:12}{show(of['wall']):24}{show(of['host']):24}{least[0] / least[1]:<8.2f}{told}",
                      flush=True)
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
