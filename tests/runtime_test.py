#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of scripts/runtime that fetch nothing."""

import fcntl
import os
import pathlib
import subprocess
import tempfile
import unittest

RUNTIME = pathlib.Path(__file__).resolve().parents[1] / "scripts" / "runtime"


class Runtime(unittest.TestCase):
    def test_does_not_wait_for_a_fetch_of_another_when_all_is_here(self):
        root = subprocess.run([RUNTIME, "root", "7.2"], capture_output=True, text=True, check=False)
        if root.returncode != 0:
            self.skipTest(root.stderr.strip())
        with tempfile.TemporaryDirectory(prefix="runtime-") as cache:
            (pathlib.Path(cache) / "7.2").symlink_to(root.stdout.strip())
            with (pathlib.Path(cache) / ".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                subprocess.run([RUNTIME, "get", "7.2"], env=os.environ | {"RTL_RUNTIME_CACHE": cache}, check=True,
                               timeout=60)


if __name__ == "__main__":
    unittest.main()
