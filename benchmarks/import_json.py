#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Importing a trace in Chrome's JSON, beside reading it with Python's json. Both run in turn; medians and ranges of
processor time, and the most memory, are printed.

    import_json.py TRACE.json [--build DIR] [--runs N]
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile


def cost(command):
    """Processor seconds and most memory in MB."""
    child = os.posix_spawn(command[0], command, os.environ,
                           file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"{command} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trace")
    parser.add_argument("--build", default="build/release", type=pathlib.Path)
    parser.add_argument("--runs", default=5, type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="import-json-") as folder:
        kinds = {
            "rtl import": [str(options.build / "bin" / "rtl"), "import", options.trace, "--force", "-o", f"{folder}/t.db"],
            "json.load": [sys.executable, "-c", "import json, sys; json.load(open(sys.argv[1]))", options.trace],
        }
        results = {kind: [] for kind in kinds}
        for _ in range(options.runs):
            for kind, command in kinds.items():
                results[kind].append(cost(command))
    for kind, values in results.items():
        times = [time for time, _ in values]
        print(f"{kind:10} median {statistics.median(times):6.2f} s of processor ({min(times):.2f} to {max(times):.2f}, "
              f"n={len(times)}), {max(memory for _, memory in values):,.0f} MB")


if __name__ == "__main__":
    main()
