#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tracer runs from where it was installed.

    RTL_BUILD=build/release install_test.py
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
LIBRARIES = ["libroctracer64.so.4", "libroctx64.so.4", "librtl.so", "librtl_engine.so", "librtl_hip.so",
             "librtl_kokkos.so", "librtl_rccl.so", "libvgpu.so"]


class Install(unittest.TestCase):
    def run_command(self, *command, folder=None):
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def check_without_the_engine(self, prefix):
        """One line names the missing file and the searched path, and the program runs."""
        engine = prefix / "lib" / "librtl_engine.so"
        kept = engine.rename(prefix / "engine")
        shell = prefix / "lib" / "librtl.so"
        done = subprocess.run(["sh", "-c", "echo runs"], env=os.environ | {"LD_PRELOAD": str(shell)},
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "runs\n"))
        self.assertRegex(done.stderr, rf"^rtl: process \d+ is not traced: {engine} cannot be used: .*\n$")
        kept.rename(engine)

    def check_rocprofv3_avail(self, prefix, folder):
        """Projects written for AMD's start it with Python."""
        program, link = prefix / "bin" / "rocprofv3-avail", folder / "avail"
        link.symlink_to(program)
        told = self.run_command(program, "--help").stdout
        self.assertTrue(told.startswith("usage: rocprofv3-avail "), told)
        for command in ([link], ["python3", program], ["python3", link]):
            self.assertEqual(self.run_command(*command, "--help").stdout, told)
            done = subprocess.run([*command, "list", "two words"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr.split(" (")[0]),
                             (2, "rocprofv3-avail: list takes no two words"))

    def test_an_installation_needs_no_file_of_the_build(self):
        with tempfile.TemporaryDirectory(prefix="rtl-install-") as name:
            prefix = pathlib.Path(name) / "prefix"
            for component in ("rtl", "vgpu"):
                self.run_command("cmake", "--install", BUILD, "--component", component, "--prefix", prefix)
            self.assertEqual(sorted(path.name for path in (prefix / "bin").iterdir()),
                             ["rocprofv3", "rocprofv3-avail", "rtl", "vgpu"])
            installed = sorted(path.name for path in (prefix / "lib").iterdir())
            self.assertEqual([name for name in LIBRARIES if name not in installed], [])
            self.assertFalse((prefix / "include").exists())
            for file in ("man/man1/rtl.1", "bash-completion/completions/rtl", "zsh/vendor-completions/_rtl",
                         "fish/vendor_completions.d/rtl.fish", "bash-completion/completions/rocprofv3"):
                self.assertTrue((prefix / "share" / file).exists(), file)
            link = pathlib.Path(name) / "link"
            link.symlink_to(prefix / "bin" / "rtl")
            command = [link, "trace", "--vgpu", "--", "sh", "-c", "echo $LD_PRELOAD $HSA_TOOLS_LIB"]
            seen = self.run_command(*command, folder=name).stdout
            self.assertIn(f"{prefix}/lib/libvgpu.so", seen)
            self.assertIn(f"{prefix}/lib/librtl.so", seen)
            self.assertNotIn(str(BUILD), seen)
            self.assertIn("rtl ", self.run_command(link, "info", folder=name).stdout)
            self.check_without_the_engine(prefix)
            self.assertIn("rocprofv3 1.0", self.run_command(prefix / "bin" / "rocprofv3", "--version").stdout)
            self.check_rocprofv3_avail(prefix, pathlib.Path(name))
            blank = prefix.rename(pathlib.Path(name) / "a blank")
            refused = subprocess.run([blank / "bin" / "rtl", "trace", "true"], cwd=name, capture_output=True, text=True)
            self.assertEqual(refused.returncode, 1)
            self.assertEqual(refused.stderr, f"rtl: {blank}/lib/librtl.so cannot be loaded: "
                             "its path contains a blank or a colon; install rtl elsewhere\n")
            prefix = blank.rename(prefix)
            self.assertIn(f"library: {prefix}/lib/libvgpu.so", self.run_command(prefix / "bin" / "vgpu", "info").stdout)


if __name__ == "__main__":
    unittest.main()
