#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the README, the guide and the samples' pages as a reader does: every block of commands, in order, in the folder
of a clone in which only the quick start ran, and compares what the pages show with what the commands print.

    RTL_BUILD=build/release guides_test.py [PAGE...]     e.g. docs/guide/counters.md

A block is indented or fenced. Lines after "$ " are commands and the others what they print; in a block without "$ "
each line is a command. Comments in the page's source, before a block or before the page's first block, say what
differs:

    <!-- not run: REASON -->          the block is not run, and the test lists it
    <!-- full: REASON -->             it is run by `scripts/test full` only
    <!-- printed -->                  the commands before printed this, too
    <!-- differs: REASON -->          what is printed is not compared: it depends on the machine's speed
    <!-- numbers differ -->           what is printed is compared without its numbers
    <!-- ends with N -->              the exit code of its last command
    <!-- until TEXT -->               the reader presses Ctrl-C when its last command has printed TEXT
    <!-- file: NAME -->               the block is this file
    <!-- runtime 7.2 -->              the page says that it needs this runtime
    <!-- with --vgpu -->              `rtl trace` gets this option here, because there is no GPU

Times, sizes, percentages, addresses, process numbers and long numbers are not compared, nor is the order of lines.
"..." stands for lines that the page leaves out.

RTL_TEST_FULL=1 compiles the programs that a page compiles. Otherwise the same programs of the build take their place.
"""

import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from frame import BUILD, ROOT, in_runtime, make_folder, programs_of, run  # noqa: E402

FULL = os.environ.get("RTL_TEST_FULL") == "1"
# Programs are named in README.md docs/guide/*.md samples/**/*.md
PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for folder in ("docs/guide", "samples")
                              for path in (ROOT / folder).rglob("*.md"))]
CODE = ("c", "cmake", "python", "cpp")
COMMENT = re.compile(r"<!-- (.*) -->")
# A reader's own programs, for which a program of the tests stands in.
READERS = {"my_program": "vector_add", "your_program": "vector_add", "server": "vector_add", "app": "vector_add"}
SCRIPTS = ("train.py", "serve.py")
# What the quick start leaves in build/release; the build of the tests has more.
QUICK_START = ["bin/rtl", "bin/rocprofv3", "bin/rocprofv3-avail", "libexec/rocprofv3-avail", "bin/vgpu",
               "lib/librtl*.so", "lib/libroc*", "lib/libvgpu*.so", "cmake_install.cmake"]
SAMPLES = ["lib/lib*_trace.so", "lib/libcounter_collection.so", "lib/libdevice_counting.so", "lib/libpc_sampling.so",
           "lib/libintercept_table.so", "bin/marked_program", "bin/openmp_program", "bin/programs*"]
# Takes the place of hipcc: the program that the build made of the same source.
BUILT = """#!/bin/bash
for word; do
  [ "$last" != -o ] || output=$word
  case $word in *.hip) source=$word ;; esac
  last=$word
done
[ -f "$source" ] || { echo "hipcc: $source: no such file" >&2; exit 1; }
exec cp "%s/$(basename "$source" .hip)" "$output"
"""
# Takes the place of torchrun and of mpirun: that many processes, with the variables that it sets for ranks.
LAUNCHER = """#!/usr/bin/env python3
import os, subprocess, sys
name, (_, count, *command) = os.path.basename(sys.argv[0]), sys.argv[1:]
mpi = name == "mpirun"
rank, size = ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE") if mpi else ("RANK", "WORLD_SIZE")
ranks = [subprocess.Popen(command if mpi else ["python3", *command], env=os.environ | {rank: str(i), size: count})
         for i in range(int(count))]
sys.exit(max(each.wait() for each in ranks))
"""
MASKS = [(re.compile(r"\x1b\[[0-9;]*m"), ""),
         (re.compile(r"0x[0-9a-f]+"), "0x#"),
         (re.compile(r"(process(?:es)?|pid|PID) \d+"), r"\1 #"),
         (re.compile(r"-?[\d,]*\.\d+|\d[\d,]*(?= (?:ns|us|ms|s|KB|MB|GB|%)\b)|\b\d{5,}\b"), "#"),
         (re.compile(r"# (?:ns|us|ms|s|bytes|KB|MB|GB)\b"), "#"),
         (re.compile(r"[+-]#"), "#"),
         (re.compile(r"-{3,}"), "-"),
         (re.compile(r"\s+"), " ")]

Block = collections.namedtuple("Block", "line code text comments")


def blocks(page):
    """The page's blocks, each with the comments before it."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    found, comments, at = [], [], 0
    while at < len(lines):
        line, first = lines[at], at + 1
        at += 1
        if match := COMMENT.fullmatch(line):
            comments.append(match[1])
        elif line.startswith("```"):
            end = next(number for number in range(at, len(lines)) if lines[number] == "```")
            found.append(Block(first, line[3:], lines[at:end], comments))
            comments, at = [], end + 1
        elif line.startswith("    ") and (first == 1 or not lines[first - 2].strip()):
            end = at
            while end < len(lines) and (not lines[end].strip() or lines[end].startswith("    ")):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            found.append(Block(first, "", [each[4:] for each in lines[first - 1:end]], comments))
            comments, at = [], end
        elif line.strip():
            comments = [each for each in comments if each.startswith("runtime")]
    return found


def commands_of(block):
    """Pairs of a command and the lines that it printed, as the block shows them."""
    console = any(line.startswith("$ ") for line in block.text)
    pairs, waiting = [], ""
    for line in block.text:
        if waiting or not console or line.startswith("$ "):
            waiting += line.removeprefix("$ ") if not waiting else "\n" + line.strip()
            if waiting.endswith("\\"):
                continue
            bare = re.sub(r"  +# .*", "", waiting)
            if bare.count("'") % 2 or bare.count('"') % 2:
                continue
            if bare.strip():
                pairs.append((bare, []))
            waiting = ""
        elif pairs:
            pairs[-1][1].append(line)
    return pairs


def masked(line, numbers):
    for pattern, mask in MASKS:
        line = pattern.sub(mask, line)
    if numbers:
        line = re.sub(r"\d[\d,]*", "#", line)
    return line.strip()


def missing(shown, printed, numbers):
    """The lines of the page that the command did not print."""
    left = collections.Counter(masked(line, numbers) for line in printed)
    lost = []
    for line in shown:
        same = masked(line, numbers)
        if same in ("", "...") or left[same] > 0:
            left[same] -= 1
        else:
            lost.append(line)
    return lost


def said(comments, word):
    return next((each.removeprefix(word).lstrip(": ") for each in comments if each.startswith(word)), None)


class Clone:
    """A folder like a clone in which the quick start ran, with what a reader brings."""

    def __init__(self, folder, runtime, samples):
        self.folder, self.runtime = folder, runtime
        for path in ROOT.iterdir():
            if path.name not in ("build", ".git"):
                (folder / path.name).symlink_to(path)
        release = folder / "build/release"
        for part in QUICK_START + (SAMPLES if samples else []):
            for path in BUILD.glob(part):
                target = release / path.relative_to(BUILD)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(path)
        programs = programs_of(runtime)
        (release / "examples").mkdir()
        shutil.copy(programs / "stream_gemm", release / "examples")
        for name in ("bin", "lib"):
            (folder / "build" / name).symlink_to(f"release/{name}")
        for name, program in READERS.items():
            shutil.copy(programs / program, folder / name)
        for name in SCRIPTS:
            (folder / name).write_text("import subprocess\nsubprocess.run(['./app'], check=True)\n", encoding="utf-8")
        tools = folder / ".tools"
        tools.mkdir()
        stand_ins = {"torchrun": LAUNCHER, "mpirun": LAUNCHER} | ({} if FULL else {"hipcc": BUILT % programs})
        for name, text in stand_ins.items():
            (tools / name).write_text(text, encoding="utf-8")
            (tools / name).chmod(0o755)
        self.path = f"{tools}:{os.environ['PATH']}:{folder}/build/bin"  # as a package installs them

    def run(self, commands):
        """Runs the commands in one shell; for each, its exit code and what it printed."""
        script, mark = [], "=@= "
        for number, (command, until) in enumerate(commands):
            if until:
                (self.folder / f".command{number}").write_text(command, encoding="utf-8")
                command = f"{sys.executable} {__file__} --until '{until}' .command{number}"
            script.append(f"echo '{mark}begin'\n{command}\necho \"{mark}$?\"\n")
        file = self.folder / ".script"
        file.write_text("exec 2>&1\n" + "".join(script), encoding="utf-8")
        done = run(*in_runtime(self.runtime), "bash", "-c", f"cd {self.folder} && exec bash .script", code=None,
                   folder=ROOT, COLUMNS=200, RTL_RUNTIME_BIND=ROOT, PATH=self.path)
        results, printed = [], []
        for line in (done.stdout + done.stderr).splitlines():
            text, marked, word = line.partition(mark)
            if marked and word == "begin":
                printed = []
            elif marked:
                results.append((int(word), printed + ([text] if text else [])))
            else:
                printed.append(line)
        return results + [(None, ["it was not reached"])] * (len(commands) - len(results))


def run_until(text, file):
    """Runs the command in a file, and interrupts it when it has printed a text, once."""
    is_interrupted = False
    with subprocess.Popen(["bash", "-c", "exec " + pathlib.Path(file).read_text(encoding="utf-8")], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            if text in line and not is_interrupted:
                is_interrupted = True
                process.send_signal(signal.SIGINT)
    return process.returncode


class Guides(unittest.TestCase):
    left_out = []

    @classmethod
    def tearDownClass(cls):
        if cls.left_out:
            print("not run or not compared:\n  " + "\n  ".join(cls.left_out))

    def check(self, page):
        found = blocks(page)
        runtime = next((said(block.comments, "runtime") for block in found if said(block.comments, "runtime")), None)
        if runtime and not programs_of(runtime).exists():
            self.skipTest(f"ROCm {runtime} is not installed")
        clone = Clone(make_folder(self), runtime, page.startswith("samples"))
        steps = self.steps(page, found, clone)
        results = clone.run([(command, until) for _, command, until, _, _ in steps])
        for (block, command, _, code, shown), (got, printed) in zip(steps, results):
            with self.subTest(line=block.line, command=command):
                text = "\n".join(printed)
                self.assertEqual(got, code, text)
                self.assertNotRegex(text, r"(?i)unknown option|try --help|--help for|Traceback|command not found")
                reason = said(block.comments, "differs")
                if reason:
                    self.left_out.append(f"{page}:{block.line}: not compared: {reason}")
                    continue
                lost = missing(shown, printed, "numbers differ" in block.comments)
                self.assertEqual(lost, [], f"is shown and was not printed. Printed:\n{text}")

    def steps(self, page, found, clone):
        """(block, command, text until which it runs, exit code, lines that the page shows)"""
        steps = []
        for block in found:
            reason = said(block.comments, "not run") or (None if FULL else said(block.comments, "full"))
            if reason:
                self.left_out.append(f"{page}:{block.line}: {reason}")
            elif file := said(block.comments, "file"):
                (clone.folder / file).parent.mkdir(exist_ok=True)
                (clone.folder / file).write_text("\n".join(block.text) + "\n", encoding="utf-8")
            elif "printed" in block.comments:
                steps[-1][4].extend(block.text)
            elif block.code in CODE:
                self.fail(f"{page}:{block.line}: code without a comment: file, or not run")
            else:
                pairs = commands_of(block)
                for number, (command, shown) in enumerate(pairs):
                    last = number == len(pairs) - 1
                    if "with --vgpu" in block.comments:
                        command = command.replace("rtl trace", "rtl trace --vgpu --force")
                    steps.append((block, command, said(block.comments, "until") if last else None,
                                  int(said(block.comments, "ends with") or 0) if last else 0, shown))
        return steps

    def test_lines_are_compared_without_what_differs(self):
        shown = ["  12   10.68 ms  68.7  890.06 us  f(int)", "process 17: 0x7f3c", "..."]
        self.assertEqual(missing(shown, ["process 4: 0xab", "12 3 ns 1.5 7 us f(int)"], False), [])
        self.assertEqual(missing(["48 kernels"], ["49 kernels"], False), ["48 kernels"])
        self.assertEqual(missing(["48 kernels"], ["49 kernels"], True), [])
        self.assertEqual(missing(["a", "a"], ["a"], False), ["a"])


def add_page(page):
    name = re.sub(r"\W+", "_", page.removesuffix(".md").removesuffix("/README").removeprefix("docs/"))
    setattr(Guides, f"test_{name}", lambda self: self.check(page))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--until"]:
        sys.exit(run_until(*sys.argv[2:4]))
    for each in [word for word in sys.argv[1:] if word.endswith(".md")] or PAGES:
        add_page(each)
    unittest.main(argv=[sys.argv[0], *(word for word in sys.argv[1:] if not word.endswith(".md"))])
