#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Debian's ROCm libraries and programs on the virtual GPU: untraced, under `rtl trace`, `rtl trace --mode hip`
and `rocprofv3 --sys-trace`. Every way must print the same bytes, exit with 0 and lose nothing.

    tests/real/run.py --build build/release           fetches missing runtimes (scripts/runtime prints their size)
    tests/real/run.py --build build/release --short   one program, untraced and traced, with installed runtimes
    tests/real/run.py --only PROGRAM                  those whose names begin so
    tests/real/run.py --rocm 7.2 --gfx 90a -j 1       one runtime, one GPU, one program at a time

Exit code 77: nothing could be run. Closes with a table, one row for each program and GPU."""

import argparse
import collections
import concurrent.futures
import csv
import dataclasses
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
UNAVAILABLE = 77
LIMIT = 600  # seconds that one run may take

BOTH = ("906", "90a")
ALL = (*BOTH, "942")  # of programs that compile their kernels as they run: Debian's libraries have no code for gfx942
MODEL = "{folder}/tiny.gguf"  # by tiny_model.py
TESTS_OF_LLAMA = "/usr/libexec/x86_64-linux-gnu/llama.cpp-tests/"


@dataclasses.dataclass(frozen=True)
class Program:
    """A row of the table. It is compiled from SOURCE.cpp, linked with `library` if there is one, or is Debian's."""
    name: str
    library: str = None
    source: str = None  # where it is not `name`
    path: str = None  # of Debian's program
    gpus: int = 1
    runtimes: tuple = ("6.4", "7.2")
    targets: tuple = BOTH
    compiled_for: tuple = ("906",)  # kernels of its own
    rccl: dict = None  # the calls of RCCL that it makes; they are recorded with its kernels
    arguments: tuple = ()
    env: tuple = ()
    on_processor: bool = False  # must print there what it prints on a GPU


# Fewer workgroups wait for each other: many ranks end within the limit.
ONE_CHANNEL = (("NCCL_MAX_NCHANNELS", "1"),)


def all_reduce(name, ranks, **calls):
    """Debian's RCCL 7.2 has no code for gfx906, and HIP 6.4 has no RCCL there."""
    return Program(name, "rccl", source="rccl_all_reduce", gpus=ranks, runtimes=("7.2",), targets=("90a",),
                   arguments=(str(ranks), *(["processes"] if name.endswith("processes") else [])),
                   rccl={"ncclAllReduce": 3 * ranks, "ncclCommDestroy": ranks, **calls},
                   env=ONE_CHANNEL if " " in name else ())


def groups(count):
    return {"ncclGroupStart": count, "ncclGroupEnd": count}


# Debian's MIOpen 6.4 cannot compile its plain solutions for gfx90a, for want of a header in its search path; 7.2 comes
# without the sources of those in assembly.
NO_PLAIN_SOLUTIONS = tuple((f"MIOPEN_DEBUG_CONV_DIRECT_NAIVE_CONV_{way}", "0") for way in ("FWD", "BWD", "WRW"))
NO_ASSEMBLY = (("MIOPEN_DEBUG_CONV_WINOGRAD", "0"), ("MIOPEN_DEBUG_CONV_IMPLICIT_GEMM", "0"))

PROGRAMS = (
    Program("rocblas_gemm", "rocblas"),
    Program("rocrand_numbers", "rocrand"),
    Program("rocfft_transform", "rocfft", targets=ALL),
    Program("rocprim_algorithms", targets=ALL, compiled_for=ALL),  # a library of headers
    all_reduce("rccl_all_reduce", 2, ncclCommInitAll=1, **groups(3)),
    all_reduce("rccl_all_reduce of 4", 4, ncclCommInitAll=1, **groups(3)),
    all_reduce("rccl_all_reduce of 2 processes", 2, ncclCommInitRank=2, ncclGetUniqueId=1, **groups(6)),
    all_reduce("rccl_all_reduce of 4 processes", 4, ncclCommInitRank=4, ncclGetUniqueId=1, **groups(12)),
    Program("opencl_kernels", "OpenCL", targets=ALL),
    Program("miopen_convolution", "MIOpen", runtimes=("6.4",), env=NO_PLAIN_SOLUTIONS),
    Program("miopen_convolution", "MIOpen", runtimes=("7.2",), env=NO_ASSEMBLY),
    # Their kernels are ggml's, which Debian has for HIP 6 only.
    Program("llama-completion", path="llama-completion", runtimes=("6.4",), on_processor=True,
            arguments=("-m", MODEL, "-p", "Hello", "-n", "16", "--temp", "0", "-no-cnv", "--no-warmup", "--no-perf")),
    Program("test-backend-ops", path=TESTS_OF_LLAMA + "test-backend-ops", runtimes=("6.4",),
            arguments=("test", "-b", "ROCm0", "-o", "SOFT_MAX")),
)
ON_GPU, ON_PROCESSOR = ("-ngl", "99"), ("-ngl", "0", "--device", "none")
PROCESSOR = "on the processor"
WAYS = ("untraced", "rtl trace", "--mode hip", "rocprofv3 --sys-trace")
SHORT = "i8-i32"  # the products that --short makes

Run = collections.namedtuple("Run", "exit stdout stderr kernels")


class Failure(Exception):
    """The failure, in one line."""


def expect(holds, text):
    if not holds:
        raise Failure(text)


def runtime(*arguments, **options):
    return subprocess.run([RUNTIME_TOOL, *arguments], text=True, check=False, **options)


def compile_program(build, name, program):
    if program.path is not None:
        return program.path
    source_name = program.source or program.name
    output = build / "bin" / f"real-{name}" / source_name
    source = ROOT / "tests" / "real" / f"{source_name}.cpp"
    headers = (source.parent / "reference.h", ROOT / "tests" / "programs" / "hip_support.h")
    if output.exists() and all(path.stat().st_mtime < output.stat().st_mtime for path in (source, *headers)):
        return output
    output.parent.mkdir(parents=True, exist_ok=True)
    done = runtime("exec", f"{name}-libraries", "--", "env", "HIP_PLATFORM=amd", "hipcc", "-O1", "-std=c++20",
                   *(f"--offload-arch=gfx{target}" for target in program.compiled_for),
                   f"-I{ROOT / 'tests' / 'programs'}", source, "-o", output,
                   *([f"-l{program.library}"] if program.library else []), capture_output=True)
    expect(done.returncode == 0, f"{source_name} does not compile with {name}: {done.stderr}")
    return output


class Machine:
    """One model of virtual GPU under one runtime; its files are in a folder of its own."""

    def __init__(self, build, name, target, folder, rccl, env=None):
        self.build, self.name, self.folder, self.rccl = build, name, folder, rccl
        self.env = dict(os.environ, **(env or {}), VGPU_GFX=target, VGPU_KFD_MINOR="17", VGPU_DIR=str(folder / "vgpu"),
                        ROCFFT_RTC_CACHE_PATH=str(folder / "kernels.db"), NCCL_SOCKET_IFNAME="lo",
                        RTL_RUNTIME_BIND=str(folder))

    def command(self, way, program):
        tools = self.build / "bin"
        if way == PROCESSOR:
            return program
        if way == "untraced":
            return [tools / "vgpu", "run", "--", *program]
        if way.startswith("rocprofv3"):
            return [tools / "rocprofv3", "--vgpu", "--sys-trace", "-f", "csv", "-d", self.folder / "csv", "-o", "r",
                    "--", *program]
        mode = ["--mode", "hip"] if way == "--mode hip" else []
        database = self.folder / f"{len(mode)}.db"
        if self.rccl and not mode:
            mode = ["--events", "kernels,copies,markers,rccl"]
        return [tools / "rtl", "trace", "--vgpu", "--no-summary", *mode, "-o", database, "--", *program]

    def run(self, way, program, gpus):
        command = [RUNTIME_TOOL, "exec", f"{self.name}-libraries", "--", "env", f"HOME={self.folder}",
                   *self.command(way, program)]
        try:
            done = subprocess.run(command, env=dict(self.env, VGPU_NUM_GPUS=str(gpus)), capture_output=True, text=True,
                                  timeout=LIMIT, check=False, cwd=self.folder, errors="replace",
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as late:
            raise Failure(f"{way}: it did not end in {LIMIT} s") from late
        return Run(done.returncode, done.stdout, done.stderr, self.kernels(way, done.stderr))

    def kernels(self, way, stderr):
        """The number of recorded kernels; None where they are not counted."""
        if way in (PROCESSOR, "untraced"):
            return None
        if way.startswith("rocprofv3"):
            return len(self.csv_rows("kernel_trace"))
        match = re.search(r"^rtl: kernels: ([\d,]+) submitted, ([\d,]+) recorded", stderr, re.MULTILINE)
        return int(match.group(2).replace(",", "")) if match else 0

    def check_rccl(self):
        database = sqlite3.connect(self.folder / "0.db")
        found = dict(database.execute("SELECT name, COUNT(*) FROM rccl_call WHERE result = 0 GROUP BY name"))
        expect(found == self.rccl, f"rtl trace: calls of RCCL: {found}")

    def csv_rows(self, table):
        """Of all processes: each has files of its own."""
        rows = []
        for path in (self.folder / "csv").glob(f"r*_{table}.csv"):
            with open(path, encoding="utf-8") as file:
                rows += csv.DictReader(file)
        return rows

    def check_rccl_csv(self):
        rows = self.csv_rows("rccl_api_trace")
        found = collections.Counter(row["Function"] for row in rows if row["Domain"] == "RCCL_API")
        expect(found == self.rccl, f"rocprofv3: calls of RCCL: {dict(found)}")


def check(way, run, plain, kernels):
    last = run.stderr.strip().splitlines()[-3:]
    expect(run.exit == 0, f"{way}: exit code {run.exit}: {' | '.join(last)}")
    expect(run.stdout.strip(), f"{way}: it printed nothing")
    other = "untraced" if way != "untraced" else PROCESSOR
    expect(run.stdout == plain.stdout, f"{way}: its output differs from that {other}")
    if way in (PROCESSOR, "untraced"):
        return
    expect(not re.search(r"[1-9]\d* lost", run.stderr), f"{way}: lost events: {' | '.join(last)}")
    expect(run.kernels > 0, f"{way}: no kernel was recorded")
    expect(run.kernels == kernels, f"{way}: {run.kernels} kernels, {kernels} before")


def test(build, name, target, program, ways):
    """The row of the table: the result of each way."""
    binary = compile_program(build, name, program)
    row, plain, kernels = [], None, None
    with tempfile.TemporaryDirectory(prefix="real-") as folder:
        machine = Machine(build, name, target, pathlib.Path(folder), program.rccl, dict(program.env))
        arguments = tuple(each.format(folder=folder) for each in program.arguments) if ways == WAYS else (SHORT,)
        if program.on_processor:
            subprocess.run([ROOT / "tests" / "real" / "tiny_model.py", MODEL.format(folder=folder)], check=True)
            plain = machine.run(PROCESSOR, [binary, *arguments, *ON_PROCESSOR], program.gpus)
            check(PROCESSOR, plain, plain, None)
            arguments += ON_GPU
        for way in ways:
            began = time.monotonic()
            run = machine.run(way, [binary, *arguments], program.gpus)
            plain = plain or run
            kernels = kernels or run.kernels
            check(way, run, plain, kernels)
            if program.rccl and way == "rtl trace":
                machine.check_rccl()
            if program.rccl and way.startswith("rocprofv3"):
                machine.check_rccl_csv()
            row.append(f"{time.monotonic() - began:.0f} s")
    return len(plain.stdout.splitlines()), kernels, row


def fetch(short, names):
    """The runtimes whose libraries are installed now."""
    here = []
    for name in names:
        done = runtime("root", f"{name}-libraries", capture_output=True)
        if done.returncode != 0 and not short:
            runtime("get", f"{name}-libraries")  # prints the size of the download, and what prevents it
            done = runtime("root", f"{name}-libraries", capture_output=True)
        if done.returncode == 0:
            here.append(name)
        else:
            print(f"SKIPPED: {name}: {done.stderr.strip()}", flush=True)
    return here


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", metavar="PROGRAM", help="those whose names begin so")
    parser.add_argument("--rocm", choices=("6.4", "7.2"))
    parser.add_argument("--gfx", choices=ALL)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    build = options.build.resolve()
    here = fetch(options.short, (options.rocm,) if options.rocm else ("6.4", "7.2"))
    if not here:
        return UNAVAILABLE
    chosen = [each for each in PROGRAMS if each.name.startswith(options.only or "")]
    programs = PROGRAMS[:1] if options.short else chosen
    jobs = [(name, target, program) for name in here for program in programs for target in program.targets
            if name in program.runtimes and options.gfx in (None, target)]
    if not jobs:
        parser.error("nothing is left to run")
    said = threading.Lock()
    ways = WAYS[:2] if options.short else WAYS
    print("| program | ROCm | GPU | verified | kernels | " + " | ".join(ways) + " |\n" + "|---" * (5 + len(ways)) + "|",
          flush=True)

    def one(job):
        name, target, program = job
        try:
            checks, kernels, row = test(build, name, target, program, ways)
            line = f"| {program.name} | {name} | gfx{target} | {checks} | {kernels} | {' | '.join(row)} |"
            wrong = 0
        except Failure as failure:
            line, wrong = f"FAILED: {program.name} on {name}, gfx{target}: {failure}", 1
        with said:
            print(line, flush=True)
        return wrong

    try:
        for name, _, program in jobs:  # one compiler at a time, and before anything is timed
            compile_program(build, name, program)
    except Failure as failure:
        print(f"FAILED: {failure}", flush=True)
        return 1
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        failures = sum(pool.map(one, jobs))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
