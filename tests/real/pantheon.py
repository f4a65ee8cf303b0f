#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the programs of PANTHEON (pantheon-gpu of PyPI, GPU stress and diagnostics) on the virtual GPU, untraced and
under `rtl trace --mode hip`. Each verifies its own results. Traced it must end as untraced, and nothing may be lost.

    tests/real/pantheon.py                          every program, gfx90a, small parameters
    tests/real/pantheon.py --only memory --gfx 942  those whose names begin so

Needs the runtime 7.2 with its hipcc (scripts/runtime get 7.2). Closes with a table; exit code 1: something was not
right, 77: nothing could be run."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
RUNTIME = "7.2"
WHEEL = "pantheon-gpu==1.2.4"
UNAVAILABLE = 77
# GPU 0, one second, one percent of its memory.
ARGUMENTS = ("0", "1", "1", "--verify", "--grid_size", "2", "--block_size", "64", "--kernel_loops", "1",
             "--warmup_iters", "1")
SEVERAL_GPUS = {"all_reduce", "p2p_thrasher"}


def fetch(folder):
    """The folder of the sources, or None with a line of why."""
    done = subprocess.run(["pip3", "download", "--quiet", "--no-deps", "--dest", folder, WHEEL], capture_output=True,
                          text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        print(f"SKIPPED: pip3 download {WHEEL}: {done.stderr.strip().splitlines()[-1:]}")
        return None
    with zipfile.ZipFile(wheels[0]) as archive:
        archive.extractall(folder)
    return folder / "pantheon_gpu" / "kernels"


class Suite:
    def __init__(self, build, gfx, folder, kernels, limit):
        self.build, self.gfx, self.folder, self.kernels, self.limit = build, gfx, folder, kernels, limit

    def inside(self, *command, gpus=1):
        env = dict(os.environ, VGPU_GFX=self.gfx, VGPU_KFD_MINOR="17", VGPU_DIR=str(self.folder / "vgpu"),
                   VGPU_NUM_GPUS=str(gpus), VGPU_VRAM_MB="1024", RTL_RUNTIME_BIND=str(self.folder))
        try:
            return subprocess.run([RUNTIME_TOOL, "exec", RUNTIME, "--", *command], env=env, capture_output=True,
                                  text=True, errors="replace", check=False, cwd=self.folder, timeout=self.limit,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None

    def compile(self, source):
        """The program, or None."""
        program = self.folder / source.stem
        done = self.inside("env", "HIP_PLATFORM=amd", "hipcc", "-O2", "-std=c++17", "-DNDEBUG",
                           f"--offload-arch=gfx{self.gfx}", f"-I{self.kernels}/common", source, "-o", program, "-ldl")
        return program if done is not None and done.returncode == 0 else None

    def run(self, program, *tool):
        """What it says of its own results, and its text."""
        done = self.inside(*tool, "--", program, *ARGUMENTS, gpus=2 if program.name in SEVERAL_GPUS else 1)
        if done is None:
            return "too long", ""
        said = re.search(r"Verification: (\w+)", done.stdout)
        skipped = re.search(r"skip", done.stdout, re.IGNORECASE)
        result = said[1] if said else "skips itself" if skipped else "no verification"
        return result if done.returncode == 0 or not said else f"{result}, exit code {done.returncode}", done.stderr

    def row(self, source, notes):
        program = self.compile(source)
        if program is None:
            return "not compiled", "", "", ""
        plain, _ = self.run(program, self.build / "bin/vgpu", "run")
        traced, said = self.run(program, self.build / "bin/rtl", "trace", "--vgpu", "--mode", "hip", "--no-summary",
                                "--force", "-o", self.folder / "t.db")
        counts = {kind: tuple(int(number.replace(",", "")) for number in numbers) for kind, *numbers in
                  re.findall(r"^rtl: (\w+): ([\d,]+) (?:submitted|seen), ([\d,]+) recorded", said, re.MULTILINE)}
        lost = sum(submitted - recorded for submitted, recorded in counts.values())
        if traced != plain:
            notes.append(f"{source.stem}: untraced {plain}, traced {traced}")
        if plain.startswith("FAIL") or lost:
            notes.append(f"{source.stem}: {plain}, {lost} lost")
        return plain, *(f"{counts.get(kind, (0, 0))[1]:,}" for kind in ("kernels", "hip_calls")), str(lost)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--only", metavar="NAME", default="", help="programs whose names begin so")
    parser.add_argument("--gfx", default="90a")
    parser.add_argument("--limit", type=int, default=120, help="seconds that a run may take (%(default)s)")
    options = parser.parse_args()
    if subprocess.run([RUNTIME_TOOL, "root", RUNTIME], capture_output=True, check=False).returncode != 0:
        print(f"SKIPPED: no runtime {RUNTIME}; scripts/runtime get {RUNTIME}")
        return UNAVAILABLE
    notes = []
    with tempfile.TemporaryDirectory(prefix="pantheon-") as name:
        folder = pathlib.Path(name)
        kernels = fetch(folder)
        if kernels is None:
            return UNAVAILABLE
        suite = Suite(options.build.resolve(), options.gfx, folder, kernels, options.limit)
        print("| program | its verification | kernels | HIP calls | lost |\n|---|---|---|---|---|")
        for source in sorted(kernels.glob("*/*.cpp")):
            if source.parent.name != "common" and source.stem.startswith(options.only):
                print(f"| {source.stem} | {' | '.join(suite.row(source, notes))} |", flush=True)
    for note in notes:
        print(note)
    return 1 if notes else 0


if __name__ == "__main__":
    sys.exit(main())
