#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rocprofv3 runs programs on the virtual GPU; its files have what the trace has, under upstream's names and columns.

    RTL_BUILD=build/release rocprofv3_test.py [--runtime NAME]
"""

import json
import re
import shutil
import sqlite3
import unittest

from case import Case, rows_of, run
import frame
import pftrace
from frame import IN_RUNTIME, PROGRAMS, ROOT, RUNTIME, VGPU, ask, main, make_folder, rtl

API = ["Domain", "Function", "Process_Id", "Thread_Id", "Correlation_Id", "Start_Timestamp", "End_Timestamp"]


class WholeRun(Case):
    """One run, whose files are checked in every respect."""

    @classmethod
    def setUpClass(cls):
        if not (PROGRAMS / "stream_gemm").exists():
            raise unittest.SkipTest("stream_gemm could not be built for this runtime")
        cls.folder = make_folder(cls)
        cls.done = run("--vgpu", "--sys-trace", "--stats", "--summary", "--output-config", "-f", "csv", "json",
                       "rocpd", "otf2", "pftrace",
                       "db", "-d", cls.folder, "-o", "run", program=[PROGRAMS / "stream_gemm"])

    def rows(self, name):
        """Rows of a file; a kind without events has no file."""
        path = self.folder / f"run_{name}.csv"
        return rows_of(path) if path.exists() else []

    def ask(self, query):
        return ask(self.folder / "run_trace.db", query)

    def test_the_program_cannot_tell(self):
        plain = frame.run(*IN_RUNTIME, VGPU, "run", "--", PROGRAMS / "stream_gemm")
        self.assertEqual(self.done.stdout, plain.stdout)

    def test_leaves_exactly_these_files(self):
        # Newer versions of HIP copy so little by kernels.
        has_copies = self.ask("SELECT count(*) FROM rtl_copy") != [(0,)]
        copies = ("memory_copy_trace.csv", "memory_copy_stats.csv") if has_copies else ()
        self.assertTrue(has_copies or RUNTIME)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(
            [f"run_{name}" for name in
             (*copies, "agent_info.csv", "kernel_trace.csv", "hip_api_trace.csv", "marker_api_trace.csv",
              "hsa_api_trace.csv", "hsa_api_stats.csv", "memory_allocation_trace.csv", "memory_allocation_stats.csv",
              "coverage.csv", "kernel_stats.csv", "hip_api_stats.csv",
              "marker_api_stats.csv", "domain_stats.csv", "results.pftrace", "trace.db",
              "results.json", "results.db", "results.otf2", "results.def", "results",
              "config.json")]))

    def test_kernels_are_those_of_the_trace(self):
        rows = self.rows("kernel_trace")
        trace = self.ask("SELECT o.sequenceId, o.tid, s.string, o.start, o.end, o.gridX, o.workgroupX, q.queue,"
                         " o.correlation_id FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id"
                         " JOIN rtl_queue q ON q.id = o.queueId WHERE o.kernel_id > 0")
        self.assertGreater(len(trace), 0)
        ours = [(int(r["Dispatch_Id"]), int(r["Thread_Id"]), r["Kernel_Name"], int(r["Start_Timestamp"]),
                 int(r["End_Timestamp"]), int(r["Grid_Size_X"]), int(r["Workgroup_Size_X"]), int(r["Queue_Id"]),
                 int(r["Correlation_Id"])) for r in rows]
        self.assertEqual(sorted(ours), sorted(trace))
        self.assertEqual({r["Kind"] for r in rows}, {"KERNEL_DISPATCH"})
        self.assertTrue(all(int(r["Kernel_Id"]) > 0 and int(r["VGPR_Count"]) > 0 for r in rows))

    def test_streams_are_those_of_the_calls(self):
        stream = dict(self.ask("SELECT a.correlation_id, s.stream FROM rocpd_api a"
                               " JOIN api_stream s ON s.api_id = a.id"))
        rows = self.rows("kernel_trace") + self.rows("memory_copy_trace")
        for row in rows:
            self.assertEqual(int(row["Stream_Id"]), stream.get(int(row["Correlation_Id"]), 0))
        self.assertEqual(len({row["Stream_Id"] for row in self.rows("kernel_trace")}), 4)

    def test_calls_are_those_of_the_trace(self):
        rows = self.rows("hip_api_trace")
        self.assertEqual(list(rows[0]), API)
        trace = self.ask("SELECT s.string, pid, tid, correlation_id, start, end FROM rocpd_api a"
                         " JOIN rocpd_string s ON s.id = a.apiName_id")
        ours = [(r["Function"], *(int(r[column]) for column in API[2:])) for r in rows]
        self.assertEqual(sorted(ours), sorted(trace))
        for row in rows:
            compiler = row["Function"].startswith("__hip")
            self.assertEqual(row["Domain"], "HIP_COMPILER_API_EXT" if compiler else "HIP_RUNTIME_API_EXT")

    def test_hsa_calls_are_those_of_the_trace(self):
        rows = self.rows("hsa_api_trace")
        self.assertEqual(list(rows[0]), API)
        trace = self.ask("SELECT name, pid, tid, start, end FROM hsa_call")
        ours = [(r["Function"], *(int(r[column]) for column in API[2:4] + API[5:])) for r in rows]
        self.assertEqual(sorted(ours), sorted(trace))
        self.assertEqual(len({r["Correlation_Id"] for r in rows}), len(rows), "an id of its own each")
        for row in rows:
            amd = row["Function"].startswith("hsa_amd_")
            self.assertEqual(row["Domain"], "HSA_AMD_EXT_API" if amd else "HSA_CORE_API", row["Function"])

    def test_allocations_are_those_of_the_trace(self):
        rows = self.rows("memory_allocation_trace")
        trace = self.ask("SELECT name, bytes, address, start, end FROM memory_allocation")
        self.assertGreater(len(trace), 0)
        names = {"allocate": "ALLOCATE", "free": "FREE", "vmem_allocate": "VMEM_ALLOCATE", "vmem_free": "VMEM_FREE"}
        self.assertEqual(
            sorted((r["Operation"], int(r["Allocation_Size"]), int(r["Address"], 16), int(r["Start_Timestamp"]),
                    int(r["End_Timestamp"])) for r in rows),
            sorted((f"MEMORY_ALLOCATION_{names[name]}", size or 0, address or 0, start, end)
                   for name, size, address, start, end in trace))
        self.assertIn("Agent 1", {r["Agent_Id"] for r in rows})

    def test_markers_are_those_of_the_trace(self):
        rows = self.rows("marker_api_trace")
        trace = self.ask("SELECT s.string, o.start, o.end FROM rocpd_op o JOIN rocpd_string s ON"
                         " s.id = o.description_id WHERE o.gpuId = -1 AND o.opType_id ="
                         " (SELECT id FROM rocpd_string WHERE string = 'UserMarker')")
        self.assertEqual(sorted((r["Function"], int(r["Start_Timestamp"]), int(r["End_Timestamp"])) for r in rows),
                         sorted(trace))
        self.assertEqual({r["Domain"] for r in rows}, {"MARKER_CORE_RANGE_API"})
        self.assertIn("verified", [r["Function"] for r in rows])

    def test_copies_are_those_of_the_trace(self):
        rows = self.rows("memory_copy_trace")
        trace = self.ask("SELECT c.kind, o.start, o.end FROM rtl_copy c JOIN rocpd_op o ON o.id = c.op_id")
        names = {1: "HOST_TO_HOST", 2: "HOST_TO_DEVICE", 3: "DEVICE_TO_HOST", 4: "DEVICE_TO_DEVICE"}
        self.assertEqual(sorted((r["Direction"], int(r["Start_Timestamp"]), int(r["End_Timestamp"])) for r in rows),
                         sorted((f"MEMORY_COPY_{names[kind]}", start, end) for kind, start, end in trace))
        types = {f"Agent {r['Logical_Node_Id']}": r["Agent_Type"] for r in self.rows("agent_info")}
        for row in rows:
            wanted = ("CPU", "GPU") if row["Direction"] == "MEMORY_COPY_HOST_TO_DEVICE" else ("GPU", "CPU")
            self.assertEqual((types[row["Source_Agent_Id"]], types[row["Destination_Agent_Id"]]), wanted)

    def test_correlation_ids_are_never_zero(self):
        own = [int(r["Correlation_Id"]) for r in self.rows("marker_api_trace")]
        self.assertEqual(len(set(own)), len(own))
        calls = {int(r["Correlation_Id"]) for r in self.rows("hip_api_trace")}
        self.assertFalse(calls & set(own))
        self.assertNotIn(0, own)

    def test_agents_are_described(self):
        rows = self.rows("agent_info")
        self.assertEqual(len(rows[0]), 53)
        self.assertEqual([int(r["Logical_Node_Id"]) for r in rows], list(range(len(rows))))
        for row in rows:
            gpu = row["Agent_Type"] == "GPU"
            self.assertEqual(int(row["Cpu_Cores_Count"]) > 0, not gpu)
            for column in ("Simd_Count", "Max_Waves_Per_Simd", "Cu_Count", "Wave_Front_Size", "Gpu_Id"):
                self.assertEqual(int(row[column]) > 0, gpu, column)
        self.assertIn("gfx906", [row["Name"] for row in rows])

    def test_statistics_add_up(self):
        for domain, name in (("kernel", "Kernel_Name"), ("hip_api", "Function"), ("hsa_api", "Function"),
                             ("marker_api", "Function"), ("memory_copy", "Direction"),
                             ("memory_allocation", "Operation")):
            rows = self.rows(f"{domain}_stats")
            trace = self.rows(f"{domain}_trace")
            self.assertEqual(sum(int(r["Calls"]) for r in rows), len(trace))
            self.assertEqual(sum(int(r["TotalDurationNs"]) for r in rows),
                             sum(int(r["End_Timestamp"]) - int(r["Start_Timestamp"]) for r in trace))
            self.assertEqual({r["Name"] for r in rows}, {r[name] for r in trace})
            if not rows:
                continue
            totals = [int(r["TotalDurationNs"]) for r in rows]
            self.assertEqual(totals, sorted(totals, reverse=True))
            self.assertAlmostEqual(sum(float(r["Percentage"]) for r in rows), 100, delta=0.5)

    def test_the_coverage_is_that_of_the_trace(self):
        rows = [(r["Kind"], r["Counter"], int(r["Events"])) for r in self.rows("coverage")]
        trace = self.ask("SELECT kind, counter, value FROM rtl_process_counter WHERE counter IN ('submitted', 'recorded')")
        self.assertEqual(sorted(rows), sorted(row for row in trace if (row[0], "submitted", 0) not in trace))

    def test_the_summary_is_on_standard_error(self):
        self.assertIn("\n    ROCPROFV3 SUMMARY:\n", self.done.stderr)
        self.assertNotIn("leaves out unsupported events", self.done.stderr)
        self.assertNotIn("not recorded:", self.done.stderr)

    def test_the_configuration_shows_the_options(self):
        config = json.loads((self.folder / "run_config.json").read_text())
        self.assertEqual(config["sys_trace"], True)
        self.assertEqual(config["output_format"], ["csv", "json", "rocpd", "otf2", "pftrace", "db"])
        self.assertEqual((config["summary"], config["summary_unit"], config["summary_file"], config["summary_groups"]),
                         (True, "nsec", "stderr", []))
        self.assertEqual((config["hip_compiler_api_trace"], config["counter_collection"], config["rocpd_output"]),
                         (True, False, True))
        metadata = self.json()["metadata"]
        self.assertEqual((metadata["config"], metadata["command"]), (config, [str(PROGRAMS / "stream_gemm")]))

    def json(self):
        (tool,) = json.loads((self.folder / "run_results.json").read_text())["rocprofiler-sdk-tool"]
        return tool

    def rocpd(self, query):
        return ask(self.folder / "run_results.db", query)

    def test_json_has_the_same_rows(self):
        tool = self.json()
        kinds = tool["strings"]["buffer_records"]
        agents = {a["id"]["handle"]: f"Agent {a['logical_node_id']}" for a in tool["agents"]}
        messages = {entry["key"]: entry["value"] for entry in tool["strings"]["marker_api"]}

        def head(record):
            return (kinds[record["kind"]]["kind"], record["thread_id"], record["correlation_id"]["internal"],
                    record["start_timestamp"], record["end_timestamp"])

        def operation(record):
            return kinds[record["kind"]]["operations"][record["operation"]]

        def numbers(row, *columns):
            return tuple(int(row[column]) for column in columns)

        times = ("Correlation_Id", "Start_Timestamp", "End_Timestamp")
        records = tool["buffer_records"]
        self.assertEqual(
            [(*head(r), agents[r["dispatch_info"]["agent_id"]["handle"]], r["dispatch_info"]["queue_id"]["handle"],
              r["stream_id"]["handle"], r["dispatch_info"]["dispatch_id"],
              tool["kernel_symbols"][r["dispatch_info"]["kernel_id"]]["formatted_kernel_name"],
              *r["dispatch_info"]["grid_size"].values()) for r in records["kernel_dispatch"]],
            [(r["Kind"], *numbers(r, "Thread_Id", *times), r["Agent_Id"], *numbers(r, "Queue_Id", "Stream_Id",
              "Dispatch_Id"), r["Kernel_Name"], *numbers(r, "Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z"))
             for r in self.rows("kernel_trace")])
        self.assertEqual([(*head(r), operation(r)) for r in records["hip_api"]],
                         [(r["Domain"], *numbers(r, "Thread_Id", *times), r["Function"])
                          for r in self.rows("hip_api_trace")])
        self.assertEqual([(*head(r), messages[r["correlation_id"]["internal"]]) for r in records["marker_api"]],
                         [(r["Domain"], *numbers(r, "Thread_Id", *times), r["Function"])
                          for r in self.rows("marker_api_trace")])
        self.assertEqual([(head(r)[0], *head(r)[2:], operation(r), agents[r["src_agent_id"]["handle"]],
                           agents[r["dst_agent_id"]["handle"]]) for r in records["memory_copy"]],
                         [(r["Kind"], *numbers(r, *times), r["Direction"], r["Source_Agent_Id"],
                           r["Destination_Agent_Id"]) for r in self.rows("memory_copy_trace")])
        self.assertEqual([(*head(r), operation(r)) for r in records["hsa_api"]],
                         [(r["Domain"], *numbers(r, "Thread_Id", *times), r["Function"])
                          for r in self.rows("hsa_api_trace")])
        self.assertTrue({r["correlation_id"]["ancestor"] for r in records["hsa_api"]} - {0}
                        <= {r["correlation_id"]["internal"] for r in records["hip_api"]})
        agents[0] = ""
        self.assertEqual([(head(r)[0], *head(r)[2:], operation(r), agents[r["agent_id"]["handle"]], r["address"],
                           r["allocation_size"]) for r in records["memory_allocation"]],
                         [(r["Kind"], *numbers(r, *times), r["Operation"], r["Agent_Id"], r["Address"],
                           int(r["Allocation_Size"])) for r in self.rows("memory_allocation_trace")])
        self.assertEqual({r["domain"]: r["stats"]["count"] for r in tool["summary"]},
                         {r["Name"]: int(r["Calls"]) for r in self.rows("domain_stats")})

    def test_functions_of_the_host_stand_for_kernels(self):
        tool = self.json()
        functions, symbols = tool["host_functions"], tool["kernel_symbols"]
        self.assertEqual([one["host_function_id"] for one in functions], list(range(len(functions))))
        called = dict(self.ask("SELECT correlation_id, s.string FROM rocpd_api a JOIN rocpd_string s ON s.id = "
                               "a.args_id"))
        launched = {}
        for row in self.rows("kernel_trace"):
            found = re.search("function_address=0x([0-9a-f]+)", called[int(row["Correlation_Id"])])
            if found:
                launched[int(row["Kernel_Id"])] = int(found[1], 16)
        self.assertGreater(len(launched), 0)
        self.assertEqual({one["kernel_id"]: one["host_function"]["handle"] for one in functions[1:]}, launched)
        for one in functions[1:]:
            symbol = symbols[one["kernel_id"]]
            self.assertEqual((one["truncated_host_function_name"], one["code_object_id"]),
                             (symbol["truncated_kernel_name"], symbol["code_object_id"]))
            self.assertEqual(tool["code_objects"][one["code_object_id"]]["code_object_id"], one["code_object_id"])

    def test_rocpd_has_the_same_rows(self):
        def table(name, *columns):
            return [tuple(int(r[c]) if r[c].isdigit() else r[c] for c in columns) for r in self.rows(name)]

        self.assertEqual(
            self.rocpd("SELECT 'Agent ' || agent_log_index, queue_id, stream_id, tid, dispatch_id, kernel_id, name,"
                       " stack_id, start, end, scratch_size, vgpr_count, sgpr_count, workgroup_x, grid_x FROM kernels"
                       " ORDER BY id"),
            table("kernel_trace", "Agent_Id", "Queue_Id", "Stream_Id", "Thread_Id", "Dispatch_Id", "Kernel_Id",
                  "Kernel_Name", "Correlation_Id", "Start_Timestamp", "End_Timestamp", "Scratch_Size", "VGPR_Count",
                  "SGPR_Count", "Workgroup_Size_X", "Grid_Size_X"))
        self.assertEqual(self.rocpd("SELECT category, name, pid, tid, stack_id, start, end FROM regions"
                                    " WHERE category LIKE 'HIP%' ORDER BY id"), table("hip_api_trace", *API))
        self.assertEqual(self.rocpd("SELECT category, json_extract(extdata, '$.message'), pid, tid, stack_id, start,"
                                    " end FROM regions_and_samples WHERE category LIKE 'MARKER%' ORDER BY start,"
                                    " stack_id"),
                         table("marker_api_trace", *API))
        marks = [row[:2] for row in self.rocpd("SELECT name, timestamp FROM samples")]
        self.assertEqual(marks, [("MARKER_CORE_RANGE_API", int(row["Start_Timestamp"]))
                                 for row in self.rows("marker_api_trace")
                                 if row["Start_Timestamp"] == row["End_Timestamp"]])
        self.assertGreater(len(marks), 0)
        self.assertEqual(self.rocpd("SELECT name, stream_id, 'Agent ' || src_agent_log_index, 'Agent ' ||"
                                    " dst_agent_log_index, stack_id, start, end FROM memory_copies ORDER BY id"),
                         table("memory_copy_trace", "Direction", "Stream_Id", "Source_Agent_Id",
                               "Destination_Agent_Id", "Correlation_Id", "Start_Timestamp", "End_Timestamp"))
        self.assertEqual(self.rocpd("SELECT category, name, pid, tid, stack_id, start, end FROM regions"
                                    " WHERE category LIKE 'HSA%' ORDER BY id"), table("hsa_api_trace", *API))
        self.assertEqual(self.rocpd("SELECT category, printf('0x%016x', address), size, coalesce('Agent ' ||"
                                    " agent_log_index, ''), stack_id, start, end FROM memory_allocations ORDER BY id"),
                         table("memory_allocation_trace", "Kind", "Address", "Allocation_Size", "Agent_Id",
                               "Correlation_Id", "Start_Timestamp", "End_Timestamp"))
        self.assertEqual(self.rocpd("PRAGMA foreign_key_check") + self.rocpd("PRAGMA integrity_check"), [("ok",)])

    def test_rtl_convert_writes_the_same_files(self):
        for name in ("csv", "json", "rocpd"):
            rtl("convert", self.folder / "run_trace.db", "--to", name, "-o", self.folder / "converted" / "run")
        converted = self.folder / "converted"
        self.addCleanup(shutil.rmtree, converted)
        for name in ("kernel_trace", "hip_api_trace", "hsa_api_trace", "marker_api_trace",
                     "memory_allocation_trace", "agent_info"):
            self.assertEqual((converted / f"run_{name}.csv").read_bytes(),
                             (self.folder / f"run_{name}.csv").read_bytes(), name)
        (tool,) = json.loads((converted / "run_results.json").read_text())["rocprofiler-sdk-tool"]
        self.assertEqual(tool["buffer_records"], self.json()["buffer_records"])
        self.assertEqual(ask(converted / "run_results.db", "SELECT * FROM kernels"),
                         self.rocpd("SELECT * FROM kernels"))

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_traces_of_older_schemas_are_written_in_every_format(self):
        """The parts that each schema lacked are removed from this run's trace."""
        steps = (ROOT / "tests/support/earlier_schemas.h").read_text().split('R"sql(')[1:]
        earlier_names, link_table, wide_calls = (step.split(')sql"')[0] for step in steps)
        older = {12: earlier_names, 10: link_table, 9: "DROP VIEW rccl_call; DROP TABLE rtl_rccl_call;",
                 8: "DROP TABLE rtl_counter_info;", 7: wide_calls,
                 6: "".join(f"DROP VIEW {name}; DROP TABLE rtl_{name};"
                            for name in ("hsa_call", "memory_allocation", "scratch_memory", "runtime_init"))
                    + "DROP TABLE rtl_place;"}
        spans = ("hsa_api_trace", "memory_allocation_trace")  # schema 6 has none
        tables = ("kernel_trace", "hip_api_trace", "marker_api_trace", "memory_copy_trace", *spans)
        folder = self.make_folder()
        trace = folder / "run.db"
        shutil.copy(self.folder / "run_trace.db", trace)
        for schema, script in older.items():
            with self.subTest(schema=schema):
                with sqlite3.connect(trace) as database:
                    database.executescript(script)
                    database.execute("UPDATE rocpd_metadata SET value = ? WHERE tag = 'schema_version'", (str(schema),))
                database.close()
                to = folder / str(schema)
                for name in ("csv", "json", "rocpd", "otf2", "pftrace"):
                    output = to / ("run.pftrace" if name == "pftrace" else "run")
                    done = rtl("convert", trace, "--to", name, "-o", output)
                    self.assertRegex(done.stderr, rf"^(rtl: wrote {re.escape(str(to))}/run[^\n]*\n)?$", name)
                wanted = {table: self.rows(table) if schema > 6 or table not in spans else [] for table in tables}
                for table, rows in wanted.items():
                    path = to / f"run_{table}.csv"
                    self.assertEqual(rows_of(path) if path.exists() else [], rows, table)
                (tool,) = json.loads((to / "run_results.json").read_text())["rocprofiler-sdk-tool"]
                calls = [[r["correlation_id"]["internal"], r["start_timestamp"], r["end_timestamp"]]
                         for r in tool["buffer_records"]["hip_api"]]
                self.assertEqual(calls, [[int(r[column]) for column in API[4:]] for r in wanted["hip_api_trace"]])
                self.assertEqual(len(tool["buffer_records"]["kernel_dispatch"]), len(wanted["kernel_trace"]))
                self.assertEqual(ask(to / "run_results.db", "SELECT count(*) FROM kernels"),
                                 [(len(wanted["kernel_trace"]),)])
                slices, _ = pftrace.read(to / "run.pftrace")
                self.assertEqual([kind for kind, _, _ in slices].count("kernel_dispatch"), len(wanted["kernel_trace"]))
                printed = frame.run("otf2-print", to / "run_results.otf2")
                self.assertEqual(len(re.findall("^ENTER ", printed.stdout, re.MULTILINE)),
                                 sum(map(len, wanted.values())))

    @unittest.skipIf(RUNTIME is None, "this runtime reports no scratch memory")
    def test_scratch_memory_is_that_of_the_trace(self):
        folder = self.make_folder()
        run("--vgpu", "--scratch-memory-trace", "-f", "csv", "json", "rocpd", "db", "-d", folder, "-o", "s",
            program=[self.program("scratch")])
        rows = rows_of(folder / "s_scratch_memory_trace.csv")
        trace = ask(folder / "s_trace.db", "SELECT name, tid, flags, start, end, bytes FROM scratch_memory")
        names = {"scratch_allocate": "ALLOC", "scratch_free": "FREE", "scratch_reclaim": "ASYNC_RECLAIM"}
        self.assertEqual(
            sorted((r["Operation"], *(int(r[c]) for c in ("Thread_Id", "Alloc_Flags", "Start_Timestamp",
                                                          "End_Timestamp",
                                                          "Allocation_Size"))) for r in rows),
            sorted((f"SCRATCH_MEMORY_{names[name]}", tid, flags or 0, start, end, size or 0)
                   for name, tid, flags, start, end, size in trace))
        self.assertGreater(len(rows), 0)
        self.assertEqual({(r["Kind"], r["Agent_Id"]) for r in rows}, {("SCRATCH_MEMORY", "Agent 1")})
        (tool,) = json.loads((folder / "s_results.json").read_text())["rocprofiler-sdk-tool"]
        self.assertEqual([(r["start_timestamp"], r["allocation_size"], r["flags"], r["queue_id"]["handle"])
                          for r in tool["buffer_records"]["scratch_memory"]],
                         [tuple(int(r[c]) for c in ("Start_Timestamp", "Allocation_Size", "Alloc_Flags", "Queue_Id"))
                          for r in rows])
        sql = "SELECT start, size, alloc_flags FROM scratch_memory ORDER BY id"
        self.assertEqual(ask(folder / "s_results.db", sql),
                         [tuple(int(r[c]) for c in ("Start_Timestamp", "Allocation_Size", "Alloc_Flags"))
                          for r in rows])

    def test_the_archive_has_the_rows_of_the_tables(self):
        printed = frame.run("otf2-print", self.folder / "run_results.otf2")
        self.assertEqual(printed.stderr, "")
        event = re.compile(r'^(ENTER|LEAVE) +(\d+) +(\d+)  Region: "(.*)" <\d+>$')
        ids = re.compile(r'"category" <0>; STRING; "(\w+)" <\d+>\), \("correlation_id" <1>; UINT64; (\d+)\)'
                         r'(?:, \("dispatch_id" <2>; UINT64; (\d+))?')
        spans, open_spans, last = [], {}, None
        for line in printed.stdout.splitlines():
            if found := event.match(line):
                what, place, time, name = found[1], found[2], int(found[3]), found[4]
                stack = open_spans.setdefault(place, [])
                if what == "ENTER":
                    last = [name, time, None, "", 0, 0]
                    stack.append(last)
                else:
                    span = stack.pop()
                    self.assertEqual(span[0], name)
                    span[2] = time
                    spans.append(tuple(span))
            elif found := ids.search(line):
                last[3:] = found[1], int(found[2]), int(found[3] or 0)
        self.assertEqual(sum(map(len, open_spans.values())), 0)

        expected = []
        for table, name, category in (
                ("kernel_trace", "Kernel_Name", "kernel_dispatch"), ("hip_api_trace", "Function", "hip_api"),
                ("hsa_api_trace", "Function", "hsa_api"), ("marker_api_trace", "Function", "marker_api"),
                ("memory_copy_trace", "Direction", "memory_copy"),
                ("memory_allocation_trace", "Operation", "memory_allocation")):
            for row in self.rows(table):
                start, end = int(row["Start_Timestamp"]), int(row["End_Timestamp"])
                is_mark = table == "marker_api_trace" and start == end
                expected.append((row[name], start, end, "marker_api_mark" if is_mark else category,
                                 int(row["Correlation_Id"]), int(row.get("Dispatch_Id", 0))))
        self.assertEqual(sorted(spans), sorted(expected))

    def test_the_timeline_has_the_rows_of_the_tables(self):
        """By the categories and the arguments that TraceLens and others look for."""
        slices, counters = pftrace.read(self.folder / "run_results.pftrace")
        for category, name, label in (("kernel_dispatch", "kernel_trace", None),
                                      ("hip_api", "hip_api_trace", "Function"),
                                      ("hsa_api", "hsa_api_trace", "Function"),
                                      ("memory_copy", "memory_copy_trace", None),
                                      ("marker_api", "marker_api_trace", "Function"),
                                      ("memory_allocation", "memory_allocation_trace", None)):
            rows = self.rows(name)
            wanted = sorted((int(r["Start_Timestamp"]), int(r["End_Timestamp"]),
                            r[label] if label else "") for r in rows)
            found = [(args, text) for kind, text, args in slices if kind == category]
            self.assertEqual(sorted((args["begin_ns"], args["end_ns"], text if label else "") for args, text in found),
                             wanted, category)
            self.assertTrue(all(args["delta_ns"] == args["end_ns"] - args["begin_ns"] for args, _ in found))
            self.assertTrue(all(args["tid"] > 0 for args, _ in found), category)
        self.assertEqual({kind for kind, _, args in slices if "agent" in args}, {"kernel_dispatch"},
                         "TraceLens takes slices with an agent for kernels")
        wanted = sorted((int(r["Start_Timestamp"]), int(r["Thread_Id"]), int(r["Stream_Id"]), int(r["VGPR_Count"]),
                         int(r["Grid_Size_X"]) * int(r["Grid_Size_Y"]) * int(r["Grid_Size_Z"]), int(r["Kernel_Id"]))
                        for r in self.rows("kernel_trace"))
        self.assertEqual(sorted((a["begin_ns"], a["tid"], a["stream_ID"], a["VGPR_Count"], a["grid_size"],
                                 a["kernel_id"])
                                for kind, _, a in slices if kind == "kernel_dispatch"), wanted)
        calls = {a["corr_id"] for kind, _, a in slices if kind == "hip_api"}
        self.assertTrue(all(a["corr_id"] in calls for kind, _, a in slices if kind == "kernel_dispatch"))
        copied = self.ask("SELECT coalesce(sum(bytes), 0) FROM rtl_copy")[0][0]
        self.assertEqual(sum(a["copy_bytes"] for kind, _, a in slices if kind == "memory_copy"), copied)
        allocated = self.ask(
            "SELECT count(*) FROM memory_allocation WHERE gpuId = 0 AND bytes > 0 AND status = 0")[0][0]
        self.assertGreaterEqual(len(counters["ALLOCATE BYTES on Agent [1] (GPU)"]), allocated)


if __name__ == "__main__":
    main()
