#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares counters of the virtual GPU with those that AMD recorded on real GPUs.

The repository of rocprofiler-compute has what its sample `vcopy` counted on an MI200, an MI300A and an MI300X: a copy
of 1,048,576 doubles by workgroups of 256, in some forty recordings of each GPU. The same sample is compiled here,
unchanged, and every counter that is in the recordings and that the virtual GPU models is read. Neither the sample nor
a recording is a part of this project: they are fetched.

    tests/real/recorded_counters.py --build build/release
    tests/real/recorded_counters.py --source ~/rocm-systems      a clone that is here already

Prints, for each GPU, how many counters are equal and those that are not. A time may differ, as none is modelled
after hardware, and so may requests of L2, of which other units than the kernel's make some. Exit code 1: another
counter differs. 77: the recordings or the runtime are not available here."""

import argparse
import collections
import csv
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

import upstream

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
RUNTIME = "7.2"
IN_REPOSITORY = "projects/rocprofiler-compute"
SAMPLE = "sample/vcopy.cpp"
ELEMENTS, WORKGROUP = "1048576", "256"
# By GPU: the recordings' names. A value is equal that one of these GPUs has.
GPUS = {"90a": ("MI200",), "942": ("MI300A_A1", "MI300X_A1")}
COUNTER = re.compile(r"((?:SQ|SQC|TA|TD|TCP|TCC|SPI|GRBM)_\w+?)(_sum)?(\[\d+\])?")
SUMMED = re.compile("(TA|TD|TCP|TCC)_")
# In clock cycles, or in quads with the waits among them.
TIMES = re.compile(r"GRBM_|TA_TA_BUSY|SQ_BUSY|SQ_WAIT|SQ_WAVE_CYCLES|SQ_LEVEL|SQ_INST_LEVEL")
AT_ONCE = {"SQ": 8, "SQC": 8, "TCP": 4, "TCC": 4}  # others: 2


def recordings(source, model):
    """By counter: the least and the greatest value."""
    values = collections.defaultdict(list)
    for path in source.glob(f"{IN_REPOSITORY}/tests/workloads/*/{model}/pmc_perf.csv"):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if (row["Grid_Size"], row["Workgroup_Size"]) != (ELEMENTS, WORKGROUP) or \
                   not row["Kernel_Name"].startswith("vecCopy("):
                    continue
                instances = collections.Counter()
                for name, value in row.items():
                    match = COUNTER.fullmatch(name or "")
                    if not match or not re.fullmatch(r"[\d.]+", value or ""):
                        continue
                    if match[3]:
                        instances[match[1]] += float(value)
                    else:
                        values[match[1]].append(float(value))
                for name, value in instances.items():
                    values[name].append(value)
    return {name: (min(found), max(found)) for name, found in values.items()}


class Machine:
    def __init__(self, build, gfx, folder):
        self.build, self.folder = build, folder
        self.env = dict(os.environ, VGPU_GFX=gfx, RTL_RUNTIME_BIND=f"{folder} {build}")

    def run(self, *command):
        return subprocess.run([RUNTIME_TOOL, "exec", RUNTIME, "--", *command], env=self.env, cwd=self.folder,
                              capture_output=True, text=True, check=False)

    def read(self, counters):
        """What the virtual GPU counts, without what it does not model."""
        trace = self.folder / "trace.db"
        names = ",".join(name + ("_sum" if SUMMED.match(name) else "") for name in counters)
        done = self.run(self.build / "bin" / "rtl", "trace", "--vgpu", "--force", "--no-summary", "-o", trace, "--pmc",
                        names, "--", self.folder / "vcopy", "-n", ELEMENTS, "-b", WORKGROUP, "-i", "1")
        if done.returncode != 0:
            return {}  # one that this GPU does not have
        with sqlite3.connect(trace) as database:
            return {name.removesuffix("_sum"): value for name, value in
                    database.execute("SELECT name, value FROM rtl_counter WHERE not_modelled = 0")}


def groups(names):
    of_block = collections.defaultdict(list)
    for name in sorted(names):
        of_block[name.partition("_")[0]].append(name)
    for block, found in of_block.items():
        size = AT_ONCE.get(block, 2)
        yield from (found[i:i + size] for i in range(0, len(found), size))


def compare(source, build, gfx, models, folder):
    """The line of the table, and names of counters that differ without a reason."""
    recorded = [recordings(source, model) for model in models]
    common = set.intersection(*(set(of_model) for of_model in recorded))
    machine = Machine(build, gfx, folder)
    compiled = machine.run("hipcc", f"--offload-arch=gfx{gfx}", "-O3", "-x", "hip", source / IN_REPOSITORY / SAMPLE,
                           "-o", folder / "vcopy")
    if compiled.returncode != 0:
        raise upstream.Unavailable(f"the sample does not compile: {compiled.stderr.strip()[-200:]}")
    ours = {}
    for group in groups(common):
        found = machine.read(group)
        ours |= found or {name: value for one in group for name, value in machine.read([one]).items()}
    equal, unlike, lines = 0, [], []
    for name, value in sorted(ours.items()):
        ranges = [of_model[name] for of_model in recorded]
        if any(low <= value <= high for low, high in ranges):
            equal += 1
            continue
        text = ", ".join(f"{low:,.0f}" if low == high else f"{low:,.0f} .. {high:,.0f}" for low, high in ranges)
        lines.append(f"  {name}: {value:,.0f}; {text}")
        if not TIMES.match(name) and not name.startswith("TCC_"):
            unlike.append(f"gfx{gfx}: {name}")
    boards = ", ".join(model.partition("_")[0] for model in models)
    print(f"| gfx{gfx} | {boards} | {len(common)} | {len(ours)} | {equal} |")
    print("\n".join(lines), flush=True)
    return unlike


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--source", type=pathlib.Path, help="a clone of rocm-systems; else it is fetched")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "recorded", help="of what is fetched")
    options = parser.parse_args()
    unlike = []
    try:
        source = options.source or upstream.fetch(options.folder, IN_REPOSITORY).parents[1]
        if not (source / IN_REPOSITORY / SAMPLE).is_file():
            raise upstream.Unavailable(f"no {IN_REPOSITORY}/{SAMPLE} in {source}")
        if subprocess.run([RUNTIME_TOOL, "get", RUNTIME], check=False).returncode != 0:
            raise upstream.Unavailable(f"no runtime {RUNTIME}")
        print("| GPU | recorded on | counters in the recordings | modelled | equal |\n|---|---|---|---|---|")
        for gfx, models in GPUS.items():
            with tempfile.TemporaryDirectory(prefix="recorded-") as name:
                unlike += compare(source.resolve(), options.build.resolve(), gfx, models, pathlib.Path(name))
    except upstream.Unavailable as why:
        print(f"SKIPPED: {why}")
        return upstream.UNAVAILABLE
    for name in unlike:
        print(f"differs: {name}")
    return 1 if unlike else 0


if __name__ == "__main__":
    sys.exit(main())
