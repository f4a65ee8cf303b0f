#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if the files of a target cannot be compiled as one. Builds compile several files as one unit
(RTL_UNITY), and the groups change with every new file: two files with a name in common would fail in some build.

usage: check_one_unit.py --build DIR --targets TARGET... [--alone FILE...] | --self-test
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import unity

OWN_OPTIONS = {"-o", "-c", "-MF", "-MT", "-MQ"}  # their values belong to one file


def options_of(command):
    """The compiler and its options, without what belongs to the one file that the command compiles."""
    words = shlex.split(command)
    compiler = next(i for i, word in enumerate(words) if pathlib.Path(word).name in ("c++", "g++", "clang++")
                    or pathlib.Path(word).name.startswith(("g++-", "clang++-")))
    options, skip = [words[compiler]], False
    for word in words[compiler + 1:]:
        if skip or word in OWN_OPTIONS:
            skip = not skip
        elif not word.startswith(("-O", "-W", "-MD")):
            options.append(word)
    return options


def files_of(build, target, alone):
    """(options, folder, files) of a target, after compile_commands.json."""
    groups = {}  # CMake leaves out files with options of their own
    for entry in unity.entries(build):
        if f"CMakeFiles/{target}.dir/" not in entry["command"] or not entry["file"].endswith(".cpp"):
            continue
        if entry["file"] not in alone and not entry["file"].startswith(str(build)):
            options = options_of(entry["command"])
            groups.setdefault(tuple(options), []).append(entry)
    if not groups:
        return [], build, []
    options, entries = max(groups.items(), key=lambda group: len(group[1]))
    return options, entries[0]["directory"], sorted(entry["file"] for entry in entries)


def compile_as_one(options, folder, files):
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as unit:
        unit.write("".join(f'#include "{file}"\n' for file in files))
        unit.flush()
        run = subprocess.run([*options, "-O0", "-w", "-fsyntax-only", unit.name], cwd=folder, text=True,
                             capture_output=True)
    return [] if run.returncode == 0 else [line for line in run.stderr.splitlines() if " error: " in line]


def check(build, targets, alone):
    jobs = {target: files_of(build, target, alone) for target in targets}
    jobs = {target: job for target, job in jobs.items() if len(job[2]) > 1}
    errors = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for target, found in zip(jobs, pool.map(lambda job: compile_as_one(*job), jobs.values())):
            errors += [f"{target}: {line}" for line in found[:5]]
    return errors


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        build = pathlib.Path(folder) / "build"
        build.mkdir()
        commands = []
        for name, text in (("a", "namespace { int Same() { return 1; } } int A() { return Same(); }"),
                           ("b", "namespace { int Same() { return 2; } } int B() { return Same(); }"),
                           ("c", "int C() { return 3; }")):
            file = f"{folder}/{name}.cpp"
            pathlib.Path(file).write_text(text)
            commands.append({"file": file, "directory": folder,
                             "command": f"c++ -O2 -o CMakeFiles/t.dir/{name}.o -c {file}"})
        (build / "compile_commands.json").write_text(json.dumps(commands))
        names = [command["file"] for command in commands]
        clash, clean = check(build, ["t"], set()), check(build, ["t"], {names[1]})
    assert len(clash) == 1 and "redefinition" in clash[0], clash
    assert clean == [], clean
    print("a name in two files of a target is found")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--targets", nargs="*", default=[])
    parser.add_argument("--alone", nargs="*", default=[])
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    errors = check(arguments.build, arguments.targets, set(arguments.alone))
    for error in errors:
        print(error)
    if errors:
        sys.exit("two files of a target have a name in common, or one of them needs to be compiled alone "
                 "(rtl_own_unit in cmake/RtlModule.cmake): share it, or rename one of them")
    print(f"{len(arguments.targets)} targets: the files of each can be compiled as one")
    return None


if __name__ == "__main__":
    main()
