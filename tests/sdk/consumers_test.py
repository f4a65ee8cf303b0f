#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients that make the calls of Kineto, Proton, TAU, rocprofiler-systems and XLA, in their order, in one program:
alone, inside rtl trace, and inside rocprofv3.

    RTL_BUILD=build/release consumers_test.py [--runtime NAME]
"""

import re
import unittest

from sdk_support import BUILD, LIBRARY, PROGRAMS, RUNTIME, ToolTest, ask, main, tool

SESSIONS, LAUNCHES = 3, 12
# Ranges that the program opens and closes, reported at the call.
MARKERS = {"kineto": 0, "proton": 2 * SESSIONS, "tau": 2 * SESSIONS, "systems": 2 * SESSIONS, "xla": 0}
# Other clients also see the copies, where the runtime does not copy with kernels.
NO_COPIES = {"proton"}
THREADS = {"systems"}
STOPPED = {"kineto", "xla"}  # between sessions
ASKED = {"systems", "xla"}
KERNELS = ("SELECT CASE WHEN s.string LIKE '%InSession%' THEN 'InSession' ELSE 'Between' END, count(*) FROM rocpd_op o "
           "JOIN rocpd_string s ON s.id = o.description_id "
           "WHERE s.string LIKE '%InSession%' OR s.string LIKE '%Between%' GROUP BY 1 ORDER BY 1")


class Consumers(ToolTest):
    def said_by(self, name, registered):
        client = tool(f"sdk_{name}_consumer")
        preloaded = [client, str(BUILD / "lib" / "libvgpu.so")]
        variables = {"HSA_TOOLS_LIB": LIBRARY, "RTL_HIP_METHOD": "register" if registered else "preload",
                     "PROTON_LIBRARY": LIBRARY}
        if registered:
            variables["ROCPROFILER_REGISTER_LIBRARY"] = LIBRARY
            preloaded.insert(0, str(PROGRAMS / "libhip_registrar.so"))
        else:
            preloaded.insert(0, str(BUILD / "lib" / "librtl_hip.so"))
        program = self.program("sessions")
        program[3:3] = ["env", f"LD_PRELOAD={':'.join(preloaded)}"]
        out, said = self.run_command(program, **variables)
        self.assertIn("ok every session saw its launches", out)
        self.assertIn("ok every kernel ran", out)
        said = [line for line in said if not line.startswith(("registrar:", "rtl: scratch memory is not reported"))]
        self.assertEqual(len(said), 1, said)
        return said[0]

    def check(self, name, registered=False):
        self.check_line(name, self.said_by(name, registered))

    def check_line(self, name, said):
        hit = re.fullmatch(rf"{name}: agents (\d+), calls 1, markers (\d+), kernels 1, between (\d+), nameless "
                           rf"(\d+), orphans (\d+), "
                           r"copies (\d), dropped (\d+), threads (\d), asked (\d), failed (\d+)",
                           said)
        self.assertIsNotNone(hit, said)
        agents, markers, between, nameless, orphans, copies, dropped, threads, asked, failed = map(int, hit.groups())
        self.assertEqual((nameless, dropped, failed), (0, 0, 0), hit[0])
        self.assertEqual(agents, 1)
        self.assertEqual(markers, MARKERS[name])
        self.assertEqual(between, 0 if name in STOPPED else SESSIONS, "kernels launched while the context is stopped")
        if RUNTIME is None:
            self.assertEqual(copies, name not in NO_COPIES)
        self.assertEqual((threads, asked), (name in THREADS, name in ASKED))
        # Proton subscribes to launches only: a kernel of a copy or memset has no call.
        if name != "proton":
            self.assertEqual(orphans, 0)

    def test_kineto_starts_and_stops_between_kernels(self):
        self.check("kineto")

    def test_proton_opens_the_library_by_name(self):
        self.check("proton")

    def test_tau_flushes_when_code_objects_are_unloaded(self):
        self.check("tau")

    def test_systems_uses_buffer_threads_and_external_ids_of_kernels(self):
        self.check("systems")

    def test_xla_forces_the_configuration_and_kernels_lie_in_their_session(self):
        self.check("xla")

    def inside(self, tool_command, name):
        """The client in a program that another tool starts with libraries of its own."""
        preload = f"LD_PRELOAD={tool(f'sdk_{name}_consumer')}${{LD_PRELOAD:+:$LD_PRELOAD}} exec \"$0\""
        program = self.program("sessions")
        out, said = self.run_command([*tool_command, "--", "sh", "-c", preload, program[3]], PROTON_LIBRARY=LIBRARY)
        self.assertIn("ok every session saw its launches", out)
        self.assertIn("ok every kernel ran", out)
        said = [line for line in said if line.startswith(f"{name}: ")]
        self.assertEqual(len(said), 1, said)
        self.check_line(name, said[0])

    def test_each_sees_its_kernels_inside_a_trace_which_has_all(self):
        for name in MARKERS:
            with self.subTest(name=name):
                database = self.folder / f"{name}.db"
                self.inside([BUILD / "bin" / "rtl", "trace", "--vgpu", "--mode", "hip", "-o", database], name)
                self.assertEqual(ask(database, KERNELS),
                                 [("Between", SESSIONS), ("InSession", SESSIONS * LAUNCHES)])

    def test_each_sees_its_kernels_inside_rocprofv3_which_has_all(self):
        for name in MARKERS:
            with self.subTest(name=name):
                folder = self.folder / name
                self.inside([BUILD / "bin" / "vgpu", "run", "--", BUILD / "bin" / "rocprofv3", "--hip-trace",
                             "--kernel-trace", "-d", folder, "-o", "x", "--output-format", "csv"], name)
                text = (folder / "x_kernel_trace.csv").read_text()
                self.assertEqual((text.count("Between"), text.count("InSession")), (SESSIONS, SESSIONS * LAUNCHES))

    @unittest.skipUnless(RUNTIME in ("7.2", "7.14"), "HIP registers its tables from 6.4 on")
    def test_all_of_them_by_registered_tables(self):
        for name in MARKERS:
            with self.subTest(name=name):
                self.check(name, registered=True)


if __name__ == "__main__":
    main()
