#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of HIP as tools on librocprofiler-sdk.so.1 get them, by each interception method of this HIP.

The tool's calls are compared with those that the program prints, and with those that `rtl trace --mode hip` records of
the same program.

    RTL_BUILD=build/release hip_test.py [--runtime NAME]
"""

import collections
import re
import unittest

from sdk_support import BUILD, EVENTS, LIBRARY, PROGRAMS, RUNTIME, ToolTest, ask, calls_of, main, tool

# The interception methods of this runtime's HIP: a preloaded library, its tables, its callback.
METHODS = {None: ("preload",), "6.1": ("preload", "tracer"), "6.4": ("preload", "tracer", "register"),
         "7.2": ("preload", "register"), "7.14": ("preload", "register")}[RUNTIME]
CALL = re.compile(r"call (\d+) of (\d+) thread (\d+) (\w+)\((.*)\) = (\d+)")
RECORD = re.compile(r"record (\d+) thread (\d+) ns (\d+) (\w+)")
FULL = re.compile(r"full (\d+) (\w+)\((.*)\) = (\d+)")
KERNEL = re.compile(r"kernel (\d+) of (\d+) grid (\d+)x1x1")
COPY = re.compile(r"copy of (\d+) bytes (\d+)")
STREAM = re.compile(r"(HIP_STREAM_\w+) (\d+) of (\d+) at (0x[0-9a-f]+)")
WORK = re.compile(r"(kernel|copy) of (\d+) stream (\w+)")
# They have a stream among their arguments and no SET event.
NO_SET = {"hipStreamCreate", "hipStreamDestroy", "__hipPushCallConfiguration", "__hipPopCallConfiguration"}
THREADS, LAUNCHES = 2, 12
LOOKUPS = f"""import ctypes
hip = ctypes.CDLL('libamdhip64.so.{5 if RUNTIME in (None, '6.1') else RUNTIME[0]}')
memory, size = ctypes.c_void_p(), ctypes.c_size_t(4096)
print(hip.hipMalloc(ctypes.byref(memory), size), hip.hipMemset(memory, 0, size), hip.hipFree(memory))"""


class HipCalls(ToolTest):
    def method(self, method):
        """The method's variables; libraries to preload."""
        registrar = str(PROGRAMS / "libhip_registrar.so")
        return {"preload": ({"RTL_HIP_METHOD": "preload"}, str(BUILD / "lib" / "librtl_hip.so")),
                "tracer": ({"RTL_HIP_METHOD": "tracer"}, ""),
                "register": ({"RTL_HIP_METHOD": "register", "ROCPROFILER_REGISTER_LIBRARY": LIBRARY}, registrar)}[method]

    def traced(self, method, program, with_tool=None, **variables):
        """The sample's lines, by their first word; the program's output."""
        path = self.folder / "hip.txt"
        more, preloaded = self.method(method)
        libraries = ":".join(filter(None, (preloaded, str(BUILD / "lib" / "libvgpu.so"))))
        program = [*program[:3], "env", f"LD_PRELOAD={libraries}", *program[3:]]
        tools = ":".join(tool(name) for name in ("hip_trace", with_tool) if name)
        out, said = self.with_tools(tools, program, HIP_TRACE_FILE=str(path), **more, **variables)
        self.assertEqual(said, [])
        lines = path.read_text().splitlines()
        self.assertEqual(lines[-1], "dropped 0")
        shapes = {"call": CALL, "record": RECORD, "full": FULL, "kernel": KERNEL, "copy": COPY}
        found = collections.defaultdict(list)
        for line in lines[:-1]:
            word = line.split()[0]
            hit = shapes[word].fullmatch(line)
            self.assertIsNotNone(hit, line)
            found[word].append(hit.groups())
        return found, out

    def test_callbacks_records_and_a_trace_have_the_same_calls_kernels_and_copies(self):
        program = self.program("api_calls", str(THREADS), str(LAUNCHES))
        database = self.folder / "t.db"
        self.run_command([BUILD / "bin" / "rtl", "trace", "--mode", "hip",
                         "--events", EVENTS, "-o", database, "--", *program])
        in_trace = calls_of(database)
        kernels, copies = ask(
            database, "SELECT sum(queueId > 0), (SELECT count(*) FROM rtl_copy) FROM rocpd_op")[0]
        for method in METHODS:
            with self.subTest(method=method):
                found, out = self.traced(method, program)
                called = {name: int(count) for name, count in re.findall(r"^(\w+) (\d+)$", out, re.M)}
                self.assertEqual(collections.Counter(name for *_, name, _, _ in found["call"]), called)
                self.assertEqual(called, in_trace)
                self.same_calls(found)
                self.assertEqual((len(found["kernel"]), len(found["copy"])), (kernels, copies))
                self.kernels_and_copies_have_their_call(found)

    def same_calls(self, found):
        calls = {number: (thread, name, result) for number, _, thread, name, _, result in found["call"]}
        records = {number: (thread, name) for number, thread, _, name in found["record"]}
        self.assertEqual(len(calls), len(found["call"]), "a correlation id is used once")
        self.assertEqual({number: call[:2] for number, call in calls.items()}, records)
        full = {number: (name, result) for number, name, _, result in found["full"]}
        self.assertEqual({number: call[1:] for number, call in calls.items()}, full)
        for number, at_enter, *_ in found["call"]:
            self.assertEqual(number, at_enter, "user data is of one call")

    def kernels_and_copies_have_their_call(self, found):
        calls = {number: (name, arguments) for number, _, _, name, arguments, _ in found["call"]}
        launched = 0
        for _, number, grid in found["kernel"]:
            name, arguments = calls[number]
            if name in ("hipLaunchKernel", "hipExtLaunchKernel"):
                self.assertIn(f"numBlocks={{x={grid}, y=1, z=1}}", arguments)
                launched += 1
            else:
                self.assertIn(name, ("hipGraphLaunch", "hipMemset", "hipMemsetAsync", "hipMemcpy", "hipMemcpyAsync"))
        self.assertEqual(launched, THREADS * LAUNCHES)
        for number, size in found["copy"]:
            name, arguments = calls[number]
            self.assertRegex(name, "^hipMemcpy(Async)?$")
            self.assertIn(f"sizeBytes={size},", arguments)

    def test_streams_are_reported_around_the_calls_that_use_them(self):
        program = self.program("api_calls", str(THREADS), str(LAUNCHES))
        for method in METHODS:
            with self.subTest(method=method):
                path = self.folder / f"streams-{method}.txt"
                alone, _ = self.traced(method, program, with_tool="stream_trace", STREAM_TRACE_FILE=str(path))
                lines = path.read_text().splitlines()
                told = collections.defaultdict(list)
                for line in lines:
                    hit = STREAM.fullmatch(line) or WORK.fullmatch(line)
                    self.assertIsNotNone(hit, line)
                    told[hit[1]].append(hit.groups()[1:])
                # One of each thread, one that all share, one of the graph.
                created = {number: value for number, _, value in told["HIP_STREAM_CREATE"]}
                self.assertEqual(len(created), THREADS + 2)
                self.assertEqual(len(told["HIP_STREAM_CREATE"]), THREADS + 2)
                self.assertEqual(created, {number: value for number, _, value in told["HIP_STREAM_DESTROY"]})
                for number, at_enter, value in told["HIP_STREAM_SET"]:
                    self.assertEqual(number, at_enter, "user data is of one call")
                    self.assertEqual(created.get(number), value, "no call takes the null stream")
                self.stream_of_each_call(alone, told, created)

    def stream_of_each_call(self, found, told, created):
        """The streams that one tool gets, against the arguments that the other one sees."""
        taken = collections.Counter(value for *_, name, arguments, _ in found["call"]
                                    for value in re.findall(r"\bstream=(0x[0-9a-f]+)", arguments)
                                    if name not in NO_SET)
        self.assertEqual(collections.Counter(value for *_, value in told["HIP_STREAM_SET"]), taken)
        stream_of = {number: re.search(r"\bstream=(0x[0-9a-f]+)", arguments)
                     for number, _, _, name, arguments, _ in found["call"]}
        for what in ("kernel", "copy"):
            self.assertEqual(len(told[what]), len(found[what]))
            for number, stream in told[what]:
                value = stream_of[number]
                self.assertEqual(created.get(stream), value and value[1], f"{what} of call {number}")

    @unittest.skipIf("register" not in METHODS, "this HIP has no tables")
    def test_a_trace_and_a_tool_in_one_process_have_the_same_calls(self):
        database, path = self.folder / "t.db", self.folder / "hip.txt"
        libraries = f"{PROGRAMS / 'libhip_registrar.so'}:{BUILD / 'lib' / 'libvgpu.so'}"
        program = self.program("api_calls", str(THREADS), str(LAUNCHES))
        program[3:3] = ["env", f"LD_PRELOAD={libraries}"]
        self.run_command([BUILD / "bin" / "rtl", "trace", "--mode", "hip", "--events", EVENTS, "-o", database, "--",
                          *program],
                         RTL_HIP_METHOD="register", RTL_REGISTER_CHAIN=LIBRARY, ROCP_TOOL_LIBRARIES=tool("hip_trace"),
                         HIP_TRACE_FILE=str(path))
        in_trace = calls_of(database)
        told = collections.Counter(re.findall(r"^call .*? (\w+)\(", path.read_text(), re.M))
        recorded = collections.Counter(re.findall(r"^record .* (\w+)$", path.read_text(), re.M))
        self.assertEqual((told, recorded), (in_trace, in_trace))
        self.assertEqual(told["hipExtLaunchKernel"], THREADS * (LAUNCHES // 3))

    @unittest.skipIf("register" not in METHODS, "this HIP has no tables")
    def test_a_tool_replaces_functions_of_hip_and_roctx(self):
        # stream_gemm allocates four times for each of its four streams.
        method, registrar = self.method("register")
        program = self.program("stream_gemm")
        program[3:3] = ["env", f"LD_PRELOAD={registrar}:{BUILD / 'lib' / 'libvgpu.so'}"]
        out, said = self.with_tools(tool("sdk_table_tool"), program, **method)
        self.assertIn("results correct", out)
        self.assertEqual(len(said), 1, said)
        self.assertRegex(
            said[0], r"^HIP: 1 tables, version \d+, hipMalloc 16; ROCTx: 1 tables, version 40100, push 10$")

    @unittest.skipIf("register" not in METHODS, "this HIP has no tables")
    def test_a_launch_names_the_function_of_its_kernel(self):
        # Two files with a kernel of one name: three launches of the one, one of the other, which is then unloaded.
        # A HIP that loads everything at once does so at the first function of a file, and reports the others later.
        calls = ("api_calls", str(THREADS), str(LAUNCHES))
        # Files that the program does not unload are unloaded before the tool is finalized.
        cases = ((calls, {}, THREADS * LAUNCHES * 2 // 3, 3),
                 (calls, {"HIP_ENABLE_DEFERRED_LOADING": "0"}, THREADS * LAUNCHES * 2 // 3, 3),
                 (("same_names", str(PROGRAMS / "libsame_names_part.so")), {}, 4, 2))
        method, registrar = self.method("register")
        for program, variables, launches, loaded in cases:
            with self.subTest(program=program, variables=variables):
                program = self.program(*program)
                program[3:3] = ["env", f"LD_PRELOAD={registrar}:{BUILD / 'lib' / 'libvgpu.so'}"]
                _, said = self.with_tools(tool("sdk_host_function_tool"), program, **method, **variables)
                self.assertEqual(said, [f"resolved {launches} of {launches}, loaded {loaded} - {loaded}, wrong 0"])

    def test_calls_have_their_arguments_and_results(self):
        for method in METHODS:
            with self.subTest(method=method):
                found, _ = self.traced(method, self.program("api_calls", "1", "2"))
                calls = [(name, arguments, result) for *_, name, arguments, result in found["call"]]
                out_of_memory = [call for call in calls if call[0] == "hipMalloc" and call[2] == "2"]
                self.assertRegex(str(out_of_memory),
                                 r"^\[\('hipMalloc', 'ptr=0x[0-9a-f]+, size=1125899906842624', '2'\)\]$")
                self.assertEqual([call[2] for call in calls if call[0] == "hipGetLastError" and call[2] != "0"], ["2"])
                begin = next(call for call in calls if call[0] == "hipStreamBeginCapture")
                self.assertRegex(begin[1], r"^stream=0x[0-9a-f]+, mode=0$")
                # The pointer that hipMalloc fills in, and its address: dereferenced in the callback, not in the record.
                places = [arguments for _, name, arguments, _ in found["full"] if name == "hipMemset"]
                filled = [arguments for name, arguments, _ in calls if name == "hipMalloc"]
                self.assertEqual(places[0].split(",")[0].replace("dst", "ptr"), filled[0].split(",")[0])

    @unittest.skipUnless(RUNTIME == "7.14", "these functions are new in HIP 7.14")
    def test_functions_of_hip_7_14_are_reported_with_their_arguments(self):
        calls = ("import ctypes; hip = ctypes.CDLL('libamdhip64.so.7'); hip.hipExtSetLoggingParams(1, 2, 3); "
                 "[hip[name](*map(ctypes.c_size_t, (0,) * 8)) for name in ('hipGreenCtxCreate', "
                 "'hipKernelGetAttribute', 'hipMemPrefetchBatchAsync', 'hipDrvMemDiscardAndPrefetchBatchAsync')]")
        found, _ = self.traced("register", [BUILD / "bin" / "vgpu", "run", "--", "/usr/bin/python3", "-c", calls])
        got = {name: arguments for *_, name, arguments, _ in found["call"]}
        self.assertEqual(sorted(got), ["hipDrvMemDiscardAndPrefetchBatchAsync", "hipExtSetLoggingParams",
                                       "hipGreenCtxCreate", "hipKernelGetAttribute", "hipMemPrefetchBatchAsync"])
        self.assertEqual(got["hipExtSetLoggingParams"], "log_level=1, log_size=2, log_mask=3")
        self.same_calls(found)

    def test_calls_of_functions_that_a_program_looks_up(self):
        """With dlsym in HIP's library, as frameworks in Python do."""
        for method in METHODS:
            if method == "register" and RUNTIME != "7.14":
                continue  # the library that registers in place of these HIPs does it when the program starts
            with self.subTest(method=method):
                program = [BUILD / "bin" / "vgpu", "run", "--", "/usr/bin/python3", "-c", LOOKUPS]
                found, out = self.traced(method, program)
                self.assertEqual(out, "0 0 0\n")
                self.assertEqual([name for *_, name, _, _ in found["call"]], ["hipMalloc", "hipMemset", "hipFree"])
                self.same_calls(found)

    def test_only_the_requested_function_is_traced(self):
        for method in METHODS:
            with self.subTest(method=method):
                found, _ = self.traced(method, self.program("api_calls", "1", "3"), HIP_TRACE_ONLY="hipExtLaunchKernel")
                for word in ("call", "record", "full"):
                    self.assertEqual(len(found[word]), 1, found[word])
                number = found["call"][0][0]
                self.assertEqual([kernel[1] for kernel in found["kernel"] if kernel[1] != "0"], [number])

    def test_a_tool_for_hip_runs_in_a_program_without_it(self):
        found, _ = self.traced(METHODS[0], self.program("hsa_storm", "20", "1"))
        self.assertEqual([kernel[1] for kernel in found["kernel"]], ["0"] * 20)
        self.assertEqual(found["call"], [])

    def test_graphs_come_and_go_beside_a_tool(self):
        """Nothing is preloaded: HIP 7 must not get a callback, with which it crashes when graphs are destroyed."""
        program = self.program("graph_churn", "120")
        out, said = self.run_command(program, HSA_TOOLS_LIB=LIBRARY)
        if RUNTIME is None:  # this HIP has neither tables nor such a callback
            self.assertEqual(out, "sum 1920, 0 graph launches\n")
            self.assertRegex("".join(said), r"^rtl: HIP calls are not reported to tools in process \d+: HIP 5.2 needs librtl_hip.so in LD_PRELOAD")
        elif RUNTIME != "7.14":  # that one hands its tables out before there is a tool
            self.assertEqual((out, said), ("sum 1920, 120 graph launches\n", []))

    @unittest.skipUnless(RUNTIME == "7.2", "only this HIP is unsound with a callback")
    def test_an_unsound_callback_is_refused_in_one_line(self):
        out, said = self.run_command(self.program("graph_churn", "120"), HSA_TOOLS_LIB=LIBRARY, RTL_HIP_METHOD="tracer")
        self.assertEqual(out, "sum 1920, 0 graph launches\n")
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], r"^rtl: HIP calls are not reported to tools in process \d+: HIP 7 crashes while "
                                  r"hipRegisterTracerCallback is in use; that is for HIP 5.3 to 6.4$")

    def test_a_missing_interception_method_is_one_line(self):
        program = self.program("api_calls", "1", "1")
        wrong, why = ("tracer", "has no hipRegisterTracerCallback") if RUNTIME is None else (
            "activity", "has no hipRegisterActivityCallback|not one of the versions|only at its end")
        path = self.folder / "hip.txt"
        _, said = self.with_tools(tool("hip_trace"), program, HIP_TRACE_FILE=str(path), RTL_HIP_METHOD=wrong)
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], rf"^rtl: HIP calls are not reported to tools in process \d+: .*({why})")
        self.assertNotIn("call ", path.read_text())


if __name__ == "__main__":
    main()
