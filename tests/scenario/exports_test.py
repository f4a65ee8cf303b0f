#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules by which other tools read our exports, applied to real traces and compared with SQL over the database.

The rules of HolisticTraceAnalysis and of TraceLens for Chrome's JSON, and the views and queries that come with RPD;
docs/reference/exports.md says which versions were run themselves.

    RTL_BUILD=build/release exports_test.py [--runtime NAME]
"""

import json
import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import PROGRAMS, ask, main, make_folder, rtl, trace  # noqa: E402

# The calls of HIP that submit work, according to HolisticTraceAnalysis.
LAUNCHES = ("hipLaunchKernel", "hipExtModuleLaunchKernel", "hipMemcpyAsync", "hipMemsetAsync", "hipMemcpyWithStream")
WORK = """SELECT o.id, o.submit, o.start, o.end, o.queueId, t.string, s.string FROM rocpd_op o JOIN rocpd_string t
    ON t.id = o.opType_id JOIN rocpd_string s ON s.id = o.description_id
    WHERE o.gpuId >= 0 AND (t.string = 'KernelExecution' OR t.string LIKE 'Copy%') ORDER BY o.start"""
CALLS = """SELECT l.op_id, a.start, n.string, s.stream_id FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id
    JOIN rocpd_string n ON n.id = a.apiName_id LEFT JOIN api_stream s ON s.api_id = a.id"""


def union(spans):
    total = until = 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, until))
        until = max(until, end)
    return total


def queue_lengths(moments):
    """For each stream (number of changes of its queue, mean length, greatest length), shortest first."""
    lengths = []
    for changes in moments.values():
        length, values = 0, []
        for _, change in sorted(changes, key=lambda each: (each[0], -each[1])):
            length += change
            values.append(length)
        lengths.append((len(values), round(sum(values) / len(values), 6), max(values)))
    return sorted(lengths)


class Exports(unittest.TestCase):
    def trace(self, program, mode, *arguments):
        self.database = make_folder(self) / "t.db"
        trace(self.database, PROGRAMS / program, *arguments, options=("--mode", mode))
        self.work = ask(self.database, WORK)
        self.calls = {op: (start, name, stream) for op, start, name, stream in ask(self.database, CALLS)}

    def convert(self, to, ending):
        output = self.database.with_suffix(ending)
        rtl("convert", self.database, "--to", to, "-o", output)
        return output

    def check_timeline(self):
        events = json.loads(self.convert("chrome", ".json").read_text())["traceEvents"]
        slices = [each for each in events if each["ph"] == "X"]
        on_gpu = [each for each in slices if "stream" in each.get("args", {})]
        self.assertEqual(len(on_gpu), len(self.work), "exactly the slices with a stream are work of a GPU")
        times = [(round(each["ts"] * 1000), round((each["ts"] + each["dur"]) * 1000)) for each in on_gpu]
        origin = min(start for start, _ in times) - self.work[0][2]
        self.assertEqual(union(times), union([(start, end) for _, _, start, end, *_ in self.work]), "busy time")
        self.assertEqual(max(end for _, end in times) - origin, max(each[3] for each in self.work))

        by_link = {}
        for each in on_gpu:
            self.assertIsInstance(each["args"]["correlation"], int)
            by_link.setdefault(each["args"]["correlation"], []).append(each)
        launches = [each for each in slices if each["name"] in LAUNCHES and each["args"]["correlation"] in by_link]
        moments = {}
        for launch in launches:
            (work,) = by_link[launch["args"]["correlation"]]
            stream = moments.setdefault(work["args"]["stream"], [])
            stream += [(round(launch["ts"] * 1000), 1), (round(work["ts"] * 1000), -1)]
        return queue_lengths(moments)

    def queue_lengths_by_sql(self):
        """A queue is longer from the call on; for other launches (a graph's) from the submission on."""
        moments = {}
        for op, submit, start, _, queue, kind, _ in self.work:
            call_start, call, stream = self.calls.get(op, (submit, "", None))
            if self.calls and call not in LAUNCHES and "Launch" not in call:
                continue
            key = ("stream", stream) if stream is not None else ("queue", queue or kind)
            longer = call_start if call in LAUNCHES else submit
            moments.setdefault(key, []).extend([(longer, 1), (start, -1)])
        return queue_lengths(moments)

    def check(self, program, mode, *arguments):
        self.trace(program, mode, *arguments)
        lengths = self.check_timeline()
        self.assertEqual(lengths, self.queue_lengths_by_sql())
        return lengths

    def test_streams(self):
        for mode in ("hip", "auto"):
            with self.subTest(mode):
                self.assertGreaterEqual(len(self.check("stream_gemm", mode)), 4, "of four streams")

    def test_graphs(self):
        for mode in ("hip", "auto"):
            with self.subTest(mode):
                counts = [count for count, *_ in self.check("graph_replay", mode, "5")]
                self.assertIn(60, counts, "five launches of six kernels")

    def test_files_whose_names_are_more_than_the_output_are_named(self):
        self.trace("stream_gemm", "hip")
        for to, more in (("rocpd", ""), ("csv", " more")):
            output = self.database.with_name(f"{to}.db")
            done = rtl("convert", self.database, "--to", to, "-o", output)
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, rf"^rtl: wrote \S+( and \d+{more})?\n$")
            self.assertTrue(pathlib.Path(done.stderr.split()[2]).is_file(), done.stderr)

    def test_the_tables_of_rpd(self):
        for mode in ("hip", "auto"):
            with self.subTest(mode):
                self.trace("stream_gemm", mode)
                with sqlite3.connect(self.convert("rpd", ".rpd")) as database:
                    top = {name: (calls, us) for name, calls, us, *_ in database.execute("SELECT * FROM top")}
                    bins = database.execute("SELECT count(*), sum(end - start < 25000) FROM op").fetchone()
                    linked = database.execute("""SELECT count(*) FROM rocpd_api_ops l JOIN api a ON a.id = l.api_id
                        JOIN op o ON o.id = l.op_id WHERE a.start <= o.start""").fetchone()
                expected = {}
                for _, _, start, end, _, kind, name in self.work:
                    calls, ns = expected.get(name if kind == "KernelExecution" else kind, (0, 0))
                    expected[name if kind == "KernelExecution" else kind] = (calls + 1, ns + end - start)
                self.assertEqual(top, {name: (calls, ns // 1000) for name, (calls, ns) in expected.items()})
                self.assertEqual(bins, (len(self.work), sum(each[3] - each[2] < 25000 for each in self.work)))
                self.assertEqual(linked, (len(self.work),))


if __name__ == "__main__":
    main(PROGRAMS / "graph_replay", PROGRAMS / "stream_gemm")
