#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy on the files that a change touches, and on as many others as a budget of time allows.

Files that differ from the base must have no finding: each is an error. The base is where the branch left main; on main
itself, the commit before. Of the other files, a different sample is checked after each commit; findings in those
are printed and are no failure. A clean file is not checked again until it, a header of the project that it includes,
its compile command or .clang-tidy changes.

usage: check_tidy.py --build DIR [--root DIR] [--base REV] [--budget SECONDS] [--cache DIR] [--all] [--self-test]

Exit code 77: there is no clang-tidy 14, nothing was checked.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import unity

VERSION = "14"
SKIPPED = 77
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.M)
# g++ made it, and clang cannot read it; every file includes what it needs by itself.
PRECOMPILED = re.compile(r"(-Winvalid-pch )?-include \S*/cmake_pch\.hxx( |$)")
# Written for g++; clang 14 cannot read it, nor what includes this type.
UNREADABLE = ("vgpu/wave/",)
UNREADABLE_TYPE = b"_Float16"


def find_tool(tool):
    """The path of clang's tool in the version that the checks were written for; None: it is not installed."""
    for name in (f"{tool}-{VERSION}", tool):
        path = shutil.which(name)
        if path is None:
            continue
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
        if re.search(rf"version {VERSION}\.", said):
            return path
    return None


def git(root, *arguments):
    run = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else ""


def find_base(root):
    head = git(root, "rev-parse", "HEAD")
    for main in ("origin/main", "main"):
        base = git(root, "merge-base", main, "HEAD")
        if base and base != head:
            return base
    return git(root, "rev-parse", "HEAD~1")


def commands(build, root):
    """File, relative to the root -> its build folder, and its command."""
    found = {}
    for entry in unity.entries(build):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if not path.is_relative_to(root) or path.is_relative_to(build):
            continue
        name = str(path.relative_to(root))
        if not name.startswith(UNREADABLE):
            found[name] = (entry["directory"], PRECOMPILED.sub("", entry["command"]))
    return found


def write_commands(files, root, folder):
    (folder / "compile_commands.json").write_text(json.dumps(
        [{"directory": directory, "file": str(root / name), "command": command}
         for name, (directory, command) in files.items()]))


def touched(root, base, files):
    """The files that differ from the base, and those beside a header that does."""
    changed = set(git(root, "diff", "--name-only", base, "--").split())
    stems = {name.rsplit(".", 1)[0] for name in changed if name.endswith(".h")}
    return [name for name in files if name in changed or name.rsplit(".", 1)[0] in stems]


class Keys:
    """A hash of everything that clang-tidy's result for a file depends on, without the system's headers."""

    def __init__(self, root):
        self.root = root
        self.known = {}
        self.unreadable = set()  # of the known ones

    def includes(self, path):
        if path not in self.known:
            data = path.read_bytes()
            found = []
            for name in INCLUDE.findall(data):
                name = os.fsdecode(name)
                for folder in (path.parent, self.root / "src", self.root / "vgpu", self.root / "include", self.root):
                    if (folder / name).is_file():
                        found.append((folder / name).resolve())
                        break
            self.known[path] = (hashlib.sha256(data).hexdigest(), found)
            if UNREADABLE_TYPE in data:
                self.unreadable.add(path)
        return self.known[path]

    def closure(self, name):
        """The file and the project's headers that it includes -> the hash of each."""
        seen, waiting = {}, [(self.root / name).resolve()]
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen[path], more = self.includes(path)
            waiting += more
        return seen

    def readable(self, name):
        return self.unreadable.isdisjoint(self.closure(name))

    def key(self, name, command):
        seen = self.closure(name)
        text = "\n".join(sorted(f"{os.path.relpath(path, self.root)} {number}" for path, number in seen.items()))
        rules = (self.root / ".clang-tidy").read_text()
        where = command.replace(str(self.root), "")
        return hashlib.sha256(f"{VERSION}\n{rules}\n{where}\n{text}".encode()).hexdigest()


def look(tidy, folder, root, name):
    run = subprocess.run([tidy, "-p", folder, "--quiet", name], cwd=root, capture_output=True, text=True)
    return "" if run.returncode == 0 else (run.stdout.strip() or run.stderr.strip())


def check(tidy, root, build, cache, base, budget, everything=False):
    keys = Keys(root)
    files = {name: command for name, command in commands(build, root).items() if keys.readable(name)}
    must = touched(root, base, files) if base else []
    commit = git(root, "rev-parse", "HEAD")
    rest = sorted(set(files) - set(must), key=lambda name: hashlib.sha256((commit + name).encode()).digest())
    cache.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + budget
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    write_commands(files, root, folder)
    failed, looked, skipped, missed = False, 0, 0, 0
    for name in must + rest:
        mark = cache / keys.key(name, files[name][1])
        if mark.exists():
            skipped += 1
            continue
        if not everything and time.monotonic() > end:
            missed += 1
            continue
        said = look(tidy, folder, root, name)
        looked += 1
        if not said:
            mark.touch()
            continue
        binding = everything or name in must
        failed |= binding
        print(said if binding else f"note, not touched by this change:\n{said}", flush=True)
    print(f"check_tidy: {looked} files checked, {skipped} known to be clean, {missed} left out for lack of time; "
          f"{len(must)} of all are touched")
    return failed


def self_test(tidy):
    """A small project with git: clean, then with a finding in a file that is touched, then in one that is not."""
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory).resolve()
        build, cache = root / "build", root / "build/cache"
        build.mkdir()

        def write(name, text):
            (root / name).write_text(text)

        def commit():
            identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
            for arguments in (("add", "-A"), (*identity, "commit", "-q", "-m", "x")):
                subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True)
        subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
        write(".clang-tidy", "Checks: '-*,modernize-use-nullptr'\nWarningsAsErrors: '*'\n")
        write(".gitignore", "build\n")
        for name in ("a.cpp", "b.cpp"):
            write(name, '#include "c.h"\nint* Get() { return kNone; }\n')
        write("c.h", "int* const kNone = nullptr;\n")
        (build / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(root), "file": name, "command": f"c++ -c {name}"} for name in ("a.cpp", "b.cpp")]))
        commit()
        write("a.cpp", '#include "c.h"\nint* Take() { return kNone; }\n')
        commit()

        def run(**more):
            return check(tidy, root, build, cache, find_base(str(root)), 600, **more)
        assert not run() and len(list(cache.iterdir())) == 2
        write("a.cpp", '#include "c.h"\nint* Take() { return 0; }\n')
        assert run(), "a finding in a file that is touched"
        commit()
        write("b.cpp", '#include "c.h"\nint* Get() { return kNone; }\n\n')
        commit()
        assert not run(), "a finding in a file that this change does not touch"
        assert run(everything=True)
        write("c.h", "int* const kNone = nullptr;\nextern int more;\n")
        before = len(list(cache.iterdir()))
        assert not run() and len(list(cache.iterdir())) == before + 1, "a header that changes is a reason to look again"
        write("c.h", "int* const kNone = nullptr;\nextern _Float16 half;\n")
        assert not run() and len(list(cache.iterdir())) == before + 1, "clang cannot read a.cpp and b.cpp"
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--base", help="the commit that the files are compared with")
    parser.add_argument("--budget", type=float, default=120, help="seconds after which no other file is begun")
    parser.add_argument("--cache", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
                        / "rtl/tidy")
    parser.add_argument("--all", action="store_true", help="every file, however long it takes")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    tidy = find_tool("clang-tidy")
    if tidy is None:
        print(f"check_tidy: clang-tidy {VERSION} is not installed, nothing was checked")
        return SKIPPED
    if options.self_test:
        return self_test(tidy)
    root = options.root.resolve()
    return check(tidy, root, options.build.resolve(), options.cache, options.base or find_base(str(root)),
                 options.budget, options.all)


if __name__ == "__main__":
    sys.exit(main())
