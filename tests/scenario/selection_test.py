#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A selection of a trace: the results of rtl convert and rtl analyze, counted against the database.

    RTL_BUILD=build/release selection_test.py
"""

import collections
import csv
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import ARE_KERNELS, PROGRAMS, RTL, ask, main, make_folder, refused, rtl, trace  # noqa: E402

PROGRAM = PROGRAMS / "slow_steps"
KERNELS = f"SELECT count(*) FROM rocpd_op WHERE {ARE_KERNELS}"


class PartOfATrace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = make_folder(cls)
        cls.database = cls.folder / "t.db"
        trace(cls.database, PROGRAM, options=("--mode", "hip"))
        began = ask(cls.database, "SELECT min(started) FROM rtl_process")[0][0]
        times = [start - began for start, in ask(cls.database, "SELECT start FROM rocpd_op ORDER BY start")]
        cls.middle = times[len(times) // 2]
        cls.began = began

    def timeline(self, *selection):
        text = rtl("convert", self.database, "--to", "chrome", "-o", "-", *selection).stdout
        events = json.loads(text)["traceEvents"]
        ends = collections.Counter((each["ph"], each["id"]) for each in events if each["ph"] in "sf")
        for (_, flow), number in ends.items():
            self.assertEqual(number, 1)
            self.assertTrue(ends["s", flow] and ends["f", flow], f"flow {flow} has one end")
        return collections.Counter(each.get("cat") for each in events if each["ph"] == "X")

    def test_a_timeline_has_the_kernels_of_a_name(self):
        whole = self.timeline()
        ((kernels,),) = ask(self.database, KERNELS)
        self.assertEqual(whole["kernel"], kernels)
        self.assertEqual(self.timeline("--kernel", "polynomial")["kernel"], 20)
        self.assertEqual(self.timeline("--kernel", "polynomial")["gpu_memcpy"], whole["gpu_memcpy"])

    def test_a_timeline_has_what_ran_in_a_time(self):
        at = self.began + self.middle
        ((before,),) = ask(self.database, f"{KERNELS} AND start < {at}")
        ((after,),) = ask(self.database, f"{KERNELS} AND end > {at}")
        self.assertGreater(before, 0)
        self.assertEqual(self.timeline("--until", f"{self.middle}ns")["kernel"], before)
        self.assertEqual(self.timeline("--from", f"{self.middle}ns")["kernel"], after)

    def test_a_timeline_has_what_ran_in_ranges(self):
        inside = ask(self.database, """SELECT count(*) FROM rocpd_api JOIN rocpd_string s ON s.id = apiName_id WHERE
            s.string = 'hipStreamSynchronize'""")[0][0]
        chosen = self.timeline("--range", "load batch")
        self.assertEqual(chosen["kernel"], 0, "the GPU has nothing to do while a batch is loaded")
        self.assertGreater(inside, 0)
        self.assertGreater(chosen["user_annotation"], 0)

    def test_the_files_of_rocprofv3_have_the_same(self):
        prefix = self.folder / "part"
        rtl("convert", self.database, "--to", "csv", "-o", prefix, "--kernel", "polynomial", "--from",
            f"{self.middle}ns")
        ((kernels,),) = ask(self.database, f"""{KERNELS} AND end > {self.began + self.middle} AND description_id IN
            (SELECT id FROM rocpd_string WHERE string LIKE '%polynomial%')""")
        with open(f"{prefix}_kernel_trace.csv", encoding="utf-8") as table:
            self.assertEqual(len(list(csv.DictReader(table))), kernels)

    def test_the_idle_time_of_a_part_matches_its_sql(self):
        for selection in ("--from", f"{self.middle}ns"), ("--to", f"{self.middle}ns"), ("--gpu", "0"):
            (gpu,) = json.loads(rtl("analyze", self.database, "--json", *selection).stdout)["gpus"]
            ((idle, gaps),) = ask(self.database, gpu["idle_sql"])
            self.assertEqual((idle, gaps), (gpu["idle_ns"], gpu["gaps"]))
        text = rtl("analyze", self.database, "--kernel", "polynomial").stdout
        self.assertIn("kernels that match polynomial", text.splitlines()[0])
        self.assertNotIn("sqlite3", text)

    def test_launches_of_a_part(self):
        at = self.began + self.middle
        ((expected, took),) = ask(self.database, f"""SELECT count(*), sum(end - start) FROM rocpd_op JOIN rocpd_api_ops
            ON op_id = rocpd_op.id WHERE kernel_id > 0 AND end > {at} AND description_id IN
            (SELECT id FROM rocpd_string WHERE string LIKE '%polynomial%')""")
        head, line = csv.reader(rtl("summary", self.database, "--launch", "--csv", "--kernel", "polynomial", "--from",
                                    f"{self.middle}ns").stdout.splitlines())
        row = dict(zip(head, line, strict=True))
        self.assertEqual(int(row["Kernels"]), expected)
        self.assertEqual(int(row["RunTotalNs"]), took)
        text = rtl("summary", self.database, "--launch", "--gpu", "0", "--kernel", "polynomial").stdout
        self.assertIn("kernels that match polynomial, of GPU 0", text.splitlines()[0])

    def test_a_selection_without_events_is_one_line(self):
        for verb in ["analyze"], ["convert", "-o", self.folder / "none.json"]:
            for selection, why in (["--kernel", "nothing_like_it"], "no kernel"), (["--gpu", "7"], "no GPU 7"), (
                    ["--rank", "3"], "rank 3"), (["--range", "nobody"], "no range"):
                self.assertIn(why, refused(RTL, *verb[:1], self.database, *verb[1:], *selection))
        self.assertFalse(list(self.folder.glob("none*")))


if __name__ == "__main__":
    main(PROGRAM)
