#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if clang's thread safety analysis finds a guarded variable used without its lock. The build
itself may use another compiler: the files are only parsed, with the flags of the build.

usage: check_thread_safety.py [--clang clang++-14] --build DIR MODULE...
       check_thread_safety.py [--clang clang++-14] --self-test
"""
import argparse
import pathlib
import shlex
import subprocess
import sys
import tempfile

import unity

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT_FLAGS = ("-I", "-D", "-std=", "-fno-exceptions", "-fno-rtti")


def flags_of(entry):
    words = shlex.split(entry["command"])
    flags = [word for word in words if word.startswith(KEPT_FLAGS)]
    for at, word in enumerate(words):
        if word == "-isystem":
            flags += words[at:at + 2]
    return flags


def findings(clang, paths, flags, directory):
    """The findings of several files compiled as one unit, since headers take most of the time; of fewer when they
    cannot be one unit."""
    with tempfile.TemporaryDirectory() as folder:
        together = pathlib.Path(folder) / "together.cpp"
        together.write_text("".join(f'#include "{path}"\n' for path in paths))
        run = subprocess.run([clang, *flags, "-fsyntax-only", "-Wthread-safety", "-Werror=thread-safety",
                              str(together)], capture_output=True, text=True, cwd=directory)
    errors = [line for line in run.stderr.splitlines() if " error: " in line]
    lines = [line for line in errors if "-Wthread-safety" in line]
    if run.returncode == 0 or (lines and lines == errors):
        return lines
    if len(paths) > 1:
        half = len(paths) // 2
        return findings(clang, paths[:half], flags, directory) + findings(clang, paths[half:], flags, directory)
    return [f"{paths[0]}: {clang} gave up: {run.stderr.strip()}"]


def problems(clang, build, modules):
    groups = {}
    for entry in unity.entries(build):
        path = pathlib.Path(entry["file"])
        module = path.parts[len(ROOT.parts) + 1] if path.is_relative_to(ROOT / "src") else None
        if module in modules and path.suffix == ".cpp" and not path.name.endswith("_test.cpp"):
            groups.setdefault((module, tuple(flags_of(entry)), entry["directory"]), []).append(path)
    found = [line for (_, flags, directory), paths in groups.items()
             for line in findings(clang, paths, flags, directory)]
    return found if groups else [f"{build}: no file of {' '.join(modules) or 'any module'} is compiled"]


def self_test(clang):
    """A file that keeps its promises, and the same with the lock left out."""
    good = ('#include "base/mutex.h"\nstruct S {\n  void F() { const rtl::MutexLock lock(m); ++n; }\n'
            "  rtl::Mutex m{rtl::Rank::kSpool};\n  int n RTL_GUARDED_BY(m) = 0;\n};\n")
    bad = good.replace("const rtl::MutexLock lock(m); ", "")
    flags = ["-std=c++20", f"-I{ROOT}/src"]
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "case.cpp"
        path.write_text(good)
        answer = findings(clang, [path], flags, directory)
        assert answer == [], answer
        path.write_text(bad)
        answer = findings(clang, [path], flags, directory)
        assert len(answer) == 1 and "requires holding mutex" in answer[0], answer
        # Together with another file, and with one that cannot share its unit.
        other = pathlib.Path(directory) / "other.cpp"
        for text in ("int other;\n", good):
            other.write_text(text)
            answer = findings(clang, [other, path], flags, directory)
            assert len(answer) == 1 and "case.cpp" in answer[0], answer
        path.write_text("this is not C++\n")
        assert findings(clang, [path], flags, directory)
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
