#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vgpu run --jit where libvgpu_jit.so was not built: kernels run all the same, and one line says how."""

import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, PROGRAMS, Case, main, run  # noqa: E402

PROGRAM = PROGRAMS / "vector_add"


@unittest.skipUnless(PROGRAM.exists(), "HIP programs could not be built on this machine")
class MissingTranslator(Case):
    def setUp(self):
        for name in ("bin/vgpu", "lib/libvgpu.so"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(BUILD / name, self.folder / name)

    def test_one_line_says_that_kernels_are_interpreted(self):
        translated, plain = (run(self.folder / "bin/vgpu", "run", "--jit", jit, "--", PROGRAM) for jit in ("on", "off"))
        self.assertEqual(translated.stdout, plain.stdout)
        self.assertRegex(translated.stderr, r"\A[^\n]*interpreted[^\n]*libvgpu_jit\.so[^\n]*llvm-15-dev[^\n]*\n\Z")
        self.assertEqual(plain.stderr, "")


if __name__ == "__main__":
    main()
