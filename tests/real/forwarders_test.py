#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of forwarders.py."""

import ctypes
import pathlib
import subprocess
import tempfile
import unittest

import forwarders


class Forwarders(unittest.TestCase):
    def test_a_program_gets_each_function_from_the_library_with_the_other_name(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            forwarders.compile_forwarder(folder / "libother.so.1", "libm.so.6",
                                         {("abs_of", "OTHER_1.0"), ("fabs", "OTHER_1.0")})
            (folder / "part.c").write_text("double fabs(double); double twice(double x) { return 2 * fabs(x); }\n")
            subprocess.run(["gcc", "-shared", "-fPIC", "-fno-builtin", "-o", folder / "part.so", folder / "part.c",
                            folder / "libother.so.1", f"-Wl,-rpath,{folder}"], check=True)
            twice = ctypes.CDLL(folder / "part.so").twice
            twice.restype, twice.argtypes = ctypes.c_double, [ctypes.c_double]
            self.assertEqual(twice(-21.0), 42.0)
            self.assertEqual(forwarders.needs(folder / "part.so"), {})
            # A function that Debian's library lacks answers that it is not supported.
            self.assertEqual(ctypes.CDLL(folder / "libother.so.1").abs_of(), 2)

    def test_versions_lead_to_the_libraries_that_have_them(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            wanted = {("zlibVersion", "SYSDEPS_1.0")}
            forwarders.compile_forwarder(folder / "librocm_sysdeps_z.so.1", "libz.so.1", wanted)
            (folder / "part.c").write_text("const char* zlibVersion(void);\n"
                                           "const char* version(void) { return zlibVersion(); }\n")
            subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder / "part.so", folder / "part.c",
                            folder / "librocm_sysdeps_z.so.1"], check=True)
            self.assertEqual(forwarders.needs(folder / "part.so"), {"librocm_sysdeps_z.so.1": wanted})


if __name__ == "__main__":
    unittest.main()
