#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What rtl trace --python costs a Python program: its time, and the moments in which it did not run.

The program looks at the clock all the time and counts how long each look takes. It runs in turn under `rtl trace`, under
`rtl trace --python`, and, to see what a sampler that stops the program does, beside a py-spy that does. Medians and
ranges over the runs are printed: of the time, of the half of the looks, of 99 and 99.99 of 100 and of the longest one,
and how many took more than 1 ms. On a machine with other work the scheduler makes pauses, too; *stops* are those in
which the program neither ran nor waited for a processor.

    python_sampling.py [--build DIR] [--runs N] [--hz HZ]
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = """
import resource, time
now = time.perf_counter_ns
def waited():  # for a processor
    return int(open("/proc/thread-self/schedstat").read().split()[1])
def slept():  # times
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
before = waited(), slept(), time.thread_time_ns()
counts, longer = [0] * 4096, []  # up to 4 us by ns, and the others
begin = last = now()
for step in range(8_000_000):
    time_ns = now()
    gap = time_ns - last
    if gap < 4096:
        counts[gap] += 1
    else:
        longer.append(gap)
    last = time_ns
ran, sleeps, waits = time.thread_time_ns() - before[2], slept() - before[1], waited() - before[0]

def quantile(part):
    at = int(part * 8_000_000)
    for gap, count in enumerate(counts):
        at -= count
        if at < 0:
            return gap
    return sorted(longer)[at]

print((last - begin) / 1e9, quantile(0.5), quantile(0.99), quantile(0.9999) / 1e3, max(longer) / 1e6,
      sum(gap > 1_000_000 for gap in longer), sleeps, (last - begin - ran - waits) / 1e6)
"""
COLUMNS = (("time", "s"), ("half of the looks", "ns"), ("99 of 100", "ns"), ("99.99 of 100", "us"), ("longest", "ms"),
           ("longer than 1 ms", ""), ("stops", ""), ("stopped", "ms"))


def run(rtl, folder, options, py_spy):
    command = [rtl, "trace", "--no-summary", "--force", "-o", folder / "t.db", *options, "--", sys.executable, "-c",
               PROGRAM]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if py_spy:
        sampler = subprocess.Popen([*py_spy, "--pid", python_below(program.pid), "--output", folder / "spy.json"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    out, _ = program.communicate()
    if py_spy:
        sampler.wait()
    return [float(word) for word in out.split()]


def python_below(process):
    """The first descendant that runs Python."""
    while True:
        rest = [str(process)]
        while rest:
            one = rest.pop()
            try:
                name = pathlib.Path(f"/proc/{one}/exe").readlink().name
                for task in pathlib.Path(f"/proc/{one}/task").iterdir():
                    rest += (task / "children").read_text().split()
            except OSError:
                continue
            if name.startswith("python"):
                return one
        time.sleep(0.01)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release", type=pathlib.Path)
    parser.add_argument("--runs", default=7, type=int)
    parser.add_argument("--hz", default=100, type=int)
    options = parser.parse_args()
    stopping = [shutil.which("py-spy", path=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}") or "py-spy",
                "record", "--idle", "--threads", "--rate", str(options.hz), "--format", "chrometrace"]
    kinds = {"rtl trace": ([], None), f"rtl trace --python={options.hz}": ([f"--python={options.hz}"], None),
             "py-spy that stops the program": ([], stopping)}
    results = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory(prefix="python-sampling-") as folder:
        for _ in range(options.runs):
            for kind, (words, py_spy) in kinds.items():
                results[kind].append(run(options.build / "bin" / "rtl", pathlib.Path(folder), words, py_spy))
    for kind, values in results.items():
        for i, (name, unit) in enumerate(COLUMNS):
            each = [value[i] for value in values]
            print(f"{kind:30} {name:18} {statistics.median(each):9.3f} {unit:2} [{min(each):.3f} .. {max(each):.3f}]"
                  f"  n={len(each)}")


if __name__ == "__main__":
    main()
