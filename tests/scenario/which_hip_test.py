#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The HIP of a process is found whatever its file is called, wherever it lies, and beside another one.

The programs run in the root of Debian's ROCm 7.2; AMD's libraries of 7.14 lie in a folder of the test's own, as in a
Python package.

    RTL_BUILD=build/release which_hip_test.py
"""

import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import (BUILD, RTL, VGPU, Case, calls_of, in_runtime, main, make_folder, programs_of, root_of,  # noqa: E402
                   run, skip)

SYSTEM, OTHER = "7.2", "7.14"
SYSTEM_ROOT, OTHER_ROOT = root_of(SYSTEM), root_of(OTHER)
IN_SYSTEM = in_runtime(SYSTEM)
HASHED = re.compile(r"lib.+-[0-9a-f]{8}\.so")
LIBRARIES = "usr/lib/x86_64-linux-gnu"
# The calls of each HIP that is named.
CALLS = """
import ctypes, sys
for name in sys.argv[1:]:
    hip = ctypes.CDLL(name)
    memory = ctypes.c_void_p()
    print(hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(4096)), hip.hipFree(memory))
"""

PLUGIN = """
int hipRuntimeGetVersion(int*);
int hipMalloc(void**, unsigned long);
int hipFree(void*);
int use(void) {
  int version = 0;
  void* memory = 0;
  if (hipRuntimeGetVersion(&version) || hipMalloc(&memory, 4096) || hipFree(memory)) return 0;
  return version / 100000;
}
"""
USE_PLUGINS = """
import ctypes, sys
for name in sys.argv[1:]:
    print(ctypes.CDLL(name).use())
"""
# Uses a HIP in a namespace of its own, behind a virtual GPU that is there, too.
NAMESPACE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char** libraries) {
  Lmid_t where = LM_ID_NEWLM;
  void* hip = 0;
  for (int i = 1; i < count; ++i) {
    hip = dlmopen(where, libraries[i], RTLD_NOW);
    if (hip == 0 || dlinfo(hip, RTLD_DI_LMID, &where) != 0) return puts(dlerror()), 1;
  }
  int (*allocate)(void**, unsigned long) = (int (*)(void**, unsigned long))dlsym(hip, "hipMalloc");
  int (*set)(void*, int, unsigned long) = (int (*)(void*, int, unsigned long))dlsym(hip, "hipMemset");
  int (*wait)(void) = (int (*)(void))dlsym(hip, "hipDeviceSynchronize");
  void* memory = 0;
  int failed = allocate(&memory, 4096);
  for (int i = 0; i < 3; ++i) failed |= set(memory, i, 4096);
  failed |= wait();
  puts(failed ? "failed" : "right");
  return failed;
}
"""


class WhichHip(Case):
    @classmethod
    def setUpClass(cls):
        os.environ["VGPU_DEBUGGER"] = "0"  # so that two HSA runtimes start in one process
        cls.folder = make_folder(cls)
        cls.package = cls.folder / "package.libs"
        cls.package.mkdir()
        # As the wheel has them: each file has a hash in its name.
        for link in (OTHER_ROOT / LIBRARIES).glob("lib*-????????.so*"):
            if HASHED.match(link.name):
                shutil.copy(link, cls.package / link.name)
        cls.hip = next(path.name for path in cls.package.glob("libamdhip64-*"))
        comgr = next(path.name for path in cls.package.glob("libamd_comgr-*"))
        (cls.package / "libamd_comgr.so.3").symlink_to(comgr)  # HIP opens it by this name

    def trace(self, *program, options=("--mode", "hip"), **variables):
        """Methods, calls by name, kernels of the program; its output and that of the tracer."""
        self.database.unlink(missing_ok=True)
        done = run(*IN_SYSTEM, RTL, "trace", "--vgpu", *options, "-o", self.database, "--", *program, **variables)
        ((method,),) = self.ask("SELECT loaded_by FROM rtl_process")
        calls = calls_of(self.database)
        ((kernels,),) = self.ask("SELECT count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id "
                                 "WHERE s.string LIKE 'VectorAdd%'")
        return method, calls, kernels, done

    def calls_of(self, *libraries, **variables):
        return self.trace("/usr/bin/python3", "-c", CALLS, *libraries, **variables)

    def test_every_name_of_the_file(self):
        for name in (self.hip, "libamdhip64.so", "libamdhip64.so.7", "libmine.so"):
            with self.subTest(name):
                path = self.package / name
                if name != self.hip:
                    (self.package / self.hip).rename(path)
                    self.addCleanup(lambda path=path: path.exists() and path.rename(self.package / self.hip))
                method, calls, _, done = self.calls_of(path)
                if name != self.hip:
                    path.rename(self.package / self.hip)
                self.assertRegex(method, r"HIP 7\.14 by register")
                self.assertEqual(calls, {"hipMalloc": 1, "hipFree": 1}, done.stderr)

    def packaged(self, program, folder, hip):
        """The program with a HIP of its own in a folder beside it, which has the SONAME as a link only."""
        link = folder / "libamdhip64.so.7"
        link.symlink_to(hip)
        self.addCleanup(link.unlink)
        copy = self.folder / program
        shutil.copy((programs_of(SYSTEM) / program).resolve(), copy)
        run("patchelf", "--set-rpath", f"$ORIGIN/{folder.name}", copy)
        return copy

    def test_a_hip_that_registers_nothing_by_its_symbols(self):
        """Debian's, without a version in its name, and with a name that is not HIP's."""
        for name in ("libamdhip64.so", "libmine.so"):
            with self.subTest(name):
                folder = self.folder / name
                folder.mkdir()
                shutil.copy(SYSTEM_ROOT / LIBRARIES / "libamdhip64.so.7", folder / name)
                method, calls, kernels, done = self.trace(self.packaged("vector_add", folder, name))
                self.assertRegex(method, r"; HIP 7\.2 by preload$")
                self.assertEqual((calls["hipLaunchKernel"], kernels), (2, 1), done.stderr)

    def test_a_program_that_brings_its_own_beside_the_systems(self):
        program = self.packaged("vector_add", self.package, self.hip)
        for mode in ("hip", "full"):
            with self.subTest(mode):
                method, calls, kernels, done = self.trace(program, options=("--mode", mode))
                self.assertEqual(kernels, 1, done.stderr)
                self.assertIn(", 0 lost", done.stderr)
                if mode == "hip":
                    self.assertRegex(method, r"HIP 7\.14 by register")
                    self.assertEqual(calls["hipLaunchKernel"], 2)

    def copy_of_hip(self):
        copy = self.package / "libamdhip64-copy.so"
        shutil.copy(self.package / self.hip, copy)
        self.addCleanup(copy.unlink)
        return copy

    def test_two_copies_of_one_hip(self):
        """Both register their tables. The calls of the second one are recorded where its functions are linked; else
        one line names it."""
        first, copy = self.package / self.hip, self.copy_of_hip()
        method, calls, _, done = self.calls_of(first, copy)
        self.assertRegex(method, r"; HIP 7\.14 by register$")
        self.assertEqual(calls, {"hipMalloc": 1, "hipFree": 1}, done.stderr)
        lines = [line for line in done.stderr.splitlines() if re.search(r"not (recorded|used)|copy|second", line)]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertRegex(lines[0], r"rtl: HIP calls are not recorded in process \d+: those of HIP 7\.14, the second one "
                                   f"here, come by no interception method: {copy}$")
        run("patchelf", "--set-soname", copy.name, copy)
        plugins = [self.plugin(f"copy{number}.so", hip, f"-Wl,-rpath,{self.package}")
                   for number, hip in enumerate((first, copy))]
        for libraries in (plugins, plugins[::-1]):
            with self.subTest(libraries):
                _, calls, _, done = self.trace("/usr/bin/python3", "-c", USE_PLUGINS, *libraries)
                self.assertEqual(done.stdout.split(), ["714", "714"])
                self.assertEqual(calls, {"hipRuntimeGetVersion": 2, "hipMalloc": 2, "hipFree": 2}, done.stderr)
                self.assertNotRegex(done.stderr, "not (recorded|used)")

    def plugin(self, name, *link):
        """A library whose HIP is bound by its symbols."""
        source, library = self.folder / "plugin.c", self.folder / name
        source.write_text(PLUGIN)
        run("gcc", "-shared", "-fPIC", source, "-o", library, "-Wl,--allow-shlib-undefined", *link)
        return library

    def test_each_of_two_libraries_calls_its_own(self):
        systems = self.plugin("systems.so", SYSTEM_ROOT / LIBRARIES / "libamdhip64.so.7")
        packaged = self.plugin("packaged.so", self.package / self.hip, f"-Wl,-rpath,{self.package}")
        for libraries in ((systems, packaged), (packaged, systems)):
            with self.subTest(libraries):
                program = ("/usr/bin/python3", "-c", USE_PLUGINS, *libraries)
                plain = run(*IN_SYSTEM, VGPU, "run", "--", *program)
                self.assertEqual(sorted(plain.stdout.split()), ["702", "714"], plain.stderr)
                method, calls, _, done = self.trace(*program)
                self.assertEqual(done.stdout, plain.stdout)
                self.assertRegex(method, r"HIP 7\.14 by register")
                self.assertEqual((calls["hipRuntimeGetVersion"], calls["hipMalloc"], calls["hipFree"]), (2, 2, 2))

    def test_one_in_a_namespace_of_its_own(self):
        """Of its calls all but the first are seen, in its tables; AMD's would crash when it registers these."""
        source, program = self.folder / "namespace.c", self.folder / "namespace"
        source.write_text(NAMESPACE)
        run("gcc", source, "-o", program, "-ldl")
        for hip, version in ((self.package / self.hip, r"7\.14"), ("libamdhip64.so.7", r"7\.2")):
            with self.subTest(version):
                method, calls, _, done = self.trace(program, BUILD / "lib" / "libvgpu.so", hip)
                self.assertEqual(done.stdout, "right\n", done.stderr)
                self.assertRegex(method, rf"; HIP {version} by tables in its memory$")
                self.assertEqual(calls, {"hipMemset": 3, "hipDeviceSynchronize": 1}, done.stderr)
                self.assertIn("kernels: 3 submitted, 3 recorded, 0 lost", done.stderr)

    def test_a_second_one_is_named_where_hips_own_profiler_records(self):
        copy = self.copy_of_hip()
        _, calls, _, done = self.trace("/usr/bin/python3", "-c", CALLS, self.package / self.hip, copy,
                                       options=("--mode", "clr"))
        self.assertEqual(calls, {"hipMalloc": 1, "hipFree": 1}, done.stderr)
        self.assertRegex(done.stderr, r"rtl: calls, kernels and copies of HIP 7\.14, the second one in process \d+, are "
                                      f"not recorded: .*: {copy}")

    def test_both_in_one_process(self):
        """The one that registers is recorded as what it is, whichever comes first. The other one's functions are given
        out as the tracer's when it comes first; else a line names it."""
        both = ("/usr/lib/x86_64-linux-gnu/libamdhip64.so.7", self.package / self.hip)
        unseen = (r"rtl: HIP calls are not recorded in process \d+: those of HIP 7\.2, the second one here, come by no "
                  "interception method: .*/libamdhip64.so.7")
        registered = r"; HIP 7\.14 by register( \(\d+ of \d+\))?"
        for libraries, method_text, times in ((both, registered + r", HIP 7\.2 by preload$", 2),
                                              (both[::-1], registered + "$", 1)):
            with self.subTest(libraries):
                method, calls, _, done = self.calls_of(*libraries)
                self.assertEqual(done.stdout.split(), ["0"] * 4)
                self.assertRegex(method, method_text)
                self.assertEqual(calls, {"hipMalloc": times, "hipFree": times}, done.stderr)
                (self.assertRegex if times == 1 else self.assertNotRegex)(done.stderr, unseen)
                self.assertIn("rtl: a second HSA runtime in this process is not traced", done.stderr)
        done = run(*IN_SYSTEM, RTL, "trace", "--vgpu", "--min-coverage", "100", "-o", self.folder / "part.db", "--",
                   "/usr/bin/python3", "-c", CALLS, *both, code=1)
        self.assertIn("rtl: the share of the kernels that are in the trace is not known", done.stderr)


if __name__ == "__main__":
    if SYSTEM_ROOT is None or OTHER_ROOT is None:
        skip(f"ROCm {SYSTEM} and {OTHER} are not both here (scripts/runtime get NAME)")
    main()
