#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One run of rocprofv3 in all five formats, on each ROCm runtime: every format has the same events, row by row, with
the same names, times and ids. The same holds when options choose events.

    RTL_BUILD=build/release five_formats_test.py [--runtimes 6.1,7.2]
"""

import subprocess

from case import LIMIT_SECONDS, Case, environment
import foreground
import formats
from frame import ROCPROFV3, in_runtime, main, option, programs_of, root_of

RUNTIMES = [name for name in option("--runtimes", "").split(",") if name]


class FiveFormats(Case):
    def events_of(self, runtime, program, *options):
        """The events that all formats have: {kind: rows}."""
        folder = self.make_folder()
        with foreground.start([*in_runtime(runtime), ROCPROFV3, "--vgpu", *options, "-f", *formats.EVERY, "-d", folder,
                               "-o", "run", "--", programs_of(runtime) / program], env=environment({}),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            _, said = foreground.finish(process, LIMIT_SECONDS)
        self.assertEqual(process.returncode, 0, said)
        found = formats.all_formats(folder, "run")
        events = found.pop("csv")
        for name, kinds in found.items():
            for kind, rows in events.items():
                self.assertEqual(len(kinds[kind]), len(rows), f"{name}: {kind}")
                self.assertEqual(kinds[kind], rows, f"{name}: {kind}")
        return events

    def test_every_runtime_has_equal_rows_in_all_five(self):
        for runtime in (None, *RUNTIMES):
            if runtime and root_of(runtime) is None:
                print(f"SKIPPED: runtime {runtime} is not installed")
                continue
            for program in ("stream_gemm", "scratch"):
                with self.subTest(runtime=runtime or "the host's", program=program):
                    events = self.events_of(runtime, program, "--sys-trace")
                    wanted = {"kernel_dispatch", "hip_api", "hsa_api", "memory_allocation"}
                    wanted |= {"marker_api"} if program == "stream_gemm" else set()
                    wanted |= {"scratch_memory"} if program == "scratch" and runtime else set()
                    self.assertEqual({kind for kind in wanted if not events[kind]}, set())

    def test_options_choose_the_same_rows_in_all_five(self):
        """Nothing else, although the tracer records HIP calls for streams and markers for names of kernels."""
        for options, wanted in (("--kernel-trace", {"kernel_dispatch"}),
                                ("--kernel-trace --kernel-rename", {"kernel_dispatch"}),
                                ("--hip-compiler-trace", {"hip_api"}), ("--hsa-amd-trace", {"hsa_api"}),
                                ("--marker-trace", {"marker_api"}), ("--memory-copy-trace", {"memory_copy"}),
                                ("--sys-trace -P 3600:1:1", set())):
            with self.subTest(options):
                events = self.events_of(None, "stream_gemm", *options.split())
                self.assertEqual({kind for kind, rows in events.items() if rows}, wanted)
                if "rename" in options:
                    self.assertEqual({name for name, *_ in events["kernel_dispatch"]} - {"launch"}, set())

    def test_kernels_that_no_call_submitted_have_the_same_ids_in_all_five(self):
        events = self.events_of(None, "hsa_counted", "--kernel-trace", "--hsa-trace")
        self.assertGreater(len({number for *_, number in events["kernel_dispatch"]}), 10)


if __name__ == "__main__":
    main()
