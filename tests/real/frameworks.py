#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs frameworks as PyPI has them on the virtual GPU: untraced, under `rtl trace`, `rtl trace --mode hip` and
rocprofv3, and with the framework's own profiler. Every program compares its results with NumPy's or the processor's.
Traced it must be as right as untraced, nothing may be lost, and every tool must see the same kernels. So must the
framework's own profiler, alone, in `rtl trace` and in rocprofv3, apart from those of HIP's copies. `rtl analyze` must
say of the trace what the guide to Python jobs shows.

    tests/real/frameworks.py --build build/release          fetches what is missing: two roots of 5 GB, wheels of 1.5 GB
    tests/real/frameworks.py --only triton --gfx 942        one framework, one GPU
    tests/real/frameworks.py --list

Exit code 77: nothing could be run. Prints a table, one row for each framework and GPU, and lists what was not right."""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import forwarders

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(__file__).resolve().parent / "frameworks"
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
UNAVAILABLE = 77
NUMPY = "numpy==2.3.5"
LIBRARIES = "/usr/lib/x86_64-linux-gnu"
HOST_CODE = r"%\): host code\. The program computed"
COMGR = ("COMGR_PATH", f"{LIBRARIES}/libamd_comgr.so.3")


@dataclasses.dataclass(frozen=True)
class Framework:
    """`wheels`: what pip installs, exactly. `profile`: the variable that names the result of the framework's own
    profiler. `below_hsa`: it drives the GPU without ROCm, so that no tool can see its kernels. `runtime`: the root.
    `findings`: what `rtl analyze` must print of the trace with calls."""
    name: str
    wheels: tuple
    command: tuple
    targets: tuple = ("90a",)
    environment: tuple = ()
    profile: str = ""
    below_hsa: bool = False
    runtime: str = "7.2-frameworks"
    findings: tuple = ()


FRAMEWORKS = (
    Framework("tinygrad", ("tinygrad==0.14.0", NUMPY), ("tinygrad_operations.py",), ("90a", "942"),
              (("DEV", "HIP"), ("HIP_PATH", f"{LIBRARIES}/libamdhip64.so.7"), COMGR)),
    # Its driver calls mmap of the C library by handle, which a preloaded library does not see.
    Framework("tinygrad, own driver", ("tinygrad==0.14.0", NUMPY), ("tinygrad_operations.py",), ("942",),
              (("DEV", "AMD"), ("LIBC_PATH", "{build}/lib/libvgpu.so"), COMGR), below_hsa=True),
    Framework("Triton", ("triton==3.9.0", NUMPY), ("triton_kernels.py",), ("90a", "942"), profile="PROTON",
              findings=(HOST_CODE, r"  4  +[\d.]+ \w+ +[\d.]+ s  HIP call, hipModuleLoadDataEx$")),
    Framework("CuPy", ("cupy-rocm-7-0==14.2.0", "scipy==1.16.3", NUMPY), ("cupy_operations.py",), ("90a", "942"),
              findings=(HOST_CODE, r"^ +2 .* stream 2$")),
    Framework("JAX", ("jax==0.12.0", "jax-rocm7-plugin==0.12.0", "jax-rocm7-pjrt==0.12.0", NUMPY), ("jax_step.py",),
              ("90a", "942"), (("XLA_FLAGS", "--xla_gpu_autotune_level=0"),), "JAX_PROFILE",
              findings=(HOST_CODE, r"^ +5 .*  step, found by repetition$")),
    Framework("OpenMM", ("openmm==8.6.1", "openmm-hip-7==8.6.1", NUMPY), ("openmm_forces.py",), ("90a", "942")),
    Framework("IREE", ("iree-base-compiler==3.13.0", "iree-base-runtime==3.13.0", NUMPY), ("iree_module.py",),
              ("90a", "942")),
    Framework("PennyLane", ("pennylane==0.45.1", "pennylane-lightning-amdgpu==0.45.0", NUMPY),
              ("pennylane_circuit.py",), ("942",)),
    Framework("ONNX Runtime", ("onnxruntime-rocm==1.22.2.post3", "onnx==1.23.2", NUMPY), ("onnx_graph.py",),
              ("90a", "942")),
    # What its command `mojo` does; it replaces Python by the compiler, which runs the program that it has made.
    Framework("Mojo", ("mojo==1.2.0", "max==26.7.0", NUMPY),
              ("-c", "from mojo._entrypoints import exec_mojo; exec_mojo()", "run", "mojo_kernels.mojo"), ("942",)),
    Framework("mojolearn", ("mojolearn-amd==0.8.62", "mojolearn-core==0.8.62", NUMPY),
              ("-m", "mojolearn", "verify", "--cell-timeout", "800", "--lanes",
               "x-prep-robust-scaler,x-metrics-classification-report,multioutput-ridge"), ("942",)),
    # The wheel has code for this GPU, and exports a C++ library of its own, with which Debian's compiler crashes.
    Framework("llama.cpp", ("inferna-rocm==0.7.0", NUMPY), ("llama_text.py",), ("90a",),
              (("LD_PRELOAD", f"{LIBRARIES}/libstdc++.so.6"),), runtime="6.4-frameworks"),
)

HEADINGS = ("framework", "GPU", "right", "seconds, least .. most", "kernels, `rtl trace`",
            "kernels / HIP calls, `--mode hip`", "kernels / HIP calls, rocprofv3", "lost",
            "kernels of its own profiler: alone / in `rtl trace` / in rocprofv3")
Run = collections.namedtuple("Run", "ended right kernels calls lost seconds own names text")
# Kernels that HIP launches for copies. Proton leaves them out; JAX's profiler does not see the first.
OF_HIP = "__amd_rocclr_"


def root(runtime):
    done = subprocess.run([RUNTIME_TOOL, "root", runtime], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        subprocess.run([RUNTIME_TOOL, "get", runtime], check=False)
        done = subprocess.run([RUNTIME_TOOL, "root", runtime], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"SKIPPED: {done.stderr.strip()}", flush=True)
        return None
    return pathlib.Path(done.stdout.strip())


def python_of(folder):
    """Such as 3.13."""
    return max(path.name.removeprefix("python") for path in (folder / "usr/bin").glob("python3.*")
               if re.fullmatch(r"python3\.\d+", path.name))


def install(framework, folder, python):
    """The folder with the framework's wheels, or None with a line of why. Wheels are for the root's Python."""
    wheels = folder.parent / "frameworks" / re.sub(r"\W+", "-", framework.wheels[0])
    wanted = " ".join((python, *framework.wheels))
    stamp = wheels / ".wanted"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return wheels
    shutil.rmtree(wheels, ignore_errors=True)
    platforms = [word for tag in ("2014", "_2_27", "_2_28", "_2_31", "_2_34", "_2_35", "_2_39")
                 for word in ("--platform", f"manylinux{tag}_x86_64")]
    abis = [word for tag in (f"cp{python.replace('.', '')}", "abi3", "none") for word in ("--abi", tag)]
    done = subprocess.run(["pip3", "install", "--quiet", "--no-cache-dir", "--only-binary=:all:",
                           "--ignore-requires-python", "--python-version", python, "--implementation", "cp", *abis,
                           *platforms, "--target", wheels, *framework.wheels],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{framework.name}: {done.stderr.strip().splitlines()[-1]}", flush=True)
        return None
    stamp.write_text(wanted, encoding="utf-8")
    return wheels


class Machine:
    """One framework on one model of virtual GPU, with a folder of its own."""

    def __init__(self, build, framework, target, wheels, folder, limit):
        self.build, self.framework, self.folder, self.limit = build, framework, folder, limit
        self.env = dict(os.environ, VGPU_GFX=target, VGPU_KFD_MINOR="17", VGPU_DIR=str(folder / "vgpu"),
                        VGPU_NUM_GPUS="1", RTL_RUNTIME_BIND=f"{folder} {wheels.parent}")
        self.inside = {"HOME": folder, "PYTHONPATH": f"{wheels}:{PROGRAMS}", "PYTHONDONTWRITEBYTECODE": "1",
                       "LD_LIBRARY_PATH": f"{folder}/forwarders:{build}/lib"}
        self.inside |= {name: value.format(build=build) for name, value in framework.environment}

    def run(self, tool, own=False):
        variables = self.inside | ({self.framework.profile: self.folder / "own"} if own else {})
        for left in self.folder.glob("own*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        (self.folder / "t.db").unlink(missing_ok=True)
        command = [PROGRAMS / word if word.endswith((".py", ".mojo")) else word for word in self.framework.command]
        whole = [RUNTIME_TOOL, "exec", self.framework.runtime, "--", "env",
                 *(f"{name}={value}" for name, value in variables.items()), *tool, "--", "python3", *command]
        began = time.monotonic()
        try:
            done = subprocess.run(whole, env=self.env, capture_output=True, text=True, errors="replace",
                                  timeout=self.limit, check=False, cwd=self.folder, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return Run("too long", "", None, None, 0, self.limit, None, None, "")
        text = done.stdout + done.stderr
        right = re.search(r"^right: (.*)|RESULT: (\w+)", done.stdout, re.MULTILINE)
        profiled = re.search(r"^own profiler: (.*)", done.stdout, re.MULTILINE)
        kernels, calls, lost = self.counts(done.stderr)
        names = self.names() if profiled else None
        return Run(ended="" if done.returncode == 0 else f"exit code {done.returncode}",
                   right=(right[1] or right[2]) if right else "no result", kernels=kernels, calls=calls, lost=lost,
                   seconds=time.monotonic() - began, own=json.loads(profiled[1]) if profiled else None, names=names,
                   text=text)

    def without(self, findings):
        """Those of the findings that `rtl analyze` does not print."""
        said = subprocess.run([self.build / "bin" / "rtl", "analyze", self.folder / "t.db"], capture_output=True,
                              text=True, check=False).stdout
        return [finding for finding in findings if not re.search(finding, said, re.MULTILINE)]

    def names(self):
        """How often each kernel is in the tool's trace, or None without one."""
        traces = [*self.folder.glob("t.db"), *(self.folder / "out").rglob("*_results.db")]
        found = collections.Counter()
        for path in traces:
            with sqlite3.connect(path) as trace:
                found.update(dict(trace.execute(
                    "SELECT name, count(*) FROM kernels GROUP BY 1" if path.name != "t.db" else
                    "SELECT s.string, count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id "
                    "WHERE o.queueId > 0 GROUP BY 1")))
        return found if traces else None

    def counts(self, stderr):
        """Kernels, calls and losses of whichever tool has run."""
        counted = {kind: tuple(int(number.replace(",", "")) for number in numbers) for kind, *numbers in
                   re.findall(r"^rtl: (\w+): ([\d,]+) (?:submitted|seen), ([\d,]+) recorded", stderr, re.MULTILINE)}
        if counted:
            return (counted.get("kernels", (0, 0))[1], counted.get("hip_calls", (0, 0))[1],
                    sum(submitted - recorded for submitted, recorded in counted.values()))
        results = list((self.folder / "out").rglob("*_results.db"))
        if not results:
            return None, None, 0
        kernels = calls = lost = 0
        for name in results:
            with sqlite3.connect(name) as trace:
                kernels += trace.execute("SELECT count(*) FROM kernels").fetchone()[0]
                calls += trace.execute("SELECT count(*) FROM regions "
                                       "WHERE category = 'HIP_RUNTIME_API_EXT'").fetchone()[0]
                lost += trace.execute("SELECT total(value) FROM rocpd_metadata "
                                      "WHERE tag GLOB 'rtl.k[A-Z]*.*'").fetchone()[0]
        return kernels, calls, int(lost)


def total(counted):
    return None if counted is None else sum(counted.values())


def of_program(counted):
    return {name: count for name, count in counted.items() if not name.startswith(OF_HIP)}


def unlike(run, alone):
    """Lines of kernels that the framework's profiler counted otherwise than the trace, or than it did alone."""
    own = of_program(run.own)
    others = {"alone": alone.own} | ({"the trace": run.names} if run.names is not None else {})
    return [f"its profiler has {own.get(name, 0)} of {name}, {where} {of_program(other).get(name, 0)}"
            for where, other in others.items() if other is not None
            for name in sorted(own.keys() | of_program(other).keys())
            if own.get(name, 0) != of_program(other).get(name, 0)]


def test(build, framework, target, wheels, limit):
    """The row of the table, and notes of what is not as it must be."""
    notes = []
    with tempfile.TemporaryDirectory(prefix="frameworks-") as name:
        folder = pathlib.Path(name)
        forwarders.make(folder / "forwarders", wheels)
        machine = Machine(build, framework, target, wheels, folder, limit)
        where = f"{framework.name} on gfx{target}"
        tools = build / "bin"
        trace = [tools / "rtl", "trace", "--vgpu", "--no-summary", "--force", "-o", folder / "t.db"]
        rocprofv3 = [tools / "vgpu", "run", "--", tools / "rocprofv3", "--kernel-trace", "--hip-trace", "-d",
                     folder / "out"]
        ways = {"untraced": ([tools / "vgpu", "run"], False), "rtl trace": (trace, False),
                "--mode hip": ([*trace, "--mode", "hip"], False), "rocprofv3": (rocprofv3, False)}
        if framework.profile:
            ways |= {"own profiler": ([tools / "vgpu", "run"], True), "own in rtl trace": (trace, True),
                     "own in rocprofv3": (rocprofv3, True)}
        runs = {}
        for way, (tool, own) in ways.items():
            runs[way] = run = machine.run(tool, own)
            plain = runs["untraced"]
            if run.ended or run.right == "no result":
                said = " | ".join(run.text.strip().splitlines()[-3:])
                notes.append(f"{where}, {way}: {run.ended} {run.right}: {said}")
            elif run.right != plain.right:
                notes.append(f"{where}, {way}: {run.right} right, untraced {plain.right}")
            if way not in ("untraced", "own profiler") and not run.kernels and not framework.below_hsa:
                notes.append(f"{where}, {way}: no kernels")
            if own and not run.own:
                notes.append(f"{where}, {way}: the framework's profiler saw nothing")
            elif own:
                notes += [f"{where}, {way}: {line}" for line in unlike(run, runs["own profiler"])]
            if run.lost:
                notes.append(f"{where}, {way}: {run.lost} lost")
            if run.kernels != runs.get("rtl trace", run).kernels and run.kernels is not None and not own:
                notes.append(f"{where}, {way}: {run.kernels} kernels, rtl trace {runs['rtl trace'].kernels}")
            if way == "--mode hip":
                notes += [f"{where}: rtl analyze does not say: {line}" for line in machine.without(framework.findings)]
            print(f"  {where}, {way}: {run.right} {run.ended} kernels {run.kernels} calls {run.calls} "
                  f"own {total(run.own)} {run.seconds:.1f} s", file=sys.stderr, flush=True)

    def cell(way, *numbers):
        found = [getattr(runs[way], number) for number in numbers] if way in runs else []
        return " / ".join("-" if number is None else f"{number:,}" for number in found) or ""
    seconds = sorted(run.seconds for run in runs.values())
    cells = [f"{framework.name} {framework.wheels[0].partition('==')[2]}", f"gfx{target}", runs["untraced"].right,
             f"{seconds[0]:.0f} .. {seconds[-1]:.0f}", cell("rtl trace", "kernels"),
             cell("--mode hip", "kernels", "calls"), cell("rocprofv3", "kernels", "calls"), str(sum(run.lost for run in runs.values())),
             " / ".join("-" if runs[way].own is None else str(total(runs[way].own))
                        for way in ("own profiler", "own in rtl trace", "own in rocprofv3") if way in runs)]
    return f"| {' | '.join(cells)} |", notes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--only", metavar="NAME", default="", help="frameworks whose names begin so")
    parser.add_argument("--gfx", help="this GPU alone")
    parser.add_argument("--limit", type=int, default=900, help="seconds that a run may take (%(default)s)")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    chosen = [framework for framework in FRAMEWORKS if framework.name.lower().startswith(options.only.lower())]
    if options.list or not chosen:
        for framework in FRAMEWORKS:
            targets = " ".join(f"gfx{target}" for target in framework.targets)
            print(f"{framework.name}: {', '.join(framework.wheels)}; {targets}")
        return 0 if options.list else 2
    roots = {runtime: root(runtime) for runtime in {framework.runtime: None for framework in chosen}}
    if not any(roots.values()):
        return UNAVAILABLE
    notes = []
    print(f"| {' | '.join(HEADINGS)} |\n{'|---' * len(HEADINGS)}|", flush=True)
    for framework in chosen:
        folder = roots[framework.runtime]
        if folder is None:
            notes.append(f"{framework.name}: no runtime {framework.runtime}")
            continue
        python = python_of(folder)
        wheels = install(framework, folder, python)
        if wheels is None:
            notes.append(f"{framework.name}: no wheels for Python {python}")
            continue
        for target in framework.targets:
            if options.gfx in (None, target):
                row, of_framework = test(options.build.resolve(), framework, target, wheels, options.limit)
                print(row, flush=True)
                notes += of_framework
    for note in notes:
        print(note)
    return 1 if notes else 0


if __name__ == "__main__":
    sys.exit(main())
