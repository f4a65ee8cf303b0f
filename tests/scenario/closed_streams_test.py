#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that is started without some of its standard streams: nothing of the tracer gets their numbers, at no
time, and the trace is whole.

    RTL_BUILD=build/release closed_streams_test.py
"""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, PROGRAMS, ROCPROFV3, RTL, VGPU, Case, main, run  # noqa: E402

PROGRAM = PROGRAMS / "closed_streams"
LAUNCHES = 20_000
COMBINATIONS = [closed for many in (1, 2, 3) for closed in itertools.combinations(range(3), many)]


class ClosedStreams(Case):
    def run_closed(self, command, closed, **variables):
        """What the program has found under the closed numbers, but for what its runtime and the loader open."""
        listed = self.folder / "list"
        closing = "".join(f" {fd}<&-" if fd == 0 else f" {fd}>&-" for fd in closed)
        run("sh", "-c", f'exec "$@"{closing}', "sh", *command, PROGRAM, listed, **variables)
        return [name for name in listed.read_text().splitlines()
                if any(own in name for own in (str(self.folder), "spool", "/proc/", "memfd:", "/dev/null"))
                # The memory of the virtual GPU stands for a device, and its file may have such a number for an instant.
                and not name.startswith(("/proc/cpuinfo", "/proc/meminfo", "/memfd:vgpu-memory"))]

    def check_trace(self):
        self.assertEqual(self.ask("SELECT count(*) FROM rocpd_op"), [(LAUNCHES,)])
        self.database.unlink()

    def test_every_combination(self):
        for closed in COMBINATIONS:
            with self.subTest(closed=closed):
                command = [RTL, "trace", "--vgpu", "--no-summary", "-o", self.database, "--"]
                self.assertEqual(self.run_closed(command, closed), [])
                self.check_trace()

    def test_every_way(self):
        ways = {"hip": [RTL, "trace", "--vgpu", "--mode", "hip", "-o", self.database, "--"],
                "rocprofv3": [VGPU, "run", "--", ROCPROFV3, "--sys-trace", "-d", self.folder, "-o", "x", "--"],
                "library": [VGPU, "run", "--"]}
        for way, command in ways.items():
            with self.subTest(way=way):
                variables = {}
                if way == "library":
                    variables = {"HSA_TOOLS_LIB": BUILD / "lib" / "librtl.so", "RTL_OUTPUT": self.database}
                self.assertEqual(self.run_closed(command, (0, 1, 2), **variables), [])
                if way == "rocprofv3":
                    self.assertEqual([path.name for path in self.folder.glob("x*.db")], ["x_results.db"])
                else:
                    self.check_trace()


if __name__ == "__main__":
    main(verbosity=2)
