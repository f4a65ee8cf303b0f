#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if clang's thread safety analysis finds a guarded variable used without its lock. The build
itself may use another compiler: the files are only parsed, with the flags of the build.

usage: check_thread_safety.py [--clang clang++-14] --build DIR MODULE...
       check_thread_safety.py [--clang clang++-14] --self-test
"""
import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT_FLAGS = ("-I", "-D", "-std=", "-fno-exceptions", "-fno-rtti")


def flags_of(entry):
    words = shlex.split(entry["command"])
    flags = [word for word in words if word.startswith(KEPT_FLAGS)]
    for at, word in enumerate(words):
        if word == "-isystem":
            flags += words[at:at + 2]
    return flags


def findings(clang, path, flags, directory):
    run = subprocess.run([clang, *flags, "-fsyntax-only", "-Wthread-safety", "-Werror=thread-safety",
                          str(path)], capture_output=True, text=True, cwd=directory)
    lines = [line for line in run.stderr.splitlines() if " error: " in line]
    if run.returncode != 0 and not lines:
        lines = [f"{path}: {clang} gave up: {run.stderr.strip()}"]
    return lines


def problems(clang, build, modules):
    commands = json.loads((build / "compile_commands.json").read_text())
    found, files = [], 0
    folders = tuple(f"{ROOT}/src/{module}/" for module in modules)
    for entry in commands:
        if entry["file"].startswith(folders) and not entry["file"].endswith("_test.cpp"):
            files += 1
            found += findings(clang, entry["file"], flags_of(entry), entry["directory"])
    return found if files else [f"{build}: no file of {' '.join(modules) or 'any module'} is compiled"]


def self_test(clang):
    """A file that keeps its promises, and the same with the lock left out."""
    good = ('#include "base/mutex.h"\nstruct S {\n  void F() { const rtl::MutexLock lock(m); ++n; }\n'
            "  rtl::Mutex m{rtl::Rank::kSpool};\n  int n RTL_GUARDED_BY(m) = 0;\n};\n")
    bad = good.replace("const rtl::MutexLock lock(m); ", "")
    flags = ["-std=c++20", f"-I{ROOT}/src"]
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "case.cpp"
        path.write_text(good)
        answer = findings(clang, path, flags, directory)
        assert answer == [], answer
        path.write_text(bad)
        answer = findings(clang, path, flags, directory)
        assert len(answer) == 1 and "requires holding mutex" in answer[0], answer
        path.write_text("this is not C++\n")
        assert findings(clang, path, flags, directory)
        (pathlib.Path(directory) / "compile_commands.json").write_text("[]")
        assert len(problems(clang, pathlib.Path(directory), ["base"])) == 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clang", default="clang++-14")
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("modules", nargs="*")
    args = parser.parse_args()
    if args.self_test:
        return self_test(args.clang)
    if args.build is None:
        parser.error("a build directory is needed")
    found = problems(args.clang, args.build, args.modules)
    print("\n".join(sorted(set(found))), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
