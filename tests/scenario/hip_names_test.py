#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A HIP whose file has a name of its own, alone and beside the system's: its calls go to it and are recorded, or one
line names the file; in `rtl trace`, in rocprofv3 and for a tool.

    RTL_BUILD=build/release hip_names_test.py [--runtime NAME]
"""

import csv
import os
import pathlib
import re
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import (BUILD, IN_RUNTIME, ROCPROFV3, RUNTIME, VGPU, calls_of, main, make_folder, root_of, run,  # noqa: E402
                   trace)

SDK = BUILD / "lib" / "librocprofiler-sdk.so.1"
TOOL = BUILD / "lib" / "libhip_trace.so"
REGISTERS = RUNTIME == "7.14"  # hands its tables over by itself
SYSTEMS = "libamdhip64.so." + {None: "5", "6.1": "5", "6.4": "6"}.get(RUNTIME, "7")
# Prints which device each HIP has chosen, which is a matter of its own.
PROGRAM = """
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char** names) {
  for (int i = 1; i < count; ++i) {
    void* const hip = dlopen(names[i], RTLD_NOW);
    if (hip == 0) return puts(dlerror()), 1;
    int (*const get)(int*) = (int (*)(int*))dlsym(hip, "hipGetDevice");
    int (*const set)(int) = (int (*)(int))dlsym(hip, "hipSetDevice");
    int (*const allocate)(void**, unsigned long) = (int (*)(void**, unsigned long))dlsym(hip, "hipMalloc");
    int (*const release)(void*) = (int (*)(void*))dlsym(hip, "hipFree");
    int device = -1;
    void* memory = 0;
    if (get(&device) || set(1) || allocate(&memory, 4096) || release(memory)) return 1;
    printf("device %d\\n", device);
  }
  return 0;
}
"""
ONCE = dict.fromkeys(("hipGetDevice", "hipSetDevice", "hipMalloc", "hipFree"), 1)


def system_folder():
    if RUNTIME is None:
        return pathlib.Path("/usr/lib/x86_64-linux-gnu")
    return root_of(RUNTIME) / "usr/lib/x86_64-linux-gnu"


class HipNames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ["VGPU_DEBUGGER"] = "0"
        cls.folder = make_folder(cls)
        source, cls.program = cls.folder / "program.c", cls.folder / "program"
        source.write_text(PROGRAM)
        run("gcc", source, "-o", cls.program, "-ldl")
        cls.mine = cls.folder / "libmine.so"
        shutil.copy(system_folder() / SYSTEMS, cls.mine)
        # Otherwise the loader takes the two for one.
        run("patchelf", "--set-soname", "libmine.so", cls.mine)

    def by_trace(self, *libraries):
        database = self.folder / "t.db"
        database.unlink(missing_ok=True)
        done = trace(database, self.program, *libraries, options=("--vgpu=2", "--mode", "hip"))
        return done, calls_of(database)

    def by_rocprofv3(self, *libraries):
        folder = make_folder(self)
        done = run(*IN_RUNTIME, ROCPROFV3, "--vgpu=2", "--hip-trace", "-f", "csv", "-d", folder, "-o", "x", "--",
                   self.program, *libraries)
        with open(folder / "x_hip_api_trace.csv", newline="") as file:
            names = [row["Function"] for row in csv.DictReader(file)]
        return done, {name: names.count(name) for name in names}

    def by_tool(self, *libraries):
        path = self.folder / "tool.txt"
        path.unlink(missing_ok=True)
        variables = {"ROCPROFILER_REGISTER_LIBRARY": SDK} if REGISTERS else {}
        preload = f"LD_PRELOAD={BUILD / 'lib' / 'librtl_hip.so'}:{BUILD / 'lib' / 'libvgpu.so'}"
        done = run(*IN_RUNTIME, VGPU, "run", "--gpus", "2", "--", "env", preload, self.program, *libraries,
                   HSA_TOOLS_LIB=SDK, ROCP_TOOL_LIBRARIES=TOOL, HIP_TRACE_FILE=path, **variables)
        names = re.findall(r"^call \d+ of \d+ thread \d+ (\w+)\(", path.read_text(), re.MULTILINE)
        return done, {name: names.count(name) for name in names}

    def test_the_only_one(self):
        for way in (self.by_trace, self.by_rocprofv3, self.by_tool):
            with self.subTest(way.__name__):
                done, calls = way(self.mine)
                self.assertEqual((done.stdout, calls), ("device 0\n", ONCE), done.stderr)
                self.assertNotRegex(done.stderr, "not re(corded|ported)")

    def test_two_in_one_process(self):
        """Each gets its own calls. Those of the first are recorded; the second one's file is named."""
        for way in (self.by_trace, self.by_rocprofv3, self.by_tool):
            for libraries in ((SYSTEMS, self.mine), (self.mine, SYSTEMS)):
                with self.subTest(way=way.__name__, libraries=libraries):
                    done, calls = way(*libraries)
                    self.assertEqual(done.stdout, "device 0\ndevice 0\n", done.stderr)
                    self.assertEqual(calls, ONCE, done.stderr)
                    lines = [line for line in done.stderr.splitlines() if "HIP calls are not re" in line]
                    self.assertEqual(len(lines), 1, done.stderr)
                    self.assertRegex(lines[0], r"those of HIP \d\.\d+, the second one here, come by no interception "
                                               rf"method: .*/{pathlib.Path(libraries[1]).name}$")


if __name__ == "__main__":
    main(TOOL)
