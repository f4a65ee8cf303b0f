#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl analyze on a program whose GPU is idle for a built-in reason: the right cause, and its cost.

    RTL_BUILD=build/release analyze_test.py [--runtime NAME]
"""

import csv
import json
import pathlib
import re
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import PROGRAMS, ROOT, RTL, RUNTIME, Case, main, refused, rtl, run, trace  # noqa: E402

PROGRAM = PROGRAMS / "idle_causes"


class Traced(Case):
    def analyzed(self, cause, mode="hip", preload=None, options=()):
        """The GPU's part of the analysis, and the cost that the program prints."""
        done = trace(self.database, PROGRAM, cause, options=("--mode", mode, *options),
                     **({"LD_PRELOAD": preload} if preload else {}))
        (gpu,) = json.loads(self.rtl("analyze", self.database, "--json"))["gpus"]
        self.assertEqual(gpu["kernels_ns"] + gpu["copies_ns"] + gpu["both_ns"] + gpu["idle_ns"], gpu["elapsed_ns"])
        self.assertEqual(sum(each["idle_ns"] for each in gpu["causes"]), gpu["idle_ns"])
        self.no_cause_gets_more_than_it_held(gpu)
        for sql, expected in self.by_sql(gpu):
            self.assertEqual(self.first(sql), expected, sql)
        return gpu, int(re.search(r"^cost (\d+)$", done.stdout, re.M)[1])

    def no_cause_gets_more_than_it_held(self, gpu):
        held = {"host code": "rocpd_op o JOIN rocpd_string s ON s.id = o.description_id", None:
                "rocpd_api o JOIN rocpd_string s ON s.id = o.apiName_id"}
        for each in gpu["causes"]:
            self.assertLessEqual(each["gaps"], gpu["gaps"])
            self.assertLessEqual(each["longest_ns"], each["idle_ns"])
            if each["where"] and not each["cause"].startswith("waiting"):
                of = held.get(each["cause"], held[None])
                (time,) = self.first(f"SELECT sum(o.end - o.start) FROM {of} WHERE s.string = '{each['where']}'")
                self.assertLessEqual(each["idle_ns"], time, each)

    def first(self, sql):
        return self.ask(sql)[0]

    def by_sql(self, gpu):
        """The lines of SQL of a GPU and their results: its idle time, each cause and the start."""
        yield gpu["idle_sql"], (gpu["idle_ns"] or None, gpu["gaps"])
        for each in gpu["causes"]:
            yield each["sql"], (each["idle_ns"], each["gaps"])
        yield gpu["start_sql"], (gpu["start_ns"],)

    def within_five_percent(self, cause, cost_of, **more):
        """Holds in one of three runs; in the others a busy machine may have delayed the host."""
        for _ in range(3):
            gpu, cost = self.analyzed(cause, **more)
            idle, truth = cost_of(gpu, cost)
            if abs(idle - truth) <= 0.05 * truth:
                return gpu
        self.fail(f"{idle} ns of idle time were found, {truth} ns are there")

    def idle_by(self, gpu, cause, where=None):
        return sum(each["idle_ns"] for each in gpu["causes"]
                   if each["cause"] == cause and where in (None, each["where"]))

    def loop_cost(self, *causes):
        """For within_five_percent: the time of a loop of 200 kernels without their own time is idle time of these
        causes. In a part far longer than others the host had no processor; the cause of such a part is chance."""
        def found(_, cost):
            loop = "SELECT id FROM rocpd_op WHERE kernel_id > 0 ORDER BY start DESC LIMIT"
            (ran,) = self.first(f"SELECT sum(end - start) FROM rocpd_op WHERE id IN ({loop} 200)")
            parts = self.ask(f"SELECT cause, end - start FROM gpu_gap WHERE op_id IN ({loop} 199)")
            usual = sum(ns for _, ns in parts) / 199
            return sum(ns for each, ns in parts if each in causes or ns > 5 * usual), cost - ran
        return found

    def about(self, idle, cost):
        """At least the pause, and more by the time that a busy machine takes to wake the host and to launch."""
        self.assertGreaterEqual(idle, cost)
        self.assertLess(idle, 2 * cost)

    def findings(self):
        """The findings of the analysis, after a check that their lines of SQL agree."""
        findings = json.loads(self.rtl("analyze", self.database, "--json"))["findings"]
        for each in findings:
            self.assertEqual(self.first(each["sql"]), (each["cost_ns"], each["count"]))
        return findings

    def by_shell(self):
        """Every line of SQL that --sql prints, pasted into a shell, gives the result of the analysis."""
        self.assertNotIn("sqlite3", self.rtl("analyze", self.database))
        text = self.rtl("analyze", self.database, "--sql", "-n", "0")
        if not shutil.which("sqlite3"):
            return
        analysis = json.loads(self.rtl("analyze", self.database, "--json"))
        expected = [line for gpu in analysis["gpus"] for line in self.by_sql(gpu)]
        expected += [(each["sql"], (each["cost_ns"], each["count"])) for each in analysis["findings"]]
        lines = [each for each in text.splitlines() if each.startswith("  sqlite3 ")]
        for line, (_, values) in zip(lines, expected, strict=True):
            done = run("sh", "-c", line)
            self.assertEqual(done.stdout, "|".join("" if each is None else str(each) for each in values) + "\n", line)

    def rtl(self, *arguments):
        return rtl(*arguments).stdout


class Analyze(Traced):
    def test_a_sleep_is_the_hosts_code(self):
        gpu, cost = self.analyzed("sleep")
        worst = gpu["causes"][0]
        self.assertEqual((worst["cause"], worst["where"]), ("host code", ""))
        self.assertGreaterEqual(worst["gaps"], 4)
        self.about(worst["idle_ns"], cost)
        text = self.rtl("analyze", self.database)
        self.assertRegex(text, r"\n  \d+\.\d+ ms \(\d+\.\d %\): host code\. The program computed")
        self.by_shell()

    def test_a_gap_is_split_between_a_range_and_the_code_after_it(self):
        gpu = self.within_five_percent("split", lambda gpu, cost: (self.idle_by(gpu, "host code", ""), cost))
        (range_time,) = self.first("""SELECT sum(o.end - o.start) FROM rocpd_op o JOIN rocpd_string s
            ON s.id = o.description_id WHERE s.string = 'load'""")
        found = self.idle_by(gpu, "host code", "load")
        self.assertLessEqual(found, range_time)
        self.assertGreaterEqual(found, 0.99 * range_time, "the GPU had no work in any of it")

    def test_time_before_the_first_kernel_is_the_start_of_the_program(self):
        gpu, _ = self.analyzed("none")
        first, began = self.first("""SELECT min(o.start), min(p.started) FROM rocpd_op o JOIN rtl_process p
            ON p.id = o.process_id WHERE o.kernel_id > 0""")
        self.assertEqual(gpu["start_ns"], first - began)
        self.assertIn("start of the program", self.rtl("analyze", self.database))
        (rest,) = json.loads(self.rtl("analyze", self.database, "--from", "1ns", "--json"))["gpus"]
        self.assertEqual((rest["start_ns"], rest["start_sql"]), (0, ""), "a selection has no start")

    def test_a_barrier_that_waits_for_the_host_costs_the_hosts_time(self):
        gpu = self.within_five_percent("barrier", lambda gpu, cost: (
            self.idle_by(gpu, "waiting for a barrier"), cost), options=["--barriers"])
        (worst,) = [each for each in gpu["causes"] if each["cause"] == "waiting for a barrier"]
        self.assertEqual((worst["where"], worst["gaps"]), ("BarrierAnd", 4))

    def test_without_barriers_the_cause_is_the_order_of_work(self):
        gpu, cost = self.analyzed("barrier")
        self.about(self.idle_by(gpu, "order of work"), cost)
        self.assertIn("Trace with --barriers", self.rtl("analyze", self.database))

    def test_waits_for_copies_are_attributed_to_them(self):
        gpu, _ = self.analyzed("serial")
        (found,) = [each for each in gpu["causes"] if each["cause"] == "waiting for a copy"]
        self.assertEqual((found["where"], found["gaps"]), ("CopyHostToDevice", 12))

    def test_a_sleep_costs_its_duration(self):
        self.within_five_percent("sleep", lambda gpu, cost: (self.idle_by(gpu, "host code"), cost))

    def test_a_synchronization_in_a_loop_costs_the_time_without_kernels(self):
        self.within_five_percent("synchronize", self.loop_cost("synchronization", "launching", "launch latency",
                                                               "host code"))

    @unittest.skipIf(RUNTIME, "one runtime shows it")
    def test_kernels_that_are_shorter_than_their_launches_are_bound_by_them(self):
        slow_packets = PROGRAM.with_name("libslow_packets.so")
        self.within_five_percent("launches", preload=slow_packets,
                                 cost_of=self.loop_cost("launching", "launch latency", "host code"))
        (found,) = self.findings()
        self.assertEqual(found["finding"], "launch-bound kernel")
        self.assertIn("Step(int*, int)", found["where"])
        self.assertGreater(found["count"], 100, "of 200")
        text = self.rtl("analyze", self.database)
        self.assertRegex(text, r": launch-bound kernel .*Step\(int\*, int\), \d+ of 201 launches\. The GPU waited")
        self.by_shell()

    def test_without_calls_the_analysis_names_the_option(self):
        gpu, cost = self.analyzed("sleep", mode="auto")
        self.assertEqual(gpu["causes"][0]["cause"], "host code")
        self.about(gpu["causes"][0]["idle_ns"], cost)
        self.assertIn("trace with --mode hip", self.rtl("analyze", self.database))

    def test_a_synchronization_in_a_loop_is_named(self):
        gpu, _ = self.analyzed("synchronize")
        gaps = {}
        for each in gpu["causes"]:
            gaps[each["cause"], each["where"]] = each["gaps"]
        # A host without a processor of its own may be delayed at any time: most gaps have the cause, not all.
        self.assertGreater(gaps.get(("synchronization", "hipDeviceSynchronize"), 0), 100, gaps)

    def test_a_program_without_a_fault_has_no_such_cause(self):
        gpu, _ = self.analyzed("none")
        last = [each for each in gpu["causes"] if each["cause"] == "host code"]
        self.assertLess(sum(each["idle_ns"] for each in last), 50_000_000)
        self.assertFalse([each for each in gpu["causes"] if each["cause"] == "synchronization" and each["gaps"] > 3])
        self.assertFalse(self.findings())

    def test_copies_between_the_kernels_of_a_stream_are_serial(self):
        self.analyzed("serial")
        (found,) = [each for each in self.findings() if each["finding"] == "serial copies"]
        took, copies = self.first("""SELECT sum(end - start), count(*) FROM rocpd_op WHERE opType_id IN
            (SELECT id FROM rocpd_string WHERE string LIKE 'Copy%')""")
        self.assertEqual(copies, 12)
        self.assertEqual(found["count"], copies)
        self.assertEqual(found["cost_ns"], took)
        text = self.rtl("analyze", self.database)
        self.assertRegex(text, r": serial copies, 12 copies\. No kernel ran beside them")
        self.by_shell()

    def test_copies_on_a_stream_of_their_own_are_not_serial(self):
        self.analyzed("beside")
        self.assertFalse([each for each in self.findings() if each["finding"] == "serial copies"])

    def test_csv_has_the_same(self):
        gpu, _ = self.analyzed("none")
        lines = self.rtl("analyze", self.database, "--csv").splitlines()
        self.assertEqual(lines[0], "Gpu,Cause,Where,Gaps,IdleNs,LongestNs,LongestAtNs")
        self.assertEqual(lines[1:], [f'0,{e["cause"]},"{e["where"]}",{e["gaps"]},{e["idle_ns"]},{e["longest_ns"]},'
                                     f'{e["longest_at_ns"]}' for e in gpu["causes"]])


    def test_rules_of_a_user_say_what_is_communication(self):
        self.analyzed("none")
        rules = self.database.with_name("rules")
        rules.write_text("communication: .\n")
        (gpu,) = json.loads(self.rtl("analyze", self.database, "--json", "--categories", rules))["gpus"]
        self.assertEqual([each["category"] for each in gpu["categories"] if each["category"] != "copy"],
                         ["communication"])
        self.assertEqual(gpu["exposed_communication_ns"], gpu["communication_ns"])
        self.assertEqual(gpu["computation_ns"], 0)
        rules.write_text("communication: (\n")
        self.assertIn("rules:1: ( is no regular expression",
                      refused(RTL, "analyze", self.database, "--categories", rules))

    def test_csv_has_every_table(self):
        self.analyzed("serial")
        analysis = json.loads(self.rtl("analyze", self.database, "--json"))
        tables = {}
        for name in ("causes", "gpus", "categories", "findings", "steps", "ranges", "streams", "nodes"):
            head, *rows = csv.reader(self.rtl("analyze", self.database, "--csv", "--table", name).splitlines())
            tables[name] = [dict(zip(head, row, strict=True)) for row in rows]
        (gpu,) = analysis["gpus"]
        (line,) = tables["gpus"]
        self.assertEqual([int(line[each]) for each in ("Gpu", "StartNs", "ElapsedNs", "KernelsNs", "CopiesNs", "BothNs",
                                                       "IdleNs", "Gaps")],
                         [gpu[each] for each in ("gpu", "start_ns", "elapsed_ns", "kernels_ns", "copies_ns", "both_ns",
                                                 "idle_ns", "gaps")])
        self.assertEqual([(each["Finding"], int(each["CostNs"]), int(each["Count"])) for each in tables["findings"]],
                         [(each["finding"], each["cost_ns"], each["count"]) for each in analysis["findings"]])
        self.assertEqual([(int(each["Stream"]), int(each["Kernels"]), int(each["CopyNs"]))
                          for each in tables["streams"]],
                         [(each["stream"], each["kernels"], each["copy_ns"]) for each in analysis["streams"]])
        self.assertGreaterEqual(len(tables["streams"]), 2)
        self.assertEqual(len(tables["causes"]), len(gpu["causes"]))
        self.assertEqual((tables["ranges"], tables["nodes"]), ([], []))
        self.assertEqual([(each["Category"], int(each["TotalNs"]), int(each["BusyNs"]), int(each["AloneNs"]))
                          for each in tables["categories"]],
                         [(each["category"], each["total_ns"], each["busy_ns"], each["alone_ns"])
                          for each in gpu["categories"]])
        self.assertEqual(gpu["computation_ns"] + gpu["exposed_communication_ns"] + gpu["exposed_copying_ns"]
                         + gpu["idle_ns"], gpu["elapsed_ns"])
        self.assertIn(
            "--table takes one of causes, gpus, categories, findings, steps, ranges, streams, nodes, not cats",
            rtl("analyze", self.database, "--csv", "--table", "cats", code=2).stderr)


class Work(Traced):
    """The work of a range, a stream and a node of a graph, against SQL."""

    def work(self, program, *arguments):
        trace(self.database, PROGRAMS / program, *arguments, options=("--mode", "hip"))
        return json.loads(self.rtl("analyze", self.database, "--json"))

    def test_ranges_are_projected_on_the_gpu(self):
        ranges = {each["name"]: each for each in self.work("slow_steps")["ranges"]}
        self.assertEqual(set(ranges), {"all batches", "finish batch"}, "loading a batch submits nothing")
        expected = self.ask("""SELECT name, count(*), sum(kernels), sum(copies), sum(kernel_ns), sum(last - first)
            FROM (SELECT s.string AS name, sum(t.string = 'KernelExecution') AS kernels,
                         sum(t.string LIKE 'Copy%') AS copies,
                         sum(CASE WHEN t.string = 'KernelExecution' THEN k.end - k.start ELSE 0 END) AS kernel_ns,
                         min(k.start) AS first, max(k.end) AS last
                  FROM rocpd_op r JOIN rocpd_string s ON s.id = r.description_id JOIN rocpd_op k
                    ON k.pid = r.pid AND k.tid = r.tid AND k.submit BETWEEN r.start AND r.end
                  JOIN rocpd_string t ON t.id = k.opType_id AND t.string <> 'UserMarker'
                  WHERE r.opType_id = (SELECT id FROM rocpd_string WHERE string = 'UserMarker') GROUP BY r.id)
            GROUP BY name""")
        self.assertEqual({name: each for name, *each in expected},
                         {name: [each[key] for key in ("ranges", "kernels", "copies", "kernel_ns", "total_ns")]
                          for name, each in ranges.items()})
        text = self.rtl("analyze", self.database)
        self.assertIn("Ranges on the GPU", text)
        self.assertIn("HIP streams", text)

    def test_nodes_of_graphs_and_streams_are_added_up(self):
        work = self.work("graph_replay", "5")
        nodes = sorted((each["node"], each["launches"], each["total_ns"]) for each in work["graph_nodes"])
        self.assertEqual(nodes, self.ask("SELECT node, count(*), sum(end - start) FROM graph_kernel GROUP BY graph, "
                                         "node"
                                         " ORDER BY node"))
        self.assertEqual(len(nodes), 6)
        self.assertEqual({each["launches"] for each in work["graph_nodes"]}, {5})
        kernels = {each["stream"]: each["kernels"] for each in work["streams"] if each["kernels"]}
        self.assertEqual(kernels, dict(self.ask("""SELECT s.stream, sum(q.kernels) FROM stream_queue q JOIN rtl_stream s
            ON s.id = q.stream_id JOIN rtl_queue u ON u.id = q.queue_id GROUP BY s.stream""")))
        self.assertIn("Nodes of HIP graphs", self.rtl("analyze", self.database))


# A step of a rank, and its duration by the rank's own clock.
STEPS = """
import os, sys, time, roctx
rank = int(os.environ["RANK"])
for step in range(10):
    roctx.rangePush("step's \\"name\\"")
    begin = time.monotonic_ns()
    time.sleep(0.25 if rank == int(sys.argv[1]) else 0.02)
    took = time.monotonic_ns() - begin
    roctx.rangePop()
    os.write(1, f"step {step} {rank} {took}\\n".encode())
"""


@unittest.skipIf(RUNTIME, "no runtime takes part")
class Ranks(Traced):
    def job(self, slow):
        """The durations of the steps of three ranks, shortest first."""
        ranks = "for r in 0 1 2; do RANK=$r WORLD_SIZE=3 TORCHELASTIC_RUN_ID=j \"$0\" -c \"$1\" $2 & done; wait"
        done = trace(self.database, "sh", "-c", ranks, sys.executable, STEPS, slow, PYTHONPATH=ROOT / "python")
        steps = {}
        for step, rank, took in re.findall(r"^step (\d+) (\d) (\d+)$", done.stdout, re.M):
            steps.setdefault(step, []).append((int(took), int(rank)))
        self.assertEqual([len(each) for each in steps.values()], 10 * [3])
        return [sorted(each) for each in steps.values()]

    def test_a_slow_rank_and_its_cost_are_named(self):
        steps = self.job(slow=2)
        cost = sum(each[2][0] - each[1][0] for each in steps if each[2][1] == 2)
        (found,) = self.findings()
        self.assertEqual((found["finding"], found["rank"], found["where"]), ("rank tail", 2, 'step\'s "name"'))
        self.assertEqual(found["of"], 10)
        self.assertAlmostEqual(found["cost_ns"], cost, delta=0.05 * cost)
        text = self.rtl("analyze", self.database)
        self.assertIn("rank tail: rank 2 of 3 is the slowest in ", text)
        self.by_shell()

    def test_ranks_that_are_alike_are_a_finding_only_when_their_own_clocks_say_so(self):
        """A machine with other work may hold up the same rank in every step. By chance this is one job in a hundred."""
        steps = self.job(slow=9)
        for found in self.findings():
            late = sum(each[2][1] == found["rank"] for each in steps)
            self.assertGreaterEqual(late, 8, f"{found}: the ranks measured {steps}")


class NothingToSay(unittest.TestCase):
    def test_a_file_that_is_no_trace_is_one_line(self):
        refused(RTL, "analyze", "/nowhere/t.db")


if __name__ == "__main__":
    main(PROGRAM)
