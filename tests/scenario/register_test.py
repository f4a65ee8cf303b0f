#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Interception by rocprofiler-register: no HSA_TOOLS_LIB for librtl.so, the runtime's table is registered with it.

None of the runtimes here registers by itself, so a tool (registrar) does it for them: with the real
librocprofiler-register where the runtime has it (7.2), else by its protocol.

    RTL_BUILD=build/release register_test.py [--runtime NAME]
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import (BUILD, IN_RUNTIME, PROGRAMS, RTL, RUNTIME, VGPU, Case, facts_of, main, refused, run,  # noqa: E402
                   trace)

LIBRTL = str(BUILD / "lib" / "librtl.so")
HIP_WITH_TABLES = ("6.4", "7.2", "7.14")
# Its HSA and HIP register their tables themselves, and the registrars leave them alone.
REGISTERS = RUNTIME == "7.14"
QUEUES, PER_QUEUE = 2, 2000
KERNELS = QUEUES * PER_QUEUE


class Registered(Case):
    def setUp(self):
        super().setUp()
        self.registrar = str(PROGRAMS / "libregistrar.so")

    def run_program(self, **variables):
        result = run(*IN_RUNTIME, VGPU, "run", "--", PROGRAMS / "hsa_storm", PER_QUEUE, QUEUES,
                     **{"RTL_OUTPUT": self.database, "HSA_TOOLS_LIB": self.registrar, **variables})
        # 7.2 prints this with any tool in the process, also with one that only passes packets on.
        return [line for line in result.stderr.splitlines() if "SharedSignalPool" not in line]

    def assert_traced(self, method):
        tags = facts_of(self.database)
        ((count,),) = self.ask("SELECT count(*) FROM rocpd_op WHERE queueId > 0")
        self.assertEqual((count, tags["submitted.kernels"], tags["recorded.kernels"]), (KERNELS, str(KERNELS), str(KERNELS)))
        self.assertTrue(tags["loaded_by"].startswith(method), tags["loaded_by"])

    def registered(self, code):
        how = "librocprofiler-register" if RUNTIME == "7.2" else "rocprofiler_set_api_table"
        return [] if REGISTERS else [f"registrar: {how}: {code}"]

    def test_a_library_that_is_named_gets_the_table(self):
        said = self.run_program(ROCPROFILER_REGISTER_LIBRARY=LIBRTL)
        self.assertEqual(said, self.registered(0))
        self.assert_traced("rocprofiler-register")

    def test_a_library_that_is_preloaded_gets_the_table(self):
        said = self.run_program(LD_PRELOAD=LIBRTL)
        self.assertEqual(said, self.registered(0))
        self.assert_traced("rocprofiler-register")

    @unittest.skipIf(REGISTERS, "it loads no other tool beside one that registers")
    def test_an_unknown_library_is_refused_and_its_table_left_alone(self):
        said = self.run_program(ROCPROFILER_REGISTER_LIBRARY=LIBRTL, REGISTRAR_ALSO="hsb")
        self.assertEqual(said, ["registrar: hsb: refused, table untouched", *self.registered(0)])
        self.assert_traced("rocprofiler-register")

    def test_a_runtime_that_comes_both_ways_is_traced_once(self):
        said = self.run_program(ROCPROFILER_REGISTER_LIBRARY=LIBRTL, HSA_TOOLS_LIB=f"{self.registrar} {LIBRTL}")
        self.assertEqual(said, self.registered(0))
        self.assert_traced("rocprofiler-register")

    def test_another_implementation_gets_the_table_when_requested(self):
        chain = str(PROGRAMS / "libregister_chain.so")
        said = self.run_program(ROCPROFILER_REGISTER_LIBRARY=LIBRTL, RTL_REGISTER_CHAIN=chain)
        version = 12100 if REGISTERS else 11800
        self.assertEqual(said, [f"chain: hsa, version {version}, instance 0, 1 table", *self.registered(0)])
        self.assert_traced("rocprofiler-register")

    def test_a_missing_chain_is_one_line(self):
        said = self.run_program(ROCPROFILER_REGISTER_LIBRARY=LIBRTL, RTL_REGISTER_CHAIN="/nowhere/librocprofiler.so")
        self.assertEqual(said[1:], self.registered(0))
        self.assertTrue(said[0].startswith("rtl: RTL_REGISTER_CHAIN=/nowhere/librocprofiler.so gets no tables: "), said)
        self.assert_traced("rocprofiler-register")

    def test_disabled_refuses_the_table(self):
        self.run_program(ROCPROFILER_REGISTER_LIBRARY=LIBRTL, RTL_DISABLE="1")
        self.assertFalse(self.database.exists())


class Methods(Case):
    def test_an_unknown_method_is_refused_with_the_known_ones(self):
        said = refused(RTL, "trace", "-o", self.database, "true", RTL_HIP_METHOD="window")
        self.assertEqual(said, "rtl: RTL_HIP_METHOD=window is not understood (auto, register, preload, tracer, "
                               "activity, none)\n")
        self.assertEqual(list(self.folder.iterdir()), [])


@unittest.skipIf(RUNTIME not in HIP_WITH_TABLES, "this HIP has no tables")
class HipRegistered(Case):
    """trace_hip_register checks recorded calls; this checks refused tables."""

    def run_program(self, **variables):
        result = trace(self.database, PROGRAMS / "api_calls", 1, 6, options=("--mode", "hip"),
                       **{"RTL_HIP_METHOD": "register", "LD_PRELOAD": PROGRAMS / "libhip_registrar.so", **variables})
        ((method, calls),) = self.ask("SELECT loaded_by, (SELECT count(*) FROM rocpd_api) FROM rtl_process")
        return calls, method, result.stderr

    @unittest.skipIf(REGISTERS, "the size of its table cannot be changed before it is registered")
    def test_a_table_of_unknown_size_is_refused_and_left_alone(self):
        calls, method, said = self.run_program(HIP_TABLE_BYTES="1000")
        self.assertRegex(said, "HIP's table is not used in process .*: its table 'hip' of 1000 bytes belongs to no "
                               "known version")
        self.assertNotIn("did not register", said)
        self.assertEqual((calls, method), (0, "HSA_TOOLS_LIB"), "nor those of the table hip_compiler alone")

    @unittest.skipIf(REGISTERS, "the size of its table cannot be changed before it is registered")
    def test_a_shorter_table_is_traced_as_far_as_it_goes(self):
        calls, method, said = self.run_program(HIP_TABLE_BYTES=str(8 + 8 * 442))
        self.assertEqual((calls, method), (44, f"HSA_TOOLS_LIB; HIP {RUNTIME} by register"))

    @unittest.skipIf(RUNTIME != "7.2", "the table is not so long")
    def test_a_newer_table_shows_how_many_functions_are_known(self):
        calls, method, said = self.run_program(HIP_TABLE_BYTES=str(8 + 8 * 542), RTL_HIP_METHOD="auto")
        self.assertEqual(method, f"HSA_TOOLS_LIB; HIP {RUNTIME} by register (541 of 542)")
        self.assertEqual(calls, 44)

    @unittest.skipIf(REGISTERS, "it registers its tables")
    def test_a_hip_that_registers_nothing_is_named(self):
        calls, method, said = self.run_program(LD_PRELOAD="")
        self.assertIn("this HIP did not register its table with rocprofiler-register", said)
        self.assertEqual((calls, method), (0, "HSA_TOOLS_LIB"))


if __name__ == "__main__":
    main()
