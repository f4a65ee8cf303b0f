#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rocprofv3 runs programs on the virtual GPU; its files have what the trace has, under upstream's names and columns.

    RTL_BUILD=build/release rocprofv3_test.py [--runtime NAME]

More than 600 lines: the tests of whole runs, of options and of refusals share helpers.
"""

import json
import pathlib
import re
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import unittest

from case import BUILD, ROCPROFV3, ROOT, RUNTIME, RUNTIME_TOOL, PROGRAMS, Case, main, rows_of, run
import pftrace

HALF_WAVES = "HalfWaves:\n  architectures:\n    gfx906: {expression: 'reduce(SQ_WAVES,sum)/8'}\n"
API = ["Domain", "Function", "Process_Id", "Thread_Id", "Correlation_Id", "Start_Timestamp", "End_Timestamp"]


class WholeRun(Case):
    """One run, whose files are checked in every respect."""

    @classmethod
    def setUpClass(cls):
        if not (PROGRAMS / "stream_gemm").exists():
            raise unittest.SkipTest("stream_gemm could not be built for this runtime")
        cls.temporary = tempfile.TemporaryDirectory(prefix="rocprofv3-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.done = run("--vgpu", "--sys-trace", "--stats", "--summary", "--output-config", "-f", "csv", "json",
                       "rocpd", "otf2", "pftrace",
                       "db", "-d", cls.folder, "-o", "run", program=[PROGRAMS / "stream_gemm"])

    def rows(self, name):
        """Rows of a file; a kind without events has no file."""
        path = self.folder / f"run_{name}.csv"
        return rows_of(path) if path.exists() else []

    def ask(self, query):
        with sqlite3.connect(f"file:{self.folder / 'run_trace.db'}?mode=ro", uri=True) as database:
            return database.execute(query).fetchall()

    def test_the_program_cannot_tell(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        plain = subprocess.run([*([RUNTIME_TOOL, "exec", RUNTIME, "--"] if RUNTIME else []), BUILD / "bin" / "vgpu",
                                "run", "--", PROGRAMS / "stream_gemm"], capture_output=True, text=True)
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
        trace = self.ask("SELECT kind, counter, value FROM rtl_process_counter WHERE counter IN ('seen', 'recorded')")
        self.assertEqual(sorted(rows), sorted(row for row in trace if (row[0], "seen", 0) not in trace))

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
        with sqlite3.connect(f"file:{self.folder / 'run_results.db'}?mode=ro", uri=True) as database:
            return database.execute(query).fetchall()

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
            done = subprocess.run([BUILD / "bin" / "rtl", "convert", self.folder / "run_trace.db", "--to", name, "-o",
                                   self.folder / "converted" / "run"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        converted = self.folder / "converted"
        self.addCleanup(shutil.rmtree, converted)
        for name in ("kernel_trace", "hip_api_trace", "hsa_api_trace", "marker_api_trace",
                     "memory_allocation_trace", "agent_info"):
            self.assertEqual((converted / f"run_{name}.csv").read_bytes(),
                             (self.folder / f"run_{name}.csv").read_bytes(), name)
        (tool,) = json.loads((converted / "run_results.json").read_text())["rocprofiler-sdk-tool"]
        self.assertEqual(tool["buffer_records"], self.json()["buffer_records"])
        with sqlite3.connect(converted / "run_results.db") as database:
            self.assertEqual(database.execute("SELECT * FROM kernels").fetchall(),
                             self.rocpd("SELECT * FROM kernels"))

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_traces_of_older_schemas_are_written_in_every_format(self):
        """The parts that each schema lacked are removed from this run's trace."""
        wide_calls = (ROOT / "tests/support/wide_calls.h").read_text().split('R"sql(')[1].split(')sql"')[0]
        older = {9: "DROP VIEW rccl_call; DROP TABLE rtl_rccl_call;", 8: "DROP TABLE rtl_counter_info;", 7: wide_calls,
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
                    done = subprocess.run([BUILD / "bin" / "rtl", "convert", trace, "--to", name, "-o", output],
                                          capture_output=True, text=True)
                    self.assertEqual((done.returncode, done.stderr), (0, ""), name)
                wanted = {table: self.rows(table) if schema > 6 or table not in spans else [] for table in tables}
                for table, rows in wanted.items():
                    path = to / f"run_{table}.csv"
                    self.assertEqual(rows_of(path) if path.exists() else [], rows, table)
                (tool,) = json.loads((to / "run_results.json").read_text())["rocprofiler-sdk-tool"]
                calls = [[r["correlation_id"]["internal"], r["start_timestamp"], r["end_timestamp"]]
                         for r in tool["buffer_records"]["hip_api"]]
                self.assertEqual(calls, [[int(r[column]) for column in API[4:]] for r in wanted["hip_api_trace"]])
                self.assertEqual(len(tool["buffer_records"]["kernel_dispatch"]), len(wanted["kernel_trace"]))
                with sqlite3.connect(to / "run_results.db") as database:
                    self.assertEqual(database.execute("SELECT count(*) FROM kernels").fetchone()[0],
                                     len(wanted["kernel_trace"]))
                slices, _ = pftrace.read(to / "run.pftrace")
                self.assertEqual([kind for kind, _, _ in slices].count("kernel_dispatch"), len(wanted["kernel_trace"]))
                printed = subprocess.run(["otf2-print", to / "run_results.otf2"], capture_output=True, text=True)
                self.assertEqual(len(re.findall("^ENTER ", printed.stdout, re.MULTILINE)),
                                 sum(map(len, wanted.values())))

    @unittest.skipIf(RUNTIME is None, "this runtime reports no scratch memory")
    def test_scratch_memory_is_that_of_the_trace(self):
        folder = self.make_folder()
        done = run("--vgpu", "--scratch-memory-trace", "-f", "csv", "json", "rocpd", "db", "-d", folder, "-o", "s",
                   program=[self.program("scratch")])
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = rows_of(folder / "s_scratch_memory_trace.csv")
        with sqlite3.connect(folder / "s_trace.db") as database:
            trace = database.execute("SELECT name, tid, flags, start, end, bytes FROM scratch_memory").fetchall()
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
        with sqlite3.connect(folder / "s_results.db") as database:
            sql = "SELECT start, size, alloc_flags FROM scratch_memory ORDER BY id"
            self.assertEqual(database.execute(sql).fetchall(),
                             [tuple(int(r[c]) for c in ("Start_Timestamp", "Allocation_Size", "Alloc_Flags"))
                              for r in rows])

    def test_the_archive_has_the_rows_of_the_tables(self):
        printed = subprocess.run(["otf2-print", self.folder / "run_results.otf2"],
                                 capture_output=True, text=True, timeout=100)
        self.assertEqual((printed.returncode, printed.stderr), (0, ""))
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


class Options(Case):
    def traced(self, *options, program="vector_add", arguments=(), code=0, **variables):
        folder = self.make_folder()
        done = run("--vgpu", *options, program=[self.program(program), *arguments], folder=folder, **variables)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assert_nothing_hidden(folder)
        return folder, done

    def files(self, folder):
        return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())

    @unittest.skipIf(RUNTIME is not None, "needs no runtime")
    def test_kokkos_ranges_are_recorded(self):
        folder = self.make_folder()
        done = run("--kokkos-trace", "-f", "csv", "-d", folder, "-o", "k", program=[BUILD / "bin" / "kokkos_program"])
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = rows_of(folder / "k_marker_api_trace.csv")
        spans = {row["Function"]: (int(row["Start_Timestamp"]), int(row["End_Timestamp"])) for row in rows}
        self.assertEqual(set(spans), {"time step", "parallel_for", "parallel_reduce", "parallel_scan", "fence",
                                      "outer section", "inner section", "converged"})
        begin, end = spans["time step"]
        self.assertTrue(all(begin <= start <= stop <= end for start, stop in spans.values()), spans)
        self.assertLess(spans["inner section"][0], spans["outer section"][1], "they overlap")

    @unittest.skipIf(RUNTIME is not None, "needs no runtime")
    def test_calls_of_rccl(self):
        folder = self.make_folder()
        done = run("--rccl-trace", "--stats", "-f", "csv", "json", "rocpd", "-d", folder, "-o", "r",
                   program=[BUILD / "bin" / "rccl_program"])
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = rows_of(folder / "r_rccl_api_trace.csv")
        self.assertEqual({row["Domain"] for row in rows}, {"RCCL_API"})
        names = ["ncclCommInitRank", "ncclAllReduce", "ncclBroadcast", "ncclRecv", "ncclGetErrorString"]
        self.assertEqual([row["Function"] for row in rows], names)
        self.assertEqual({row["Name"] for row in rows_of(folder / "r_rccl_api_stats.csv")}, set(names))
        (tool,) = json.loads((folder / "r_results.json").read_text())["rocprofiler-sdk-tool"]
        kinds = tool["strings"]["buffer_records"]
        self.assertEqual([kinds[r["kind"]]["operations"][r["operation"]]
                         for r in tool["buffer_records"]["rccl_api"]], names)
        with sqlite3.connect(folder / "r_results.db") as database:
            self.assertEqual(database.execute("SELECT name, start FROM regions ORDER BY id").fetchall(),
                             [(row["Function"], int(row["Start_Timestamp"])) for row in rows])

    def test_selected_regions_alone_are_traced(self):
        folder, _ = self.traced("--kernel-trace", "--marker-trace", "--group-by-queue", "--selected-regions", "-f",
                                "csv", "db",
                                "-o", "s", program="pause")
        with sqlite3.connect(folder / "s_trace.db") as database:
            tags = dict(database.execute("SELECT tag, value FROM rocpd_metadata WHERE tag LIKE '%.kernels'"))
        self.assertGreater(int(tags["loss.kPaused.kernels"]), 0)
        self.assertEqual(len(rows_of(folder / "s_kernel_trace.csv")), int(tags["recorded.kernels"]))

    def test_files_have_upstreams_names_by_default(self):
        folder, _ = self.traced("--kernel-trace", "--group-by-queue", "-f", "csv")
        names = self.files(folder)
        pid = re.match(rf"{re.escape(socket.gethostname())}/(\d+)_", names[0])[1]
        self.assertEqual(names, [f"{socket.gethostname()}/{pid}_{name}.csv"
                                 for name in ("agent_info", "coverage", "kernel_trace")])
        (row, *_) = rows_of(folder / names[2])
        self.assertEqual((row["Thread_Id"], row["Stream_Id"]), (pid, "0"))

    def test_keys_in_names(self):
        folder, _ = self.traced("--kernel-trace", "-d", "out-%rank%", "-o", "%tag%/%env{WHO}%-%size%", "-f", "csv",
                                OMPI_COMM_WORLD_RANK="2", OMPI_COMM_WORLD_SIZE="4", WHO="me")
        self.assertEqual(self.files(folder), [f"out-2/vector_add/me-4_{name}.csv"
                                              for name in ("agent_info", "coverage", "kernel_trace")])

    @unittest.skipUnless(RUNTIME is None, "one runtime shows it")
    def test_ranks_are_chosen(self):
        folder = self.make_folder()
        for rank in ("0", "1"):
            done = run("--vgpu", "--kernel-trace", "--profile-mpi-ranks", "1", "-f", "csv", "-o", "rank%rank%",
                       program=[self.program("vector_add")], folder=folder, OMPI_COMM_WORLD_RANK=rank,
                       OMPI_COMM_WORLD_SIZE="2")
            self.assertEqual((done.returncode, done.stdout.count("ok ")), (0, 5), done.stderr)
        self.assertEqual(self.files(folder), [f"rank1_{name}.csv" for name in (
            "agent_info", "coverage", "kernel_trace")])

    @unittest.skipUnless(RUNTIME is None, "one runtime shows it")
    def test_options_of_perfettos_buffers_discard_nothing(self):
        folder, done = self.traced("--kernel-trace", "-f", "pftrace", "csv", "-o", "x", "--perfetto-backend",
                                   "inprocess",
                                   "--perfetto-buffer-size", "1", "--perfetto-buffer-fill-policy", "discard",
                                   "--perfetto-shmem-size-hint", "1")
        self.assertIn("the timeline is written without a buffer; nothing is discarded", done.stderr)
        slices, _ = pftrace.read(folder / "x_results.pftrace")
        self.assertEqual(sum(kind == "kernel_dispatch" for kind, _, _ in slices),
                         len(rows_of(folder / "x_kernel_trace.csv")))

    @unittest.skipUnless(RUNTIME is None, "one runtime shows it")
    def test_libraries_that_are_not_here_make_no_calls(self):
        folder, done = self.traced("--rocdecode-trace", "--rocjpeg-trace", "-f", "csv", "-o", "x")
        self.assertEqual(self.files(folder), ["x_agent_info.csv", "x_coverage.csv"])
        for library in ("librocdecode.so", "librocjpeg.so"):
            self.assertEqual(done.stderr.count(f"no calls, because {library} is not installed"), 1)

    def test_without_options_there_are_only_the_agents(self):
        folder, done = self.traced("-o", "x", "-f", "csv")
        self.assertEqual(self.files(folder), ["x_agent_info.csv", "x_coverage.csv"])
        self.assertIn("rocprofv3: No tracing options were enabled.\n", done.stderr)

    def traced_files(self, option, **options):
        """The files of one option, except those that are always there, with their rows."""
        folder, _ = self.traced(*option.split(), "-f", "CSV", "-o", "x", **options)
        names = {name.removeprefix("x_").removesuffix(".csv") for name in self.files(folder)}
        self.assertLessEqual({"agent_info", "coverage"}, names)
        return {name: rows_of(folder / f"x_{name}.csv") for name in names - {"agent_info", "coverage"}}

    @unittest.skipUnless(RUNTIME in (None, "7.2"), "the oldest and the newest show it")
    def test_each_trace_option_writes_only_its_files(self):
        for option, name in (("--kernel-trace", "kernel_trace"), ("--memory-copy-trace", "memory_copy_trace"),
                             ("--marker-trace", "marker_api_trace"), ("--hip-compiler-trace", "hip_api_trace"),
                             ("--memory-allocation-trace", "memory_allocation_trace"),
                             ("--hsa-core-trace", "hsa_api_trace"), ("--hsa-amd-trace", "hsa_api_trace")):
            with self.subTest(option):
                files = self.traced_files(option, program="stream_gemm")
                if option == "--memory-copy-trace" and RUNTIME:
                    continue  # newer versions of HIP copy so little by kernels
                self.assertEqual(set(files), {name})
                functions = {row.get("Function", "") for row in files[name]}
                if option == "--hip-compiler-trace":
                    self.assertTrue(all(function.startswith("__hip") for function in functions), functions)
                if option.startswith("--hsa"):
                    self.assertEqual({function.startswith("hsa_amd_") for function in functions},
                                     {option == "--hsa-amd-trace"})

    def test_calls_of_hsas_extensions(self):
        """No installed runtime has a finalizer: its functions fail without reading the table that tools change."""
        folder, done = self.traced("--hsa-image-trace", "-f", "csv", "-o", "x", program="hsa_extensions")
        self.assertEqual(done.stdout, "images 0x0, finalizer 0x100b\n")
        self.assertEqual([(row["Domain"], row["Function"]) for row in rows_of(folder / "x_hsa_api_trace.csv")],
                         [("HSA_IMAGE_EXT_API", "hsa_ext_image_get_capability")])
        files = self.traced_files("--hsa-finalizer-trace", program="hsa_extensions")
        self.assertEqual(files, {})
        functions = {row["Function"] for row in self.traced_files(
            "--hsa-trace", program="hsa_extensions")["hsa_api_trace"]}
        self.assertIn("hsa_ext_image_get_capability", functions)
        self.assertIn("hsa_iterate_agents", functions)

    @unittest.skipUnless(RUNTIME in (None, "7.2"), "the oldest and the newest show it")
    def test_aggregates_leave_the_files_of_their_domains(self):
        runtime = {"hip_api_trace", "kernel_trace", "marker_api_trace", "memory_allocation_trace"}
        for option, wanted in (("-r", runtime), ("-s", runtime | {"hsa_api_trace"}), ("-s --hsa-trace=no", runtime),
                               ("--hsa-trace", {"hsa_api_trace"}),
                               ("-r --marker-trace no", runtime - {"marker_api_trace"})):
            with self.subTest(option):
                files = self.traced_files(option, program="stream_gemm")
                self.assertEqual(set(files) - {"memory_copy_trace"}, wanted)
                compiler = any(r["Function"].startswith("__hip") for r in files.get("hip_api_trace", ()))
                self.assertEqual(compiler, "-s" in option)

    def test_rocpd_is_the_default(self):
        folder, _ = self.traced("--kernel-trace", "-d", "out")
        (name,) = self.files(folder)
        self.assertRegex(name, rf"^out/{re.escape(socket.gethostname())}/\d+_results\.db$")
        with sqlite3.connect(folder / name) as database:
            self.assertGreater(database.execute("SELECT count(*) FROM kernels").fetchone()[0], 0)

    def test_variables_are_defaults(self):
        folder, _ = self.traced("--marker-trace=no", ROCPROF_KERNEL_TRACE="1", ROCPROF_OUTPUT_FILE_NAME="v",
                                ROCPROF_MARKER_API_TRACE="1", ROCPROF_OUTPUT_FORMAT="csv")
        self.assertEqual(self.files(folder), ["v_agent_info.csv", "v_coverage.csv", "v_kernel_trace.csv"])

    def test_kernel_names_and_agents(self):
        folder, _ = self.traced("--kernel-trace", "-M", "-A", "type-relative", "-o", "m", "-f", "csv")
        self.assertTrue(all(r["Kernel_Name"].endswith(".kd") for r in rows_of(folder / "m_kernel_trace.csv")))
        self.assertEqual({r["Agent_Id"] for r in rows_of(folder / "m_kernel_trace.csv")}, {"GPU 0"})
        folder, _ = self.traced("--kernel-trace", "-T", "-A", "absolute", "-o", "t", "-f", "csv")
        self.assertFalse(any("(" in r["Kernel_Name"] for r in rows_of(folder / "t_kernel_trace.csv")))
        self.assertEqual({r["Agent_Id"] for r in rows_of(folder / "t_kernel_trace.csv")}, {"Agent 1"})

    def test_kernels_take_the_names_of_ranges(self):
        folder, _ = self.traced("--kernel-trace", "--kernel-rename", "-o", "r", "-f", "csv", program="stream_gemm")
        names = {r["Kernel_Name"] for r in rows_of(folder / "r_kernel_trace.csv")}
        self.assertIn("launch", names)

    def test_hip_trace_has_no_kernels_and_parts_can_be_chosen(self):
        folder, _ = self.traced("--hip-runtime-trace", "-o", "h", "-f", "csv")
        self.assertEqual(self.files(folder), ["h_agent_info.csv", "h_coverage.csv", "h_hip_api_trace.csv"])
        self.assertFalse(any(r["Function"].startswith("__hip") for r in rows_of(folder / "h_hip_api_trace.csv")))
        folder, _ = self.traced("--hip-trace", "--hip-runtime-trace=no", "-o", "c", "-f", "csv")
        self.assertEqual({r["Domain"] for r in rows_of(folder / "c_hip_api_trace.csv")}, {"HIP_COMPILER_API_EXT"})

    def test_the_columns_of_the_earlier_version(self):
        folder, _ = self.traced("-r", "-o", "old", ROCPROFV3_COMPAT="0.5")
        self.assertIn("Private_Segment_Size", rows_of(folder / "old_kernel_trace.csv")[0])
        self.assertNotIn("Stream_Id", rows_of(folder / "old_memory_copy_trace.csv")[0])

    def test_periods_and_least_data(self):
        folder, _ = self.traced("--hip-trace", "-P", "3600:1:1", "-o", "p", "-f", "csv")
        self.assertEqual(self.files(folder), ["p_agent_info.csv", "p_coverage.csv"])
        folder, _ = self.traced("--hip-trace", "-P", "0:3600000:1",
                                "--collection-period-unit", "msec", "-o", "p", "-f", "csv")
        self.assertEqual(self.files(folder), ["p_agent_info.csv", "p_coverage.csv", "p_hip_api_trace.csv"])
        folder, _ = self.traced("--kernel-trace", "--minimum-output-data", "1000", "-f", "csv")
        self.assertEqual(self.files(folder), [])

    def test_summaries_in_a_file(self):
        folder, done = self.traced("-r", "-D", "--summary-groups", "KERNEL_DISPATCH|MEMORY_COPY", "-u", "usec",
                                   "--summary-output-file", "sum", "-o", "s", "-f", "csv")
        text = (folder / "s_sum.txt").read_text()
        self.assertEqual(re.findall(r"ROCPROFV3 (.*):", text),
                         ["HIP_API SUMMARY", "KERNEL_DISPATCH SUMMARY", "MEMORY_COPY SUMMARY",
                          "MEMORY_ALLOCATION SUMMARY", "KERNEL_DISPATCH + MEMORY_COPY SUMMARY"])
        self.assertIn("DURATION (usec)", text)
        self.assertNotIn("ROCPROFV3", done.stderr)

    def test_input_files_have_a_folder_for_each_job(self):
        folder = self.make_folder()
        jobs = folder / "jobs.yaml"
        jobs.write_text("jobs:\n  - kernel_trace: true\n    output_format: [csv]\n    output_file: a\n"
                        "  - hip_trace: true\n    output_format: [csv]\n    output_file: a\n")
        done = run("--vgpu", "-i", jobs, "-d", folder / "o", program=[self.program("vector_add")])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.files(folder / "o"),
                         ["pass_1/a_agent_info.csv", "pass_1/a_coverage.csv", "pass_1/a_kernel_trace.csv",
                          "pass_2/a_agent_info.csv", "pass_2/a_coverage.csv", "pass_2/a_hip_api_trace.csv"])

    def test_the_environment_and_the_options_can_be_printed(self):
        _, done = self.traced("--kernel-trace", "--log-level", "info", "-f", "csv", "-o", "x", "--preload",
                              BUILD / "lib" / "libroctx64.so.4", "--suppress-marker-preload",
                              "--disable-signal-handlers")
        self.assertIn("    - kernel_trace = true\n", done.stderr)
        self.assertRegex(done.stderr, r"    - LD_PRELOAD=[^:]*/lib/libroctx64\.so\.4:.*/lib/libvgpu\.so")
        self.assertNotRegex(done.stderr, r"LD_PRELOAD=.*libroctx.*libroctx")


    def test_each_log_level_prints_its_part(self):
        config, variables = "- rocprofv3 configuration:", "- rocprofv3 environment:"
        for level, wanted in (("fatal", ()), ("error", ()), ("warning", ()), ("info", (config, variables)),
                              ("trace", (config, variables)), ("env", (variables,)), ("config", (config,))):
            with self.subTest(level):
                done = run("--kernel-trace", "--log-level", level, program=["true"], folder=self.make_folder())
                self.assertEqual([part for part in (config, variables) if part in done.stderr], list(wanted))


class Refusals(Case):
    def refused(self, *arguments, code, text, program=("true",)):
        folder = self.make_folder()
        done = run(*arguments, program=program, folder=folder)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(list(folder.iterdir()), [])

    def test_counters_of_kernels(self):
        if RUNTIME != "7.2":
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        done = run("--vgpu", "--pmc", "SQ_WAVES", "SQ_INSTS_VALU", "SQ_IFETCH", "-f", "csv", "json", "rocpd",
                   "-d", folder, "-o", "run", program=[self.program("hsa_counted")], VGPU_GFX="90a")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((folder / "run_kernel_trace.csv").exists())
        rows = rows_of(folder / "run_counter_collection.csv")
        self.assertEqual(list(rows[0]), [
            "Correlation_Id", "Dispatch_Id", "Agent_Id", "Queue_Id", "Process_Id", "Thread_Id", "Grid_Size",
            "Kernel_Id",
            "Kernel_Name", "Workgroup_Size", "LDS_Block_Size", "Scratch_Size", "VGPR_Count", "Accum_VGPR_Count",
            "SGPR_Count", "Counter_Name", "Counter_Value", "Start_Timestamp", "End_Timestamp"])
        values = sorted((int(row["Grid_Size"]), row["Counter_Name"], row["Counter_Value"]) for row in rows)
        expected = [(64 * waves, name, value) for waves in range(4, 52, 4) for name, value in (
            ("SQ_IFETCH", "not modelled"), ("SQ_INSTS_VALU", str(10 * waves)), ("SQ_WAVES", str(waves)))]
        self.assertEqual(values, expected)
        modelled = [row for row in expected if row[2] != "not modelled"]

        tool = json.loads((folder / "run_results.json").read_text())["rocprofiler-sdk-tool"][0]
        names = {counter["id"]["handle"]: counter["name"] for counter in tool["counters"]}
        self.assertEqual(sorted(names.values()), ["SQ_IFETCH", "SQ_INSTS_VALU", "SQ_WAVES"])
        # A record for each shader engine, with its place in the counter's dimensions.
        engine, instance = 3, 7
        self.assertEqual({tuple(counter["dimension_ids"]) for counter in tool["counters"]}, {(engine, instance)})
        self.assertEqual(tool["strings"]["counters"]["dimension_ids"], [
            {"id": engine, "instance_size": 8, "name": "DIMENSION_SHADER_ENGINE"},
            {"id": instance, "instance_size": 1, "name": "DIMENSION_INSTANCE"}])
        sums = {}
        for kernel in tool["callback_records"]["counter_collection"]:
            positions = {}
            for record in kernel["records"]:
                key = kernel["dispatch_data"]["dispatch_info"]["grid_size"]["x"], names[record["counter_id"]["handle"]]
                sums[key] = sums.get(key, 0) + record["value"]
                positions.setdefault(key, []).append(record["position"])
            self.assertEqual({tuple(map(tuple, sorted(each))) for each in positions.values()},
                             {tuple((i, 0) for i in range(8))})
        self.assertEqual(sorted((*key, f"{value:g}") for key, value in sums.items()), modelled)
        with sqlite3.connect(folder / "run_results.db") as database:
            found = database.execute("SELECT grid_size, counter_name, value FROM counters_collection").fetchall()
        self.assertEqual(sorted((grid, name, f"{value:g}") for grid, name, value in found), modelled)

    def test_samples_of_program_counters(self):
        sampling = ("--pc-sampling-method", "host_trap", "--pc-sampling-unit", "time", "--pc-sampling-interval", "100")
        self.refused(*sampling, code=1, text="PC sampling needs --pc-sampling-beta-enabled")
        self.refused("--pc-sampling-beta-enabled", "--pc-sampling-method", "stochastic", "--pc-sampling-unit", "cycles",
                     "--pc-sampling-interval", "1048576", code=1,
                     text="--pc-sampling-method stochastic is not supported")
        folder = self.make_folder()
        done = run("--vgpu", "--pc-sampling-beta-enabled", *sampling, "-f", "csv", "-d", folder, "-o", "run",
                   program=[self.program("slow_rows"), "2"])
        self.assertEqual(done.returncode, 0, done.stderr)
        path = folder / "run_pc_sampling_host_trap.csv"
        if RUNTIME not in ("6.4", "7.2"):
            self.assertFalse(path.exists())
            self.assertIn("this runtime has no PC sampling", done.stderr)
            return
        rows = rows_of(path)
        self.assertGreater(len(rows), 100)
        slow = [row for row in rows if row["Instruction"].startswith("v_fmac_f32")]
        self.assertIn("slow_rows.hip:", slow[0]["Instruction_Comment"])
        self.assertIn(" -> ", slow[0]["Instruction_Comment"])  # the call that it was inlined by

    @unittest.skipIf(RUNTIME == "7.2", "counters are read there")
    def test_where_counters_cannot_be_read_a_line_says_why(self):
        why = ("counting needs ROCm 6.0 or later" if RUNTIME is None else
               "libhsa-amd-aqlprofile64.so.1 cannot be opened")
        folder = self.make_folder()
        (folder / "more.yaml").write_text(HALF_WAVES)
        for options in (("--pmc", "SQ_WAVES"), ("--pmc", "HalfWaves", "-E", folder / "more.yaml"),
                        ("--pmc", "SQ_WAVES", "--kernel-include-regex", "Count", "--kernel-iteration-range", "[1]")):
            with self.subTest(options):
                done = run("--vgpu", *options, "-f", "csv", "-d", folder / "o",
                           "-o", "run", program=[self.program("hsa_counted")])
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, rf"^rocprofv3: kernels are not counted in process \d+: {why}")
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertEqual(sorted(path.name for path in (folder / "o").iterdir()),
                                 ["run_agent_info.csv", "run_coverage.csv"])
        checked = self.avail("pmc-check", "SQ_WAVES")
        self.assertEqual((checked.returncode, checked.stdout), (1, ""))
        self.assertRegex(checked.stderr, "^rocprofv3-avail: libhsa-amd-aqlprofile64.so.1 cannot be opened: .*\n$")

    def test_counters_of_a_file_are_computed(self):
        if RUNTIME != "7.2":
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        (folder / "more.yaml").write_text(HALF_WAVES)
        done = run("--vgpu", "--pmc", "HalfWaves", "VALUInsts", "-E", folder / "more.yaml", "-f", "csv", "-d", folder,
                   "-o", "run",
                   program=[self.program("hsa_counted")])
        self.assertEqual(done.returncode, 0, done.stderr)
        values = sorted((int(row["Grid_Size"]), row["Counter_Name"], row["Counter_Value"])
                        for row in rows_of(folder / "run_counter_collection.csv"))
        self.assertEqual(values, [(64 * waves, name, value) for waves in range(4, 52, 4) for name, value in (
            ("HalfWaves", f"{waves / 8:g}"), ("VALUInsts", "10"))])
        self.refused("--pmc", "HalfWaves", "-E", "/nowhere.yaml", code=1,
                     text="--extra-counters: /nowhere.yaml cannot be read")

    def test_kernels_that_are_counted_can_be_chosen(self):
        if RUNTIME != "7.2":
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        (folder / "in.yaml").write_text("jobs:\n- pmc: [SQ_WAVES]\n  kernel_include_regex: 'Count\\(|Empty'\n"
                                        "  kernel_exclude_regex: Empty\n  kernel_iteration_range: ['[2-3]', '[5]']\n"
                                        "  kernel_trace: true\n  output_format: [csv]\n")
        done = run("--vgpu", "-i", folder / "in.yaml", "-d", folder, "-o",
                   "run", program=[self.program("kernel_flood"), "40"])
        self.assertEqual(done.returncode, 0, done.stderr)
        files = {path.name: path for path in folder.rglob("*.csv")}
        kernels = rows_of(files["run_kernel_trace.csv"])
        counted = rows_of(files["run_counter_collection.csv"])
        self.assertEqual({row["Kernel_Name"] for row in counted}, {"Count(int*)"})
        launches = [row["Dispatch_Id"] for row in sorted(kernels, key=lambda row: int(row["Dispatch_Id"]))
                    if row["Kernel_Name"] == "Count(int*)"]
        self.assertEqual(len(launches), 10)
        self.assertEqual([row["Dispatch_Id"] for row in counted], [launches[1], launches[2], launches[4]])

        # Launches are counted for each name; the trace of kernels has all of them.
        each = self.make_folder()
        done = run("--vgpu", "--pmc", "SQ_WAVES", "--kernel-iteration-range", "[1-2]", "--kernel-trace", "-f", "csv",
                   "-d", each, "-o", "run", program=[self.program("kernel_flood"), "40"])
        self.assertEqual(done.returncode, 0, done.stderr)
        traced, expected = {}, []
        for row in sorted(rows_of(each / "run_kernel_trace.csv"), key=lambda row: int(row["Dispatch_Id"])):
            traced[row["Kernel_Name"]] = traced.get(row["Kernel_Name"], 0) + 1
            if traced[row["Kernel_Name"]] <= 2:
                expected.append((row["Kernel_Name"], row["Dispatch_Id"]))
        self.assertEqual(sum(traced.values()), len(kernels))
        self.assertGreater(len(traced), 1)
        self.assertEqual(sorted((row["Kernel_Name"], row["Dispatch_Id"])
                                for row in rows_of(each / "run_counter_collection.csv")), sorted(expected))

    def test_lines_of_counters_are_runs(self):
        if RUNTIME != "7.2":
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        (folder / "in.txt").write_text("pmc: SQ_WAVES\npmc: SQ_INSTS_VALU # the second run\n")
        done = run("--vgpu", "-i", folder / "in.txt", "-f", "csv", "-d", folder / "o", "-o", "run",
                   program=[self.program("hsa_counted")])
        self.assertEqual(done.returncode, 0, done.stderr)
        for number, counter, each in ((1, "SQ_WAVES", 1), (2, "SQ_INSTS_VALU", 10)):
            rows = rows_of(folder / "o" / f"pmc_{number}" / "run_counter_collection.csv")
            self.assertEqual({row["Counter_Name"] for row in rows}, {counter})
            self.assertEqual(sorted((int(row["Grid_Size"]), int(row["Counter_Value"])) for row in rows),
                             [(64 * waves, each * waves) for waves in range(4, 52, 4)])
        kinds = [f"SQ_INSTS_{kind}" for kind in ("VALU", "VMEM_WR", "VMEM_RD", "SALU", "SMEM", "FLAT", "LDS", "GDS")]
        program = [self.program("hsa_counted")]
        options = ("-f", "csv", "-d", folder / "many", "-o", "run")
        self.refused("--vgpu", "--pmc", "SQ_WAVES", *kinds, *options, code=1, program=program,
                     text="--pmc: gfx906 cannot count all of these in one run, but in 2: --pmc SQ_WAVES SQ_INSTS_VALU")
        self.assertFalse((folder / "many").exists())
        done = run("--vgpu", "--pmc", "SQ_WAVES", *kinds[:-1], "--pmc", kinds[-1], *options, program=program)
        self.assertEqual(done.returncode, 0, done.stderr)
        many = folder / "many"
        counted = [{row["Counter_Name"] for row in rows_of(many / f"pass_{number}" / "run_counter_collection.csv")}
                   for number in (1, 2)]
        self.assertEqual(counted, [{"SQ_WAVES", *kinds[:-1]}, {kinds[-1]}])

    def test_groups_of_counters_take_turns(self):
        if RUNTIME != "7.2":
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        (folder / "in.yaml").write_text("jobs:\n- pmc_groups: [[SQ_WAVES, SQ_INSTS_VALU], [SQ_INSTS_SALU]]\n"
                                        "  pmc_group_interval: 3\n  kernel_trace: true\n  output_format: [csv]\n")
        done = run("--vgpu", "-i", folder / "in.yaml", "-d", folder, "-o", "run", program=[self.program("hsa_counted")])
        self.assertEqual(done.returncode, 0, done.stderr)
        files = {path.name: path for path in folder.rglob("*.csv")}
        submitted = [int(row["Dispatch_Id"]) for row in rows_of(files["run_kernel_trace.csv"])]  # in this order
        self.assertEqual(len(submitted), 12)
        counted = {}
        for row in rows_of(files["run_counter_collection.csv"]):
            waves = int(row["Grid_Size"]) // 64
            each = {"SQ_WAVES": 1, "SQ_INSTS_VALU": 10, "SQ_INSTS_SALU": 5}[row["Counter_Name"]]
            self.assertEqual(int(row["Counter_Value"]), each * waves)
            counted.setdefault(int(row["Dispatch_Id"]), set()).add(row["Counter_Name"])
        self.assertEqual([sorted(counted[dispatch]) for dispatch in submitted],
                         (3 * [["SQ_INSTS_VALU", "SQ_WAVES"]] + 3 * [["SQ_INSTS_SALU"]]) * 2)

        kinds = ", ".join(f"SQ_INSTS_{kind}" for kind in ("VALU", "VMEM_WR", "VMEM_RD", "SALU", "SMEM", "FLAT", "LDS",
                                                          "GDS"))
        (folder / "many.yaml").write_text(f"jobs:\n- pmc_groups: [[TCC_HIT], [SQ_WAVES, {kinds}]]\n")
        self.refused("--vgpu", "-i", folder / "many.yaml", code=1, program=[self.program("hsa_counted")],
                     text="pmc_groups, group 2: gfx906 cannot count all of these in one run, but in 2: --pmc SQ_WAVES")

    def avail(self, *arguments, program="rocprofv3-avail"):
        prefix = [RUNTIME_TOOL, "exec", RUNTIME, "--"] if RUNTIME else []
        return subprocess.run([*prefix, BUILD / "bin" / "vgpu", "run", "--gpus", "2", "--", BUILD / "bin" / program,
                               *arguments], capture_output=True, text=True, timeout=100)

    def test_avail_lists_what_can_be_collected(self):
        if RUNTIME != "7.2":
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        listed = self.avail("list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertEqual(re.findall(r"^(GPU|Name) +:\t(.*)$", listed.stdout, re.M),
                         [("GPU", "0"), ("Name", "gfx906"), ("GPU", "1"), ("Name", "gfx906")])
        self.assertEqual(listed.stdout.split().count("SQ_WAVES"), 2)
        self.assertEqual(self.avail("list", "--agent", "no", "--pmc").stdout, listed.stdout)
        agents = self.avail("list", "--agent").stdout
        for line in (r"GPU:[01]", r"simd_count +:\t240", r"cu_count +:\t60", r"model_name +:\tvega20",
                     r"name +:\tgfx906"):
            self.assertEqual(len(re.findall(f"^{line}$", agents, re.M)), 2, line)
        self.assertNotIn("SQ_WAVES", agents)
        both = self.avail("info", "-d", "1").stdout
        self.assertEqual(re.findall("^(?:GPU:.*|logical_node_type_id.*)", both, re.M),
                         ["GPU:1", f"{'logical_node_type_id':30}:\t1"])
        self.assertEqual(both.split().count("SQ_WAVES"), 1)
        info = self.avail("-d", "1", "info", "--pmc", "SQ_WAVES", "VALUInsts").stdout
        self.assertEqual(re.findall(r"^(\S+) +:\t(.*)$", info, re.M), [
            ("GPU", "1"), ("Name", "gfx906"), ("Counter_Name", "SQ_WAVES"), ("Description", "Waves that were started"),
            ("Block", "SQ"), ("Event", "4"), ("Counter_Name", "VALUInsts"),
            ("Description", "Vector instructions, for each wave"),
            ("Expression", "reduce(SQ_INSTS_VALU,sum)/reduce(SQ_WAVES,sum)")])
        fits = self.avail("pmc-check", "SQ_WAVES", "TCC_HIT:device=1")
        self.assertEqual((fits.returncode, fits.stdout.splitlines()), (0, [
            "Following input counters can be collected together on GPU:0\tSQ_WAVES",
            "Following input counters can be collected together on GPU:1\tSQ_WAVES\tTCC_HIT"]))
        kinds = [f"SQ_INSTS_{kind}" for kind in ("VALU", "VMEM_WR", "VMEM_RD", "SALU", "SMEM", "FLAT", "LDS", "GDS")]
        many = self.avail("-d", "0", "pmc-check", "SQ_WAVES", *kinds)
        self.assertEqual((many.returncode, many.stdout.splitlines()[0]), (1, "On GPU:0 these counters take 2 runs:"))
        self.assertIn("Counter_Name                  :\tTCC_HIT_sum", self.avail("-L", program="rocprofv3").stdout)
        for arguments, code, text in (([], 2, "list, info or pmc-check is missing"),
                                      (["-d", "7", "list"], 1, "no GPU 7"),
                                      (["info", "--pmc", "NOPE"], 1, "GPU 0 (gfx906) has no counter NOPE"),
                                      (["info", "SQ_WAVES"], 2, "counters follow --pmc, not SQ_WAVES")):
            wrong = self.avail(*arguments)
            self.assertEqual(wrong.returncode, code)
            self.assertIn(f"rocprofv3-avail: {text}", wrong.stderr)

    def test_errors_are_one_line(self):
        self.refused("--no-such", code=2, text="rocprofv3: unknown option --no-such")
        self.refused("--pmc", "SQ_WAFES", code=1,
                     text="--pmc: SQ_WAFES is neither a known counter (rtl counters list) nor")
        self.refused("--att", code=1, text="--att is not supported")
        self.refused("--kernel-trace", "-p", "1", code=1, text="process 1: cannot be attached to",
                     program=())
        self.refused("--kernel-trace", "-p", "1", code=1, text="attaches to a running program")
        self.refused("--kernel-trace", "-p", "1", "--pmc", "SQ_WAVES", code=1, text="--pmc must be set when",
                     program=())
        self.refused("--kernel-trace", "-p", "me", code=1, text="--pid takes the number of a process, not me",
                     program=())
        self.refused("-i", "missing.json", code=1, text="missing.json: cannot be read")
        self.refused("--kernel-trace", "--", code=1, text="no application", program=())
        self.refused(code=1, text="no application", program=())
        self.refused("--pmc", "SQ_WAVES", "--kernel-iteration-range",
                     "[5-2]", code=1, text="--kernel-iteration-range takes")
        self.refused("--stats", code=1, text="statistics need something to count")
        self.refused("--kernel-trace", "-d", "/proc/none", code=1, text="/proc/none: cannot be made")

    @unittest.skipIf(RUNTIME is not None, "needs no runtime")
    def test_wrong_input_files_are_refused_in_one_line(self):
        """Nothing has run, not even the jobs before the wrong one."""
        for name, written, text in (
                ("in.json", '{"jobs": [}', "in.json: no JSON at byte 10"),
                ("in.yaml", "jobs: [", "in.yaml: no YAML: line "),
                ("in.txt", "counters", 'in.txt: no line "pmc: ..."'),
                ("in.txt", "pmc: SQ_WAFES", "SQ_WAFES is neither a known counter (rtl counters list) nor"),
                ("in.json", "", "in.json: no JSON at byte 0"),
                ("in.yaml", "jobs:\n  - kernel_tracing: true\n", "in.yaml: unknown key kernel_tracing"),
                ("in.yaml", "jobs:\n  - kernel_trace: maybe\n", "kernel_trace"),
                ("in.json", '{"jobs": [{"kernel_trace": true}, {"att": true}]}', "--att is not supported"),
                ("in.xml", "<jobs/>", "in.xml")):
            with self.subTest(name, written=written):
                path = self.make_folder() / name
                path.write_text(written)
                self.refused("-i", path, code=1, text=text, program=("touch", "was-run"))

    def test_a_variable_that_is_not_read_is_refused(self):
        for options, code in (((), 1), (("-E", "more.yaml"), 0)):
            folder = self.make_folder()
            (folder / "more.yaml").write_text("{}\n")
            done = run("--kernel-trace", *options, program=["true"],
                       folder=folder, ROCPROF_EXTRA_COUNTERS_CONTENTS="A: {}")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual("ROCPROF_EXTRA_COUNTERS_CONTENTS is not supported" in done.stderr, code == 1)

    def test_a_program_that_is_not_there(self):
        folder = self.make_folder()
        done = run("--kernel-trace", program=["/no/such/program"], folder=folder)
        self.assertEqual(done.returncode, 127)
        self.assertEqual(list(folder.iterdir()), [])

    def test_an_option_on_the_line_and_in_the_file(self):
        folder = self.make_folder()
        (folder / "in.json").write_text('{"jobs": [{"kernel_trace": true, "output_file": "x"}]}')
        done = run("-i", folder / "in.json", "-o", "y", program=["true"])
        self.assertEqual(done.returncode, 1)
        self.assertIn("output_file is also on the command line, with another value", done.stderr)

    def test_the_exit_code_is_the_programs(self):
        for program, code in (("true", 0), ("false", 1)):
            folder = self.make_folder()
            done = run("--kernel-trace", "-f", "csv", program=[program], folder=folder)
            self.assertEqual(done.returncode, code)
            self.assertIn("no HSA runtime was started", done.stderr)

    def test_help_version_and_echo(self):
        self.assertIn("Usage: rocprofv3 [options] -- PROGRAM", run("-h").stdout)
        self.assertIn("interface: rocprofv3 1.0", run("--version").stdout)
        self.assertEqual(run("--kernel-trace", "--echo", program=["a", "b c"]).stdout, "command: ['a', 'b c']\n")

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_a_full_disk_leaves_nothing(self):
        # The second has room for files, but not for the records of the program.
        for blocks in (8, 2048):
            with self.subTest(blocks):
                folder = self.make_folder()
                done = subprocess.run(["bash", "-c", f'ulimit -f {blocks}; exec "$@"', "-", ROCPROFV3, "--vgpu",
                                       "--hip-trace",
                                       "-f", "csv", "-d", folder, "--", self.program("vector_add")],
                                      capture_output=True, text=True)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("File too large", done.stderr)
                self.assertEqual([path for path in folder.rglob("*") if path.is_file()], [])


if __name__ == "__main__":
    main()
