#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tools on librocprofiler-sdk.so.1, in programs on the virtual GPU.

The events that a tool gets are compared with those that `rtl trace` records of the same program.

    RTL_BUILD=build/release sdk_test.py [--runtime NAME]
"""

import collections
import pathlib
import re
import signal

from sdk_support import BUILD, LIBRARY, PROGRAMS, REGISTERS, RUNTIME, ToolTest, ask, main, run, tool

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FIRST = tool("kernel_trace")
SECOND = tool("sdk_second_tool")
LINE = re.compile(r"kernel (\d+) (\S+?)(?:\.kd)? agent a000000002 queue \d+ grid [\dx]+ ns \d+")


class Tools(ToolTest):
    def kernels_of_sample(self, program, **variables):
        """Kernels by name, as the sample prints them; the program's output."""
        path = self.folder / "kernels.txt"
        out, said = self.with_tools(FIRST, program, KERNEL_TRACE_FILE=str(path), **variables)
        self.assertEqual(said, [])
        lines = path.read_text().splitlines()
        self.assertEqual(lines[1], "agent a000000002 gfx906")
        self.assertEqual(lines[-1], "dropped 0")
        hits = [LINE.fullmatch(line) for line in lines[2:-1]]
        self.assertNotIn(None, hits, lines)
        self.assertEqual(len({hit[1] for hit in hits}), len(hits), "every dispatch has its number")
        return collections.Counter(hit[2] for hit in hits), out

    def kernels_of_trace(self, program):
        database = self.folder / "t.db"
        self.run_command([BUILD / "bin" / "rtl", "trace", "-o", database, "--", *program])
        query = """SELECT s.string FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id
                   WHERE o.queueId > 0"""
        return collections.Counter(row[0] for row in ask(database, query))

    def test_the_sample_sees_the_kernels_that_a_trace_has(self):
        program = self.program("vector_add")
        names, out = self.kernels_of_sample(program)
        self.assertEqual(names["_Z9VectorAddPKfS0_Pfi"], 1, names)
        self.assertEqual(out, self.run_command(program)[0])
        # The trace's names are demangled; how often each kernel ran is the same.
        self.assertEqual(sorted(names.values()), sorted(self.kernels_of_trace(program).values()))

    def test_a_sample_names_the_file_that_it_cannot_write(self):
        for name in ("allocation", "api", "event", "hip", "kernel", "marker", "runtime", "scratch", "stream"):
            variables = {f"{name.upper()}_TRACE_FILE": "/no/such/file"}
            _, said = self.with_tools(tool(f"{name}_trace"), self.program("hsa_storm", "10", "1"), **variables)
            self.assertIn("/no/such/file: No such file or directory", said, name)

    def test_the_tool_of_the_guide_runs_as_the_guide_says(self):
        guide = (PROJECT / "docs" / "guide" / "write-a-tool.md").read_text()
        code, library = self.folder / "tool.c", self.folder / "libcount_kernels.so"
        code.write_text(re.search(r"```c\n(.*?)```", guide, re.DOTALL)[1])
        run("cc", "-shared", "-fPIC", "-I", PROJECT / "include", "-o", library, code, f"-L{BUILD / 'lib'}",
            "-lrocprofiler-sdk")
        commands = re.search(r"\n## Run it\n\n((?:    .*\n)+)", guide)[1]
        program = self.program("hsa_storm", "20", "1")
        for its, ours in (("$PWD/DIR/lib", BUILD / "lib"), ("out/", f"{self.folder}/"),
                          ("vgpu run", f"{program[0]} run"), ("./my_program", f"{program[3]} 20 1")):
            self.assertIn(its, commands)
            commands = commands.replace(its, str(ours))
        _, said = self.run_command(["sh", "-e", "-c", commands])
        self.assertRegex("\n".join(said), r"^20 kernels, \d+ ns$")

    def test_a_tool_runs_when_only_the_older_variables_name_it(self):
        path = self.folder / "kernels.txt"
        for command in ([BUILD / "bin" / "vgpu", "run"],
                        [BUILD / "bin" / "rtl", "trace", "--vgpu", "--no-summary", "-o", self.folder / "t.db"],
                        [BUILD / "bin" / "rtl", "trace", "--vgpu", "--mode", "hip", "--no-summary", "-o",
                         self.folder / "h.db"],
                        [BUILD / "bin" / "vgpu", "run", BUILD / "bin" / "rocprofv3", "--kernel-trace", "-d",
                         self.folder, "-o", "run"]):
            self.run_command([*command, "--", self.program("hsa_storm")[3], "20", "1"], HSA_TOOLS_LIB=LIBRARY,
                             ROCP_TOOL_LIBRARIES=FIRST, KERNEL_TRACE_FILE=str(path))
            self.assertEqual(path.read_text().count("\nkernel "), 20, command)
            path.unlink()

    def test_a_program_survives_a_tool_whose_library_nothing_names(self):
        for command in ([BUILD / "bin" / "vgpu", "run", "--", *self.program("hsa_storm", "20", "1")[3:]],
                        [BUILD / "bin" / "marked_program"]):
            self.run_command(command, ROCP_TOOL_LIBRARIES=FIRST, KERNEL_TRACE_FILE=str(self.folder / "kernels.txt"))

    def test_thousands_of_kernels_on_several_queues(self):
        names, _ = self.kernels_of_sample(self.program("hsa_storm", "2000", "2"))
        self.assertEqual(sum(names.values()), 4000)

    def test_work_after_the_finalize_of_tools_is_counted(self):
        path = self.folder / "kernels.txt"
        _, said = self.with_tools(FIRST, self.program("late_work", "handlers"), KERNEL_TRACE_FILE=str(path))
        # Some runtimes copy by a kernel.
        line = r"rtl: (5|6) kernels and 0 copies in process \d+ came after its tools were finalized, .*"
        self.assertEqual([bool(re.fullmatch(line, each)) for each in said], [True], said)

    def test_a_program_that_leaves_by_quick_exit_finalizes_its_tools(self):
        path = self.folder / "kernels.txt"
        _, said = self.with_tools(FIRST, self.program("way_out", "quick"), code=4, KERNEL_TRACE_FILE=str(path))
        self.assertEqual(said, [])
        self.assertEqual(path.read_text().count("\nkernel "), 1000)

    def test_a_tool_may_end_the_process_in_any_of_its_callbacks(self):
        for where in ("enter", "leave", "enqueue", "complete", "buffer"):
            # The program may end before a report of a thread of ours.
            program = self.program("way_out", "wait" if where in ("complete", "buffer") else "return")
            program[3:3] = ["env", f"LD_PRELOAD={BUILD / 'lib' / 'librtl_hip.so'}:{BUILD / 'lib' / 'libvgpu.so'}"]
            with self.subTest(where):
                _, said = self.with_tools(tool("sdk_leaving_tool"), program, code=5, LEAVE_IN=where)
                (finalized,) = (line for line in said if line.startswith("finalized"))
                if where == "enqueue":
                    self.assertEqual(finalized, "finalized after 100 kernels")
                    self.assertIn("rtl: the end of 1 kernels and 0 copies was not reported to tools in process",
                                  said[1])

    def test_an_exception_of_a_tool_is_named_and_stops_no_report(self):
        """Where locks are held it ends the process. HIP 7.14 catches it, so the program does not see it."""
        hip = "libamdhip64.so." + {None: "5", "6.1": "5", "6.4": "6"}.get(RUNTIME, "7")
        program = [BUILD / "bin" / "vgpu", "run", "--", "env",
                   f"LD_PRELOAD={BUILD / 'lib' / 'librtl_hip.so'}:{BUILD / 'lib' / 'libvgpu.so'}",
                   BUILD / "bin" / "catching_program", hip]
        for where, got in (("enter", "302 entered 301 left 299 kernels"),
                           ("leave", "302 entered 302 left 300 kernels")):
            with self.subTest(where):
                out, said = self.with_tools(tool("sdk_throwing_tool"), program, THROW_IN=where)
                self.assertEqual(out, "" if REGISTERS else "caught the tool's own\n")
                self.assertRegex(said[0], r"^rtl: a callback of a tool threw an exception in process \d+: ")
                self.assertEqual(said[1:], [got])
        for where in ("enqueue", "complete"):
            with self.subTest(where):
                _, said = self.with_tools(tool("sdk_throwing_tool"), program, code=-signal.SIGABRT, THROW_IN=where)
                self.assertRegex(said[0], r"^rtl: a callback of a tool threw an exception in process \d+ where none "
                                          r"may pass")

    def test_all_tools_are_configured_before_one_is_initialised(self):
        for tools in (f"{SECOND}:{FIRST}", f"{SECOND}:{FIRST}:"):
            path = self.folder / "both.txt"
            _, said = self.with_tools(tools, self.program("hsa_storm", "300", "2"), KERNEL_TRACE_FILE=str(path))
            self.assertEqual(said, ["second: configure, version 10000 (1.0.0), 0 before", "second: initialize",
                                    "second: finalize, 600 kernels, 0 copies, 0 drops, several calls"])
            self.assertEqual(path.read_text().count("\nkernel "), 600)

    def test_a_tool_that_fails_to_initialise_is_off_and_others_are_not(self):
        path = self.folder / "both.txt"
        _, said = self.with_tools(f"{FIRST}:{SECOND}", self.program("hsa_storm", "20", "1"), SECOND_TOOL="off",
                                  KERNEL_TRACE_FILE=str(path))
        self.assertEqual(said, ["second: configure, version 10000 (1.0.0), 1 before", "second: initialize"])
        self.assertEqual(path.read_text().count("\nkernel "), 20)

    def test_a_context_that_its_callbacks_stop_and_start_misses_nothing_of_that_thread(self):
        """And of other threads only what they begin between the two calls: stopping does not wait there."""
        program = self.program("way_out", "return")
        program[3:3] = ["env", f"LD_PRELOAD={BUILD / 'lib' / 'librtl_hip.so'}:{BUILD / 'lib' / 'libvgpu.so'}"]
        line = re.compile(r"kernels (\d+) submitted (\d+) completed (\d+) recorded 0 dropped")
        for where in ("enqueue", "call", "complete", "buffer"):
            with self.subTest(where):
                _, said = self.with_tools(tool("sdk_restart_tool"), program, RESTART_IN=where)
                hit = line.fullmatch(said[0])
                self.assertIsNotNone(hit, said)
                kernels = {int(number) for number in hit.groups()}
                self.assertEqual(len(kernels), 1, said)
                if where in ("enqueue", "call"):
                    self.assertEqual(kernels, {1000})
                self.assertGreater(min(kernels), 500)
                self.assertRegex(said[1], r"calls (\d+) entered \1 left \1 recorded")

    def test_code_objects_come_before_their_kernels_and_go_after_them(self):
        lives = 2 if RUNTIME in (None, "6.1") else 1  # later runtimes start once
        files = [PROGRAMS / f"{name}_kernel.co" for name in ("first", "second")]
        _, said = self.with_tools(tool("sdk_code_object_tool"),
                                  self.program("hsa_reload", *files, str(lives)))
        kernels = ["kernel first_kernel.kd", "kernel second_kernel.kd"] * 3 * lives
        count = len(kernels)
        self.assertEqual(said, [*kernels, f"objects {count} - {count}, kernels {count} - {count}, wrong 0"])

    def test_code_objects_that_the_program_leaves_go_at_its_end(self):
        _, said = self.with_tools(tool("sdk_code_object_tool"), self.program("vector_add"))
        hit = re.fullmatch(r"objects (\d+) - (\d+), kernels (\d+) - (\d+), wrong 0", said[-1])
        self.assertIsNotNone(hit, said)
        self.assertGreater(int(hit[1]), 0)
        self.assertEqual((hit[1], hit[3]), (hit[2], hit[4]), said)

    def test_a_preloaded_tool_is_found(self):
        path = self.folder / "kernels.txt"
        program = self.program("hsa_storm", "20", "1")
        program[3:3] = ["env", f"LD_PRELOAD={FIRST}:{BUILD / 'lib' / 'libvgpu.so'}"]
        self.run_command(program, HSA_TOOLS_LIB=LIBRARY, KERNEL_TRACE_FILE=str(path))
        self.assertEqual(path.read_text().count("\nkernel "), 20)

    def test_a_tool_may_make_every_query_while_it_is_configured_and_initialised(self):
        _, said = self.with_tools(tool("sdk_query_tool"), self.program("hsa_storm", "20", "1"))
        self.assertEqual([line.split(":")[0] for line in said], ["configure", "initialize"])
        for line in said:
            hit = re.search(r": (\d+) of (\d+) answered; kinds, operations, (\d+) agents, counters$", line)
            self.assertIsNotNone(hit, line)
            self.assertEqual((hit[1], hit[3]), (hit[2], "2"), line)

    def test_the_program_or_its_library_may_be_a_tool(self):
        for name in ("hsa_needs_tool", "hsa_is_tool"):
            out, said = self.run_command(self.program(name, "3"), HSA_TOOLS_LIB=LIBRARY)
            self.assertIn("ok every round was complete when its buffer had been flushed", out)
            self.assertEqual(said, ["finalized: 62 kernels, 4 copies, 0 dropped"], name)

    def settled(self, *arguments, **variables):
        """The tool's output at its end; the program queries it after each round of 62 kernels and 4 copies."""
        preload = f"LD_PRELOAD={tool('sdk_settle_tool')}:{BUILD / 'lib' / 'libvgpu.so'}"
        program = self.program("hsa_settle", *arguments)
        program[3:3] = ["env", preload]
        variables.setdefault("HSA_TOOLS_LIB", LIBRARY)
        out, said = self.run_command(program, **variables)
        self.assertIn("ok every round was complete when its buffer had been flushed", out)
        return [line for line in said if not line.startswith("registrar:")]

    def test_ended_work_is_there_after_a_flush_and_at_the_end(self):
        registered = {"HSA_TOOLS_LIB": str(PROGRAMS / "libregistrar.so"), "ROCPROFILER_REGISTER_LIBRARY": LIBRARY}
        for variables in ({}, registered, {"VGPU_DISPATCH_NS": "20000"}):
            self.assertEqual(self.settled("50", **variables), ["finalized: 62 kernels, 4 copies, 0 dropped"])

    def test_work_in_flight_at_the_end_counts_as_dropped(self):
        said = self.settled("1", "hold")
        self.assertRegex(said[0], r"^rtl: 1 kernels and 0 copies in process \d+ had not ended when its tools were "
                                  r"finalized: they count as dropped \(kShutdown\)$")
        self.assertEqual(said[1:], ["finalized: 62 kernels, 4 copies, 1 dropped"])

    def runtimes(self, program, *preloaded, **variables):
        """The tool's lines; it is preloaded, so that it interposes pthread_create."""
        libraries = ":".join((tool("sdk_runtime_tool"), *preloaded, str(BUILD / "lib" / "libvgpu.so")))
        program = [*program[:3], "env", f"LD_PRELOAD={libraries}", *program[3:]]
        return self.run_command(program, HSA_TOOLS_LIB=LIBRARY, **variables)[1]

    def test_runtimes_and_threads_are_reported(self):
        # The runtime's version is known where it registers.
        said = [re.sub(r"(_HSA version) \d+", r"\1 N", line) for line in self.runtimes(self.program("hsa_markers"))]
        self.assertEqual(said, ["callback RUNTIME_INITIALIZATION_MARKER version 40100 instance 0 phase 0 id 0 size 24",
                                "callback RUNTIME_INITIALIZATION_HSA version N instance 0 phase 0 id 0 size 24",
                                "record RUNTIME_INITIALIZATION_MARKER version 40100 instance 0 timed",
                                "record RUNTIME_INITIALIZATION_HSA version N instance 0 timed",
                                "kernels 1, dropped 0",
                                # Two of callbacks, announced one by one, and the engine's two together.
                                "threads 4, unannounced 0, before 3, after 3, of runtimes 0"])

    def test_a_sample_writes_runtimes_and_threads(self):
        path = self.folder / "runtimes.txt"
        self.with_tools(tool("runtime_trace"), self.program("hsa_storm", "20", "1"), RUNTIME_TRACE_FILE=str(path))
        lines = path.read_text().splitlines()
        self.assertEqual(lines.count("a thread will be made"), lines.count("a thread was made"))
        self.assertGreater(lines.count("a thread was made"), 0)
        rest = [re.sub(r"\d+", "N", line) for line in lines if not line.startswith("a thread")]
        hsa = "RUNTIME_INITIALIZATION_HSA"
        self.assertEqual(rest, [f"{hsa} comes, version N", f"{hsa} came at N in thread N", "dropped N"])
        self.assertEqual(lines[-1], "dropped 0")

    def test_hip_is_reported_once(self):
        said = self.runtimes(self.program("vector_add"), str(BUILD / "lib" / "librtl_hip.so"), RTL_HIP_METHOD="preload")
        told = [line for line in said if line.startswith("callback")]
        self.assertEqual(len(told), 2, said)
        version = {None: "502", "6.1": "507", "6.4": "604", "7.2": "702", "7.14": "714"}[RUNTIME]  # HIP's own
        self.assertRegex(told[0], rf"^callback RUNTIME_INITIALIZATION_HIP version {version}00 instance 0 ")
        self.assertIn("_HSA ", told[1])

    def test_registered_tables_are_taken(self):
        path = self.folder / "kernels.txt"
        registrar = str(PROGRAMS / "libregistrar.so")
        _, said = self.run_command(self.program("hsa_storm", "20", "1"), HSA_TOOLS_LIB=registrar,
                                   ROCPROFILER_REGISTER_LIBRARY=LIBRARY, ROCP_TOOL_LIBRARIES=FIRST,
                                   KERNEL_TRACE_FILE=str(path))
        how = "librocprofiler-register" if RUNTIME == "7.2" else "rocprofiler_set_api_table"
        self.assertEqual(said, [] if REGISTERS else [f"registrar: {how}: 0"])
        self.assertEqual(path.read_text().count("\nkernel "), 20)

    def test_wrappers_in_the_runtimes_table_chain(self):
        said = self.intercepted()
        queues = re.fullmatch(r"intercept_table: tables 1, queues (\d+) and (\d+)", said)
        self.assertIsNotNone(queues, said)
        self.assertEqual(queues[1], queues[2])
        self.assertGreaterEqual(int(queues[1]), 2)

    def test_wrappers_work_beside_a_tool_that_traces_kernels(self):
        path = self.folder / "kernels.txt"
        alone = self.intercepted()
        self.assertEqual(self.intercepted(FIRST, KERNEL_TRACE_FILE=str(path)), alone)
        self.assertEqual(path.read_text().count("\nkernel "), 40)

    def api_calls(self, program, **variables):
        """By correlation id: (ancestor, thread, name) of callbacks and of records; the calls of kernels."""
        path = self.folder / "api.txt"
        _, said = self.with_tools(tool("api_trace"), program, API_TRACE_FILE=str(path), **variables)
        self.assertEqual(said, [])
        lines = path.read_text().splitlines()
        self.assertEqual(lines[-1], "dropped 0")
        told = {"call": {}, "record": {}}
        kernels = []
        for line in lines[:-1]:
            if hit := re.match(r"kernel \d+ in (\d+)$", line):
                kernels.append(hit[1])
                continue
            hit = re.match(r"(call|record) (\d+) in (\d+) thread (\d+) ns (\d+) (\w+)", line)
            self.assertIsNotNone(hit, line)
            self.assertNotIn(hit[2], told[hit[1]], "a correlation id is used once")
            self.assertLess(int(hit[5]), 10**11)
            told[hit[1]][hit[2]] = (hit[3], hit[4], hit[6])
        return told["call"], told["record"], kernels, lines

    def test_callbacks_and_records_have_the_same_calls(self):
        calls, records, kernels, lines = self.api_calls(self.program("hsa_storm", "20", "2"))
        self.assertEqual(calls, records)
        names = collections.Counter(name for _, _, name in calls.values())
        self.assertEqual(names["hsa_queue_create"], 2)
        self.assertEqual(len(kernels), 40)
        for correlation in kernels:
            self.assertRegex(calls[correlation][2], "^hsa_(queue_|signal_)")
        inner = [call for call in calls.values() if call[0] != "0"]
        self.assertGreater(len(inner), 0, "the program queries properties while it iterates")
        for ancestor, _, _ in inner:
            self.assertIn("_iterate_", calls[ancestor][2])

    def test_arguments_have_types_names_and_values(self):
        _, _, _, lines = self.api_calls(self.program("hsa_storm", "20", "2"))
        line = next(line for line in lines if "hsa_queue_create(" in line)
        self.assertRegex(line, r"hsa_queue_create\(hsa_agent_t agent=\{handle=\d+\}, uint32_t size=\d+, "
                               r"hsa_queue_type32_t type=\d, void \(\*\)\(hsa_status_t, hsa_queue_t\*, void\*\) "
                               r"callback=\S+, void\* data=\S+, uint32_t private_segment_size=\d+, "
                               r"uint32_t group_segment_size=\d+, hsa_queue_t\*\* queue=0x[0-9a-f]+\) = 0$")

    def test_only_the_requested_function_is_traced(self):
        calls, records, kernels, _ = self.api_calls(self.program("hsa_storm", "20", "2"),
                                                    API_TRACE_ONLY="hsa_queue_create")
        self.assertEqual([name for _, _, name in calls.values()], ["hsa_queue_create"] * 2)
        self.assertEqual(calls, records)
        self.assertEqual(kernels, ["0"] * 40, "no call that submits is traced")

    def test_calls_of_a_program_of_hip(self):
        program = self.program("vector_add")
        calls, records, kernels, lines = self.api_calls(program)
        self.assertEqual(calls, records)
        self.assertGreater(len(calls), 100)
        self.assertGreaterEqual(len(kernels), 1)

    def intercepted(self, *others, **variables):
        tools = ":".join((tool("intercept_table"), *others))
        said = self.with_tools(tools, self.program("hsa_storm", "20", "2"), **variables)[1]
        self.assertEqual(len(said), 1, said)
        return said[0]

    def test_a_library_that_is_no_tool_is_one_line(self):
        _, said = self.with_tools("/nowhere/tool.so", self.program("hsa_storm", "20", "1"))
        self.assertEqual(len(said), 1, said)
        expected = "rtl: ROCP_TOOL_LIBRARIES: /nowhere/tool.so is not loaded as a tool: "
        self.assertTrue(said[0].startswith(expected), said)

    def test_without_a_tool_the_library_does_nothing(self):
        program = self.program("hsa_storm", "20", "1")
        self.assertEqual(self.run_command(program, HSA_TOOLS_LIB=LIBRARY), self.run_command(program))


if __name__ == "__main__":
    main()
