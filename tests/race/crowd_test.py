#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many processes under one rtl trace: they die at the same moment, or come and go, or have little room.

    crowd_test.py [--dying N] [--short N] [--seed S]

See README.md.
"""

import argparse
import ctypes
import os
import pathlib
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile

from last_words_test import shape
from completions import count_of
import frame
from frame import PROGRAMS, RTL, ask, check_sums, expect, facts_of

LIMIT_SECONDS = 1800
SHORT_KERNELS = 20
SMALL_DISK = "size=64m,mode=0700"  # /dev/shm in a container
WAYS = ("segv", "abort", "kill", "terminate", "exit_now")
LEARN = ("wait", "poll", "handler")
SIGNALS = ("own", "shared", "barrier")


def trace(database, script, folder):
    """Of a shell."""
    frame.trace(database, "sh", "-c", script, folder=folder, seconds=LIMIT_SECONDS, VGPU_NUM_GPUS=1)
    expect(not list(folder.glob("**/*.spool-*")), "the spool is left")


def kernels_of(database):
    """The numbers of kernels: submitted, recorded. The sums of every kind are checked."""
    facts = facts_of(database)
    check_sums(facts)
    return int(facts["submitted.kernels"]), int(facts["recorded.kernels"])


def dying(count, seed, folder):
    """Each process notes the kernels that it has seen end, and waits to be killed, or dies by itself."""
    dice = random.Random(seed)
    lines = []
    for i in range(count):
        arguments = (folder / f"note{i}", dice.choice(WAYS), dice.choice(LEARN), dice.choice(SIGNALS), 2,
                     dice.randrange(1 << 32), dice.choice(("wait", "launch")))
        words = " ".join(str(word) for word in (PROGRAMS / "hsa_last_words", *arguments))
        # The shell's number is the program's.
        lines.append(f"(exec sh -c 'echo $$ > pid{i}; while [ ! -e go ]; do sleep 0.01; done; exec {words}') &")
    database = folder / "t.db"
    trace(database, "\n".join([*lines, "touch go", "wait"]), folder)
    submitted, recorded = kernels_of(database)
    known = 0
    found = {}
    for pid, *kernel in ask(database, "SELECT pid, gridX, gridY, workgroupX FROM rocpd_op WHERE kernel_id != 0"):
        found.setdefault(pid, set()).add(tuple(kernel))
    for i in range(count):
        pid = int((folder / f"pid{i}").read_text(encoding="utf-8"))
        for thread, ended in enumerate(struct.unpack("2I", (folder / f"note{i}").read_bytes()[:8])):
            known += ended
            missing = [k for k in range(ended) if shape(thread, k) not in found.get(pid, ())]
            expect(not missing, f"process {pid}: {len(missing)} of {ended} kernels are not in the trace: {missing[:9]}")
    in_flight = 0
    if ask(database, "SELECT 1 FROM sqlite_master WHERE name = 'rtl_in_flight'"):
        in_flight = ask(database, "SELECT count(*) FROM rtl_in_flight WHERE NOT barrier")[0][0]
    expect(in_flight == submitted - recorded, f"{submitted} submitted, {recorded} recorded, {in_flight} are named")
    print(f"{count} processes died at once: {known} kernels were seen to end, none is missing; {in_flight} were in "
          "flight, all are named", flush=True)


def killed_together(count, folder):
    """One signal ends them all while their kernels run."""
    database, log = folder / "t.db", folder / "log"
    storms = " & ".join([f"{PROGRAMS / 'hsa_storm'} 100000000 1"] * count)
    env = dict(os.environ, VGPU_NUM_GPUS="1", VGPU_COMPLETIONS=str(log))
    with open(folder / "said", "w+", encoding="utf-8") as said:
        running = subprocess.Popen([RTL, "trace", "--vgpu", "--no-summary", "-o", database, "--", "sh", "-c",
                                    f"setsid -w sh -c '{storms} & wait'; true"], env=env, stdout=said, stderr=said)
        begun = []
        while len(begun) < count:  # waits for all of them; some take a while
            expect(running.poll() is None, (folder / "said").read_text(encoding="utf-8"))
            begun = [path for path in folder.glob("log.*") if count_of(path) > 0]
        os.killpg(os.getpgid(int(begun[0].suffix[1:])), signal.SIGKILL)
        expect(running.wait(LIMIT_SECONDS) == 0, (folder / "said").read_text(encoding="utf-8"))
    submitted, recorded = kernels_of(database)
    ends = ask(database, "SELECT count(DISTINCT pid) FROM rtl_process")
    expect(ends == [(count,)], f"{ends} processes are in the trace")
    expect(recorded > 0, "nothing was recorded")
    print(f"{count} processes were killed by one signal: {submitted} kernels submitted, {recorded} recorded, the rest is "
          "counted", flush=True)


def short(count, folder):
    """One after the other, two at a time."""
    database = folder / "t.db"
    loop = f"for i in $(seq {count // 2}); do {PROGRAMS / 'hsa_storm'} {SHORT_KERNELS} 1 || exit; done"
    trace(database, f"({loop}) >one & ({loop}) >two || exit; wait $!", folder)
    submitted, recorded = kernels_of(database)
    processes = ask(database, "SELECT count(DISTINCT pid || '-' || start_ticks) FROM rtl_process")[0][0]
    wanted = count // 2 * 2
    expect(processes == wanted, f"{processes} of {wanted} processes are in the trace")
    expect(submitted == recorded == wanted * SHORT_KERNELS, f"{submitted} kernels submitted, {recorded} recorded")
    print(f"{wanted} short processes: {recorded} kernels, all recorded", flush=True)


class SmallDisk:
    """A folder on a tmpfs of its own."""

    def __init__(self, folder):
        self.path = folder / "small"
        self.path.mkdir()
        libc = ctypes.CDLL(None, use_errno=True)
        self.unmount = lambda: libc.umount2(str(self.path).encode(), 2)  # MNT_DETACH
        self.mounted = libc.mount(b"none", str(self.path).encode(), b"tmpfs", 0, SMALL_DISK.encode()) == 0


def little_room(folder):
    """Spool and trace lie in 64 MB: the program does not notice, and the trace is whole or names its losses."""
    disk = SmallDisk(folder)
    if not disk.mounted:
        print("little room: skipped, it needs the right to mount a tmpfs")
        return
    try:
        database = disk.path / "t.db"
        trace(database, f"{PROGRAMS / 'hsa_storm'} 100000 2", folder)
        submitted, recorded = kernels_of(database)
        expect(submitted == 200_000, f"{submitted} kernels submitted")
        full = ask(database, "SELECT value FROM rocpd_metadata WHERE tag = 'loss.kSpoolFull.kernels'")
        expect(submitted - recorded == int(full[0][0]), f"{submitted - recorded} are missing, {full} found the spool full")
        print(f"in 64 MB: {submitted} kernels, {recorded} recorded, {full[0][0]} found the spool full", flush=True)
    finally:
        disk.unmount()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dying", type=int, default=16, help="processes that die at once")
    parser.add_argument("--short", type=int, default=100, help="short processes")
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    failed = 0
    print(f"seed {arguments.seed}", flush=True)
    for test in (lambda folder: dying(arguments.dying, arguments.seed, folder),
                 lambda folder: killed_together(arguments.dying, folder),
                 lambda folder: short(arguments.short, folder), little_room):
        with tempfile.TemporaryDirectory(prefix="crowd-") as folder:
            try:
                test(pathlib.Path(folder))
            except (AssertionError, sqlite3.Error, subprocess.TimeoutExpired) as failure:
                print(f"FAILED: {failure}", flush=True)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
