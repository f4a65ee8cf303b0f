# SPDX-License-Identifier: MIT
"""Tools on librocprofiler-sdk.so.1, in programs on the virtual GPU: the shared parts of the tests.

    RTL_BUILD=build/release NAME_test.py [--runtime NAME]
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import (BUILD, IN_RUNTIME, PROGRAMS, RTL, RUNTIME, VGPU, Case, ask, calls_of, in_runtime, main,  # noqa: E402
                   rtl, run)

LIBRARY = str(BUILD / "lib" / "librocprofiler-sdk.so.1")
# AMD's build: its HSA and HIP hand their tables to librocprofiler-register themselves, which looks for the library.
REGISTERS = RUNTIME == "7.14"
# The calls that a tool gets, including those of HIP's compiler.
EVENTS = "kernels,copies,markers,hip,hip-compiler"


def tool(name):
    return str(BUILD / "lib" / f"lib{name}.so")


class ToolTest(Case):
    around = ()  # the command's prefix, before the runtime's

    def run_command(self, command, code=0, **variables):
        if REGISTERS and variables.get("HSA_TOOLS_LIB") == LIBRARY and command[0] != RTL:
            variables = {"ROCPROFILER_REGISTER_LIBRARY": LIBRARY, **variables}
        result = run(*self.around, *IN_RUNTIME, *command, code=code, **variables)
        # 7.2 prints this with any tool in the process, also with one that only passes packets on.
        said = [line for line in result.stderr.splitlines() if "SharedSignalPool" not in line]
        return result.stdout, said

    def program(self, name, *arguments):
        return [VGPU, "run", "--", super().program(name), *arguments]

    def with_tools(self, tools, program, code=0, **variables):
        return self.run_command(program, code, HSA_TOOLS_LIB=LIBRARY, ROCP_TOOL_LIBRARIES=tools, **variables)
