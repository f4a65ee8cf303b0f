#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The steps of examples/ci/workflow.yml behind `Install`, as a CI system runs them.

    RTL_BUILD=build/release ci_example_test.py
"""

import os
import pathlib
import re
import shutil
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from frame import BUILD, ROOT, Case, main, run, skip  # noqa: E402

STEP = re.compile(r"^      - name: (\w+)\n        run: (?:\|\n((?:          .*\n)+)|(.+\n))", re.M)


class Workflow(Case):
    def test_every_step_succeeds(self):
        text = (ROOT / "examples/ci/workflow.yml").read_text()
        steps = {name: textwrap.dedent(block or line) for name, block, line in STEP.findall(text)}
        self.assertEqual(list(steps), ["Install", "Compile", "Trace", "Report"])
        shutil.copy(ROOT / "examples/stream_gemm.hip", self.folder)
        for name in ("Compile", "Trace", "Report"):
            done = run("sh", "-e", "-c", steps[name], folder=self.folder, PATH=f"{BUILD / 'bin'}:{os.environ['PATH']}",
                       CPATH=ROOT / "include", LIBRARY_PATH=BUILD / "lib")
        self.assertIn("GPU 0 (gfx906): busy ", done.stdout)
        for path in re.findall(r"-o (trace\.\w+)", text):
            self.assertGreater((self.folder / path).stat().st_size, 0)


if __name__ == "__main__":
    if shutil.which("hipcc") is None:
        skip("hipcc is not installed")
    main()
