#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Eight processes with the real RCCL on eight virtual GPUs, each traced by an `rtl trace --dataset` of its own, write
one dataset (examples/slow_rank.hip): the planted slow rank, the late step and a rank that is killed in the middle are
found, and nothing else is. Takes minutes, and 4 GB of disk for ROCm 7.2 with RCCL.

    rccl_job_test.py --install   fetches these libraries (scripts/runtime get 7.2-libraries) where they are missing
    RTL_BUILD=build/release rccl_job_test.py
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from fleet_frame import ENVIRONMENT, LIMIT_SECONDS, RTL, fleet, rows  # noqa: E402
from frame import BUILD, ROOT, RUNTIME_TOOL, in_runtime, main, make_folder, root_of, run  # noqa: E402
from processes import traced_by  # noqa: E402

LIBRARIES = "7.2-libraries"
RANKS, STEPS = 8, 24
SLOW_RANK, LATE_RANK, LATE_STEP = 5, 2, 7  # as the program has them
KILLED_RANK = 3


def compile_program():
    output = BUILD / "bin" / f"real-{LIBRARIES}" / "slow_rank"
    output.parent.mkdir(parents=True, exist_ok=True)
    run(*in_runtime(LIBRARIES), "env", "HIP_PLATFORM=amd", "hipcc", "-O2", "-std=c++20", "--offload-arch=gfx90a",
        f"-I{ROOT}/include", ROOT / "examples" / "slow_rank.hip", f"-L{BUILD}/lib", "-lroctx64", "-lrccl", "-o", output)
    return output


class Job:
    """A process and a tracer for each rank, as torchrun starts them."""

    def __init__(self, folder, program):
        self.folder, self.dataset = folder, folder / "job"
        self.ranks = []
        for rank in range(RANKS):
            variables = {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(RANKS), "VGPU_GFX": "90a",
                         "VGPU_KFD_MINOR": "17", "VGPU_DIR": str(folder / "vgpu"), "NCCL_SOCKET_IFNAME": "lo",
                         "NCCL_MAX_NCHANNELS": "1", "RTL_RUNTIME_BIND": str(folder),
                         "SLOW_RANK_MEETING": str(folder / "meeting")}
            with open(folder / f"{rank}.log", "w", encoding="utf-8") as log:
                self.ranks.append(subprocess.Popen(
                    [str(word) for word in (*in_runtime(LIBRARIES), "env", f"HOME={folder}", RTL, "trace",
                                            f"--vgpu={RANKS}", "--dataset", self.dataset, "--segment", "1ms", "--",
                                            program, RANKS, STEPS)],
                    env=ENVIRONMENT | variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder,
                    start_new_session=True))

    def said(self, rank):
        return (self.folder / f"{rank}.log").read_text(encoding="utf-8")

    def program_of(self, rank):
        """The pid of the traced program."""
        return traced_by(self.ranks[rank].pid)

    def wait(self):
        return [process.wait(LIMIT_SECONDS) for process in self.ranks]

    def end(self):
        for process in self.ranks:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


class RcclJob(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if root_of(LIBRARIES) is None:
            raise unittest.SkipTest(f"RCCL of ROCm 7.2 is not installed: scripts/runtime get {LIBRARIES}")
        cls.program = compile_program()

    def setUp(self):
        self.folder = make_folder(self)
        self.job = Job(self.folder, self.program)
        self.addCleanup(self.job.end)
        self.dataset = self.job.dataset

    def counts(self):
        found = {}
        of_kernels = "select rank, counter, events from losses where kind = 'kernels' and events > 0"
        for row in rows("sql", of_kernels, self.dataset):
            found.setdefault(int(row["rank"]), {})[row["counter"]] = int(row["events"])
        return found

    def test_the_slow_rank_and_the_late_step_are_found(self):
        self.assertEqual(self.job.wait(), RANKS * [0], [self.job.said(rank)[-500:] for rank in range(RANKS)])
        self.assertEqual(fleet("losses", self.dataset, "--format", "csv").stderr, "")
        text = fleet("verdict", self.dataset).stdout
        self.assertIn(f"ranks     {RANKS}, {RANKS} of them complete", text)
        self.assertRegex(text, rf"waiting   rank {SLOW_RANK} .*held up the others in .*forward.* took .* longer than "
                               "on others")
        self.assertEqual(text.count("\nslow  "), 1, text)
        self.assertRegex(text, rf"slow      rank {SLOW_RANK} .*forward")
        waits = rows("slowest", self.dataset, "--limit", 1000)
        self.assertEqual(len(waits), STEPS)
        late = next(row for row in waits if int(row["step"]) == LATE_STEP)
        self.assertEqual(int(late["rank"]), LATE_RANK, late)
        self.assertGreater(int(late["idle"]), 1_000_000_000, "the host was late by two seconds")
        self.assertGreater(int(late["idle"]), int(late["excess"]))
        self.assertEqual({row["rank"] for row in rows("outliers", self.dataset)}, {str(SLOW_RANK)})
        for rank, counted in self.counts().items():
            self.assertEqual(counted["submitted"], counted["recorded"], rank)

    def test_a_rank_is_killed_in_the_middle(self):
        first = self.dataset / "kernels" / f"rank-{KILLED_RANK:05}-000000.parquet"
        until = time.monotonic() + LIMIT_SECONDS
        while not first.exists():
            self.assertLess(time.monotonic(), until)
            self.assertIsNone(self.job.ranks[KILLED_RANK].poll(), self.job.said(KILLED_RANK))
        os.kill(self.job.program_of(KILLED_RANK), signal.SIGKILL)
        self.assertEqual(self.job.ranks[KILLED_RANK].wait(LIMIT_SECONDS), 128 + signal.SIGKILL)
        # The others wait for it in a collective. A launcher ends them.
        for rank in range(RANKS):
            if rank != KILLED_RANK:
                os.kill(self.job.program_of(rank), signal.SIGTERM)
        self.assertEqual([code for rank, code in enumerate(self.job.wait()) if rank != KILLED_RANK],
                         (RANKS - 1) * [128 + signal.SIGTERM])
        done = fleet("losses", self.dataset, "--format", "csv")
        self.assertIn(f"0 of {RANKS} ranks are complete", done.stderr)
        for rank in range(RANKS):
            self.assertRegex(done.stderr, rf"rank {rank}: until \d\d:\d\d:\d\d, killed\n")
        kernels = {int(row["rank"]): int(row["n"])
                   for row in rows("sql", "select rank, count(*) as n from kernels group by rank", self.dataset)}
        counts = self.counts()
        self.assertEqual(sorted(counts), list(range(RANKS)))
        for rank, counted in counts.items():
            lost = {counter: events for counter, events in counted.items() if counter.startswith("loss.")}
            self.assertEqual(counted["submitted"], counted["recorded"] + sum(lost.values()), (rank, counted))
            self.assertEqual(counted["recorded"], kernels[rank])
            self.assertLessEqual(set(lost), {"loss.kKilled"}, rank)
            self.assertLessEqual(sum(lost.values()), 3, "what was in flight in one step")
        # Up to the last step that the killed rank ended, every rank has all of it.
        steps = rows("sql", "select step, count(distinct rank) as ranks, count(*) as kernels, "
                     "count(distinct n) as sizes from "
                     "(select k.*, count(*) over (partition by rank, step) as n from kernels k where step is not null) "
                     f"where step < (select max(step) from kernels where rank = {KILLED_RANK}) group by step",
                     self.dataset)
        self.assertEqual({(row["ranks"], row["sizes"]) for row in steps}, {(str(RANKS), "1")})
        self.assertIn(f"ranks     {RANKS}, 0 of them complete", fleet("verdict", self.dataset).stdout)


if __name__ == "__main__":
    if sys.argv[1:] == ["--install"]:
        del sys.argv[1]
        if shutil.which("mmdebstrap") is None or subprocess.run([RUNTIME_TOOL, "get", LIBRARIES]).returncode != 0:
            print(f"{LIBRARIES} cannot be fetched here")
    main(verbosity=2)
