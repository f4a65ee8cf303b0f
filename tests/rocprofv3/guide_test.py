#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command that docs/guide/coming-from.md recommends runs, on the virtual GPU, and leaves a file or prints.

    RTL_BUILD=build/release guide_test.py
"""

import os
import re
import shlex

from case import Case, environment
from frame import BUILD, PROGRAMS, ROOT, main, run

GUIDE = ROOT / "docs" / "guide" / "coming-from.md"


def commands():
    """The commands of the right columns, in the order of the page."""
    return [command for line in GUIDE.read_text().splitlines() if line.startswith("| ")
            for command in re.findall(r"`((?:rtl|rocprofv3) [^`]+)`", line.split(" | ", 1)[1])]


def on_the_virtual_gpu(command):
    """Puts --vgpu before the `--` of commands that start a program. The test's program has a range `session`, not
    `step`, and may end within a second."""
    for there, here in (("--while-range step ", "--while-range session "), ("--delay 1 ", "--delay 1ms ")):
        command = command.replace(there, here)
    words = shlex.split(command)
    if "--" in words:
        words.insert(words.index("--"), "--vgpu")
    return words


def program_for(command):
    """A program that meets the command's condition: ranges of that name, or requests to pause and to resume."""
    if "--while-range step" in command:
        return "sessions"
    return "pause" if "--paused" in command or "--selected-regions" in command else "stream_gemm"


class Guide(Case):
    def run_here(self, command):
        return run(*on_the_virtual_gpu(command), folder=self.folder,
                   environment=environment({"PATH": f"{BUILD / 'bin'}:{os.environ['PATH']}"}))

    def test_every_command_runs(self):
        found = commands()
        self.assertGreater(len(found), 25)
        for command in found:
            with self.subTest(command):
                (self.folder / "app").unlink(missing_ok=True)
                (self.folder / "app").symlink_to(PROGRAMS / program_for(command))
                # rocprofv3 -p wants a process: tests/scenario/attach_test.py.
                if " -p PID" in command:
                    continue
                if not (self.folder / "app.db").exists():
                    self.run_here("rtl trace -o app.db -- ./app")
                before = {path: path.stat().st_mtime_ns for path in self.folder.rglob("*")}
                done = self.run_here(command)
                after = {path: path.stat().st_mtime_ns for path in self.folder.rglob("*")}
                self.assertTrue(after != before or (" -- " not in command and done.stdout), "it has left nothing")


if __name__ == "__main__":
    main()
