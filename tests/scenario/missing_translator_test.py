#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vgpu run --jit where libvgpu_jit.so was not built: kernels run all the same, and one line says how."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
PROGRAM = BUILD / "bin/programs/vector_add"


@unittest.skipUnless(PROGRAM.exists(), "HIP programs could not be built on this machine")
class MissingTranslator(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="missing-translator-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("bin/vgpu", "lib/libvgpu.so"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(BUILD / name, self.folder / name)

    def run_program(self, jit):
        command = [self.folder / "bin/vgpu", "run", "--jit", jit, "--", PROGRAM]
        return subprocess.run(command, capture_output=True, text=True, timeout=100)

    def test_one_line_says_that_kernels_are_interpreted(self):
        run = self.run_program("on")
        plain = self.run_program("off")
        self.assertEqual((run.returncode, run.stdout), (0, plain.stdout))
        self.assertRegex(run.stderr, r"\A[^\n]*interpreted[^\n]*libvgpu_jit\.so[^\n]*llvm-15-dev[^\n]*\n\Z")
        self.assertEqual(plain.stderr, "")


if __name__ == "__main__":
    unittest.main()
