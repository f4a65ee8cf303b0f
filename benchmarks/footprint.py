#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of a trace besides time, on the virtual GPU: bytes per kernel, memory per million kernels, and what
remains after a SIGKILL in the middle of a storm of kernels. Rounds are interleaved; medians and ranges; no threshold.

    benchmarks/footprint.py [--rounds 7] [--build build/release] [--kernels 100000]

size     bytes per kernel: the database, its Perfetto timeline, the same compressed, and the blocks
         of the spool
memory   peak resident memory of the program, untraced twice (the difference is the noise) and traced, with KERNELS and
         five times as many; the growth between the two, per million kernels; the peak of the collector
         (exit code 1 when a kernel that was submitted is neither recorded nor counted as lost)
kill     the share of the kernels completed before the kill that is in the database. The device keeps its own log
         (VGPU_COMPLETIONS). No thread had time to see what it completed in the last moment
"""
import argparse
import os
import pathlib
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "support"))
from completions import CompletionLog, count_of  # noqa: E402

QUEUES = 2
MILLION = 1_000_000


def show(values, unit=""):
    return f"{statistics.median(values):,.1f} [{min(values):,.1f} .. {max(values):,.1f}]{unit}"


def finish(process, what):
    """Its peak resident memory in MB."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"footprint: {what} exited with {process.returncode}")
    return usage.ru_maxrss / 1024


class Bench:
    def __init__(self, options, folder):
        build = options.build.resolve()
        self.rtl, self.storm = build / "bin/rtl", build / "bin/programs/hsa_storm"
        self.vgpu, self.librtl = build / "lib/libvgpu.so", build / "lib/librtl.so"
        self.folder, self.kernels = pathlib.Path(folder), options.kernels
        self.database = self.folder / "trace.db"

    def environment(self, **more):
        # Kernels take modelled time and are not interpreted.
        return dict(os.environ, LD_PRELOAD=str(self.vgpu), VGPU_EXECUTE="0", VGPU_DISPATCH_NS="500") | more

    def start(self, kernels, **more):
        return subprocess.Popen([self.storm, str(kernels // QUEUES), str(QUEUES)], env=self.environment(**more),
                                stdout=subprocess.DEVNULL)

    def traced(self, kernels):
        """Peak memory of the program and of the collector; numbers of recorded and submitted kernels."""
        with tempfile.TemporaryDirectory(dir=self.folder) as spool:
            program = finish(self.start(kernels, HSA_TOOLS_LIB=str(self.librtl), RTL_SPOOL=spool), "the storm")
            blocks = sum(path.stat().st_blocks * 512 for path in pathlib.Path(spool).glob("*.seg"))
            self.database.unlink(missing_ok=True)
            collect = subprocess.Popen([self.rtl, "collect", "--keep-spool", "--spool", spool,
                                        "--output", self.database], stdout=subprocess.DEVNULL)
            collector = finish(collect, "rtl collect")
        return program, collector, blocks, self.counts()

    def counts(self):
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as connection:
            tags = dict(connection.execute("SELECT tag, value FROM rocpd_metadata"))
        return int(tags["recorded.kernels"]), int(tags["submitted.kernels"])

    def converted(self, name, to="pftrace"):
        output = self.folder / name
        subprocess.run([self.rtl, "convert", self.database, "--to", to, "-o", output], check=True,
                       stderr=subprocess.DEVNULL)
        return output.stat().st_size

    def killed(self, dice):
        """Percent of the completed kernels."""
        logs = self.folder / "completions"
        with tempfile.TemporaryDirectory(dir=self.folder) as spool:
            total = 2 * self.kernels
            process = self.start(total, HSA_TOOLS_LIB=str(self.librtl), RTL_SPOOL=spool, VGPU_COMPLETIONS=str(logs))
            log = pathlib.Path(f"{logs}.{process.pid}")
            goal = dice.uniform(0.2, 0.8) * total
            while count_of(log) < goal and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.database.unlink(missing_ok=True)
            subprocess.run([self.rtl, "collect", "--spool", spool, "--keep-spool", "--output", self.database],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        completed = sum(len(kernels) for kernels in CompletionLog(log).kernels().values())
        return 100 * min(self.counts()[0], completed) / completed, completed - self.counts()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--kernels", type=int, default=100_000)
    options = parser.parse_args()
    few, many = options.kernels, 5 * options.kernels
    size = {name: [] for name in ("database", "pftrace", "pftrace.zst", "spool")}
    growth = {name: [] for name in ("untraced", "untraced again", "traced")}
    collector, kept, missing = [], [], []
    recorded = submitted = counted = 0
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        for _ in range(options.rounds):
            for name in ("untraced", "untraced again"):
                low, high = (finish(bench.start(kernels), "the storm") for kernels in (few, many))
                growth[name].append((high - low) * MILLION / (many - few))
            low = bench.traced(few)[0]
            high, peak, blocks, counts = bench.traced(many)
            growth["traced"].append((high - low) * MILLION / (many - few))
            collector.append(peak)
            recorded, counted, submitted = recorded + counts[0], counted + counts[1], submitted + many // QUEUES * QUEUES
            size["database"].append(bench.database.stat().st_size / many)
            size["spool"].append(blocks / many)
            for name in ("pftrace", "pftrace.zst"):
                size[name].append(bench.converted(f"t.{name}") / many)
            percent, short = bench.killed(dice)
            kept.append(percent)
            missing.append(short)
    print(f"{options.rounds} interleaved rounds, {many:,} kernels;"
          f" recorded {100 * recorded / submitted:.3f} % of {submitted:,}")
    for name, values in size.items():
        print(f"size    {name:16}{show(values, ' bytes/kernel'):>44}")
    for name, values in growth.items():
        print(f"memory  {name:16}{show(values, ' MB per million kernels'):>54}")
    print(f"memory  {'collector, peak':16}{show(collector, ' MB'):>34}")
    print(f"kill    {'kept':16}{show(kept, ' % of what had completed'):>54}, kernels short {show(missing)}")
    if counted != submitted:
        sys.exit(f"footprint: {submitted - counted:,} kernels are neither recorded nor counted as lost")


if __name__ == "__main__":
    main()
