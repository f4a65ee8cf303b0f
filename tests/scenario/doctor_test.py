#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl doctor on the virtual GPU: it starts a real runtime and reports what prevents tracing."""

import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, RTL, Case, main, make_folder, rtl, run  # noqa: E402


class Doctor(Case):
    def doctor(self, *, code=0, on_vgpu=True, **variables):
        """What it prints."""
        done = rtl("doctor", *(["--vgpu"] if on_vgpu else []), code=code, folder=self.folder, TMPDIR=self.folder,
                   **variables)
        left = [name for name in os.listdir(self.folder) if not name.startswith("vgpu-")]
        self.assertEqual(left, [], "these files stay after the command")
        self.assertEqual(done.stderr, "", "the doctor prints the tracer's messages itself")
        return done.stdout

    def test_reports_what_would_be_traced_and_by_which_method(self):
        text = self.doctor()
        self.assertIn("ok       loaded by HSA_TOOLS_LIB, tables ", text)
        self.assertIn("ok       mode full: this runtime hands over one packet at a time\n", text)
        self.assertIn("ok       GPU 0: gfx906, ", text)
        self.assertNotIn("problem", text)
        self.assertTrue(text.endswith("ready to trace\n"), text)

    def test_says_what_else_can_be_had_here(self):
        text = self.doctor(RTL_SPOOL="/tmp/a\x1bb")
        self.assertRegex(text, r"\n(ok       hardware counters|note     kernels are not counted: .*package "
                               r"hsa-amd-aqlprofile, from ROCm 6\.3 on)")
        self.assertRegex(text, r"\n(ok       PC sampling|note     program counters are not sampled: )")
        self.assertRegex(text, r"\n(ok|note)  +.*libamd_comgr")
        self.assertIn("\nnote     this shell runs below another tracer (RTL_SPOOL is set: /tmp/a?b)", text)

    def test_names_the_package_of_a_missing_runtime(self):
        empty = make_folder(self)
        (empty / "libhsa-runtime64.so.1").touch()  # not a library
        text = self.doctor(code=1, LD_LIBRARY_PATH=empty)
        self.assertIn("problem  no HSA runtime: libhsa-runtime64.so.1 was not found; it is in Debian's package "
                      "libhsa-runtime64-1", text)

    def test_a_trace_that_cannot_deliver_does_not_start_the_program(self):
        """The runtime of this machine, 5.2, counts and samples nothing."""
        for option in (["--pmc", "SQ_WAVES"], ["--pc-sampling", "1ms"]):
            with self.subTest(option):
                folder = make_folder(self)
                words = [*option, "-o", folder / "t.db", "--", "touch", folder / "started"]
                done = rtl("trace", "--vgpu", *words, code=1)
                self.assertRegex(done.stderr, r"\Artl: .* are not (counted|sampled): .*; the program was not started "
                                              r"\(--keep-going starts it\)\n\Z")
                self.assertEqual(os.listdir(folder), [])
                done = rtl("trace", "--vgpu", "--keep-going", *words, code=None)
                self.assertIn("started", os.listdir(folder), done.stderr)

    @unittest.skipIf(os.path.exists("/dev/kfd"), "this machine has a GPU")
    def test_a_trace_without_a_gpu_counts_and_samples_nothing(self):
        sampling = ["--pc-sampling-beta-enabled", "--pc-sampling-unit", "time", "--pc-sampling-method", "host_trap",
                    "--pc-sampling-interval", "100"]
        for command in (["rtl", "trace", "--pmc", "SQ_WAVES", "-o", "t.db"], ["rocprofv3", "--pmc", "SQ_WAVES"],
                        ["rtl", "trace", "--pc-sampling", "1ms", "-o", "t.db"], ["rocprofv3", *sampling]):
            with self.subTest(command):
                done = run(BUILD / "bin" / command[0], *command[1:], "--", "touch", "started", code=1,
                           folder=self.folder)
                self.assertRegex(done.stderr, rf"\A{command[0]}: .* are not (counted|sampled): no AMD GPU on this "
                                              r"machine \(no /dev/kfd\); .*; the program was not started "
                                              r"\(--keep-going starts it\)\n\Z")
                self.assertEqual(os.listdir(self.folder), [])

    def test_names_another_tool_that_interferes(self):
        text = self.doctor(HSA_TOOLS_LIB="/opt/other.so", ROCP_TOOL_LIBRARIES="x.so")
        self.assertIn("note     HSA_TOOLS_LIB names another tool (/opt/other.so)", text)
        self.assertIn("note     ROCP_TOOL_LIBRARIES is set: x.so", text)

    def test_says_when_tracing_is_switched_off(self):
        text = self.doctor(code=1, RTL_DISABLE="1")
        self.assertIn("problem  tracing is switched off by RTL_DISABLE or RTL_MODE", text)
        self.assertTrue(text.endswith("nothing would be traced\n"), text)

    def test_names_a_profiler_that_is_there_already(self):
        text = self.doctor(LD_PRELOAD=os.environ["CONFIGURE_TOOL"])
        self.assertIn("note     a preloaded library has rocprofiler_configure: another profiler will be active, too",
                      text)

    def test_says_when_the_runtime_is_too_old(self):
        text = self.doctor(code=1, LD_LIBRARY_PATH=os.environ["OLD_RUNTIME"])
        self.assertRegex(text, r"problem  the HSA runtime started, but was not traced: this HSA runtime "
                               r"\(AMD extension table of 176 bytes\) has no hsa_amd_\w+\n")
        self.assertTrue(text.endswith("nothing would be traced\n"), text)

    def test_a_trace_names_an_old_runtime_in_one_line(self):
        done = rtl("trace", "--vgpu", "-o", self.database, "--", RTL, "doctor", "--probe", code=1,
                   LD_LIBRARY_PATH=os.environ["OLD_RUNTIME"])
        self.assertRegex(done.stderr, r"\Artl: \S+/rtl was not traced: this HSA runtime \(AMD extension table of 176 "
                                      r"bytes\) "
                                      r"has no hsa_amd_\w+\n\Z")

    def test_names_what_is_new_in_rocm_10(self):
        text = self.doctor(LD_LIBRARY_PATH=os.environ["NEW_RUNTIME"])
        self.assertRegex(text, r"ok       loaded by HSA_TOOLS_LIB, tables 3\.1, core 2\.0 \(1016 bytes\), "
                               r"amd 2\.16 \(736 bytes\)\n")
        self.assertIn("note     queues of hsa_amd_queue_create are seen at their doorbells\n", text)
        self.assertIn("ok       GPU 0: gfx1250, ", text)
        self.assertIn("note     GPU 0: kernels of workgroup clusters come in the vendor's own dispatch packets, "
                      "which are recorded as kernels\n", text)
        self.assertTrue(text.endswith("ready to trace\n"), text)

    def test_omits_what_this_runtime_lacks(self):
        text = self.doctor()
        self.assertNotIn("hsa_amd_queue_create", text)
        self.assertNotIn("clusters", text)

    def test_says_when_the_runtime_shows_no_gpu(self):
        text = self.doctor(code=1, ROCR_VISIBLE_DEVICES="7")
        self.assertIn("problem  the HSA runtime shows no GPU to this user", text)

    def test_says_when_the_driver_is_out_of_reach(self):
        text = self.doctor(code=1, on_vgpu=False, LD_PRELOAD=os.environ["CLOSED_DRIVER"])
        self.assertIn("problem  /dev/kfd: Permission denied; is this user in the groups render and video?", text)
        self.assertTrue(text.endswith("nothing would be traced\n"), text)

    def test_says_when_the_runtime_does_not_start(self):
        text = self.doctor(code=1, VGPU_FAULTS="ioctl:nth=1:errno=12")
        self.assertIn("problem  the HSA runtime does not start: hsa_init failed\n", text)


if __name__ == "__main__":
    if not (BUILD / "lib" / "libvgpu.so").exists():
        sys.exit(f"{BUILD}/lib/libvgpu.so is not built")
    main()
