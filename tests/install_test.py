#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tracer runs from where it was installed.

    RTL_BUILD=build/release install_test.py
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from frame import BUILD, Case, main, run  # noqa: E402

LIBRARIES = ["libroctracer64.so.4", "libroctx64.so.4", "librtl.so", "librtl_engine.so", "librtl_hip.so",
             "librtl_kokkos.so", "librtl_rccl.so", "libvgpu.so"]


class Install(Case):
    def check_without_the_engine(self, prefix):
        """One line names the missing file and the searched path, and the program runs."""
        engine = prefix / "lib" / "librtl_engine.so"
        kept = engine.rename(prefix / "engine")
        done = run("sh", "-c", "echo runs", LD_PRELOAD=prefix / "lib" / "librtl.so")
        self.assertEqual(done.stdout, "runs\n")
        self.assertRegex(done.stderr, rf"^rtl: process \d+ is not traced: {engine} cannot be used: .*\n$")
        kept.rename(engine)

    def check_rocprofv3_avail(self, prefix):
        """Projects written for AMD's start it with Python."""
        program, link = prefix / "bin" / "rocprofv3-avail", self.folder / "avail"
        link.symlink_to(program)
        told = run(program, "--help").stdout
        self.assertTrue(told.startswith("usage: rocprofv3-avail "), told)
        for command in ([link], ["python3", program], ["python3", link]):
            self.assertEqual(run(*command, "--help").stdout, told)
            done = run(*command, "list", "two words", code=2)
            self.assertEqual(done.stderr.split(" (")[0], "rocprofv3-avail: list takes no two words")

    def test_an_installation_needs_no_file_of_the_build(self):
        prefix = self.folder / "prefix"
        for component in ("rtl", "vgpu"):
            run("cmake", "--install", BUILD, "--component", component, "--prefix", prefix)
        self.assertEqual(sorted(path.name for path in (prefix / "bin").iterdir()),
                         ["rocprofv3", "rocprofv3-avail", "rtl", "vgpu"])
        installed = sorted(path.name for path in (prefix / "lib").iterdir())
        self.assertEqual([name for name in LIBRARIES if name not in installed], [])
        self.assertFalse((prefix / "include").exists())
        for file in ("man/man1/rtl.1", "bash-completion/completions/rtl", "zsh/vendor-completions/_rtl",
                     "fish/vendor_completions.d/rtl.fish", "bash-completion/completions/rocprofv3"):
            self.assertTrue((prefix / "share" / file).exists(), file)
        link = self.folder / "link"
        link.symlink_to(prefix / "bin" / "rtl")
        command = [link, "trace", "--vgpu", "--", "sh", "-c", "echo $LD_PRELOAD $HSA_TOOLS_LIB"]
        seen = run(*command, folder=self.folder).stdout
        self.assertIn(f"{prefix}/lib/libvgpu.so", seen)
        self.assertIn(f"{prefix}/lib/librtl.so", seen)
        self.assertNotIn(str(BUILD), seen)
        self.assertIn("rtl ", run(link, "info", folder=self.folder).stdout)
        self.check_without_the_engine(prefix)
        self.assertIn("rocprofv3 1.0", run(prefix / "bin" / "rocprofv3", "--version").stdout)
        self.check_rocprofv3_avail(prefix)
        blank = prefix.rename(self.folder / "a blank")
        refused = run(blank / "bin" / "rtl", "trace", "true", folder=self.folder, code=1)
        self.assertEqual(refused.stderr, f"rtl: {blank}/lib/librtl.so cannot be loaded: "
                         "its path contains a blank or a colon; install rtl elsewhere\n")
        prefix = blank.rename(prefix)
        self.assertIn(f"library: {prefix}/lib/libvgpu.so", run(prefix / "bin" / "vgpu", "info").stdout)


if __name__ == "__main__":
    main()
