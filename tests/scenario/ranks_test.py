#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A job of four ranks with a GPU each, started as torchrun, MPI and SLURM do it: one database, and every kernel in it
belongs to its rank, its process and its GPU, by what the processes themselves print.
"""

import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from fleet_frame import run  # noqa: E402
from frame import BUILD, PROGRAMS, RTL, Case, ask, facts_of, main  # noqa: E402
from pftrace import PACKET_TRACK, fields  # noqa: E402
from processes import wait_for_files  # noqa: E402

RANKS = 4
KERNELS = 500  # of each rank on each of its queues, of which later ranks have more
STORM = PROGRAMS / "hsa_storm"
# The variables that each launcher gives a rank; a job's name, and its name in the trace.
LAUNCHERS = {
    "torchrun": ("RANK=$r LOCAL_RANK=$r WORLD_SIZE=4 TORCHELASTIC_RUN_ID=run-7", "run-7"),
    "Open MPI": ("OMPI_COMM_WORLD_RANK=$r OMPI_COMM_WORLD_LOCAL_RANK=$r OMPI_COMM_WORLD_SIZE=4"
                 " PMIX_NAMESPACE=ns-1", "ns-1"),
    "MPICH": ("PMI_RANK=$r MPI_LOCALRANKID=$r PMI_SIZE=4 PMI_JOBID=kvs_3", "kvs_3"),
    "SLURM": ("SLURM_PROCID=$r SLURM_LOCALID=$r SLURM_NTASKS=4 SLURM_JOB_ID=77 SLURM_STEP_ID=0", "77.0"),
}


class Ranks(Case):
    def script(self, told):
        """Each rank is a process in a session of its own. It prints its number before it becomes the program."""
        rank = f"echo $r $$; exec env ROCR_VISIBLE_DEVICES=$r {told} {STORM} {KERNELS} $((r + 1)) >&2"
        return f"for r in 0 1 2 3; do r=$r setsid sh -c '{rank}' & done; wait"

    def run_job(self, command, **variables):
        done = run(*command, **variables)
        return {int(rank): int(pid) for rank, pid in (line.split() for line in done.stdout.splitlines())}

    def launch(self, told, *options):
        return self.run_job([RTL, "trace", f"--vgpu={RANKS}", "--no-summary", *options, "-o",
                             self.database, "--", "sh", "-c", self.script(told)])

    def tell(self, verb, *arguments):
        return run(RTL, verb, *arguments).stdout

    def ask(self, sql, database=None):
        return ask(database or self.database, sql)

    def uuids(self):
        """The UUIDs of the GPUs in the driver's order, from a process that sees all of them."""
        all_of_them = self.folder / "all.db"
        self.tell("trace", f"--vgpu={RANKS}", "--no-summary", "-o", all_of_them, "--", STORM, 1, 1)
        found = [uuid for (uuid,) in self.ask("SELECT uuid FROM rtl_agent WHERE is_gpu ORDER BY gpu", all_of_them)]
        self.assertEqual(len(set(found)), RANKS, found)
        return found

    def check_timelines(self):
        """A GPU says there where it is and which rank has it."""
        for form in ("chrome", "pftrace"):
            self.tell("convert", "--to", form, "--force", "-o", self.folder / form, self.database)
        chrome = {event["args"]["name"] for event in json.loads((self.folder / "chrome").read_text())["traceEvents"]
                  if event["name"] == "thread_name"}
        data = (self.folder / "pftrace").read_bytes()
        perfetto = {dict(fields(track)).get(2, b"").decode() for _, packet in fields(data)
                    for number, track in fields(packet) if number == PACKET_TRACK}
        for rank in range(RANKS):
            gpu = rf"GPU {rank} \([0-9a-f:.]+, rank {rank}\)"
            self.assertRegex("\n".join(sorted(chrome)), rf"(?m)^{gpu} queue 1 \(hsa \d+\)$")
            self.assertRegex("\n".join(sorted(perfetto)), rf"(?m)^{gpu}$")

    def check(self, pids, job):
        kernels = [KERNELS * (rank + 1) for rank in range(RANKS)]
        self.assertEqual(self.ask("SELECT count(*), count(DISTINCT id) FROM rocpd_op"), [(sum(kernels), sum(kernels))])
        self.assertEqual(
            self.ask("SELECT o.rank, p.rank, p.local_rank, p.world, p.job, p.pid, o.pid, a.uuid, count(*)"
                     " FROM rocpd_op o"
                     " JOIN rtl_process p ON p.id = o.process_id"
                     " JOIN rtl_agent a ON a.process_id = p.id AND a.is_gpu AND a.gpu = o.gpuId"
                     " GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1"),
            [(rank, rank, rank, RANKS, job, pids[rank], pids[rank], uuid, kernels[rank])
             for rank, uuid in enumerate(self.uuids())])
        self.assertEqual(self.ask("SELECT count(*), sum(recorded) FROM rtl_queue"),
                         [(sum(range(RANKS + 1)), sum(kernels))])
        tags = facts_of(self.database)
        # Each calls its GPU 0, and has one of its own. The numbers do not depend on the order of the ranks.
        self.assertEqual(self.ask("SELECT DISTINCT rank, gpuId FROM rocpd_op ORDER BY 1"),
                         [(rank, rank) for rank in range(RANKS)])
        self.assertEqual(self.ask("SELECT gpuId, kernels FROM (SELECT gpuId, count(*) AS kernels FROM rocpd_op"
                                  " GROUP BY 1) ORDER BY 1"), list(enumerate(kernels)))
        summary = self.tell("summary", self.database)
        for rank in range(RANKS):
            self.assertRegex(summary, rf"\nGPU {rank} \(gfx\w+, [0-9a-f:.]+, rank {rank}\): {kernels[rank]:,} kernels")
            self.assertRegex(self.tell("analyze", self.database), rf"GPU {rank} \(gfx\w+, [0-9a-f:.]+, rank {rank}\)")
        self.check_timelines()
        self.assertEqual((tags["submitted.kernels"], tags["recorded.kernels"]), (str(sum(kernels)),) * 2)
        boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        self.assertEqual(self.ask("SELECT DISTINCT host, boot_id, start_ticks > 0 FROM rtl_process"),
                         [(os.uname().nodename, boot, 1)])

    def test_are_distinguished_with_every_launcher(self):
        for name, (told, job) in LAUNCHERS.items():
            with self.subTest(name):
                self.check(self.launch(told), job)

    def test_share_a_database_without_a_launcher(self):
        told, job = LAUNCHERS["torchrun"]
        lib = BUILD / "lib"
        pids = self.run_job(["sh", "-c", self.script(told)], LD_PRELOAD=lib / "libvgpu.so", VGPU_NUM_GPUS=RANKS,
                            HSA_TOOLS_LIB=lib / "librtl.so", RTL_OUTPUT=self.database)
        wait_for_files(self.folder, "t.db")
        self.check(pids, job)

    def test_are_listed_with_their_gpus_when_kept_apart(self):
        pids = self.launch(LAUNCHERS["SLURM"][0], "--split")
        manifest = json.loads((self.folder / "t.manifest.json").read_text())
        listed = {process["rank"]: (process["pid"], [gpu["uuid"] for gpu in process["gpus"]],
                                    process["events"]["kernels"]["recorded"]) for process in manifest["processes"]}
        self.assertEqual(listed, {rank: (pids[rank], [uuid], KERNELS * (rank + 1))
                                  for rank, uuid in enumerate(self.uuids())})

    def test_are_the_same_when_merged_from_databases_of_their_own(self):
        told, job = LAUNCHERS["SLURM"]
        pids = self.launch(told, "--split")
        parts = sorted(self.folder.glob("t*.db"))
        self.assertEqual(len(parts), RANKS, parts)
        self.tell("merge", *parts, "-o", self.database)
        self.check(pids, job)


if __name__ == "__main__":
    main()
