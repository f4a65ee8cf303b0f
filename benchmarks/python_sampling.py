#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What rtl trace --python costs a Python program: its time, and the longest moment in which it did not run.

The program computes on one thread and looks at the clock all the time. It runs in turn under `rtl trace` and under
`rtl trace --python`; medians and ranges are printed.

    python_sampling.py [--build DIR] [--runs N] [--hz HZ]
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

PROGRAM = """
import time
begin = last = time.perf_counter_ns()
longest = steps = 0
while steps < 30_000_000:
    now = time.perf_counter_ns()
    if now - last > longest and now - begin > 500_000_000:
        longest = now - last
    last = now
    steps += 1
print((last - begin) / 1e9, longest / 1e6)
"""


def run(rtl, folder, options):
    command = [rtl, "trace", "--no-summary", "--force", "-o", folder / "t.db", *options, "--", sys.executable, "-c",
               PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release", type=pathlib.Path)
    parser.add_argument("--runs", default=7, type=int)
    parser.add_argument("--hz", default=100, type=int)
    options = parser.parse_args()
    kinds = {"rtl trace": [], f"rtl trace --python={options.hz}": [f"--python={options.hz}"]}
    results = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory(prefix="python-sampling-") as folder:
        for _ in range(options.runs):
            for kind, words in kinds.items():
                results[kind].append(run(options.build / "bin" / "rtl", pathlib.Path(folder), words))
    for kind, values in results.items():
        for name, unit, column in (("time", "s", 0), ("longest pause", "ms", 1)):
            each = [value[column] for value in values]
            print(f"{kind:24} {name:14} median {statistics.median(each):8.3f} {unit:2} "
                  f"({min(each):.3f} to {max(each):.3f}, n={len(each)})")


if __name__ == "__main__":
    main()
