#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a C or C++ file that a change touches is not formatted as .clang-format says; lists other such files.
Needs clang-format 14: other versions format differently.

usage: check_format.py [--root DIR] [--base REV] [--all] [--fix] [--self-test]

--base as for check_tidy.py. --all: no file may be unformatted. --fix formats them all.

Exit code 77: there is no clang-format 14, nothing was checked.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from check_tidy import VERSION, find_base, find_tool, git

SKIPPED = 77
SUFFIXES = (".h", ".c", ".cpp")


def is_made(path):
    """Whether a generator made it, as its first lines say."""
    with path.open(errors="replace") as file:
        return any("ade by tools/" in line for line, _ in zip(file, range(5)))


def code_files(root):
    """The files in git; in a tree without git, all files below the folders of code."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.split("\0")
    else:
        names = [str(path.relative_to(root)) for path in pathlib.Path(root).rglob("*")]
    paths = [(name, pathlib.Path(root) / name) for name in names if name.endswith(SUFFIXES)]
    return sorted(name for name, path in paths if path.is_file() and not is_made(path))


def unformatted(formatter, root, files):
    """The first difference of each file that has one."""
    found = {}
    for start in range(0, len(files), 100):
        run = subprocess.run([formatter, "--dry-run", "-Werror", *files[start:start + 100]], cwd=root,
                             capture_output=True, text=True)
        first = set()
        for line in run.stderr.splitlines():
            hit = re.match(r"(.+?):(\d+):\d+: error: code should be clang-formatted", line)
            if hit and hit[1] not in first:
                first.add(hit[1])
                found[hit[1]] = int(hit[2])
        if run.returncode != 0 and not first:
            sys.exit(f"check_format: {formatter} failed: {run.stderr.strip()}")
    return found


def self_test(formatter):
    with tempfile.TemporaryDirectory() as root:
        pathlib.Path(root, ".clang-format").write_text("BasedOnStyle: Google\n")
        pathlib.Path(root, "good.cpp").write_text("int main() { return 0; }\n")
        pathlib.Path(root, "text.md").write_text("int   x ;\n")
        pathlib.Path(root, "made.h").write_text("// Made by tools/gen.py.\nint   x ;\n")
        files = code_files(root)
        assert files == ["good.cpp"], files
        assert unformatted(formatter, root, files) == {}
        pathlib.Path(root, "bad.h").write_text("int a;\nint   b ;\n")
        assert unformatted(formatter, root, code_files(root)) == {"bad.h": 2}

        def commit():
            identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
            for arguments in (("add", "-A"), (*identity, "commit", "-q", "-m", "x")):
                subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True)
        subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
        commit()
        pathlib.Path(root, "good.cpp").write_text("int main() { return 1; }\n")
        commit()
        assert not report(formatter, root, find_base(root), False), "bad.h is not touched"
        assert report(formatter, root, find_base(root), True)
        pathlib.Path(root, "bad.h").write_text("int c;\nint   b ;\n")
        assert report(formatter, root, find_base(root), False)
    return 0


def report(formatter, root, base, everything):
    """True when a file is unformatted that must not be."""
    must = set(git(root, "diff", "--name-only", base, "--").split()) if base else set()
    found = unformatted(formatter, root, code_files(root))
    for name, line in found.items():
        touched = everything or name in must
        print(f"{name}:{line}: is not formatted" + ("; tools/check_format.py --fix formats it" if touched else
                                                    " (not touched by this change)"))
    return any(everything or name in must for name in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=".")
    parser.add_argument("--base", help="the commit that the files are compared with")
    parser.add_argument("--all", action="store_true", help="every file must be formatted")
    parser.add_argument("--fix", action="store_true", help="format the files instead")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    formatter = find_tool("clang-format")
    if formatter is None:
        print(f"check_format: clang-format {VERSION} is not installed, nothing was checked")
        return SKIPPED
    if options.self_test:
        return self_test(formatter)
    files = code_files(options.root)
    if not files:
        sys.exit(f"check_format: no code in {os.path.abspath(options.root)}")
    if options.fix:
        found = unformatted(formatter, options.root, files)
        if found:
            subprocess.run([formatter, "-i", *found], cwd=options.root, check=True)
        return 0
    return report(formatter, options.root, options.base or find_base(options.root), options.all)


if __name__ == "__main__":
    sys.exit(main())
