#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands that the README and the guide show, in a folder with the programs and traces that they name.

    RTL_BUILD=build/release docs_test.py [-v]

A command of rtl, rocprofv3, vgpu or sqlite3 counts as shown when it stands alone on an indented line or in a fenced
block. Those that do not say --vgpu run below `vgpu run`, as on a machine with a GPU."""

import gzip
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from frame import BUILD, ROOT, in_runtime, main, programs_of, run  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md")),
         ROOT / "docs" / "reference" / "counters.md", ROOT / "docs" / "reference" / "rocprofv3.md"]
SHOWN = re.compile(r"(?:    )?(?:\$ )?((?:build/bin/)?(?:rtl|rocprofv3|vgpu|sqlite3) .*)")
RESULT = re.compile(r"(rtl|rocprofv3|vgpu): ")  # what a command prints
# The programs of the pages, and the build's programs that replace them. Others are programs of the user.
PROGRAMS = {"stream_gemm": "stream_gemm", "slow_steps": "slow_steps", "page_fault": "page_fault",
            "reduction": "reduction", "hsa_endings": "hsa_endings", "slow_rows": "slow_rows",
            "build/release/examples/stream_gemm": "stream_gemm"}
USERS = ("my_program", "your_program", "app", "server", "solver")
SCRIPTS = ("train.py", "serve.py")
TRACES = ("trace.db", "before.db", "after.db", "before1.db", "before2.db", "after1.db", "after2.db", "good1.db",
          "good2.db", "new1.db", "new2.db", "rank0.db")
# What "trace.json.gz" of torch.profiler has.
TORCH_TRACE = ROOT / "tests" / "fuzz" / "import" / "kineto.json"
# Programs that fail on purpose, and limits that are exceeded on purpose.
MAY_FAIL = re.compile(r"page_fault|hsa_endings|--fail-if")
# These need a launcher, its files, RCCL, a service, or a process that the reader starts by hand.
NOT_RUN = re.compile(r"--pid|rtl dump|in-flight PID|mpirun|srun|torchrun|merge rank|all\.db|slow_rank|parquet job|rtl fleet|docker|-p PID")
# These run on ROCm 7.2, where it is installed: this machine's ROCm may not count or sample.
COUNTS = re.compile(r"--pmc|--pc-sampling|rtl hot|counters check")


def shown_commands(page):
    """(line number, command), with lines joined that end in a backslash and comments left out."""
    lines = page.read_text(encoding="utf-8").splitlines()
    fenced = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            fenced = not fenced
        match = SHOWN.fullmatch(line)
        if not match or not (fenced or line.startswith("    ")) or RESULT.match(match[1]):
            continue
        command, at = re.sub(r"  +# .*", "", match[1]), number
        while command.endswith("\\") or command.count('"') % 2 or command.count("'") % 2:
            command = command.removesuffix("\\") + "\n" * (not command.endswith("\\")) + lines[at].strip()
            at += 1
        if fenced and not line.startswith("$ ") and "\n$ " in "\n".join(lines[max(0, number - 30):number + 30]):
            continue  # its block shows the output of commands
        yield number, command


class Workbench:
    """A folder with everything that the pages name."""

    def __init__(self, folder, runtime=None):
        self.folder, self.runtime = pathlib.Path(folder), runtime
        programs = programs_of(runtime)
        (self.folder / "build" / "release" / "examples").mkdir(parents=True)
        (self.folder / "build" / "bin").symlink_to(BUILD / "bin")
        for name, program in PROGRAMS.items():
            shutil.copy(programs / program, self.folder / name)
        for name in USERS:
            shutil.copy(programs / "vector_add", self.folder / name)
        for name in SCRIPTS:
            (self.folder / name).write_text("import subprocess\nsubprocess.run(['./app'], check=True)\n",
                                            encoding="utf-8")
        self.run("rtl trace --vgpu --mode hip --no-summary -o trace.db -- ./slow_steps")
        for name in TRACES[1:]:
            shutil.copy(self.folder / "trace.db", self.folder / name)
        (self.folder / "trace.json.gz").write_bytes(gzip.compress(TORCH_TRACE.read_bytes()))

    def run(self, command):
        if "--vgpu" not in command and re.match(r"(rtl trace|rocprofv3) ", command):
            command = f"vgpu run -- {command}"
        if "hang" in command:  # until it is interrupted
            command = f"timeout -s INT 5 {command}"
        return run(*in_runtime(self.runtime), "bash", "-c", f"cd {self.folder} && {command}", code=None, folder=ROOT,
                   PATH=f"{BUILD / 'bin'}:{os.environ['PATH']}")


def left_out(command):
    """Commands that are not run, and those that need py-spy where it is not installed (python_lines_test.py)."""
    return NOT_RUN.search(command) or ("--python " in command and shutil.which("py-spy") is None)


class ShownCommands(unittest.TestCase):
    def test_every_page_of_the_guide_shows_commands(self):
        without = [page.name for page in PAGES if not list(shown_commands(page))]
        # Tables, packages, Python: tests of their own.
        self.assertEqual(without, ["coming-from.md", "install.md", "notebook.md"])

    def test_every_command_is_understood_and_succeeds(self):
        self.run_commands(None, lambda command: not COUNTS.search(command))

    def test_commands_that_count_or_sample_do_so_on_7_2(self):
        if not programs_of("7.2").exists():
            self.skipTest("ROCm 7.2 is not installed")
        self.run_commands("7.2", COUNTS.search)

    def run_commands(self, runtime, wanted):
        for page in PAGES:
            commands = [each for each in shown_commands(page) if wanted(each[1]) and not left_out(each[1])]
            if not commands:
                continue
            with tempfile.TemporaryDirectory(prefix="docs-") as folder:
                bench = Workbench(folder, runtime)
                for number, command in commands:
                    with self.subTest(page=page.name, line=number, command=command):
                        done = bench.run(command)
                        said = done.stdout + done.stderr
                        if not MAY_FAIL.search(command):
                            self.assertEqual(done.returncode, 0, said)
                        self.assertNotRegex(said, r"(?i)unknown option|try --help|--help for|Traceback")


if __name__ == "__main__":
    main()
