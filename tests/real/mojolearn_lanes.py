#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs lanes of mojolearn on the virtual GPU, each alone. A lane compares the bits of its results with those that its
authors recorded on real AMD GPUs, so a lane that is verified says that this gfx942 computes as hardware does.

    tests/real/mojolearn_lanes.py --build build/release              all lanes: many hours
    tests/real/mojolearn_lanes.py --build build/release --lanes 40 --seed 7
    tests/real/mojolearn_lanes.py --build build/release --only kde,pca --traced

A lane that computes for more than `--limit` seconds is too long.
Prints how each lane ended, and the sums. Exit code 1: a lane's results differ. 77: it cannot be run here."""

import argparse
import collections
import pathlib
import random
import re
import sys
import tempfile

import frameworks

PATTERN = re.compile(r"^([\w.-]+) \| available \|", re.MULTILINE)
ASKS_FOR = "--neural-training"  # the profile of lanes that train networks; it says so in its refusal


def machine_of(build, wheels, folder, words, limit):
    framework = next(each for each in frameworks.FRAMEWORKS if each.name == "mojolearn")
    changed = frameworks.dataclasses.replace(framework, command=("-m", "mojolearn", "verify", *words))
    return frameworks.Machine(build, changed, framework.targets[0], wheels, folder, limit)


def ending(run):
    """The word for how the lane ended."""
    if run.right == "VERIFIED":
        return "verified"
    if run.ended == "too long" or "worker limit" in run.text:
        return "too long"
    divergent = re.search(r"(\d+) divergent", run.text)
    return "differs" if divergent and divergent[1] != "0" else "not run"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=frameworks.ROOT / "build" / "release")
    parser.add_argument("--lanes", type=int, help="so many, drawn by the seed")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="", help="these, separated by commas")
    parser.add_argument("--traced", action="store_true", help="under rtl trace")
    parser.add_argument("--limit", type=int, default=120, help="seconds (%(default)s)")
    options = parser.parse_args()
    framework = next(each for each in frameworks.FRAMEWORKS if each.name == "mojolearn")
    folder = frameworks.root(framework.runtime)
    wheels = folder and frameworks.install(framework, folder, frameworks.python_of(folder))
    if not wheels:
        return frameworks.UNAVAILABLE
    build = options.build.resolve()
    sums = collections.Counter()
    differs = []
    with tempfile.TemporaryDirectory(prefix="mojolearn-") as name:
        work = pathlib.Path(name)
        frameworks.forwarders.make(work / "forwarders", wheels)
        tool = [build / "bin" / "vgpu", "run"]
        if options.traced:
            tool = [build / "bin" / "rtl", "trace", "--vgpu", "--no-summary", "--force", "-o", work / "t.db"]
        listed = machine_of(build, wheels, work, ["--coverage"], 600).run([build / "bin" / "vgpu", "run"]).text
        lanes = PATTERN.findall(listed)
        print(f"mojolearn: {len(lanes)} lanes, seed {options.seed}", flush=True)
        random.Random(options.seed).shuffle(lanes)
        for lane in options.only.split(",") if options.only else lanes[:options.lanes]:
            words = ["--no-models", "--cell-timeout", str(options.limit), "--lanes", lane]
            run = machine_of(build, wheels, work, words, options.limit + 600).run(tool)
            if f"use {ASKS_FOR}" in run.text:
                run = machine_of(build, wheels, work, [ASKS_FOR, *words], options.limit + 600).run(tool)
            end = ending(run)
            lost = f", {run.lost} lost" if run.lost else ""
            print(f"{lane}: {end}, {run.seconds:.0f} s{lost}", flush=True)
            sums[end] += 1
            if end == "differs" or run.lost:
                differs.append(lane)
    print(", ".join(f"{count} {end}" for end, count in sums.most_common()))
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
