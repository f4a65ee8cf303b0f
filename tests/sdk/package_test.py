#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The package rocprofiler-sdk: installed, found, and good for building the samples, which run.

    RTL_BUILD=build/release package_test.py
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"


class Package(unittest.TestCase):
    def run_command(self, *command, **variables):
        result = subprocess.run(command, env=dict(os.environ, **variables), capture_output=True, text=True, timeout=200)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def test_samples_are_built_with_the_installed_package_and_run(self):
        with tempfile.TemporaryDirectory(prefix="sdk-package-") as name:
            folder = pathlib.Path(name)
            prefix, build, lines = folder / "prefix", folder / "build", folder / "lines.txt"
            self.run_command("cmake", "--install", BUILD, "--component", "sdk", "--prefix", prefix)
            library = next(prefix.rglob("librocprofiler-sdk.so.1"))
            self.assertFalse((prefix / "bin").exists(), "nothing else is installed")
            self.run_command("cmake", "-S", SAMPLES, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
            self.run_command("cmake", "--build", build)
            program = BUILD / "bin" / "programs" / "hsa_storm"
            self.run_command(BUILD / "bin" / "vgpu", "run", "--", program, "20", "1", HSA_TOOLS_LIB=str(library),
                             ROCP_TOOL_LIBRARIES=str(build / "libapi_trace.so"), API_TRACE_FILE=str(lines))
            self.assertEqual(lines.read_text().count("\nkernel "), 20)
            self.assertIn(" hsa_queue_create(", lines.read_text())
            markers = folder / "markers.txt"
            self.run_command(build / "marked_program", ROCP_TOOL_LIBRARIES=str(build / "libmarker_trace.so"),
                             MARKER_TRACE_FILE=str(markers))
            self.assertEqual(markers.read_text().count("\nrecord "), 16)
            said = self.run_command(BUILD / "bin" / "vgpu", "run", "--", program, "20", "1", HSA_TOOLS_LIB=str(library),
                                    ROCP_TOOL_LIBRARIES=str(build / "libintercept_table.so")).stderr
            self.assertEqual(said, "intercept_table: tables 1, queues 1 and 1\n")


if __name__ == "__main__":
    if not (BUILD / "bin" / "programs" / "hsa_storm").exists():
        print("SKIPPED: hsa_storm could not be built here")
        sys.exit(77)
    unittest.main()
