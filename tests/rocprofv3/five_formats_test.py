#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One run of rocprofv3 --sys-trace in all five formats, on each ROCm runtime: every format has as many events of each
kind as the others.

    RTL_BUILD=build/release five_formats_test.py [--runtimes 6.1,7.2]
"""

import collections
import csv
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import pftrace

BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
RUNTIME_TOOL = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "runtime"
RUNTIMES = [name for name in sys.argv[sys.argv.index("--runtimes") + 1].split(",") if name] if "--runtimes" in sys.argv else []

# The kinds, as JSON and OTF2 call them: the file of CSV.
KINDS = {"kernel_dispatch": "kernel_trace", "hip_api": "hip_api_trace", "hsa_api": "hsa_api_trace",
         "marker_api": "marker_api_trace", "memory_copy": "memory_copy_trace", "rccl_api": "rccl_api_trace",
         "memory_allocation": "memory_allocation_trace", "scratch_memory": "scratch_memory_trace"}
# What rocpd calls them, and in which view.
ROCPD = {"kernel_dispatch": ("kernels", "KERNEL_DISPATCH"), "hip_api": ("regions", "HIP_%"),
         "hsa_api": ("regions", "HSA_%"), "marker_api": ("regions_and_samples", "MARKER_%"),
         "memory_copy": ("memory_copies", "MEMORY_COPY"), "rccl_api": ("regions", "RCCL_%"),
         "memory_allocation": ("memory_allocations", "MEMORY_ALLOCATION"),
         "scratch_memory": ("scratch_memory", "SCRATCH_MEMORY")}


def rows_of(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def in_csv(folder):
    return {kind: len(rows_of(folder / f"run_{name}.csv")) for kind, name in KINDS.items()}


def in_json(folder):
    (tool,) = json.loads((folder / "run_results.json").read_text())["rocprofiler-sdk-tool"]
    return {kind: len(tool["buffer_records"][kind]) for kind in KINDS}


def in_pftrace(folder):
    slices, _ = pftrace.read(folder / "run_results.pftrace")
    counts = collections.Counter(category for category, _, _ in slices)
    return {kind: counts[kind] for kind in KINDS}


def in_otf2(folder):
    printed = subprocess.run(["otf2-print", folder / "run_results.otf2"], capture_output=True, text=True, timeout=100)
    assert (printed.returncode, printed.stderr) == (0, ""), printed.stderr
    counts = collections.Counter(re.findall(r'\("category" <0>; STRING; "(\w+)" <\d+>\)', printed.stdout))
    counts["marker_api"] += counts.pop("marker_api_mark", 0)
    assert sum(counts.values()) == len(re.findall("^ENTER ", printed.stdout, re.MULTILINE))
    return {kind: counts[kind] for kind in KINDS}


def in_rocpd(folder):
    with sqlite3.connect(f"file:{folder / 'run_results.db'}?mode=ro", uri=True) as database:
        return {kind: database.execute(f"SELECT count(*) FROM {view} WHERE category LIKE ?", (category,)).fetchone()[0]
                for kind, (view, category) in ROCPD.items()}


class FiveFormats(unittest.TestCase):
    def counts_of(self, runtime, program):
        prefix = [RUNTIME_TOOL, "exec", runtime, "--"] if runtime else []
        env = {name: value for name, value in os.environ.items() if not name.startswith(("ROCPROF", "RTL_", "SLURM"))}
        programs = BUILD / "bin" / (f"programs-{runtime}" if runtime else "programs")
        with tempfile.TemporaryDirectory(prefix="five-formats-") as name:
            folder = pathlib.Path(name)
            done = subprocess.run([*prefix, BUILD / "bin" / "rocprofv3", "--vgpu", "--sys-trace", "-f", "csv", "json",
                                   "pftrace", "otf2", "rocpd", "-d", folder, "-o", "run", "--", programs / program],
                                  env=env, capture_output=True, text=True, timeout=200)
            self.assertEqual(done.returncode, 0, done.stderr)
            return {read.__name__: read(folder) for read in (in_csv, in_json, in_pftrace, in_otf2, in_rocpd)}

    def test_every_runtime_has_equal_counts_in_all_five(self):
        for runtime in (None, *RUNTIMES):
            if runtime and subprocess.run([RUNTIME_TOOL, "root", runtime], capture_output=True).returncode != 0:
                print(f"SKIPPED: runtime {runtime} is not here")
                continue
            for program in ("stream_gemm", "scratch"):
                with self.subTest(runtime=runtime or "the host's", program=program):
                    counts = self.counts_of(runtime, program)
                    for name, found in counts.items():
                        self.assertEqual(found, counts["in_csv"], name)
                    wanted = {"kernel_dispatch", "hip_api", "hsa_api", "memory_allocation"}
                    wanted |= {"marker_api"} if program == "stream_gemm" else set()
                    wanted |= {"scratch_memory"} if program == "scratch" and runtime else set()
                    self.assertEqual({kind for kind in wanted if counts["in_csv"][kind] == 0}, set())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
