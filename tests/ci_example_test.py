#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The steps of examples/ci/workflow.yml behind `Install`, as a CI system runs them.

    RTL_BUILD=build/release ci_example_test.py
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
PROJECT = pathlib.Path(__file__).resolve().parents[1]
STEP = re.compile(r"^      - name: (\w+)\n        run: (?:\|\n((?:          .*\n)+)|(.+\n))", re.M)


class Workflow(unittest.TestCase):
    def test_every_step_succeeds(self):
        text = (PROJECT / "examples/ci/workflow.yml").read_text()
        steps = {name: textwrap.dedent(block or line) for name, block, line in STEP.findall(text)}
        self.assertEqual(list(steps), ["Install", "Compile", "Trace", "Report"])
        variables = os.environ | {"PATH": f"{BUILD / 'bin'}:{os.environ['PATH']}", "CPATH": str(PROJECT / "include"),
                                  "LIBRARY_PATH": str(BUILD / "lib")}
        with tempfile.TemporaryDirectory(prefix="workflow-") as folder:
            shutil.copy(PROJECT / "examples/stream_gemm.hip", folder)
            for name in ("Compile", "Trace", "Report"):
                done = subprocess.run(["sh", "-e", "-c", steps[name]], cwd=folder, env=variables, capture_output=True,
                                      text=True, timeout=300)
                self.assertEqual(done.returncode, 0, name + ": " + done.stdout + done.stderr)
            self.assertIn("GPU 0 (gfx906): busy ", done.stdout)
            for path in re.findall(r"-o (trace\.\w+)", text):
                self.assertGreater((pathlib.Path(folder) / path).stat().st_size, 0)


if __name__ == "__main__":
    if shutil.which("hipcc") is None:
        print("SKIPPED: hipcc is not installed")
        sys.exit(77)
    unittest.main()
