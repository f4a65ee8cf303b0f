#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients that make the calls of Kineto, Proton, TAU, rocprofiler-systems and XLA, in their order, in one program.

    RTL_BUILD=build/release consumers_test.py [--runtime NAME]
"""

import re
import unittest

from sdk_support import BUILD, LIBRARY, RUNTIME, ToolTest, main, tool

SESSIONS, LAUNCHES = 3, 12
# Ranges that the program opens and closes, reported at the call.
MARKERS = {"kineto": 0, "proton": 2 * SESSIONS, "tau": 2 * SESSIONS, "systems": 2 * SESSIONS, "xla": 0}
# Other clients also see the copies, where the runtime does not copy with kernels.
NO_COPIES = {"proton"}
THREADS = {"systems"}
STOPPED = {"kineto", "xla"}  # between sessions
ASKED = {"systems", "xla"}


class Consumers(ToolTest):
    def said_by(self, name, registered):
        client = tool(f"sdk_{name}_consumer")
        preloaded = [client, str(BUILD / "lib" / "libvgpu.so")]
        variables = {"HSA_TOOLS_LIB": LIBRARY, "RTL_HIP_METHOD": "register" if registered else "preload",
                     "PROTON_LIBRARY": LIBRARY}
        if registered:
            variables["ROCPROFILER_REGISTER_LIBRARY"] = LIBRARY
            preloaded.insert(0, str(self.programs / "libhip_registrar.so"))
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
        hit = re.fullmatch(rf"{name}: agents (\d+), calls 1, markers (\d+), kernels 1, between (\d+), nameless "
                           rf"(\d+), orphans (\d+), "
                           r"copies (\d), dropped (\d+), threads (\d), asked (\d), failed (\d+)",
                           self.said_by(name, registered))
        self.assertIsNotNone(hit)
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

    @unittest.skipUnless(RUNTIME in ("7.2", "7.14"), "HIP registers its tables from 6.4 on")
    def test_all_of_them_by_registered_tables(self):
        for name in MARKERS:
            with self.subTest(name=name):
                self.check(name, registered=True)


if __name__ == "__main__":
    main()
