#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The options of rocprofv3 on the virtual GPU, and what it refuses.

    RTL_BUILD=build/release options_test.py [--runtime NAME]
"""

import json
import os
import re
import socket
import sys
import unittest

from case import Case, rows_of, run
import frame
import pftrace
from frame import BUILD, ROCPROFV3, RUNTIME, ask, facts_of, main


class Options(Case):
    def traced(self, *options, program="vector_add", arguments=(), code=0, **variables):
        folder = self.make_folder()
        done = run("--vgpu", *options, program=[self.program(program), *arguments], code=code, folder=folder,
                   **variables)
        self.assert_nothing_hidden(folder)
        return folder, done

    def files(self, folder):
        return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())

    @unittest.skipIf(RUNTIME is not None, "needs no runtime")
    def test_kokkos_ranges_are_recorded(self):
        folder = self.make_folder()
        run("--kokkos-trace", "-f", "csv", "-d", folder, "-o", "k", program=[BUILD / "bin" / "kokkos_program"])
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
        run("--rccl-trace", "--stats", "-f", "csv", "json", "rocpd", "-d", folder, "-o", "r",
            program=[BUILD / "bin" / "rccl_program"])
        rows = rows_of(folder / "r_rccl_api_trace.csv")
        self.assertEqual({row["Domain"] for row in rows}, {"RCCL_API"})
        names = ["ncclCommInitRank", "ncclAllReduce", "ncclBroadcast", "ncclRecv", "ncclGetErrorString"]
        self.assertEqual([row["Function"] for row in rows], names)
        self.assertEqual({row["Name"] for row in rows_of(folder / "r_rccl_api_stats.csv")}, set(names))
        (tool,) = json.loads((folder / "r_results.json").read_text())["rocprofiler-sdk-tool"]
        kinds = tool["strings"]["buffer_records"]
        self.assertEqual([kinds[r["kind"]]["operations"][r["operation"]]
                         for r in tool["buffer_records"]["rccl_api"]], names)
        self.assertEqual(ask(folder / "r_results.db", "SELECT name, start FROM regions ORDER BY id"),
                         [(row["Function"], int(row["Start_Timestamp"])) for row in rows])

    def test_calls_of_functions_that_a_program_looks_up(self):
        """With dlsym in HIP's library, as frameworks in Python do."""
        version = 5 if RUNTIME in (None, "6.1") else RUNTIME[0]
        calls = (f"import ctypes; hip = ctypes.CDLL('libamdhip64.so.{version}'); memory = ctypes.c_void_p(); "
                 "size = ctypes.c_size_t(4096); print(hip.hipMalloc(ctypes.byref(memory), size), "
                 "hip.hipMemset(memory, 0, size), hip.hipFree(memory))")
        folder = self.make_folder()
        done = run("--vgpu", "--hip-trace", "-f", "csv", "-d", folder, "-o", "x",
                   program=["/usr/bin/python3", "-c", calls], code=None)
        self.assertEqual((done.returncode, done.stdout), (0, "0 0 0\n"), done.stderr)
        self.assertEqual([row["Function"] for row in rows_of(folder / "x_hip_api_trace.csv")],
                         ["hipMalloc", "hipMemset", "hipFree"])

    def test_selected_regions_alone_are_traced(self):
        folder, _ = self.traced("--kernel-trace", "--marker-trace", "--group-by-queue", "--selected-regions", "-f",
                                "csv", "db",
                                "-o", "s", program="pause")
        tags = facts_of(folder / "s_trace.db")
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
                       OMPI_COMM_WORLD_SIZE="2", code=None)
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

    @unittest.skipUnless(RUNTIME is None, "needs no runtime")
    def test_a_program_without_hsa_has_the_drivers_agents(self):
        mark = "import ctypes, os; ctypes.CDLL('libroctx64.so.4').roctxMarkA(b'here')"
        for end, code in ("", 0), ("; os.kill(os.getpid(), 9)", 128 + 9):
            folder = self.make_folder()
            run("--vgpu", "--marker-trace", "-f", "csv", "json", "-d", folder, "-o", "m", code=code,
                program=[sys.executable, "-c", mark + end], VGPU_GFX="90a", VGPU_NUM_GPUS="2")
            self.assertEqual([row["Function"] for row in rows_of(folder / "m_marker_api_trace.csv")], ["here"])
            agents = rows_of(folder / "m_agent_info.csv")
            self.assertEqual([agent["Agent_Type"] for agent in agents], ["CPU", "GPU", "GPU"])
            self.assertEqual([int(agent["Logical_Node_Id"]) for agent in agents], [0, 1, 2])
            self.assertEqual([(agent["Name"], agent["Cu_Count"]) for agent in agents[1:]], [("gfx90a", "104")] * 2)
            (tool,) = json.loads((folder / "m_results.json").read_text())["rocprofiler-sdk-tool"]
            self.assertEqual([agent["name"] for agent in tool["agents"]], [agent["Name"] for agent in agents])

    def traced_files(self, option, **options):
        """The files of one option, except those that are always there, with their rows."""
        folder, _ = self.traced(*option.split(), "-f", "CSV", "-o", "x", **options)
        names = {name.removeprefix("x_").removesuffix(".csv") for name in self.files(folder)}
        self.assertLessEqual({"agent_info", "coverage"}, names)
        return {name: rows_of(folder / f"x_{name}.csv") for name in names - {"agent_info", "coverage"}}

    @unittest.skipUnless(RUNTIME in (None, "7.2", "7.14"), "the oldest and the newest show it")
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

    @unittest.skipUnless(RUNTIME in (None, "7.2", "7.14"), "the oldest and the newest show it")
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
        self.assertGreater(ask(folder / name, "SELECT count(*) FROM kernels"), [(0,)])

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
        self.assertEqual({row["Agent_Id"] for row in rows_of(folder / "old_kernel_trace.csv")}, {"1"})
        self.assertEqual({row[f"{end}_Agent_Id"] for row in rows_of(folder / "old_memory_copy_trace.csv")
                          for end in ("Source", "Destination")}, {"0", "1"})

    def test_a_period_without_end_has_every_row(self):
        """`-P 0:5:0`: five seconds again and again, without a pause."""
        folder, _ = self.traced("--kernel-trace", "--group-by-queue", "-P", "0:5:0", "-f", "csv", "-o", "x")
        self.assertEqual(len(rows_of(folder / "x_kernel_trace.csv")), 5)

    def test_periods_and_least_data(self):
        folder, done = self.traced("--hip-trace", "-P", "3600:1:1", "-o", "p", "-f", "csv")
        self.assertEqual(self.files(folder), ["p_agent_info.csv", "p_coverage.csv"])
        self.assertRegex(done.stderr, r"no event of process \d+ lies within the periods of --collection-period\n")
        folder, done = self.traced("--hip-trace", "-P", "0:3600000:1",
                                   "--collection-period-unit", "msec", "-o", "p", "-f", "csv")
        self.assertNotIn("--collection-period", done.stderr)
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
        run("--vgpu", "-i", jobs, "-d", folder / "o", program=[self.program("vector_add")])
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

    def test_a_program_without_a_run_path_finds_the_library(self):
        folder = self.make_folder()
        (folder / "p.c").write_text("int roctxMarkA(const char*); int main(void) { return roctxMarkA(\"found\"), 0; }\n")
        frame.run("cc", "-o", folder / "p", folder / "p.c", "-L", BUILD / "lib", "-lrocprofiler-sdk-roctx")
        for before in (None, "/nowhere"):
            variables = {} if before is None else {"LD_LIBRARY_PATH": before}
            run("--marker-trace", "-f", "csv", "-o", "x", program=[folder / "p"], folder=folder, **variables)
            self.assertEqual([row["Function"] for row in rows_of(folder / "x_marker_api_trace.csv")], ["found"])

    def test_each_log_level_prints_its_part(self):
        config, variables = "- rocprofv3 configuration:", "- rocprofv3 environment:"
        for level, wanted in (("fatal", ()), ("error", ()), ("warning", ()), ("info", (config, variables)),
                              ("trace", (config, variables)), ("env", (variables,)), ("config", (config,))):
            with self.subTest(level):
                done = run("--kernel-trace", "--log-level", level, program=["true"], folder=self.make_folder(),
                           code=None)
                self.assertEqual([part for part in (config, variables) if part in done.stderr], list(wanted))


class Refusals(Case):
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
        self.refused("--kernel-trace", "-o", "/dev/null/x", code=1, text="/dev/null: no files can be written there")

    @unittest.skipIf(RUNTIME is not None, "needs no runtime")
    def test_a_folder_that_cannot_be_written_to_is_refused_before_the_program(self):
        folder = self.make_folder()
        folder.chmod(0o755)
        closed = folder / "closed"
        closed.mkdir()
        closed.chmod(0o555)
        as_nobody = ["setpriv", "--reuid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
        for name in ("x", "more/%pid%", "%pid%"):
            done = frame.run(*as_nobody, ROCPROFV3, "--kernel-trace", "-o", closed / name, "--", "echo", "ran", code=1,
                             folder="/tmp")
            self.assertEqual((done.stdout, done.stderr),
                             ("", f"rocprofv3: {closed}: cannot be written to: Permission denied\n"))

    @unittest.skipIf(RUNTIME is not None, "needs no runtime")
    def test_a_name_that_is_too_long_is_refused_before_the_program(self):
        for length, code, printed in ((207, 0, "ran\n"), (208, 1, "")):
            done = frame.run(ROCPROFV3, "--kernel-trace", "-d", self.make_folder(), "-o", length * "n", "--", "echo",
                             "ran", code=code, folder="/tmp")
            self.assertEqual(done.stdout, printed)
            if code != 0:
                self.assertIn("this name is too long: names of files here have up to 207 bytes", done.stderr)

    def test_a_job_that_fails_ends_the_run_with_a_line(self):
        folder = self.make_folder()
        jobs = folder / "jobs.yaml"
        job = "  - kernel_trace: true\n    output_format: [csv]\n"
        jobs.write_text("jobs:\n" + 3 * job)
        done = run("-i", jobs, "-d", folder / "o", program=["sh", "-c", "exit 3"], code=3)
        self.assertTrue(done.stderr.endswith(
            "rocprofv3: pass_1 ended with exit code 3; 2 runs after it were not started\n"), done.stderr)

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
                       folder=folder, ROCPROF_EXTRA_COUNTERS_CONTENTS="A: {}", code=code)
            self.assertEqual("ROCPROF_EXTRA_COUNTERS_CONTENTS is not supported" in done.stderr, code == 1)

    def test_a_program_that_is_not_there(self):
        folder = self.make_folder()
        run("--kernel-trace", program=["/no/such/program"], folder=folder, code=127)
        self.assertEqual(list(folder.iterdir()), [])

    def test_an_option_on_the_line_and_in_the_file(self):
        folder = self.make_folder()
        (folder / "in.json").write_text('{"jobs": [{"kernel_trace": true, "output_file": "x"}]}')
        done = run("-i", folder / "in.json", "-o", "y", program=["true"], code=1)
        self.assertIn("output_file is also on the command line, with another value", done.stderr)

    def test_the_exit_code_is_the_programs(self):
        for program, code in (("true", 0), ("false", 1)):
            folder = self.make_folder()
            done = run("--kernel-trace", "-f", "csv", program=[program], folder=folder, code=code)
            self.assertIn(f"no HSA runtime in {program} loaded the tracer", done.stderr)

    def test_help_version_and_echo(self):
        self.assertIn("Usage: rocprofv3 [options] -- PROGRAM", run("-h").stdout)
        self.assertIn("interface: rocprofv3 1.0", run("--version").stdout)
        self.assertEqual(run("--kernel-trace", "--echo", program=["a", "b c"]).stdout, "command: ['a', 'b c']\n")

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_a_full_disk_leaves_nothing(self):
        # The second has room for files, but not for the records of the program.
        for blocks in (8, 256):
            with self.subTest(blocks):
                folder = self.make_folder()
                done = frame.run("bash", "-c", f'ulimit -f {blocks}; exec "$@"', "-", ROCPROFV3, "--vgpu",
                                 "--hip-trace", "-f", "csv", "-d", folder, "--", self.program("vector_add"), code=None)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("File too large", done.stderr)
                self.assertEqual([path for path in folder.rglob("*") if path.is_file()], [])


if __name__ == "__main__":
    main()
