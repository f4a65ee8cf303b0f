#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of RCCL as tools on librocprofiler-sdk.so.1 get them, by functions that interpose RCCL's own.

The real RCCL runs on two virtual GPUs where it is installed (scripts/runtime get 7.2-libraries); otherwise
that part is skipped.

    RTL_BUILD=build/release rccl_test.py
"""

import collections
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "real"))

import run as real  # noqa: E402
from sdk_support import BUILD, LIBRARY, VGPU, ToolTest, ask, in_runtime, main, rtl, run, tool  # noqa: E402

CALL = re.compile(r"call (\d+) of (\d+) (\w+)\((.*)\) = (.*)")
RECORD = re.compile(r"(record|hip) (\d+) in (\d+) thread (\d+) ns (\d+) (\w+)")
WORK = re.compile(r"(kernel|copy) of (\d+)")
PRELOADED = str(BUILD / "lib" / "librtl_rccl.so")


class RcclTest(ToolTest):
    def variables(self, **more):
        self.path = self.folder / "rccl.txt"
        return dict(os.environ, ROCP_TOOL_LIBRARIES=tool("rccl_trace"), RCCL_TRACE_FILE=str(self.path), **more)

    def lines(self):
        """By the first word."""
        lines = self.path.read_text().splitlines()
        self.assertEqual(lines[-1], "dropped 0")
        found = collections.defaultdict(list)
        for line in lines[:-1]:
            hit = CALL.fullmatch(line) or RECORD.fullmatch(line) or WORK.fullmatch(line)
            self.assertIsNotNone(hit, line)
            found[line.split()[0]].append(hit.groups())
        return found

    def same_calls(self, found):
        for number, at_enter, *_ in found["call"]:
            self.assertEqual(number, at_enter, "user data is of one call")
        self.assertEqual({number: name for number, _, name, *_ in found["call"]},
                         {number: name for _, number, _, _, _, name in found["record"]})


class RcclCalls(RcclTest):
    def test_each_call_of_the_program_is_reported_once_with_its_arguments(self):
        # Sanitizers want to be preloaded first; they are in the program already.
        env = self.variables(LD_PRELOAD=PRELOADED, ASAN_OPTIONS="verify_asan_link_order=0")
        done = run(BUILD / "bin" / "rccl_program", environment=env)
        self.assertEqual(done.stderr, "")
        self.assertIn("broadcast 0x40 0x40 5 1 6 0xc0 (nil)", done.stdout)
        found = self.lines()
        self.assertEqual([(name, arguments, result) for _, _, name, arguments, result in found["call"]], [
            ("ncclCommInitRank", "newcomm=0xc0, nranks=2, commId={...}, myrank=1", "0"),
            ("ncclAllReduce", "sendbuff=0x10, recvbuff=0x20, count=1000, datatype=7, op=3, comm=0xc0, stream=0x30",
             "0"),
            # ncclBcast has no number of its own.
            ("ncclBroadcast", "sendbuff=0x40, recvbuff=0x40, count=5, datatype=1, root=6, comm=0xc0, stream=(null)",
             "0"),
            ("ncclRecv", "recvbuff=0x50, count=8, datatype=2, peer=9, comm=0xc0, stream=(null)", "4"),
            ("ncclGetErrorString", "code=4", "four")])
        self.same_calls(found)

    def test_a_tool_and_a_trace_see_the_same_calls(self):
        database = self.folder / "t.db"
        rtl("trace", "--no-summary", "--events", "rccl", "-o", database, "--", BUILD / "bin" / "rccl_program",
            environment=self.variables())
        found = self.lines()
        self.assertEqual([name for _, _, name, *_ in found["call"]],
                         [name for name, in ask(database, "SELECT name FROM rccl_call ORDER BY start")])
        self.assertEqual(len(found["call"]), 5)

    def test_without_rccl_every_request_is_a_success_without_events(self):
        program = self.program("vector_add")
        path = self.folder / "rccl.txt"
        _, said = self.with_tools(tool("rccl_trace"), program, RCCL_TRACE_FILE=str(path))
        self.path = path
        found = self.lines()
        self.assertNotIn("rccl", "".join(said).lower())
        self.assertNotIn("call", found)
        self.assertNotIn("record", found)
        self.assertGreater(len(found["kernel"]), 0)


class RealRccl(RcclTest):
    def test_the_real_rccl_on_two_gpus(self):
        if real.runtime("root", "7.2-libraries", capture_output=True).returncode != 0:
            self.skipTest("RCCL of ROCm 7.2 is not installed: scripts/runtime get 7.2-libraries")
        program = next(each for each in real.PROGRAMS if each.rccl)
        binary = real.compile_program(BUILD, "7.2", program)
        machine = real.Machine(BUILD, "7.2", program.targets[0], self.folder, program.rccl)
        preloaded = ":".join((PRELOADED, str(BUILD / "lib" / "librtl_hip.so"), str(BUILD / "lib" / "libvgpu.so")))
        env = self.variables() | machine.env | {"VGPU_NUM_GPUS": str(program.gpus), "HSA_TOOLS_LIB": LIBRARY}
        run(*in_runtime("7.2-libraries"), VGPU, "run", "--", "env", f"LD_PRELOAD={preloaded}", binary, environment=env,
            seconds=real.LIMIT)
        found = self.lines()
        self.assertEqual(collections.Counter(name for _, _, name, *_ in found["call"]), program.rccl)
        self.same_calls(found)
        calls = {number: name for number, _, name, *_ in found["call"]}
        # A group's kernels are launched when it ends.
        launches = [name for _, _, outer, _, _, name in found["hip"] if calls.get(outer) == "ncclGroupEnd"]
        self.assertGreater(sum("Launch" in name for name in launches), 0, launches)
        around = {number: outer for _, number, outer, *_ in found["hip"]}
        inside = [number for _, number in found["kernel"] if calls.get(around.get(number)) == "ncclGroupEnd"]
        self.assertGreaterEqual(len(inside), program.rccl["ncclAllReduce"])


if __name__ == "__main__":
    main()
