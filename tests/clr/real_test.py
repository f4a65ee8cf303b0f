#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mode clr on a HIP that has a built-in profiler, compared with the modes that intercept queues.

    RTL_BUILD=build/release real_test.py --runtime 7.14
"""

import collections
import pathlib
import re
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import frame  # noqa: E402
from frame import BUILD, RUNTIME, Case, main, root_of, run  # noqa: E402

KERNELS = """SELECT s.string FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id
             JOIN rocpd_string t ON t.id = o.opType_id WHERE t.string = 'KernelExecution'"""
# A child of a program that has used the GPU leaves by exit, with HIP's exit handlers.
FORKS = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int hipMalloc(void** memory, unsigned long bytes);
int hipMemset(void* memory, int value, unsigned long bytes);
int hipDeviceSynchronize(void);
int main(void) {
  void* memory;
  int status = 0;
  if (hipMalloc(&memory, 4096) || hipMemset(memory, 0, 4096) || hipDeviceSynchronize()) return 1;
  const pid_t child = fork();
  if (child == 0) exit(7);
  if (waitpid(child, &status, 0) != child || hipMemset(memory, 0, 4096) || hipDeviceSynchronize()) return 2;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
"""
CALLS = "SELECT s.string FROM rocpd_api a JOIN rocpd_string s ON s.id = a.apiName_id"

# Launches a graph in main and, twice, in an exit handler.
LATE_GRAPH = """
#include <stdlib.h>
int hipMalloc(void**, size_t); int hipMemsetAsync(void*, int, size_t, void*); int hipStreamCreate(void**);
int hipStreamBeginCapture(void*, int); int hipStreamEndCapture(void*, void**); int hipStreamSynchronize(void*);
int hipGraphInstantiate(void**, void*, void*, void*, size_t); int hipGraphLaunch(void*, void*);
static void *memory, *stream, *graph, *ready;
static int failed;
static void launch(void) { failed |= hipGraphLaunch(ready, stream) | hipStreamSynchronize(stream); }
static void late(void) { launch(); launch(); if (failed) _Exit(3); }
int main(void) {
  atexit(late);
  failed = hipMalloc(&memory, 4096) | hipStreamCreate(&stream) | hipStreamBeginCapture(stream, 0);
  for (int i = 0; i < 3; ++i) failed |= hipMemsetAsync(memory, i, 4096, stream);
  failed |= hipStreamEndCapture(stream, &graph) | hipGraphInstantiate(&ready, graph, 0, 0, 0);
  launch();
  return failed;
}
"""


class Clr(Case):
    maxDiff = None

    def trace(self, mode, program, *arguments, options=(), code=0, **variables):
        """stderr, without what the virtual GPU says of itself."""
        done = frame.trace(self.database, self.program(program), *arguments, options=["--mode", mode, *options],
                           code=code, **variables)
        self.printed = done.stdout.splitlines()
        self.balance()
        return [line for line in done.stderr.splitlines() if line.startswith("rtl")]

    def names(self, text):
        return collections.Counter(name for name, in self.ask(text))

    def balance(self):
        self.counts = collections.defaultdict(dict)
        for kind, counter, value in self.ask("SELECT kind, counter, sum(value) FROM rtl_process_counter "
                                               "GROUP BY 1, 2"):
            self.counts[kind][counter] = value
        for kind, of_kind in self.counts.items():
            if "submitted" in of_kind:
                lost = sum(value for counter, value in of_kind.items() if counter.startswith("loss."))
                self.assertEqual(of_kind["submitted"], of_kind["recorded"] + lost, kind)
        self.assertEqual(self.ask("SELECT count(*) FROM rocpd_op WHERE start > end"), [(0,)])

    def losses(self, kind):
        return {name: value for name, value in self.counts[kind].items() if name.startswith("loss.") and value}

    def found(self, mode, program, *arguments):
        """The program's own kernels, and its calls. HIP's profiler reports copies by a kernel of HIP's as copies, and
        fills as fills; it also reports the calls that the compiler puts into the program, and those that make texts."""
        said = self.trace(mode, program, *arguments)
        self.assertEqual([line for line in said if "not traced" in line or "warning" in line], [])
        for kind in ("kernels", "copies", "hip_calls"):
            self.assertEqual(self.losses(kind), {}, (mode, kind))
        return [{name: count for name, count in self.names(query).items() if not name.startswith(others)}
                for query, others in ((KERNELS, ("__amd_rocclr_", "(fill by HIP)")), (CALLS, ("__hip", "hipGetError")))]

    def test_kernels_and_calls_are_those_of_mode_hip(self):
        for program, *arguments in (("vector_add",), ("api_calls",), ("graph_replay", "20"), ("streams_events",),
                                    ("gemm",)):
            with self.subTest(program=program):
                kernels, calls = self.found("hip", program, *arguments)
                self.assertGreater(sum(kernels.values()), 0)
                self.assertEqual(self.found("clr", program, *arguments), [kernels, calls])

    def test_each_kernel_is_linked_to_its_call_and_does_not_begin_before_it(self):
        self.trace("clr", "graph_replay", "20")
        linked = dict(self.ask("""SELECT s.string, count(*) FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id
            JOIN rocpd_op o ON o.id = l.op_id JOIN rocpd_string s ON s.id = a.apiName_id
            JOIN rocpd_string t ON t.id = o.opType_id WHERE t.string = 'KernelExecution' GROUP BY 1"""))
        self.assertEqual(sum(linked.values()), sum(self.names(KERNELS).values()))
        self.assertEqual(linked["hipGraphLaunch"], 120)
        self.assertEqual(self.ask("""SELECT count(*) FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id
            JOIN rocpd_op o ON o.id = l.op_id WHERE o.start < a.start"""), [(0,)])

    def test_each_copy_is_one_row_with_its_bytes_and_its_call(self):
        self.trace("clr", "big_copies")
        copies = self.ask("""SELECT s.string, count(DISTINCT a.id), count(c.op_id), count(nullif(c.bytes, 0))
            FROM rocpd_api a JOIN rocpd_string s ON s.id = a.apiName_id LEFT JOIN rocpd_api_ops l ON l.api_id = a.id
            LEFT JOIN rtl_copy c ON c.op_id = l.op_id WHERE s.string LIKE 'hipMemcpy%' GROUP BY 1""")
        self.assertEqual(copies, [("hipMemcpy", 16, 16, 16), ("hipMemcpyAsync", 8, 8, 8)])

    def test_gpus_are_numbered_from_zero(self):
        self.trace("clr", "two_gpus", VGPU_NUM_GPUS="2")
        self.assertEqual(self.ask("SELECT DISTINCT gpuId FROM rocpd_op WHERE gpuId >= 0 ORDER BY 1"), [(0,), (1,)])

    def test_a_storm_from_several_threads_is_in_the_trace_once(self):
        self.trace("clr", "storm", "80000", "4", "8", "1")
        self.assertEqual(sum(count for name, count in self.names(KERNELS).items() if "count_" in name), 80000)
        self.assertEqual(self.names(CALLS)["hipLaunchKernel"], 80000)
        self.assertEqual((self.losses("kernels"), self.losses("hip_calls")), ({}, {}))
        # Thread ids are the kernel's.
        launches = self.ask(f"SELECT count(DISTINCT a.tid), max(a.tid) < 1 << 31 {CALLS[CALLS.index('FROM'):]} "
                              "WHERE s.string = 'hipLaunchKernel'")
        self.assertEqual(launches, [(4, 1)])

    def test_a_process_that_dies_leaves_what_had_ended(self):
        for way, code in (("abort", 128 + signal.SIGABRT), ("kill", 128 + signal.SIGKILL), ("exit_now", 3)):
            with self.subTest(way=way):
                said = self.trace("clr", "way_out", way, code=code)
                self.assertEqual(sum(self.names(KERNELS).values()), 1000)
                self.assertEqual(self.names(CALLS)["hipLaunchKernel"], 1000)
                self.assertTrue(any(re.search(r"kernels: 1,000 .*HIP's own profiler", line) for line in said), said)

    def compile(self, code, program):
        library = next(path for path in root_of(RUNTIME).rglob("libamdhip64.so.7") if path.exists())
        run("cc", "-o", program, code, "-Wl,--unresolved-symbols=ignore-in-shared-libs", library)

    def test_what_exit_handlers_do_is_counted(self):
        """HIP's profiler is switched off by then; mode hip records it."""
        own = KERNELS + " AND s.string LIKE '%Increment%'"
        self.trace("hip", "late_work")
        calls, kernels = self.counts["hip_calls"]["recorded"], len(self.ask(own))
        self.trace("clr", "late_work")
        recorded = len(self.ask(own))
        self.assertTrue(0 < recorded < kernels, (recorded, kernels))
        self.assertEqual(self.losses("kernels"), {"loss.kProfilerOff": kernels - recorded})
        self.assertGreaterEqual(self.counts["hip_calls"]["submitted"], calls)

    def test_graphs_that_exit_handlers_launch_are_named(self):
        """How many kernels a graph has is not known by then, so they are in no count."""
        code, program = self.database.with_name("late_graph.c"), self.database.with_name("late_graph")
        code.write_text(LATE_GRAPH)
        self.compile(code, program)
        said = self.trace("clr", program)
        self.assertEqual(sum(self.names(KERNELS).values()), 3, said)
        self.assertEqual(self.losses("hip_calls"), {"loss.kProfilerOff": 4})
        self.assertEqual(len([line for line in said if re.search(
            r"kernels of graphs, launched 2 times in process \d+ when HIP's profiler was off, .* neither recorded nor",
            line)]), 1, said)

    def test_a_child_that_leaves_by_exit_is_not_disturbed(self):
        code, program = self.database.with_name("forks.c"), self.database.with_name("forks")
        code.write_text(FORKS)
        self.compile(code, program)
        self.trace("clr", program, code=7)
        self.assertEqual(self.names(CALLS), {"hipMalloc": 1, "hipMemset": 2, "hipDeviceSynchronize": 2})

    def test_a_profiler_of_the_program_gets_its_kernels_and_calls(self):
        windows = [f"window {i}: start 0, 46 kernels, 46 linked, 32 calls" for i in range(2)]
        for program, when in (("own_profiler", "early"), ("own_profiler", "late"), ("own_profiler_exported", "found")):
            with self.subTest(program=program, when=when):
                said = self.trace("clr", program, when, "2")
                self.assertEqual([line for line in self.printed if line.startswith("window")], windows, said)
                self.assertEqual(sum(self.names(KERNELS).values()), 97)
                self.assertFalse([line for line in said if "not reported" in line or "not traced" in line], said)

    def test_a_tool_gets_calls_of_a_hip_that_registers_at_its_first_call(self):
        """A program without kernels of its own: nothing registers when it is loaded."""
        code, program = self.database.with_name("plain.c"), self.database.with_name("plain")
        code.write_text(FORKS.replace("fork()", "1").replace("waitpid(child, &status, 0)", "child"))
        self.compile(code, program)
        told = self.database.with_name("told.txt")
        self.trace("clr", program, ROCP_TOOL_LIBRARIES=str(BUILD / "lib" / "libhip_trace.so"), HIP_TRACE_FILE=str(told))
        calls = {"hipMalloc": 1, "hipMemset": 2, "hipDeviceSynchronize": 2}
        self.assertEqual(self.names(CALLS), calls)
        self.assertEqual(collections.Counter(re.findall(r"^call .* (hip\w+)\(", told.read_text(), re.MULTILINE)), calls)

    def test_children_forked_before_the_first_call_are_traced(self):
        self.trace("clr", "fork_first")
        self.assertEqual(self.names(KERNELS), {"Square(int*, int)": 3})


if __name__ == "__main__":
    main()
