#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tools that are attached to a program that runs, by librocprofiler-sdk-rocattach.so.1, and detached again.

    RTL_BUILD=build/release attached_test.py [--runtime NAME]
"""

import os
import pathlib
import re
import signal
import subprocess

from sdk_support import BUILD, IN_RUNTIME, PROGRAMS, RUNTIME, ToolTest, main, rtl, tool
import foreground
from frame import environment_without

LIMIT_SECONDS = 120
ATTACHER = BUILD / "bin" / "sdk_attacher"
# HIP has tables from 6.0 on; that of the runtime 6.1 is older.
HAS_CALLS = RUNTIME not in (None, "6.1")
SUCCESS, ERROR = "ROCATTACH_STATUS_SUCCESS", "ROCATTACH_STATUS_ERROR"
INVALID, ABSENT = ERROR + "_INVALID_ARGUMENT", ERROR + "_PTRACE_PROCESS_NOT_FOUND"


class Attached(ToolTest):
    def start(self, command, **variables):
        said = open(self.folder / f"{len(list(self.folder.iterdir()))}.txt", "w+", encoding="utf-8")
        self.addCleanup(said.close)
        program = foreground.start(command, env=environment_without("RTL_") | variables, cwd=self.folder, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
        program.said = said
        self.addCleanup(foreground.end, program, LIMIT_SECONDS)
        return program

    def serve(self, **variables):
        self.program("served")  # skips the test where it is not
        program = self.start([*IN_RUNTIME, PROGRAMS / "served"], LD_PRELOAD=str(BUILD / "lib" / "libvgpu.so"),
                             **variables)
        self.assertEqual(self.line(program), "ready")
        return program

    def attacher(self, *tools):
        return self.start([ATTACHER], **({"ROCPROF_ATTACH_TOOL_LIBRARY": ":".join(tools)} if tools else {}))

    def line(self, program):
        with foreground.limit(program, LIMIT_SECONDS):
            return program.stdout.readline().rstrip("\n")

    def say(self, program, words, answer):
        program.stdin.write(words + "\n")
        program.stdin.flush()
        self.assertRegex(self.line(program), answer, self.said(program))

    def said(self, program, begin=""):
        program.said.seek(0)
        return [line for line in program.said.read().splitlines() if line.startswith(begin)]

    def refused(self, attacher, words, status, why):
        before = len(self.said(attacher))
        self.say(attacher, words, f"^{status}$")
        said = self.said(attacher)[before:]
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], why)

    def end_well(self, program):
        program.stdin.close()
        with foreground.limit(program, LIMIT_SECONDS):
            self.assertEqual(program.stdout.read(), "bye\n")
        self.assertEqual(program.wait(LIMIT_SECONDS), 0)

    def counts(self, program, when):
        """(kernels, calls) of each window."""
        said = self.said(program, f"tool: {when}:")
        counts = [re.fullmatch(rf"tool: {when}: (\d+) kernels, (\d+) calls, 0 dropped", line) for line in said]
        self.assertNotIn(None, counts, said)
        return [(int(count[1]), int(count[2])) for count in counts]

    def check_window(self, count, kernels, graphs):
        # A copy may be a kernel of HIP's own, and there is one after each of the program's commands.
        self.assertIn(count[0] - kernels, range(3), count)
        if HAS_CALLS:
            self.assertGreaterEqual(count[1], kernels - 10 * graphs)
        else:
            self.assertEqual(count[1], 0)

    def test_a_tool_has_what_happens_while_it_is_attached(self):
        program, attacher = self.serve(), self.attacher(tool("sdk_attached_tool"))
        self.say(program, "run 10", "ran 10")
        for kernels in 20, 30:
            self.say(attacher, f"attach {program.pid}", SUCCESS)
            self.say(program, f"run {kernels}", f"ran {kernels}")
            self.say(program, "graph 2", "launched 2")
            self.say(attacher, f"detach {program.pid}", SUCCESS)
            self.say(program, "run 5", "ran 5")
        self.end_well(program)
        windows = self.counts(program, "detached")
        self.assertEqual(len(windows), 2)
        for count, kernels in zip(windows, (20, 30)):
            self.check_window(count, kernels + 20, 2)
        self.assertEqual(self.counts(program, "finalized"), [(0, 0)])
        names = " hip" if RUNTIME == "7.14" else " "
        self.assertEqual([line.startswith(f"tool: attached with 1 context, registered:{names}")
                          for line in self.said(program, "tool: attached")], [True] * 2, self.said(program))
        said = self.said(program, "rtl: ")
        self.assertEqual(len(said), 0 if HAS_CALLS else 1, said)
        for line in said:
            self.assertRegex(line, r"HIP calls are not reported to tools in process \d+: "
                                   r"HIP .* to no tracer that comes late")

    def test_a_tool_without_the_new_functions_is_served_too(self):
        # Where a tracer would wait for `rtl trace --pid`, tools are served as anywhere.
        program, attacher = self.serve(RTL_ATTACH="1"), self.attacher(tool("sdk_plain_tool"))
        for kernels in 20, 30:
            self.say(attacher, f"attach {program.pid}", SUCCESS)
            self.say(program, f"run {kernels}", f"ran {kernels}")
            self.say(attacher, "detach 0", SUCCESS)
            self.say(program, "run 5", "ran 5")
        self.end_well(program)
        (count,) = self.counts(program, "finalized")
        self.assertIn(count[0] - 50, range(3), count)

    def test_a_storm_goes_on(self):
        program, attacher = self.serve(), self.attacher(tool("sdk_attached_tool"))
        self.say(program, "storm 4", "storm of 4")
        for _ in range(3):
            self.say(attacher, f"attach {program.pid}", SUCCESS)
            self.say(attacher, f"detach {program.pid}", SUCCESS)
        self.say(program, "calm", r"calm after \d+")
        self.say(attacher, f"attach {program.pid}", SUCCESS)
        self.say(program, "run 40", "ran 40")
        self.say(attacher, f"detach {program.pid}", SUCCESS)
        self.end_well(program)
        *_, last = windows = self.counts(program, "detached")
        self.assertEqual(len(windows), 4)
        # Kernels in flight come before the detachment ends; a call that was open comes when it ends.
        self.assertIn(last[0] - 40, range(3))
        self.assertEqual([kernels for kernels, _ in self.counts(program, "finalized")], [0])

    def test_a_tree_is_the_process_and_its_descendants_that_use_the_gpu(self):
        program, attacher = self.serve(), self.attacher(tool("sdk_attached_tool"))
        self.say(program, "fork", r"forked \d+")
        for of_root, of_child in (20, 30), (5, 40):
            self.say(program, "spawn", r"spawned \d+")  # the second time an earlier child has become idle
            self.refused(attacher, f"attach-tree {program.pid}", SUCCESS, "1 of its descendants uses no GPU")
            self.say(program, f"run {of_root}", f"ran {of_root}")
            self.say(program, f"child run {of_child}", f"ran {of_child}")
            self.say(attacher, f"detach-tree {program.pid}", SUCCESS)
        self.say(program, "child run 10", "ran 10")
        self.refused(attacher, f"detach-tree {program.pid}", INVALID, "were not attached to together")
        self.refused(attacher, f"detach {program.pid}", INVALID, "this process is not attached to it")
        # A member may be left alone, or end.
        self.refused(attacher, f"attach-tree {program.pid}", SUCCESS, "1 of its descendants uses no GPU")
        self.say(attacher, f"detach {program.pid}", SUCCESS)
        self.say(attacher, "detach 0", SUCCESS)
        self.end_well(program)
        windows = self.counts(program, "detached")
        self.assertEqual(len(windows), 2 + 3 + 3)
        counts = sorted(kernels for kernels, _ in windows if kernels)
        for count, kernels in zip(counts, (5, 20, 30, 40), strict=True):
            self.assertIn(count - kernels, range(3), counts)

    def test_a_process_that_attached_may_end(self):
        program, attacher = self.serve(), self.attacher(tool("sdk_attached_tool"))
        self.say(attacher, f"attach {program.pid}", SUCCESS)
        self.say(program, "run 20", "ran 20")
        attacher.send_signal(signal.SIGKILL)
        attacher.wait(LIMIT_SECONDS)
        other = self.attacher(tool("sdk_attached_tool"))
        status = ERROR
        for _ in range(200):  # the process sees it by itself
            other.stdin.write(f"attach {program.pid}\n")
            other.stdin.flush()
            if (status := self.line(other)) == SUCCESS:
                break
        self.assertEqual(status, SUCCESS, self.said(other))
        self.say(program, "run 30", "ran 30")
        self.end_well(program)  # the tool is attached
        self.say(other, f"detach {program.pid}", ABSENT)
        (first,), (last,) = self.counts(program, "detached"), self.counts(program, "finalized")
        self.check_window(first, 20, 0)
        self.check_window(last, 30, 0)

    def test_refusals_have_a_status_and_a_line(self):
        none = self.attacher()
        self.refused(none, f"attach {os.getpid()}", INVALID, "ROCPROF_ATTACH_TOOL_LIBRARY names no tool")
        missing = self.attacher("./missing.so")
        self.refused(missing, f"attach {os.getpid()}", INVALID, r"\./missing\.so: No such file")
        attacher = self.attacher(tool("sdk_attached_tool"))
        self.refused(attacher, f"attach {2 ** 22 + 1}", ABSENT, "there is no such process")
        self.refused(attacher, f"detach {os.getpid()}", INVALID, "this process is not attached to it")
        self.refused(attacher, f"attach {os.getpid()}", ERROR, "no HSA runtime is loaded in it")
        self.refused(attacher, f"attach-tree {os.getpid()}", ERROR, "no HSA runtime is loaded in it")
        self.refused(attacher, f"detach-tree {os.getpid()}", INVALID, "were not attached to together")
        if os.geteuid() == 0:
            other = subprocess.Popen(["sleep", "1000"], user=65534)
            self.addCleanup(other.wait)
            self.addCleanup(other.kill)
            self.refused(attacher, f"attach {other.pid}", ERROR + "_PTRACE_OPERATION_NOT_PERMITTED",
                         "it runs as the user with number 65534")
        for interrupts in ("0", "1"):
            program = self.serve(HSA_ENABLE_INTERRUPT=interrupts)
            program.stdin.write("fork\n")
            program.stdin.flush()
            child = int(self.line(program).split()[1])
            self.refused(attacher, f"attach {child}", ERROR, "was started by the process that it was forked from")
            self.assertNotIn(") Z ", pathlib.Path(f"/proc/{child}/stat").read_text())  # it lives
        library = self.attacher(str(BUILD / "lib" / "libroctx64.so.4"))
        self.refused(library, f"attach {program.pid}", ERROR,
                     "is no tool: it has neither rocprofiler_configure_attach nor")
        declining = self.attacher(tool("sdk_declining_tool"))
        self.refused(declining, f"attach {program.pid}", ERROR, "a tool refuses: its tool_attach returned 7")
        self.refused(attacher, f"attach {program.pid}", ERROR, "its tools were configured before.*is not one of them")
        self.say(program, "run 10", "ran 10")
        self.end_well(program)
        second = self.serve()
        self.say(attacher, f"attach {second.pid}", SUCCESS)
        self.refused(attacher, f"attach {second.pid}", INVALID, "this process is attached to it; detach first")
        self.refused(self.attacher(tool("sdk_attached_tool")), f"attach {second.pid}", ERROR,
                     "are attached to it already")
        traced = rtl("trace", "--pid", second.pid, "-o", self.folder / "x.db", code=1)
        self.assertIn("has a profiler of rocprofiler-sdk", traced.stderr)
        self.say(second, "run 10", "ran 10")
        self.say(attacher, f"detach {second.pid}", SUCCESS)
        self.end_well(second)


if __name__ == "__main__":
    main()
