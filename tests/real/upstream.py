#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds AMD's own tests of rocprofv3 and rocprofiler-sdk, unchanged, against the installed package, runs them on the
virtual GPU, and prints a table by folder. Their sources are fetched here and are no part of this project.

    tests/real/upstream.py --build build/release             all folders
    tests/real/upstream.py --only rocprofv3/                  folders whose names begin so
    tests/real/upstream.py --source ~/rocprofiler-sdk         a clone that is here already, unchanged

Exit code 77: the sources or the runtime are not available here; the reason is printed. 0: the tests ran, whatever their
results; docs/reference/upstream-clients.md has them with their causes. The tests' limits of time are for hardware: they
are multiplied. CMake fetches AMD's fork of cereal, and Perfetto; a folder of that name in the working folder stands in
for a repository that is out of reach."""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME_TOOL = ROOT / "scripts" / "runtime"
RUNTIME = "7.2-amd-tests"
UNAVAILABLE = 77
REPOSITORY = "https://github.com/ROCm/rocm-systems"
COMMIT = "1b1610fc2b2ab32af71e6e04e4d4a6a4ae597992"  # develop of 9 August 2025, version 1.0.0
IN_REPOSITORY = "projects/rocprofiler-sdk"
LONGER = 10  # times the limit of a test
# For reading the files that the tests write.
PYTHON_PACKAGES = ("perfetto",)
# In place of the package otf2, which exists for older versions of Python only: what imports it can be loaded, and what
# opens an archive fails.
NO_OTF2 = {"__init__.py": "", "events.py": "class Enter: pass\nclass Leave: pass\n"}


# Folders whose tests run rocprofv3 and other commands; the others preload tools of rocprofiler-sdk.
OF_COMMANDS = ("rocprofv3", "rocpd", "python-bindings")


class Unavailable(Exception):
    pass


def fetch(folder):
    """AMD's sources at the commit that the tables are for."""
    source = folder / "source"
    if (source / IN_REPOSITORY / "tests").exists():
        return source / IN_REPOSITORY
    shutil.rmtree(source, ignore_errors=True)
    steps = (["clone", "--filter=blob:none", "--no-checkout", REPOSITORY, source],
             ["-C", source, "sparse-checkout", "set", IN_REPOSITORY], ["-C", source, "checkout", COMMIT])
    for step in steps:
        done = subprocess.run(["git", *step], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            shutil.rmtree(source, ignore_errors=True)
            raise Unavailable(f"AMD's tests cannot be fetched from {REPOSITORY}: {done.stderr.strip()[-200:]}")
    return source / IN_REPOSITORY


def make_root():
    for command in ("root", "get", "root"):
        done = subprocess.run([RUNTIME_TOOL, command, RUNTIME], capture_output=command == "root", text=True,
                              check=False)
        if command == "root" and done.returncode == 0:
            return pathlib.Path(done.stdout.strip())
    raise Unavailable(done.stderr.strip())


class Tests:
    def __init__(self, build, root, folder, gfx):
        self.build, self.folder, self.gfx = build, folder, gfx
        # Debian's clang does not find Debian's device libraries by itself. Some of the projects want AMD's name of it.
        (bitcode,) = (path.relative_to(root) for path in root.glob("usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode"))
        self.hip_flags = f"--rocm-path=/usr --rocm-device-lib-path=/{bitcode}"
        compiler = folder / "bin" / "amdclang++"
        compiler.parent.mkdir(exist_ok=True)
        compiler.write_text(f'#!/bin/sh\nexec /{bitcode.parents[4]}/bin/clang++ {self.hip_flags} "$@"\n')
        compiler.chmod(0o755)
        self.python_version = sorted(root.glob("usr/bin/python3.[0-9]*"))[-1].name.removeprefix("python")
        self.prefix, self.tree = folder / "package", folder / "build"
        self.python = folder / "python"
        self.env = dict(os.environ, RTL_RUNTIME_BIND=f"{folder} {build}", VGPU_GFX=gfx, VGPU_LARGE_BAR="1",
                        VGPU_SVM="1", VGPU_PC_SAMPLING="1" if gfx == "90a" else "0", VGPU_JIT="auto",
                        VGPU_DIR=str(folder / "vgpu"), PYTHONPATH=str(self.python), ROCM_PATH="/usr",
                        HIP_PLATFORM="amd",
                        ROCPROFILER_PC_SAMPLING_BETA_ENABLED="on",
                        PATH=f"{folder / 'bin'}:{os.environ['PATH']}")

    def run(self, *command, **options):
        whole = [RUNTIME_TOOL, "exec", RUNTIME, "--", self.build / "bin/vgpu", "run", "--", *command]
        return subprocess.run(whole, env=self.env, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL,
                              **options)

    def configure(self, source):
        subprocess.run(["cmake", "--install", self.build, "--prefix", self.prefix], stdout=subprocess.DEVNULL,
                       check=True)
        # The modules run with any Python; the package is made for this machine's.
        ours = next(path for path in (self.prefix / "lib").glob("python3.*") if not path.is_symlink())
        theirs = ours.with_name(f"python{self.python_version}")
        if not theirs.exists():
            theirs.symlink_to(ours.name)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:",
                        "--python-version", self.python_version, "--target", self.python, "--upgrade",
                        *PYTHON_PACKAGES],
                       check=False, stderr=subprocess.DEVNULL)
        (self.python / "otf2").mkdir(parents=True, exist_ok=True)
        for name, text in NO_OTF2.items():
            (self.python / "otf2" / name).write_text(text)
        tests = self.folder / "tests"
        shutil.rmtree(tests, ignore_errors=True)
        shutil.copytree(source / "tests", tests)
        done = self.run("cmake", "-G", "Ninja", "-S", tests, "-B", self.tree, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                        f"-DGPU_TARGETS=gfx{self.gfx}", "-DCMAKE_HIP_ARCHITECTURES=gfx" + self.gfx,
                        f"-DCMAKE_HIP_FLAGS={self.hip_flags}",
                        f"-DROCPROFILER_MEMCHECK_PRELOAD_ENV=LD_PRELOAD={self.build}/lib/libvgpu.so:"
                        f"{self.prefix}/lib/librtl_hip.so",
                        *self.stand_ins(), capture_output=True)
        if done.returncode != 0:
            # Warnings, of libraries that are not here, surround it.
            errors = re.findall(r"^CMake Error.*?(?:\n\n(?=\S)|\n\n\n|\Z)", done.stderr, re.MULTILINE | re.DOTALL)
            raise Unavailable("AMD's tests cannot be configured:\n" + "".join(errors or [done.stderr[-3000:]]))
        for file in self.tree.rglob("CTestTestfile.cmake"):
            text = file.read_text()
            file.write_text(re.sub(r'TIMEOUT "(\d+)"', lambda match: f'TIMEOUT "{int(match[1]) * LONGER}"', text))

    def stand_ins(self):
        """Of what AMD's CMake project would clone: a folder beside it, for a repository that is out of reach. The same
        for its program that reads Perfetto's files."""
        options = []
        shell = self.folder / "trace_processor_shell.linux_clang_release"
        if shell.exists():
            (self.tree / "pytest-packages").mkdir(parents=True, exist_ok=True)
            shutil.copy(shell, self.tree / "pytest-packages")
        for name in ("cereal", "perfetto"):
            here = self.folder / name
            if here.exists():
                linked = self.tree / "external" / name
                linked.parent.mkdir(parents=True, exist_ok=True)
                if not linked.exists():
                    shutil.copytree(here, linked)
                options.append(f"-DFETCHCONTENT_SOURCE_DIR_{name.upper()}={linked}")
        return options

    def compile(self):
        done = self.run("ninja", "-C", self.tree, "-k", "0", capture_output=True)
        return sorted(set(re.findall(r"^FAILED: (?:\[code=\d+\] )?(\S+)", done.stdout, re.MULTILINE)))

    def listed(self):
        """The folder of each test."""
        done = self.run("ctest", "--test-dir", self.tree, "--show-only=json-v1", capture_output=True)
        if done.returncode != 0 or not done.stdout.startswith("{"):
            raise Unavailable(f"ctest lists no tests (exit code {done.returncode}): {done.stderr.strip()[-300:]}")
        answer = json.loads(done.stdout)
        files, nodes = answer["backtraceGraph"]["files"], answer["backtraceGraph"]["nodes"]
        folders = {}
        for test in answer["tests"]:
            node = nodes[test["backtrace"]]
            while "parent" in node and "CMakeLists" not in files[node["file"]]:
                node = nodes[node["parent"]]
            folders[test["name"]] = str(pathlib.Path(files[node["file"]]).parent.relative_to(self.folder / "tests"))
        return folders

    def test(self, names, jobs, **variables):
        self.env.update(variables)
        if not names:
            return {}
        results = self.folder / "tests.xml"
        results.unlink(missing_ok=True)
        pattern = "^(" + "|".join(re.escape(name) for name in names) + ")$"
        self.run("ctest", "--test-dir", self.tree, "-j", str(jobs), "--output-junit", results, "-R", pattern,
                 capture_output=True)
        if not results.exists():
            raise Unavailable("ctest left no results")
        return {case.get("name"): case for case in xml.etree.ElementTree.parse(results).getroot().iter("testcase")}


def ending_of(case):
    if case is None or case.get("status") in ("disabled", "notrun"):
        return "not run"
    return "passed" if case.get("status") == "run" else "failed"


def reason_of(case):
    """The line of its output that says most."""
    text = (case.findtext("system-out") or "") if case is not None else ""
    for pattern in (r"^E +(\S.*)$", r"^(?:rocprofv3|rtl): .*$", r"^.*(?:[Ee]rror|terminate|Assertion).*$"):
        found = re.findall(pattern, text, re.MULTILINE)
        if found:
            return found[0].strip()[:160]
    return (text.strip().splitlines() or [""])[-1][:160]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--source", type=pathlib.Path, help="AMD's folder rocprofiler-sdk; else it is fetched")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "upstream", help="of the work")
    parser.add_argument("--only", metavar="FOLDER", default="")
    parser.add_argument("--gfx", default="90a")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        tests = Tests(options.build.resolve(), make_root(), folder, options.gfx)
        tests.configure(options.source.resolve() if options.source else fetch(folder))
        unbuilt = tests.compile()
        folders = {name: where for name, where in tests.listed().items() if where.startswith(options.only)}
        # Debian's HSA and HIP register no tables: the variable loads tools, and the preloaded library has HIP's calls.
        tools = [name for name, where in folders.items() if not where.startswith(OF_COMMANDS)]
        cases = tests.test([name for name in folders if name not in tools], options.jobs)
        cases |= tests.test(tools, options.jobs, HSA_TOOLS_LIB=f"{tests.prefix}/lib/librocprofiler-sdk.so.1")
    except Unavailable as why:
        print(f"SKIPPED: {why}")
        return UNAVAILABLE
    if unbuilt:
        print("not built: " + ", ".join(unbuilt))
    ends = collections.defaultdict(collections.Counter)
    for name, where in folders.items():
        ends[where][ending_of(cases.get(name))] += 1
    print("| folder | passed | failed | not run |\n|---|---|---|---|")
    for where, counts in sorted(ends.items()):
        print(f"| {where} | {counts['passed']} | {counts['failed']} | {counts['not run']} |")
    for name, where in sorted(folders.items(), key=lambda each: each[::-1]):
        if ending_of(cases.get(name)) == "failed":
            print(f"{where}: {name}: {reason_of(cases[name])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
