#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of HIP, kernels and copies by callback and by buffer at once, as tools on librocprofiler-sdk.so.1 get them.

How many there are is compared with `rtl trace --mode hip`: of a second run of the same program, and of the same
run, with both libraries in one process.

    RTL_BUILD=build/release events_test.py [--runtime NAME]
"""

import collections
import re

from sdk_support import BUILD, EVENTS, LIBRARY, PROGRAMS, RUNTIME, ToolTest, ask, calls_of, main, run, tool

# The interception methods of this runtime's HIP: a preloaded library, its tables.
METHODS = ("preload",) if RUNTIME in (None, "6.1") else ("preload", "register")
TIMES = r"from (\d+) to (\d+)"
SHAPES = {
    "call": re.compile(r"call (\d+) thread (\d+) operation (\d+) (\w+)"),
    "record": re.compile(r"record (\d+) thread (\d+) operation (\d+) (\w+)"),
    "enqueue": re.compile(r"enqueue (\d+) as (\d+) of (\d+) external (\d+) thread (\d+) from 0 to 0"),
    "complete": re.compile(rf"complete (\d+) as (\d+) of (\d+) external (\d+) thread (\d+) {TIMES}"),
    "kernel": re.compile(rf"kernel (\d+) of (\d+) external (\d+) thread (\d+) {TIMES}"),
    "enter": re.compile(r"enter (\d+) (\w+) of (\d+) external (\d+) bytes (\d+) from 0 to 0"),
    "exit": re.compile(rf"exit (\d+) (\w+) of (\d+) external (\d+) bytes (\d+) {TIMES}"),
    "copy": re.compile(rf"copy (\w+) of (\d+) external (\d+) bytes (\d+) {TIMES}"),
    "retired": re.compile(r"retired (\d+) at (\d+)"),
}
KERNEL_DISPATCH, MEMORY_COPY, ANSWER = 11, 10, 10**6
THREADS, LAUNCHES = 2, 12
STORM = 4000
LOOKED_UP = """
import ctypes
for version in (5, 6, 7):
    try:
        hip = ctypes.CDLL(f"libamdhip64.so.{version}")
        break
    except OSError:
        pass
memory = ctypes.c_void_p()
print(hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(4096)))
print(hip.hipMemset(memory, 0, ctypes.c_size_t(4096)))
print(hip.hipFree(memory))
"""


class Events(ToolTest):
    def traced(self, method, program, first=(), lost=False, **variables):
        """The sample's lines, by their first word; dropped events; messages. `first` starts the program."""
        path = self.folder / "events.txt"
        registrar = str(PROGRAMS / "libhip_registrar.so")
        more, preloaded = {
            "preload": ({"RTL_HIP_METHOD": "preload"}, str(BUILD / "lib" / "librtl_hip.so")),
            "register": ({"RTL_HIP_METHOD": "register", "ROCPROFILER_REGISTER_LIBRARY": LIBRARY}, registrar)}[method]
        program = [*first, *program[:3], "env", f"LD_PRELOAD={preloaded}:{BUILD / 'lib' / 'libvgpu.so'}", *program[3:]]
        _, said = self.with_tools(tool("event_trace"), program, EVENT_TRACE_FILE=str(path), **more, **variables)
        lines = path.read_text().splitlines()
        dropped = re.fullmatch(r"dropped (\d+)", lines[-1])
        self.assertIsNotNone(dropped, lines[-1])
        if not lost:
            self.assertEqual((said, dropped[1]), ([], "0"))
        found = {word: [] for word in SHAPES}
        for line in lines[:-1]:
            word = line.split()[0]
            hit = SHAPES[word].fullmatch(line)
            self.assertIsNotNone(hit, line)
            found[word].append(hit.groups())
        return found, int(dropped[1]), said

    def in_trace(self, program):
        """Calls by name, kernels, copies."""
        database = self.folder / "t.db"
        self.run_command([BUILD / "bin" / "rtl", "trace", "--mode", "hip", "--events", EVENTS, "-o", database, "--",
                          *program])
        calls = calls_of(database)
        kernels, copies = ask(
            database, "SELECT sum(queueId > 0), (SELECT count(*) FROM rtl_copy) FROM rocpd_op")[0]
        return calls, kernels, copies

    def test_callbacks_buffers_and_a_trace_count_the_same(self):
        program = self.program("api_calls", str(THREADS), str(LAUNCHES))
        calls, kernels, copies = self.in_trace(program)
        self.assertGreaterEqual(kernels, THREADS * LAUNCHES)
        self.assertGreaterEqual(copies, THREADS)
        for method in METHODS:
            with self.subTest(method=method):
                found, _, _ = self.traced(method, program)
                for word in ("call", "record"):
                    self.assertEqual(collections.Counter(name for *_, name in found[word]), calls)
                self.assertEqual([len(found[word]) for word in ("enqueue", "complete", "kernel")], [kernels] * 3)
                self.assertEqual([len(found[word]) for word in ("enter", "exit", "copy")], [copies] * 3)
                self.same_kernels(found)
                self.same_copies(found)

    def same_kernels(self, found):
        """One of each for every dispatch, which agree."""
        called = {number: name for number, _, _, name in found["call"]}
        thread_of = {number: thread for number, thread, _, _ in found["call"]}
        enqueued = {number: rest for number, *rest in found["enqueue"]}
        completed = {number: rest for number, *rest in found["complete"]}
        recorded = {number: rest for number, *rest in found["kernel"]}
        self.assertEqual(sorted(map(int, enqueued)), list(range(1, len(found["enqueue"]) + 1)),
                         "the numbers are consecutive")
        for number, (mine, call, external, thread) in enqueued.items():
            self.assertEqual(mine, number, "user data from ENTER is there at EXIT")
            self.assertEqual(thread_of[call], thread, "the call belongs to the thread")
            self.assertRegex(called[call], "Launch|Memset|Memcpy")
            self.assertEqual(completed[number][:4], [number, call, external, thread], "user data is there at COMPLETE")
            self.assertEqual(recorded[number], [call, external, thread, *completed[number][4:]])
            start, end = map(int, completed[number][4:])
            self.assertLess(start, end)

    def same_copies(self, found):
        called = {number: name for number, _, _, name in found["call"]}
        entered = {number: rest for number, *rest in found["enter"]}
        left = {number: rest for number, *rest in found["exit"]}
        self.assertEqual(len(entered), len(found["enter"]))
        self.assertEqual(entered, {number: rest[:4] for number, rest in left.items()},
                         "user data from ENTER is there at EXIT")
        self.assertEqual(sorted(map(tuple, left.values())), sorted(found["copy"]))
        for direction, call, _, _, start, end in left.values():
            self.assertRegex(direction, "^MEMORY_COPY_(HOST_TO_DEVICE|DEVICE_TO_HOST|DEVICE_TO_DEVICE)$")
            self.assertRegex(called[call], "^hipMemcpy(Async)?$")
            self.assertLess(int(start), int(end))

    def test_kernels_and_copies_have_the_external_id_of_their_call(self):
        # One thread: a packet that another thread submits has the external id of that thread.
        found, _, _ = self.traced(METHODS[0], self.program("api_calls", "1", str(LAUNCHES)),
                                  EVENT_TRACE_EXTERNAL="push")
        operation_of = {number: operation for number, _, operation, _ in found["call"]}
        self.assertGreaterEqual(len(found["kernel"]), LAUNCHES)
        for word, call, external in (("enqueue", 2, 3), ("complete", 2, 3), ("kernel", 1, 2),
                                     ("enter", 2, 3), ("exit", 2, 3), ("copy", 1, 2)):
            self.assertNotEqual(found[word], [])
            for line in found[word]:
                self.assertEqual(line[external], operation_of[line[call]], (word, line))
        self.same_kernels(found)

    def test_a_thread_may_have_a_smaller_number_than_its_process(self):
        # The process gets one of the last process numbers, in a namespace of its own.
        self.around = ["unshare", "--pid", "--fork"]
        last = "echo $(($(cat /proc/sys/kernel/pid_max) - 4)) > /proc/sys/kernel/ns_last_pid"
        first = ["sh", "-c", f'{last} && {{ "$@"; exit; }}', "sh"]
        if run(*self.around, *first, "true", code=None).returncode != 0:
            self.skipTest("needs the right to make a namespace of process numbers")
        program = self.program("api_calls", "1", str(LAUNCHES))
        found, _, _ = self.traced(METHODS[0], program, first, EVENT_TRACE_EXTERNAL="push")
        threads = {int(thread) for _, thread, *_ in found["call"]}
        self.assertGreater(max(threads), 1000, "the process's own")
        self.assertLess(min(threads), 1000)
        operation_of = {number: operation for number, _, operation, _ in found["call"]}
        self.assertEqual([external for _, _, _, external, *_ in found["enqueue"]],
                         [operation_of[call] for _, _, call, *_ in found["enqueue"]])

    def test_the_tool_provides_their_external_ids(self):
        program = self.program("api_calls", str(THREADS), str(LAUNCHES))
        found, _, _ = self.traced(METHODS[0], program, EVENT_TRACE_EXTERNAL="ask")
        for word, call, external, kind in (
                ("enqueue", 2, 3, KERNEL_DISPATCH), ("complete", 2, 3, KERNEL_DISPATCH),
                ("kernel", 1, 2, KERNEL_DISPATCH),
                ("enter", 2, 3, MEMORY_COPY), ("exit", 2, 3, MEMORY_COPY), ("copy", 1, 2, MEMORY_COPY)):
            self.assertNotEqual(found[word], [])
            for line in found[word]:
                self.assertEqual(int(line[external]), kind * ANSWER + int(line[call]), (word, line))

    def test_an_id_is_retired_once_and_never_used_after(self):
        for method in METHODS:
            with self.subTest(method=method):
                program = self.program("api_calls", str(THREADS), str(LAUNCHES))
                found, _, _ = self.traced(method, program, EVENT_TRACE_RETIRED="1")
                retired = [number for number, _ in found["retired"]]
                self.assertEqual(len(set(retired)), len(retired))
                self.assertEqual(set(retired), {number for number, *_ in found["call"]})
                # Records lie in the file in the order of the buffer.
                gone = set()
                for line in (self.folder / "events.txt").read_text().splitlines():
                    word, *rest = line.split()
                    if word == "retired":
                        gone.add(rest[0])
                    elif word in ("record", "kernel", "copy"):
                        self.assertNotIn(rest[0] if word == "record" else rest[2], gone, line)

    def test_thousands_of_kernels_on_several_queues(self):
        found, _, _ = self.traced(METHODS[0], self.program("hsa_storm", "2000", "2"))
        self.assertEqual([len(found[word]) for word in ("enqueue", "complete", "kernel")], [4000] * 3)
        completed = {number: rest for number, *rest in found["complete"]}
        for number, *rest in found["kernel"]:
            mine, call, external, thread, *times = completed[number]
            self.assertEqual((mine, rest), (number, [call, external, thread, *times]))

    def with_trace(self, program, libraries, **variables):
        """The tool's lines, by their first words, and the counts of the trace of the same run.
        `libraries` replace the launcher's HSA_TOOLS_LIB; without them it stays."""
        database, path = self.folder / "t.db", self.folder / "events.txt"
        if libraries:
            program = [*program[:3], "env", f"HSA_TOOLS_LIB={' '.join(map(str, libraries))}", *program[3:]]
        else:
            variables["HSA_TOOLS_LIB"] = str(LIBRARY)
        for left in (database, path):
            left.unlink(missing_ok=True)
        out, _ = self.run_command([BUILD / "bin" / "rtl", "trace", "--mode", "hip", "--events", EVENTS, "-o", database,
                                   "--", *program],
                                  ROCP_TOOL_LIBRARIES=tool("event_trace"), EVENT_TRACE_FILE=str(path), **variables)
        lines = path.read_text().splitlines()
        told = collections.defaultdict(list)
        for line in lines[:-1]:
            told[line.split()[0]].append(line)
        told["dropped"] = int(lines[-1].split()[1])
        counts = dict(ask(database, "SELECT tag, sum(value) FROM rocpd_metadata WHERE tag LIKE 'submitted.%' "
                                           "OR tag LIKE 'recorded.%' OR tag LIKE 'loss.%' GROUP BY 1"))
        counts["calls"] = calls_of(database)
        counts["ids"] = [row[0] for row in ask(database, "SELECT correlation_id % 549755813888 FROM rocpd_api")]
        counts["kernels"] = ask(database, "SELECT a.correlation_id, o.start, o.end FROM rocpd_op o "
                                                 "JOIN rocpd_api_ops l ON l.op_id = o.id JOIN rocpd_api a ON a.id = "
                                                 "l.api_id "
                                                 "WHERE o.queueId > 0")
        counts["program"] = {name: int(count) for name, count in re.findall(r"^(\w+) (\d+)$", out, re.M)}
        return told, counts

    def test_a_trace_and_a_tool_count_the_same_in_one_run(self):
        for libraries in ((), (LIBRARY, BUILD / "lib" / "librtl.so")):
            for signals in ("inplace", "forward"):
                with self.subTest(libraries=libraries, signals=signals):
                    self.count_the_same(self.program("storm", str(STORM), "4", "8", "1"), libraries, STORM, signals)
                    program = self.program("api_calls", str(THREADS), str(LAUNCHES))
                    told, counts = self.count_the_same(program, libraries, THREADS * LAUNCHES, signals)
                    self.assertEqual(counts["calls"], counts["program"])
                    self.assertGreaterEqual(len(told["copy"]), THREADS)

    def count_the_same(self, program, libraries, kernels, signals):
        told, counts = self.with_trace(program, libraries, RTL_APP_SIGNALS=signals)
        self.assertEqual({tag: count for tag, count in counts.items() if "loss." in tag and count}, {})
        self.assertEqual(told["dropped"], 0)
        for word in ("call", "record"):
            self.assertEqual(collections.Counter(line.split()[-1] for line in told[word]), counts["calls"])
            numbers = [int(line.split()[1]) for line in told[word]]
            self.assertEqual(sorted(numbers), sorted(counts["ids"]), "one set of ids")
        kernels_of_tool = [(int(call), int(start), int(end)) for _, call, _, _, start, end in
                           (SHAPES["kernel"].fullmatch(line).groups() for line in told["kernel"])]
        self.assertEqual(sorted(kernels_of_tool), sorted(map(tuple, counts["kernels"])), "same calls, same times")
        for kind, words in (("kernels", ("enqueue", "complete", "kernel")), ("copies", ("enter", "exit", "copy"))):
            recorded = counts.get(f"recorded.{kind}", 0)
            self.assertEqual([len(told[word]) for word in words], [recorded] * 3)
            self.assertEqual(counts.get(f"submitted.{kind}", 0), recorded)
        self.assertGreaterEqual(counts["recorded.kernels"], kernels)
        return told, counts

    def test_calls_that_a_program_looks_up_itself_reach_both(self):
        program = [BUILD / "bin" / "vgpu", "run", "--", "/usr/bin/python3", "-c", LOOKED_UP]
        told, counts = self.with_trace(program, ())
        self.assertEqual(counts["calls"], {"hipMalloc": 1, "hipMemset": 1, "hipFree": 1})
        for word in ("call", "record"):
            self.assertEqual(collections.Counter(line.split()[-1] for line in told[word]), counts["calls"])

    def test_work_that_is_not_followed_is_named(self):
        program = self.program("api_calls", str(THREADS), str(LAUNCHES))
        whole, _, _ = self.traced(METHODS[0], program)
        found, dropped, said = self.traced(METHODS[0], program, lost=True, RTL_MODE="lite", RTL_QUEUE_METHOD="intercept")
        kernels = len(whole["kernel"]) - len(found["kernel"])
        # The other runtimes hand over one packet at a time, or batches that may be recorded.
        self.assertEqual(kernels > 0, RUNTIME == "7.2")
        lines = "\n".join(said)
        if kernels > 0:
            self.assertRegex(lines, rf"^rtl: the end of {kernels} kernels and 0 copies was not reported to tools in "
                                    r"process \d+$")
        else:
            self.assertEqual(lines, "")
        self.assertEqual(dropped, kernels)
        self.assertEqual(len(found["enqueue"]), len(found["kernel"]))
        self.assertEqual(len(found["complete"]), len(found["kernel"]))
        for word in ("enter", "exit", "copy"):
            self.assertEqual(len(found[word]), len(whole["copy"]))


if __name__ == "__main__":
    main()
