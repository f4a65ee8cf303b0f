#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A trace that is written in another tool's format and imported again has what the format holds.

    RTL_BUILD=build/release foreign_test.py
"""

import gzip
import json
import pathlib
import shutil
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import PROGRAMS, RTL, Case, ask, main, refused, rtl, trace  # noqa: E402

KERNELS = """SELECT s.string, o.gpuId, o.tid, o.start, o.end, o.gridX, o.gridY, o.workgroupX, o.workgroupY
    FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE o.kernel_id != 0 ORDER BY o.start, o.end"""
SUBMITTED = "SELECT start, submit FROM rocpd_op WHERE kernel_id != 0 ORDER BY start"
COPIES = """SELECT o.start, o.end, c.kind, c.dst_gpu, c.src_gpu{} FROM rtl_copy c JOIN rocpd_op o ON o.id = c.op_id
    ORDER BY o.start"""
CALLS = """SELECT n.string, a.tid, a.start, a.end{} FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id
    JOIN rocpd_string g ON g.id = a.args_id ORDER BY a.start, a.end"""
LINKS = """SELECT o.start, n.string, a.start FROM rocpd_api_ops l JOIN rocpd_op o ON o.id = l.op_id
    JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_string n ON n.id = a.apiName_id ORDER BY o.start"""
RANGES = """SELECT s.string, o.tid, o.start, o.end FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id
    JOIN rocpd_string t ON t.id = o.opType_id WHERE t.string = 'UserMarker' ORDER BY o.start, o.end DESC"""

MARKED = "opType_id = (SELECT id FROM rocpd_string WHERE string = 'UserMarker')"
# The kinds of rows, by the words of rtl convert, and their table.
KINDS = {
    "kernels": "rocpd_op WHERE kernel_id != 0",
    "copies": "rtl_copy",
    "barrier packets": "rtl_barrier",
    "API calls": "rocpd_api",
    "ranges and marks": f"rocpd_op WHERE {MARKED}",
    "calls of HSA": "hsa_call",
    "allocations and releases of memory": "memory_allocation",
    "events of scratch memory": "scratch_memory",
    "initializations of runtimes": "runtime_init",
    "operators": "rtl_operator WHERE kind = 1",
    "Python functions": "rtl_operator WHERE kind = 2",
}

# What each format holds beside kernels, calls and ranges: (arguments, results, bytes of copies, submissions).
FORMATS = {
    "chrome": ("c.json", (True, True, True, True)),
    "json": ("c", (True, True, True, False)),
    "rocpd": ("c", (True, False, True, False)),
    "csv": ("c", (False, False, False, False)),
    "rpd": ("c.rpd", (True, False, True, False)),
    "pftrace": ("c.pftrace", (True, True, True, True)),
}


class Foreign(Case):
    def rtl(self, *arguments):
        return rtl(*arguments, folder=self.folder).stdout

    def trace(self, mode, program, *arguments):
        trace(self.database, PROGRAMS / program, *arguments, options=("--mode", mode))

    def rows(self, database, sql):
        return ask(self.folder / database, sql)

    def convert(self, to):
        """The file or folder that the format consists of."""
        folder = self.folder / to
        folder.mkdir()
        self.rtl("convert", "t.db", "--to", to, "-o", folder / FORMATS[to][0])
        return folder

    def check(self, to, has_calls=True):
        arguments, results, sizes, submitted = FORMATS[to][1]
        found = self.rtl("import", self.convert(to), "-o", f"{to}.db")
        self.assertIn("what these tools lost is not known", found)
        back = f"{to}.db"
        queries = [KERNELS, COPIES.format(", c.bytes" if sizes else ""), RANGES]
        if has_calls:
            queries += [CALLS.format((", g.string" if arguments else "") + (", a.result" if results else "")), LINKS]
        if submitted:
            queries.append(SUBMITTED)
        for sql in queries:
            self.assertEqual(self.rows(back, sql), self.rows("t.db", sql), f"{to}: {sql}")

    def test_calls_and_copies_come_back(self):
        self.trace("hip", "streams_events")
        for to in FORMATS:
            self.check(to)

    def test_names_of_threads_come_back(self):
        self.trace("hip", "thread_names")
        names = """SELECT p.pid, n.target, n.name FROM rtl_name n JOIN rtl_process p ON p.id = n.process_id
            WHERE n.kind = 'thread' AND n.target IN (SELECT tid FROM rocpd_api) ORDER BY 1, 2"""
        # A runtime's own thread, which calls nothing, may have the name of the thread that started it.
        self.assertEqual(len(self.rows("t.db", names)), 6)
        for to in ("chrome", "rocpd"):
            self.rtl("import", self.convert(to), "-o", f"{to}.db")
            self.assertEqual(self.rows(f"{to}.db", names), self.rows("t.db", names), to)

    def test_ranges_come_back(self):
        self.trace("auto", "hsa_ranges")
        self.assertTrue(self.rows("t.db", RANGES))
        for to in FORMATS:
            self.check(to, has_calls=False)

    def test_work_without_calls_comes_back(self):
        self.trace("auto", "gemm")
        for to in FORMATS:
            self.check(to, has_calls=False)
            self.assertEqual(self.rows(f"{to}.db", "SELECT count(*) FROM rocpd_api"), [(0,)], to)

    def test_two_processes_stay_apart(self):
        self.trace("hip", "processes")
        owners = """SELECT p.pid, count(*) FROM rocpd_op o JOIN rtl_process p ON p.id = o.process_id
            WHERE kernel_id != 0 GROUP BY 1"""
        self.assertGreater(len(self.rows("t.db", owners)), 1)
        for to in ("chrome", "rocpd", "rpd", "pftrace"):
            self.rtl("import", self.convert(to), "-o", f"{to}.db")
            self.assertEqual(self.rows(f"{to}.db", owners), self.rows("t.db", owners), to)

    def test_every_verb_opens_them(self):
        self.trace("hip", "streams_events")
        path = self.convert("rpd") / "c.rpd"
        packed = self.folder / "packed"
        with open(path, "rb") as plain, gzip.open(packed, "wb") as out:
            shutil.copyfileobj(plain, out)
        for verb, word in (("summary", "10 kernels"), ("info", "packed: imported by rtl"),
                           ("analyze", "hipStreamSynchronize")):
            self.assertIn(word, self.rtl(verb, packed), verb)
        self.assertIn("packed", self.rtl("diff", packed, "t.db"))

    def test_every_format_is_written_of_them(self):
        path = self.profiler()
        for to in ("json", "csv", "rocpd", "otf2", "rpd", "pftrace", "chrome", "db", "speedscope", "folded", "parquet"):
            self.rtl("convert", path, "--to", to, "-o", self.folder / f"from.{to}")

    def everything(self):
        """t.db: a traced process with rows of each kind that the virtual GPU has here, and a process of torch.profiler
        on a GPU of NVIDIA, whose calls no enumeration of HIP knows."""
        self.rtl("trace", "--vgpu", "--barriers", "--events",
                    "kernels,markers,hip,copies,barriers,hsa,memory,scratch,init", "--no-summary", "-o", "own.db", "--",
                    PROGRAMS / "streams_events")
        path = self.profiler()
        path.write_text(path.read_text().replace('"hipLaunchKernel"', '"cudaLaunchKernel"', 1)
                        .replace('"hipLaunchKernel"', '"cuLaunchKernelEx"', 1))
        self.rtl("import", path, "-o", "torch.db")
        self.rtl("merge", "own.db", "torch.db", "-o", "t.db")
        return {name: self.rows("t.db", f"SELECT count(*) FROM {table}")[0][0] for name, table in KINDS.items()}

    def test_each_format_says_how_many_rows_it_leaves_out(self):
        has = self.everything()
        for name in ("API calls", "kernels", "copies", "barrier packets", "calls of HSA", "operators",
                     "initializations of runtimes", "allocations and releases of memory", "Python functions"):
            self.assertGreater(has[name], 0, name)
        for to in (*FORMATS, "otf2", "parquet", "db", "folded", "speedscope"):
            folder = self.folder / to
            folder.mkdir()
            done = rtl("convert", self.database, "--to", to, "-o", folder / FORMATS.get(to, (to,))[0])
            left = {}
            for line in done.stderr.splitlines():
                if "left out" in line:
                    self.assertIn(f"left out, because --to {to} cannot hold them: ", line)
                    left = dict(reversed(each.split(" ", 1)) for each in line.split("them: ")[1].split(", "))
            left = {name if name in has else name + "s": int(number.replace(",", "")) for name, number in left.items()}
            self.assertLessEqual(set(left), set(has), to)
            if to not in FORMATS:
                self.assertEqual(bool(left), to not in ("db", "parquet"), f"{to}: {left}")
                continue
            # The other rows are in the file. The reader of the form counts those that it does not use.
            found = self.rtl("import", folder, "-o", f"{to}.db")
            for name, rows in has.items():
                if name in left:
                    self.assertEqual(left[name], rows, f"{to}: {name}")
                elif not (name == "barrier packets" and "barrier" in found):
                    (back,), = self.rows(f"{to}.db", f"SELECT count(*) FROM {KINDS[name]}")
                    self.assertEqual(back, rows, f"{to}: {name}\n{found}")

    def test_left_out_rows_are_counted_among_the_selected(self):
        path = self.profiler()
        done = rtl("convert", path, "--to", "csv", "-o", "part", "--until", "15us", folder=self.folder)
        self.assertIn("part: left out, because --to csv cannot hold them: 2 Python functions\n", done.stderr)

    def test_kernels_are_selected_in_times_by_operator(self):
        path = self.profiler()
        whole = json.loads(self.rtl("summary", path, "--by", "operator", "--json"))
        self.assertEqual(whole["kernels"], 3)
        some = json.loads(self.rtl("summary", path, "--by", "operator", "--kernel", "gemm", "--json"))
        self.assertEqual([(row["name"], row["kernels"], row["total_ns"]) for row in some["rows"]],
                         [("aten::mm", 1, 30000)])
        self.assertEqual((some["kernels"], some["kernel_ns"]), (1, 30000))
        self.assertIn("kernels that match gemm",
                      self.rtl("summary", path, "--by", "line", "--kernel", "gemm"))

    def profiler(self):
        """A trace of torch.profiler: two kernels of a module, and one whose call is not in the file."""
        def event(category, name, start, duration, tid=7, **arguments):
            return {"ph": "X", "cat": category, "name": name, "pid": 4, "tid": tid, "ts": start, "dur": duration,
                    "args": arguments}
        events = [event("python_function", "train.py(7): step; \"a\"", 0, 100),
                  event("python_function", "nn.Module: Linear_0", 10, 60),
                  event("cpu_op", "aten::mm", 20, 20, **{"Input Dims": [[2, 3]], "Input type": ["float"]}),
                  event("cuda_runtime", "hipLaunchKernel", 25, 5, correlation=1),
                  event("cuda_runtime", "hipLaunchKernel", 60, 5, correlation=2),
                  event("kernel", "Cijk_gemm", 40, 30, tid=1, device=0, stream=0, correlation=1),
                  event("kernel", "add", 80, 5, tid=1, device=0, stream=0, correlation=2),
                  event("kernel", "add", 90, 2, tid=1, device=0, stream=0, correlation=77)]
        path = self.folder / "torch.json"
        path.write_text(json.dumps({"traceEvents": events}))
        return path

    def test_operators_come_back(self):
        self.rtl("import", self.profiler(), "-o", "t.db")
        operators = """SELECT o.kind, n.string, i.string, o.tid, o.start, o.duration FROM rtl_operator o
            JOIN rocpd_string n ON n.id = o.name_id LEFT JOIN rocpd_string i ON i.id = o.inputs_id ORDER BY 5, 6"""
        self.assertEqual(len(self.rows("t.db", operators)), 3)
        for to, name in (("chrome", "back.json"), ("pftrace", "back.pftrace")):
            self.rtl("convert", "t.db", "--to", to, "-o", name)
            self.rtl("import", name, "-o", f"{to}.db")
            self.assertEqual(self.rows(f"{to}.db", operators), self.rows("t.db", operators), to)
            for what in ("operator", "module", "line"):
                tables = [self.rtl("summary", "--by", what, "--csv", each) for each in ("t.db", f"{to}.db")]
                self.assertEqual(*tables)
                self.assertGreater(len(tables[0].splitlines()), 1, what)

    def test_allocations_and_ranges_come_back_by_our_formats(self):
        self.rtl("trace", "--vgpu", "--events", "kernels,copies,markers,hip,memory", "--no-summary",
                    "-o", "t.db", "--", PROGRAMS / "idle_causes", "sleep")
        allocations = """SELECT s.string, a.start, a.end, a.bytes, a.address, a.gpuId FROM memory_allocation a
            JOIN rocpd_string s ON s.id = a.operation_id WHERE a.gpuId >= 0 ORDER BY a.start"""
        for to in ("chrome", "pftrace"):
            self.rtl("import", self.convert(to), "-o", f"{to}.db")
            self.assertEqual(self.rows(f"{to}.db", RANGES), self.rows("t.db", RANGES), to)
            self.assertEqual(self.allocations(f"{to}.db"), self.allocations("t.db"), to)

    def allocations(self, database):
        with sqlite3.connect(f"file:{self.folder / database}?mode=ro", uri=True) as connection:
            connection.row_factory = sqlite3.Row
            rows = connection.execute("SELECT * FROM memory_allocation ORDER BY start").fetchall()
        self.assertTrue(rows)
        names = ("name", "start", "end", "bytes", "address", "gpuId", "gpu")
        return [[row[name] for name in names if name in row.keys()] for row in rows]

    def test_perfetto_of_another_tool_is_refused_by_what_it_holds(self):
        # Two packets: an interned category "gfx", and a slice of it.
        names = b"\x62\x0b\x0a\x07\x08\x01\x12\x03gfx\x12\x00"
        slices = b"\x40\x05\x50\x01\x5a\x04\x18\x01\x48\x01"
        packets = b"".join(b"\x0a" + bytes([len(each)]) + each for each in (b"\x50\x01" + names, slices))
        (self.folder / "other").write_bytes(packets)
        for command in (("import", "-o", "x.db"), ("summary",)):
            self.assertIn("that rtl did not write: it holds 1 slices (gfx)",
                          refused(RTL, *command, "other", folder=self.folder))
        (self.folder / "cut").write_bytes(packets[:-2])
        self.assertIn("cut: ends within a packet, at byte",
                      rtl("import", "-o", "x.db", "cut", code=None, folder=self.folder).stderr)

    def test_kernels_of_other_gpus_are_matched_by_operator_and_position(self):
        before = self.profiler()
        after = self.folder / "other.json"
        after.write_text(before.read_text().replace("Cijk_gemm", "nvjet_gemm"))
        found = json.loads(self.rtl("diff", before, after, "--json"))["differences"]
        (pair,) = [row for row in found if "->" in row["name"]]
        self.assertEqual((pair["name"], pair["operator"]), ("Cijk_gemm -> nvjet_gemm", "aten::mm"))
        self.assertEqual(pair["before"], {"runs": 1, "calls": 1, "total_ns": 30000, "median_ns": 30000})
        self.assertFalse([row for row in found if row["change"] in ("new", "gone")])
        self.assertIn("1 with another name, matched by operator and position",
                      self.rtl("diff", before, after))

    def test_work_is_submitted_by_its_call(self):
        self.rtl("import", self.profiler(), "-o", "t.db")
        self.assertEqual(self.rows("t.db", SUBMITTED), [(40000, 30000), (80000, 65000), (90000, 0)])

    def test_texts_with_half_a_surrogate_pair_are_read(self):
        text = self.profiler().read_text().replace("Cijk_gemm", "gemm \\ud800 \\ud83d\\ude00 \\udc00!")
        (self.folder / "half.json").write_text(text)
        found = self.rtl("import", "half.json", "-o", "t.db")
        self.assertIn("not used: 2, half of a surrogate pair in a text", found)
        self.assertIn(("gemm \ufffd \U0001f600 \ufffd!",), self.rows("t.db", "SELECT string FROM rocpd_string"))

    def test_gpu_time_has_stacks(self):
        path = self.profiler()
        self.assertEqual(sorted(self.rtl("convert", path, "--to", "folded", "-o", "-").splitlines()), [
            "(no call in the trace);add 2000",
            "train.py(7): step: \"a\";nn.Module: Linear_0;add 5000",
            "train.py(7): step: \"a\";nn.Module: Linear_0;aten::mm;Cijk_gemm 30000"])
        self.rtl("convert", path, "-o", "t.speedscope.json")
        found = json.loads((self.folder / "t.speedscope.json").read_text())
        (profile,) = found["profiles"]
        frames = [each["name"] for each in found["shared"]["frames"]]
        self.assertEqual(profile["endValue"], sum(profile["weights"]))
        self.assertEqual({tuple(frames[i] for i in stack): weight
                          for stack, weight in zip(profile["samples"], profile["weights"], strict=True)},
                         {("(no call in the trace)", "add"): 2000,
                          ("train.py(7): step; \"a\"", "nn.Module: Linear_0", "add"): 5000,
                          ("train.py(7): step; \"a\"", "nn.Module: Linear_0", "aten::mm", "Cijk_gemm"): 30000})
        self.rtl("convert", path, "-o", "t.speedscope.json")  # replaces its own kind
        (self.folder / "notes.folded").write_text("no stacks\n")
        self.assertIn("is no file of stacks of this kind",
                      refused(RTL, "convert", path, "-o", "notes.folded", folder=self.folder))
        chosen = self.rtl("convert", path, "--to", "folded", "-o", "-", "--kernel", "^add$")
        self.assertEqual(sorted(chosen.splitlines()), [
            "(no call in the trace);add 2000", "train.py(7): step: \"a\";nn.Module: Linear_0;add 5000"])

    def test_ranges_stand_for_operators_where_there_are_none(self):
        self.trace("hip", "slow_steps")
        folded = self.rtl("convert", "t.db", "--to", "folded", "-o", "-")
        self.assertIn("all batches;", folded)
        (time,), = self.rows("t.db", "SELECT sum(end - start) FROM rocpd_op WHERE kernel_id != 0")
        self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines()), time)
        self.assertIn("all batches", self.rtl("summary", "--by", "operator", "t.db"))


if __name__ == "__main__":
    main(verbosity=2)
