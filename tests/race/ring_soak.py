#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A trace with a ring takes no more memory and disk the longer it lasts.

    ring_soak.py [--kernels N] [--processes N]    a storm of kernels, then many short processes
    ring_soak.py --minutes M                      both at once, for M minutes

It samples the anonymous memory of rtl and of the storm, and the disk space of the spool. See README.md.
"""

import argparse
import contextlib
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import PROGRAMS, RTL, rtl  # noqa: E402
from processes import children_of  # noqa: E402

STORM = PROGRAMS / "hsa_storm"
MEGABYTE = 1 << 20
RING_BYTES = MEGABYTE
SPOOL_BYTES = 64 * MEGABYTE
# Beside the ring: the program itself, its buffers, a database that is written.
COLLECTOR_BYTES = 24 * MEGABYTE
# Between the two halves of a run; the memory of a process is counted in pages and changes with its threads' stacks.
DRIFT_BYTES = 2 * MEGABYTE
# The program's memory follows the longest queue of kernels that wait for the tracer's thread. It is bounded: the storm
# reaches the bound at its start, while the thread is held: until the memory has not grown for STILL_SECONDS.
FILL_SECONDS, STILL_SECONDS = 10, 0.5
PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH, WALL = 0x4206, 0x4207, 17, 0x40000000


def anonymous_bytes(pid):
    """None: the process has ended."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.M)
    return int(found[1]) * 1024 if found else None


def thread_of(pid, name):
    """None: the process has no thread of that name."""
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        with contextlib.suppress(OSError):
            if (task / "comm").read_text(encoding="utf-8").strip() == name:
                return int(task.name)
    return None


@contextlib.contextmanager
def held(thread):
    """The thread does not run meanwhile; the others of its process do."""
    libc = ctypes.CDLL(None, use_errno=True)

    def ptrace(request):
        if libc.ptrace(request, thread, None, None) != 0:
            raise OSError(ctypes.get_errno(), f"ptrace {request:#x} of thread {thread}")

    ptrace(PTRACE_SEIZE)
    ptrace(PTRACE_INTERRUPT)
    os.waitpid(thread, WALL)
    try:
        yield
    finally:
        ptrace(PTRACE_DETACH)


def child_of(pid):
    return next(iter(children_of(pid)), None)


def disk_bytes(folder):
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_blocks * 512
        except OSError:
            pass  # it was read to its end meanwhile
    return total


class Arm(threading.Thread):
    """One `rtl trace --ring`, watched until it ends."""

    def __init__(self, name, folder, program, pause, seconds=None):
        super().__init__()
        self.name, self.pause, self.seconds = name, pause, seconds
        self.folder = folder / name
        self.folder.mkdir()
        self.trace = self.folder / "t.db"
        self.command = [RTL, "trace", "--vgpu", "--no-summary", "--ring", "1M", "-o", self.trace, "--",
                        *program]
        self.samples = {"collector": [], "program": [], "disk": []}
        self.trouble = None

    def run(self):
        try:
            self.watch()
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            self.trouble = f"{self.name}: {error}"

    def watch(self):
        env = dict(os.environ, VGPU_NUM_GPUS="1", RTL_SPOOL_LIMIT_MB=str(SPOOL_BYTES // MEGABYTE))
        log = open(self.folder / "log", "w+", encoding="utf-8")
        start = time.monotonic()
        running = subprocess.Popen([str(word) for word in self.command], env=env, stdout=log, stderr=log,
                                   start_new_session=True)
        ended = False
        if self.name == "storm":
            self.fill(running)
        while running.poll() is None:
            self.sample(running.pid)
            if self.seconds is not None and not ended and time.monotonic() - start > self.seconds:
                ended = True
                (self.folder / "end").touch()  # the loop looks for it
                program = child_of(running.pid)
                if self.name == "storm" and program is not None:
                    os.kill(program, signal.SIGKILL)
            time.sleep(self.pause)
        log.seek(0)
        self.said = log.read()
        assert running.returncode == (128 + signal.SIGKILL if ended and self.name == "storm" else 0), self.said
        self.check()

    def fill(self, running):
        worker = None
        while worker is None and running.poll() is None:
            program = child_of(running.pid)
            worker = thread_of(program, "rtl-worker") if program is not None else None
            time.sleep(self.pause)
        assert worker is not None, "the storm has no thread rtl-worker"
        with held(worker):
            most, grown = 0, time.monotonic()
            until = grown + FILL_SECONDS
            while grown + STILL_SECONDS > time.monotonic() < until and running.poll() is None:
                self.sample(running.pid)
                if self.samples["program"][-1] > most:
                    most, grown = self.samples["program"][-1], time.monotonic()
                time.sleep(0.02)
        self.filled = {what: max(values, default=0) for what, values in self.samples.items()}

    def sample(self, pid):
        program = child_of(pid)
        if program is None:
            return  # the memory for writing the database at the end does not count
        for what, value in (("collector", anonymous_bytes(pid)), ("disk", disk_bytes(self.folder)),
                            ("program", anonymous_bytes(program))):
            if value is not None:
                self.samples[what].append(value)

    def check(self):
        text = rtl("info", self.trace).stdout
        line = re.search(r"^kernels: ([\d,]+) \w+, ([\d,]+) recorded, (?:([\d,]+) left out on purpose \([^)]*\), )?"
                         r"([\d,]+) lost", text, re.M)
        assert line is not None, text
        submitted, recorded, left_out, lost = (int((number or "0").replace(",", "")) for number in line.groups())
        print(f"{self.name}: {line[0]}")
        assert submitted == recorded + left_out + lost, line[0]
        assert left_out > recorded, f"the window did not move far enough: {line[0]}"
        for what, values in self.samples.items():
            if what == "program" and self.name != "storm":
                continue
            half = len(values) // 2
            first, second = max(values[:half], default=0), max(values[half:], default=0)
            if what == "program":
                first = self.filled[what] * 5 // 4  # the allocator's own share
                print(f"storm: program, with all that may wait for the tracer's thread: {self.filled[what] / MEGABYTE:.1f} MB")
            tenths = [max(values[len(values) * i // 10:len(values) * (i + 1) // 10] or [0]) for i in range(10)]
            print(f"{self.name}: {what}, most of each tenth of {len(values)} samples, MB: "
                  + " ".join(f"{value / MEGABYTE:.1f}" for value in tenths), flush=True)
            if what == "disk":
                assert max(values) < SPOOL_BYTES + 32 * MEGABYTE, f"{max(values)} bytes of disk"
                continue
            assert second <= first + DRIFT_BYTES, f"{what}: {first} bytes, later {second}"
            if what == "collector":
                assert max(values) < RING_BYTES + COLLECTOR_BYTES, f"{max(values)} bytes in the collector"
        if self.name == "processes":
            assert "processes ended before the window" in self.said, self.said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", type=int, default=600_000, help="of the storm")
    parser.add_argument("--processes", type=int, default=150)
    parser.add_argument("--minutes", type=float)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = pathlib.Path(name)
        seconds = arguments.minutes * 60 if arguments.minutes else None
        pause = 1 if seconds else 0.02
        kernels = 1_000_000_000 if seconds else arguments.kernels // 2
        turns = (f'while [ ! -e {folder}/processes/end ]; do "$0" 100 1; done' if seconds else
                 f'for i in $(seq {arguments.processes}); do "$0" 100 1 || exit; done')
        arms = [Arm("storm", folder, [STORM, str(kernels), "2"], pause, seconds),
                Arm("processes", folder, ["sh", "-c", turns + " >/dev/null", STORM], pause, seconds)]
        for arm in arms:
            arm.start()
            if seconds is None:
                arm.join()
        for arm in arms:
            arm.join()
        trouble = [arm.trouble for arm in arms if arm.trouble is not None]
        for sentence in trouble:
            print(f"FAILED: {sentence}")
        return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
