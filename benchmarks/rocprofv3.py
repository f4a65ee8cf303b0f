#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of rocprofv3 beside `rtl trace` with the same events and beside no tracer, on the virtual GPU, and how fast
and in how much memory its CSV and JSON are written. Rounds are interleaved; medians and ranges; no threshold.

    benchmarks/rocprofv3.py [--rounds 7] [--build build/release] [--runtime 7.2] [--kernels 20000] [--rows 10000000]
                            [run start formats export]

run     a program of HIP that launches KERNELS kernels as fast as it can: its own wall time, from its start to its end,
        without what is written afterwards. The ratios are to the untraced run and to rtl's of the same round
        (exit code 1 when a kernel is neither recorded nor counted as lost)
start   the whole command for a program with one kernel, and the time that it adds to the program alone, by the clock
        and in processor time of all its processes, which a busy machine changes less
formats the whole command for a program that launches KERNELS kernels, with --sys-trace: what each format costs in
        processor time of all processes, the program's and the virtual GPU's included, per launch
export  rtl convert of a trace of ROWS kernels: rows per second, by the clock and of processor time, and peak memory;
        each format as often as --exports says
"""
import argparse
import csv
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

# options of rocprofv3; the same for rtl trace
CASES = [
    (["--kernel-trace"], "kernels,hip"),
    (["--kernel-trace", "--group-by-queue"], "kernels"),
    (["--hip-trace", "--kernel-trace", "--memory-copy-trace"], "kernels,copies,hip,hip-compiler"),
    (["--sys-trace"], "kernels,copies,markers,hip,hip-compiler,hsa,memory,scratch,rccl"),
]
TIMED = 'begin=$EPOCHREALTIME; "${@:2}" > /dev/null; code=$?; echo $begin $EPOCHREALTIME > "$1"; exit $code'
FORMATS = ("csv", "json", "rocpd")
MILLION = 1_000_000


def show(values, digits=0):
    return f"{statistics.median(values):,.{digits}f} [{min(values):,.{digits}f} .. {max(values):,.{digits}f}]"


def processor_seconds():
    """Processor time of all processes that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Bench:
    def __init__(self, options, folder):
        root = pathlib.Path(__file__).resolve().parents[1]
        self.build, self.folder = options.build.resolve(), pathlib.Path(folder)
        self.bin, self.times, self.out = self.build / "bin", self.folder / "times", self.folder / "out"
        self.runtime = [root / "scripts/runtime", "exec", options.runtime, "--"] if options.runtime else []
        self.programs = self.bin / (f"programs-{options.runtime}" if options.runtime else "programs")

    def run(self, command, **variables):
        """Seconds of the whole command."""
        environment = dict(os.environ, VGPU_DISPATCH_NS="500", **variables)
        begin, before = time.monotonic(), processor_seconds()
        done = subprocess.run([*self.runtime, *command], env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"rocprofv3.py: {' '.join(map(str, command))} exited with {done.returncode}:\n{done.stderr}")
        self.processor = processor_seconds() - before
        return time.monotonic() - begin

    def inside(self):
        """Seconds of the program that TIMED ran."""
        begin, end = map(float, self.times.read_text().split())
        return end - begin

    def untraced(self, program):
        return self.run([self.bin / "vgpu", "run", "--", *program])

    def rtl(self, program, events):
        return self.run([self.bin / "rtl", "trace", "--vgpu", "--no-summary", "--events", events, "-o",
                         self.folder / "trace.db", "--", *program])

    def rocprofv3(self, program, options):
        return self.run([self.bin / "rocprofv3", "--vgpu", *options, "-f", "csv", "-d", self.out, "-o", "run", "--",
                         *program])

    def coverage(self):
        """(recorded, submitted, lost) kernels of the last run."""
        events = {"recorded": 0, "submitted": 0, "lost": 0}
        with open(self.out / "run_coverage.csv", newline="") as file:
            for row in csv.DictReader(file):
                if row["Kind"] != "kernels":
                    continue
                name = row["Counter"] if row["Counter"] in ("recorded", "submitted") else "lost"
                events[name] += int(row["Events"])
        return events["recorded"], events["submitted"], events["lost"]


def run_case(bench, program, options, events, rounds):
    arms = {"untraced": lambda: bench.untraced(program), "again": lambda: bench.untraced(program),
            "rtl trace": lambda: bench.rtl(program, events), "rocprofv3": lambda: bench.rocprofv3(program, options)}
    seconds = {arm: [] for arm in arms}
    whole = {arm: [] for arm in arms}
    recorded, submitted, balanced = 0, 0, True
    for _ in range(rounds):
        for arm, execute in arms.items():
            whole[arm].append(execute())
            seconds[arm].append(bench.inside())
        of_round = bench.coverage()
        recorded, submitted = recorded + of_round[0], submitted + of_round[1]
        balanced = balanced and of_round[1] == of_round[0] + of_round[2]
    print(f"\n{' '.join(options)}   (rtl trace --events {events})")
    print(f"{'':12}{'program, ms':>26}{'to untraced':>24}{'to rtl trace':>24}{'whole command, ms':>28}")
    for arm in arms:
        inside, command = ([1000 * s for s in values[arm]] for values in (seconds, whole))
        ratios = [f"{show([a / b for a, b in zip(seconds[arm], seconds[other])], 2):>24}"
                  for other in ("untraced", "rtl trace")]
        print(f"{arm:12}{show(inside):>26}{''.join(ratios)}{show(command):>28}")
    print(f"recorded {recorded:,} of {submitted:,} kernels ({100 * recorded / max(submitted, 1):.2f} %)", flush=True)
    return balanced


def runs(bench, options):
    program = ["bash", "-c", TIMED, "timed", bench.times, bench.programs / "kernel_flood", str(options.kernels)]
    return all([run_case(bench, program, words, events, options.rounds) for words, events in CASES])


def starts(bench, options):
    program = [bench.bin / "launch_bench", "sync", "1"]
    arms = {"untraced": lambda: bench.untraced(program), "again": lambda: bench.untraced(program),
            "rtl trace": lambda: bench.rtl(program, "kernels,hip"),
            "rocprofv3 -f csv": lambda: bench.rocprofv3(program, ["--kernel-trace"]),
            "rocprofv3 rocpd": lambda: bench.rocprofv3(program, ["--kernel-trace", "-f", "rocpd"])}
    by_clock = {arm: [] for arm in arms}
    of_processors = {arm: [] for arm in arms}
    for _ in range(3 * options.rounds):
        for arm, execute in arms.items():
            by_clock[arm].append(1000 * execute())
            of_processors[arm].append(1000 * bench.processor)
    print(f"\nstart and exit of a program with one kernel, {3 * options.rounds} rounds, ms")
    print(f"{'':18}{'by the clock':>22}{'added':>24}{'processor time':>22}{'added':>22}")
    for arm in arms:
        line = f"{arm:18}"
        for values in (by_clock, of_processors):
            added = [a - b for a, b in zip(values[arm], values["untraced"])]
            line += f"{show(values[arm], 1):>22}{show(added, 1):>24}"
        print(line, flush=True)
    return True


def formats(bench, options):
    program = [bench.programs / "kernel_flood", str(options.kernels)]
    rows = {"untraced": []} | {name: [] for name in FORMATS}
    for _ in range(options.rounds):
        for name in rows:
            if name == "untraced":
                bench.untraced(program)
            else:
                bench.run([bench.bin / "rocprofv3", "--vgpu", "--sys-trace", "-f", name, "-d", bench.out, "-o", "run",
                           "--", *program])
            rows[name].append(bench.processor)
            for file in bench.out.glob("run*"):
                file.unlink()
    print(f"\n--sys-trace of {options.kernels:,} launches, the whole command")
    print(f"{'':10}{'processor time, s':>24}{'us per launch':>24}")
    for name, seconds in rows.items():
        print(f"{name:10}{show(seconds, 2):>24}{show([MILLION * s / options.kernels for s in seconds], 1):>24}")
    return True


def exports(bench, options):
    trace = bench.folder / "big.db"
    subprocess.run([bench.bin / "big_trace", trace, str(options.rows)], check=True)
    print(f"\n{options.rows:,} kernels")
    print(f"{'':6}{'thousand rows/s':>28}{'of processor time':>28}{'peak MB':>16}{'MB written':>12}")
    rates = {name: [] for name in FORMATS}
    worked = {name: [] for name in rates}
    peaks = {name: [] for name in rates}
    written = {}
    for _ in range(options.exports):
        for name in rates:
            begin = time.monotonic()
            process = subprocess.Popen([bench.bin / "rtl", "convert", trace, "--to", name, "-o", bench.out / "big"])
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                sys.exit(f"rocprofv3.py: rtl convert --to {name} exited with {process.returncode}")
            rates[name].append(options.rows / (time.monotonic() - begin) / 1000)
            worked[name].append(options.rows / (usage.ru_utime + usage.ru_stime) / 1000)
            peaks[name].append(usage.ru_maxrss / 1024)
            files = list(bench.out.glob("big*"))
            written[name] = sum(file.stat().st_size for file in files) / MILLION
            for file in files:
                file.unlink()
    for name in rates:
        columns = f"{show(rates[name]):>28}{show(worked[name]):>28}{show(peaks[name]):>16}"
        print(f"{name:6}{columns}{written[name]:>12,.0f}", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--exports", type=int, default=3)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--runtime", help="as scripts/runtime names it; without it the system's")
    parser.add_argument("--kernels", type=int, default=20_000)
    parser.add_argument("--rows", type=int, default=10 * MILLION)
    parser.add_argument("parts", nargs="*", choices=["run", "start", "formats", "export", []], help="all when none is given")
    options = parser.parse_args()
    parts = {"run": runs, "start": starts, "formats": formats, "export": exports}
    print(f"load {pathlib.Path('/proc/loadavg').read_text().strip()}, {options.rounds} interleaved rounds, "
          "median [least .. most]", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        bench.out.mkdir()
        done = [execute(bench, options) for name, execute in parts.items() if name in (options.parts or parts)]
    print(f"\nload at the end {pathlib.Path('/proc/loadavg').read_text().strip()}")
    sys.exit(0 if all(done) else 1)


if __name__ == "__main__":
    main()
