#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two programs that are traced separately, and `rtl merge` of their traces: the result has all that the parts have, for
every reader.
"""

import csv
import json
import pathlib
import shutil
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import PROGRAMS, RTL, ask, environment_without, main, make_folder, refused, run  # noqa: E402

PROGRAM = PROGRAMS / "stream_gemm"
EVENTS = "kernels,markers,hip,copies,barriers,hsa,memory"
COUNTED = {
    "kernels": "SELECT count(*), sum(end - start), sum(submit) FROM rocpd_op WHERE kernel_id > 0",
    "markers": "SELECT count(*), sum(end - start), 0 FROM rocpd_op WHERE gpuId = -1 AND queueId = 0 AND submit = 0",
    "calls": "SELECT count(*), sum(end - start), sum(length(s.string)) FROM rocpd_api a"
             " JOIN rocpd_string s ON s.id = a.args_id",
    "HSA calls": "SELECT count(*), sum(end - start), sum(length(args)) FROM hsa_call",
    "copies": "SELECT count(*), sum(bytes), 0 FROM rtl_copy JOIN rocpd_op o ON o.id = op_id",
    "barriers": "SELECT count(*), sum(dependencies), 0 FROM rtl_barrier JOIN rocpd_op o ON o.id = op_id",
    "memory": "SELECT count(*), sum(bytes), count(gpuId) FROM memory_allocation",
    "links": "SELECT count(*), sum(o.start - a.start), 0 FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id"
             " JOIN rocpd_op o ON o.id = l.op_id AND o.process_id = a.process_id",
    "streams": "SELECT count(*), sum(kernels), 0 FROM stream_queue",
    "counts": "SELECT count(*), sum(value), 0 FROM rtl_process_counter WHERE counter IN ('submitted', 'recorded')",
}


def rtl(*arguments):
    return run(RTL, *arguments, environment=environment_without("RTL_"))


class Merge(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = make_folder(cls)
        cls.parts = [cls.folder / "a.db", cls.folder / "b.db"]
        for rank, part in enumerate(cls.parts):
            rtl("trace", "--vgpu", "--events", EVENTS, "--no-summary", "-o", part, "--", "env", f"RANK={rank}",
                "WORLD_SIZE=2", PROGRAM)
        cls.whole = cls.folder / "all.db"
        cls.done = rtl("merge", *cls.parts, "-o", cls.whole)

    def summary(self, database):
        return json.loads(rtl("summary", "--json", "-n", "0", database).stdout)

    def test_has_the_counts_and_the_sums_of_its_parts(self):
        self.assertEqual(self.done.stderr, "")
        for what, sql in COUNTED.items():
            with self.subTest(what):
                one, two = (ask(part, sql)[0] for part in self.parts)
                self.assertGreater(one[0], 0)
                self.assertEqual(ask(self.whole, sql), [tuple(a + b for a, b in zip(one, two))])
        self.assertEqual(ask(self.whole, "PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(ask(self.whole, "SELECT id, rank FROM rtl_process ORDER BY id"), [(1, 0), (2, 1)])

    def test_is_read_by_every_verb(self):
        whole = self.summary(self.whole)
        parts = [self.summary(part) for part in self.parts]
        for table, numbers in (("kernels", ("calls", "total_ns")), ("apis", ("calls", "total_ns")),
                               ("copies", ("copies", "bytes"))):
            for number in numbers:
                self.assertEqual(sum(row[number] for row in whole[table]),
                                 sum(row[number] for part in parts for row in part[table]), (table, number))
        one = json.loads(rtl("summary", "--json", "-n", "0", "--rank", "1", self.whole).stdout)
        self.assertEqual([(row["name"], row["calls"], row["total_ns"]) for row in one["kernels"]],
                         [(row["name"], row["calls"], row["total_ns"]) for row in parts[1]["kernels"]])
        info = rtl("info", self.whole).stdout
        self.assertIn(f"merged   from {self.parts[0]}, {self.parts[1]}", info)
        self.assertIn("exit code 0", info)
        self.assertGreater(len(json.loads(rtl("analyze", "--json", self.whole).stdout)["gpus"]), 0)
        self.assertIn("<html", rtl("report", "-o", "-", self.whole).stdout[:1000])
        self.assertEqual(rtl("diff", self.whole, self.whole).returncode, 0)

    def test_is_written_in_every_format(self):
        processes = [pid for (pid,) in ask(self.whole, "SELECT pid FROM rtl_process ORDER BY id")]
        for number, (pid, part) in enumerate(zip(processes, self.parts)):
            rtl("convert", "--to", "csv", "-o", self.folder / f"part{number}", part)
            self.assertGreater(len(self.rows(f"part{number}_kernel_trace.csv")), 0)
        rtl("convert", "--to", "csv", "-o", self.folder / "whole", self.whole)
        for number, pid in enumerate(processes):
            for table in ("kernel_trace", "hip_api_trace", "memory_copy_trace", "marker_api_trace"):
                whole, part = (self.rows(f"{name}_{table}.csv") for name in (f"whole-{pid}", f"part{number}"))
                if table == "marker_api_trace":  # ids behind those of all calls of the trace
                    whole, part = ([row | {"Correlation_Id": ""} for row in rows] for rows in (whole, part))
                self.assertEqual(whole, part, table)
        for form in ("json", "rocpd", "otf2"):
            rtl("convert", "--to", form, "-o", self.folder / form, self.whole)
            self.assertEqual(len([path for path in self.folder.glob(f"{form}-*") if path.is_file()]) % 2, 0)
        one, two, whole = (self.kernels_in_chrome(trace) for trace in (*self.parts, self.whole))
        self.assertGreater(len(one), 0)
        self.assertEqual(whole, sorted(one + two))
        self.assertEqual({pid for pid, *_ in whole}, set(processes))
        rtl("convert", "--to", "pftrace", "-o", self.folder / "t.pftrace", self.whole)
        self.assertGreater((self.folder / "t.pftrace").stat().st_size, 0)

    def kernels_in_chrome(self, trace):
        events = json.loads(rtl("convert", "--to", "chrome", "-o", "-", trace).stdout)["traceEvents"]
        return sorted((event["pid"], event["name"], event["dur"]) for event in events if event.get("cat") == "kernel")

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_tells_the_gpus_of_two_hosts_apart(self):
        """The same bus and UUID on two machines are two GPUs; in two containers of one machine they are one."""
        other = "11111111-2222-3333-4444-555555555555"
        for boot, gpus in ((other, ["03:00.0, node1, rank 0", "03:00.0, node2, rank 1"]), (None, [None])):
            parts = [self.folder / f"host{number}{boot is None}.db" for number in (1, 2)]
            for number, (source, part) in enumerate(zip(self.parts, parts), 1):
                shutil.copy(source, part)
                with sqlite3.connect(part) as database:
                    database.execute("UPDATE rtl_process SET host = ?", (f"node{number}",))
                    if boot and number == 2:
                        database.execute("UPDATE rtl_process SET boot_id = ?", (boot,))
                        database.execute("UPDATE rocpd_metadata SET value = ? WHERE tag = 'boot_id'", (boot,))
                database.close()
            whole = self.folder / f"hosts{len(gpus)}.db"
            rtl("merge", *parts, "-o", whole)
            with self.subTest(gpus=gpus):
                for verb in ("summary", "analyze"):
                    self.assertEqual([gpu.get("place") for gpu in json.loads(rtl(verb, "--json", whole).stdout)["gpus"]],
                                     gpus, verb)
                    rows = csv.DictReader(rtl(verb, "--csv", "--table", "gpus", whole).stdout.splitlines())
                    self.assertEqual([row["Place"] for row in rows], [gpu or "" for gpu in gpus], verb)
                self.assertRegex(rtl("info", whole).stdout, r"(?s)\n +\d+ .* node1 .*\n +\d+ .* node2 ")
                rtl("convert", "--to", "rocpd", "-o", self.folder / f"r{len(gpus)}", whole)
                boots = {boot for path in self.folder.glob(f"r{len(gpus)}-*_results.db")
                         for (boot,) in ask(path, "SELECT machine_id FROM rocpd_info_node")}
                self.assertEqual((len(boots), other in boots), (len(gpus), boot is not None))

    def refused(self, why, *arguments, code=1):
        before = sorted(self.folder.iterdir())
        self.assertIn(why, refused(RTL, "merge", *arguments, code=code))
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_errors_are_one_line(self):
        other = self.folder / "other.db"
        one, two = self.parts
        self.refused("merge takes two traces or more", one, "-o", other, code=2)
        self.refused("merge needs the name of a file", one, two, code=2)
        self.refused("the output would replace", one, two, "-o", one, code=2)
        self.refused("no such file", one, self.folder / "missing.db", "-o", other)
        self.refused("as well; its rows would occur twice", one, one, "-o", other)
        self.refused("as well; its rows would occur twice", self.whole, two, "-o", other)
        self.refused("cannot write", one, two, "-o", self.folder / "none" / "x.db")
        garbage = self.folder / "garbage.db"
        garbage.write_bytes(one.read_bytes()[:5000])
        self.refused(str(garbage), one, garbage, "-o", other)

    def test_leaves_nothing_on_a_full_disk(self):
        before = sorted(self.folder.iterdir())
        self.assertIn("full.db", refused("bash", "-c", 'ulimit -f 40; exec "$@"', "-", RTL, "merge", *self.parts, "-o",
                                         self.folder / "full.db"))
        self.assertEqual(sorted(self.folder.iterdir()), before)


if __name__ == "__main__":
    main(PROGRAM)
