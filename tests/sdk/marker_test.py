#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of ROCTx as tools on librocprofiler-sdk.so.1 get them.

The calls that a tool gets in callbacks and in records are compared with the calls that the programs make.

    RTL_BUILD=build/release marker_test.py [--runtime NAME]
"""

import collections
import os
import re

from sdk_support import BUILD, LIBRARY, ToolTest, ask, main, tool

CALL = re.compile(r"call (\d+) of (\d+) in (\d+) thread (\d+) (\w+)\((.*)\) = (-?\d+)")
RECORD = re.compile(r"record (\d+) in (\d+) thread (\d+) ns (\d+) (\w+)")

# src/libraries/roctx/control_program.c, marker_program.c and tests/programs/hsa_markers.cpp make these.
CONTROL = {"roctxGetThreadId": 2, "roctxRangePushA": 2, "roctxRangePop": 2, "roctxProfilerPause": 3,
           "roctxProfilerResume": 2,
           "roctxMarkA": 6, "roctxRangeStartA": 1, "roctxRangeStop": 1, "roctxNameOsThread": 1, "roctxNameHsaAgent": 1,
           "roctxNameHipDevice": 1, "roctxNameHipStream": 1}
MARKERS = {"roctxMarkA": 1, "roctxRangePushA": 2, "roctxRangePop": 3, "roctxRangeStartA": 2, "roctxRangeStop": 2}
# The mark that is set when the process has ended comes after the tool was finalized.
WITH_KERNEL = {"roctxMarkA": 2, "roctxRangePushA": 3, "roctxRangePop": 4, "roctxRangeStartA": 1, "roctxRangeStop": 1}


class Markers(ToolTest):
    def markers(self, program, tools="marker_trace", says=None, **variables):
        """The calls, which have the same number of records; the program's output."""
        path = self.folder / "markers.txt"
        out, said = self.run_command(program, ROCP_TOOL_LIBRARIES=":".join(tool(name) for name in tools.split()),
                                     MARKER_TRACE_FILE=str(path), **variables)
        if says is None:
            self.assertEqual(said, [])
        lines = path.read_text().splitlines()
        self.assertEqual(lines[-1], "dropped 0")
        calls = [CALL.fullmatch(line) for line in lines if line.startswith("call ")]
        records = [RECORD.fullmatch(line) for line in lines if line.startswith("record ")]
        self.assertEqual(len(lines), len(calls) + len(records) + 1)
        self.assertNotIn(None, calls + records, lines)
        told = {hit[1]: (hit[3], hit[4], hit[5]) for hit in calls}
        self.assertEqual(len(told), len(calls), "a correlation id is used once")
        self.assertEqual(told, {hit[1]: (hit[2], hit[3], hit[5]) for hit in records})
        self.assertEqual(len(records), len(calls))
        for hit in calls:
            self.assertEqual(hit[1], hit[2], "user data is of one call")
        return calls, out

    def counts(self, calls):
        return dict(collections.Counter(hit[5] for hit in calls))

    def test_every_function_of_the_newer_library_is_traced(self):
        program = [BUILD / "bin" / "control_program"]
        calls, out = self.markers(program)
        self.assertEqual(self.counts(calls), CONTROL)
        self.assertEqual(out, self.run_command(program)[0])
        said = {f"{hit[5]}({hit[6]})" for hit in calls}
        self.assertLessEqual({"roctxNameHipDevice(name=a device, device_id=3)",
                              "roctxNameHipStream(name=a stream, stream=0x50)",
                              "roctxNameHsaAgent(name=an agent, agent={handle=4660})", "roctxProfilerPause(tid=0)",
                              "roctxRangePushA(message=before)"}, said)

    def test_the_older_library_and_ranges_that_are_popped_too_often(self):
        program = [BUILD / "bin" / "marker_program"]
        calls, out = self.markers(program, MARKS="500")
        self.assertEqual(self.counts(calls), MARKERS | {"roctxMarkA": 501})
        self.assertEqual(out, self.run_command(program)[0])
        self.assertEqual([hit[7] for hit in calls if hit[5].startswith("roctxRangeP")], ["0", "1", "1", "0", "-1"])

    def test_both_libraries_in_one_process(self):
        """The functions are those of the library that comes first; the other is only in the process."""
        older, newer = (str(BUILD / "lib" / name) for name in ("libroctx64.so.4", "librocprofiler-sdk-roctx.so.1"))
        for first in (older, newer):
            calls, _ = self.markers(["env", f"LD_PRELOAD={first}", BUILD / "bin" / "control_program"])
            self.assertEqual(self.counts(calls), CONTROL)

    def test_the_first_markers_of_many_threads_at_once(self):
        for _ in range(3):
            calls, _ = self.markers([BUILD / "bin" / "crowd_program", "16", "50"])
            self.assertEqual(self.counts(calls), {"roctxMarkA": 800})
            self.assertEqual(len({hit[4] for hit in calls}), 16)

    def test_an_external_id_pushed_at_a_ranges_begin_reaches_events_inside_it(self):
        calls, _ = self.markers([BUILD / "bin" / "marked_program"])
        inside = collections.Counter()
        begins = {hit[1]: hit[4] for hit in calls if hit[5] == "roctxRangePushA"}
        for hit in calls:
            if hit[5] == "roctxMarkA":
                self.assertEqual(begins[hit[3]], hit[4], "the range of its own thread")
                inside[hit[3]] += 1
        self.assertEqual(sorted(inside.values()), [3, 3])

    def test_a_range_is_one_event_from_its_begin_to_its_end(self):
        calls, out = self.markers([BUILD / "bin" / "marker_program"], MARKER_TRACE_RANGES="1")
        self.assertEqual(out, self.run_command([BUILD / "bin" / "marker_program"])[0])
        # In the order in which they end; `first` ends on another thread than it began on.
        self.assertEqual([(hit[5], hit[6]) for hit in calls],
                         [("roctxMarkA", "message=mark"), ("roctxThreadRangeA", "message=inner"),
                          ("roctxThreadRangeA", "message=outer"), ("roctxProcessRangeA", "message=first"),
                          ("roctxProcessRangeA", "message=second")])
        self.assertEqual(len({hit[4] for hit in calls}), 1, "a range belongs to the thread that began it")
        calls, _ = self.markers([BUILD / "bin" / "control_program"], MARKER_TRACE_RANGES="1")
        self.assertEqual(self.counts(calls), {name: CONTROL[name] for name in CONTROL if "Range" not in name} |
                         {"roctxThreadRangeA": 2, "roctxProcessRangeA": 1})

    def test_ranges_last_as_long_as_their_contents(self):
        self.markers([BUILD / "bin" / "marked_program"], MARKER_TRACE_RANGES="1")
        records = RECORD.finditer((self.folder / "markers.txt").read_text())
        ns = collections.defaultdict(list)
        for hit in records:
            ns[hit[5]].append(int(hit[4]))
        self.assertEqual({name: len(ns[name]) for name in ns if "Name" not in name and "Profiler" not in name},
                         {"roctxMarkA": 6, "roctxThreadRangeA": 2, "roctxProcessRangeA": 1})
        self.assertGreaterEqual(ns["roctxProcessRangeA"][0], max(ns["roctxThreadRangeA"]))
        self.assertGreaterEqual(min(ns["roctxThreadRangeA"]), min(ns["roctxMarkA"]))

    def test_only_the_requested_function_is_traced(self):
        calls, _ = self.markers([BUILD / "bin" / "control_program"], MARKER_TRACE_ONLY="roctxProfilerResume")
        self.assertEqual(self.counts(calls), {"roctxProfilerResume": 2})

    def test_a_program_with_a_kernel_and_a_tool_that_traces_it(self):
        path = self.folder / "kernels.txt"
        calls, _ = self.markers(self.program("hsa_markers"), "marker_trace kernel_trace", HSA_TOOLS_LIB=LIBRARY,
                                KERNEL_TRACE_FILE=str(path))
        self.assertEqual(self.counts(calls), WITH_KERNEL)
        self.assertEqual(path.read_text().count("\nkernel "), 1)

    def test_a_runtime_that_comes_after_the_markers(self):
        """No HSA_TOOLS_LIB: the markers alone bring the library."""
        calls, _ = self.markers(self.program("hsa_markers"))
        self.assertEqual(self.counts(calls), WITH_KERNEL)

    def test_a_trace_and_a_tool_in_one_process_have_the_same_markers(self):
        database = self.folder / "t.db"
        trace = [BUILD / "bin" / "rtl", "trace", "-o", database, "--"]
        calls, _ = self.markers([*trace, *self.program("hsa_markers")], says="a summary")
        self.assertEqual(self.counts(calls), WITH_KERNEL)
        texts = collections.Counter(hit[6].removeprefix("message=") for hit in calls if "message=" in hit[6])
        rows = ask(database, "SELECT s.string FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id "
                                    "JOIN rocpd_string t ON t.id = o.opType_id AND t.string = 'UserMarker'")
        traced = collections.Counter(row[0] or "(null)" for row in rows)
        self.assertEqual(traced - collections.Counter({"at exit": 1}), texts)

    def test_a_finalized_tool_gets_no_events(self):
        calls, _ = self.markers(self.program("hsa_markers"))
        self.assertNotIn("message=at exit", [hit[6] for hit in calls])

    def test_a_tool_is_finalized_when_no_thread_is_inside_its_callbacks(self):
        for inside in ({}, {"FINALIZE_INSIDE": "1"}):
            _, said = self.run_command([BUILD / "bin" / "crowd_program", "2", "400"],
                                       ROCP_TOOL_LIBRARIES=tool("sdk_finalize_tool"), **inside)
            self.assertEqual(said, ["finalized, 0 inside"])

    def test_without_a_tool_nothing_is_loaded(self):
        program = [BUILD / "bin" / "marked_program"]
        loader = self.run_command(program, LD_DEBUG="files")[1]
        self.assertFalse([line for line in loader if "librocprofiler-sdk.so" in line and "calling init" in line])
        self.assertTrue([line for line in loader if "librocprofiler-sdk-roctx.so" in line and "calling init" in line])
        self.assertEqual(self.run_command(program), ("", []))

    def test_a_library_that_is_named_for_registration_gets_the_calls(self):
        calls, _ = self.markers([BUILD / "bin" / "marked_program"], ROCPROFILER_REGISTER_LIBRARY=LIBRARY)
        self.assertEqual(len(calls), 16)


if __name__ == "__main__":
    if not os.access(BUILD / "bin" / "marked_program", os.X_OK):
        raise SystemExit("marked_program is not built")
    main()
