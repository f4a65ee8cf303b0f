#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds AMD's own tests of rocprofv3 and rocprofiler-sdk, unchanged, against the installed package, runs them on the
virtual GPU, and prints a table by folder. Their sources are fetched here and are no part of this project.

    tests/real/upstream.py --build build/release             all folders
    tests/real/upstream.py --only rocprofv3/                  folders whose names begin so
    tests/real/upstream.py --steady                           without those that the list calls unsteady, which take hours
    tests/real/upstream.py --source ~/rocprofiler-sdk         a clone that is here already, unchanged

upstream_known.txt lists the tests that do not pass, with the cause; it is for the default GPU. Exit code 1: a test that
is not in the list did not pass, or one in the list ended in another way (each is named), or the tests cannot be
configured with the package. 77: the sources, what they fetch or the runtime are not available here; the reason is
printed. docs/reference/upstream-clients.md has the table. The tests' limits of time are for hardware: they are
multiplied. CMake fetches AMD's fork of cereal, and Perfetto; a folder of that name in the working folder stands in for
a repository that is out of reach. Without trace_processor_shell.linux_clang_release there, which AMD's CMake project
fetches, too, trace_processor.py reads Perfetto's files."""

import argparse
import collections
import fnmatch
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
KNOWN = pathlib.Path(__file__).with_name("upstream_known.txt")
REPOSITORY = "https://github.com/ROCm/rocm-systems"
COMMIT = "1b1610fc2b2ab32af71e6e04e4d4a6a4ae597992"  # develop of 9 August 2025, version 1.0.0
IN_REPOSITORY = "projects/rocprofiler-sdk"
LONGER = 10  # times the limit of a test
# The program with which the package perfetto reads files.
SHELL = "trace_processor_shell.linux_clang_release"
# Of the tests in the list: how they may end.
ENDINGS = {"failed": ("failed",), "not-run": ("not run",), "unsteady": ("passed", "failed", "not run")}
# For reading the files that the tests write.
PYTHON_PACKAGES = ("perfetto",)


# Folders whose tests run rocprofv3 and other commands; the others preload tools of rocprofiler-sdk.
OF_COMMANDS = ("rocprofv3", "rocpd", "python-bindings")


class Unavailable(Exception):
    pass


class Broken(Exception):
    """The tests are here and cannot be run."""


def fetch(folder, part=IN_REPOSITORY):
    """AMD's sources of one project, at the commit that the tables are for."""
    source = folder / "source"
    if (source / part / "tests").exists():
        return source / part
    shutil.rmtree(source, ignore_errors=True)
    steps = (["clone", "--filter=blob:none", "--no-checkout", REPOSITORY, source],
             ["-C", source, "sparse-checkout", "set", part], ["-C", source, "checkout", COMMIT])
    for step in steps:
        done = subprocess.run(["git", *step], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            shutil.rmtree(source, ignore_errors=True)
            raise Unavailable(f"AMD's tests cannot be fetched from {REPOSITORY}: {done.stderr.strip()[-200:]}")
    return source / part


def configure_error(text):
    """Of CMake: without a network it cannot fetch repositories; anything else is a defect of the installed package."""
    kind = Unavailable if re.search(r"[Cc]lone|could not resolve host|DOWNLOAD", text) else Broken
    return kind("AMD's tests cannot be configured:\n" + text)


def write_trace_processor(folder):
    """The package perfetto, as far as AMD's tests use it, without its program."""
    package = folder / "perfetto" / "trace_processor"
    package.mkdir(parents=True, exist_ok=True)
    (package.parent / "__init__.py").touch()
    here = pathlib.Path(__file__).parent
    shutil.copy(here / "trace_processor.py", package / "__init__.py")
    shutil.copy(here.parent / "support" / "pftrace.py", package)


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
                        # Kernels of other streams wait for a counted one, which takes seconds here.
                        RTL_COUNTER_BOUND_MS="600000",
                        ROCPROFILER_PC_SAMPLING_BETA_ENABLED="on",
                        PATH=f"{folder / 'bin'}:{os.environ['PATH']}")

    def run(self, *command, **options):
        whole = [RUNTIME_TOOL, "exec", RUNTIME, "--", self.build / "bin/vgpu", "run", "--", *command]
        return subprocess.run(whole, env=self.env, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL,
                              **options)

    def make_python_packages(self):
        if (self.folder / SHELL).exists():
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:",
                            "--python-version", self.python_version, "--target", self.python, "--upgrade",
                            *PYTHON_PACKAGES],
                           check=False, stderr=subprocess.DEVNULL)
        else:
            write_trace_processor(self.python)

    def configure(self, source):
        subprocess.run(["cmake", "--install", self.build, "--prefix", self.prefix], stdout=subprocess.DEVNULL,
                       check=True)
        # The modules run with any Python; the package is made for this machine's.
        ours = next(path for path in (self.prefix / "lib").glob("python3.*") if not path.is_symlink())
        theirs = ours.with_name(f"python{self.python_version}")
        if not theirs.exists():
            theirs.symlink_to(ours.name)
        self.make_python_packages()
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
            raise configure_error("".join(errors or [done.stderr[-3000:]]))
        for file in self.tree.rglob("CTestTestfile.cmake"):
            text = file.read_text()
            file.write_text(re.sub(r'TIMEOUT "(\d+)"', lambda match: f'TIMEOUT "{int(match[1]) * LONGER}"', text))

    def stand_ins(self):
        """Of what AMD's CMake project would clone: a folder beside it, for a repository that is out of reach. The same
        for its program that reads Perfetto's files."""
        options = []
        shell = self.folder / SHELL
        (self.tree / "pytest-packages").mkdir(parents=True, exist_ok=True)
        if shell.exists():
            shutil.copy(shell, self.tree / "pytest-packages")
        else:
            (self.tree / "pytest-packages" / SHELL).touch()  # so it is not fetched
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
            raise Broken(f"ctest lists no tests (exit code {done.returncode}): {done.stderr.strip()[-300:]}")
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
            raise Broken("ctest left no results")
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


Known = collections.namedtuple("Known", "pattern ending cause")


def read_known(text):
    """The lines of upstream_known.txt, whose first comment has the format."""
    known = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split(maxsplit=2)
        if len(words) != 3 or words[1] not in ENDINGS:
            raise ValueError(f"{KNOWN.name}:{number}: a pattern, one of {', '.join(ENDINGS)}, and a cause are expected")
        known.append(Known(*words))
    return known


def line_of(known, name):
    return next((each for each in known if fnmatch.fnmatchcase(name, each.pattern)), None)


def complaints(known, ends, all_names):
    """What differs from the list: `ends` has the ending and the reason of each test that was to run."""
    found, used = [], set()
    for name in all_names:
        line = line_of(known, name)
        if line is not None:
            used.add(line)
        if name not in ends:
            continue
        ended, reason = ends[name]
        said = ended + (f": {reason}" if reason and ended != "passed" else "")
        if line is None and ended != "passed":
            found.append(f"{name}: {said}")
        elif line is not None and ended not in ENDINGS[line.ending]:
            found.append(f"{name}: {said}, but listed as {line.ending} ({line.cause})")
    return found + [f"{each.pattern}: listed, and no test has this name" for each in known if each not in used]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--source", type=pathlib.Path, help="AMD's folder rocprofiler-sdk; else it is fetched")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "upstream", help="of the work")
    parser.add_argument("--only", metavar="FOLDER", default="")
    parser.add_argument("--steady", action="store_true", help="without the tests that may end either way")
    parser.add_argument("--gfx", default="90a")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    known = read_known(KNOWN.read_text())
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        tests = Tests(options.build.resolve(), make_root(), folder, options.gfx)
        tests.configure(options.source.resolve() if options.source else fetch(folder))
        unbuilt = tests.compile()
        listed = tests.listed()
        folders = {name: where for name, where in listed.items() if where.startswith(options.only)}
        if options.steady:
            unsteady = {name for name in folders if line_of(known, name) and line_of(known, name).ending == "unsteady"}
            print(f"left out as unsteady: {len(unsteady)} of {len(folders)}")
            folders = {name: where for name, where in folders.items() if name not in unsteady}
        # Debian's HSA and HIP register no tables: the variable loads tools, and the preloaded library has HIP's calls.
        tools = [name for name, where in folders.items() if not where.startswith(OF_COMMANDS)]
        cases = tests.test([name for name in folders if name not in tools], options.jobs)
        cases |= tests.test(tools, options.jobs, HSA_TOOLS_LIB=f"{tests.prefix}/lib/librocprofiler-sdk.so.1")
    except Unavailable as why:
        print(f"SKIPPED: {why}")
        return UNAVAILABLE
    except Broken as why:
        print(why)
        return 1
    if unbuilt:
        print("not built: " + ", ".join(unbuilt))
    ends = {name: (ending_of(cases.get(name)), reason_of(cases.get(name))) for name in folders}
    counts = collections.defaultdict(collections.Counter)
    for name, where in folders.items():
        counts[where][ends[name][0]] += 1
    print("| folder | passed | failed | not run |\n|---|---|---|---|")
    for where, of_folder in sorted(counts.items()):
        print(f"| {where} | {of_folder['passed']} | {of_folder['failed']} | {of_folder['not run']} |")
    for name, where in sorted(folders.items(), key=lambda each: each[::-1]):
        if ends[name][0] != "passed":
            print(f"{where}: {name}: {': '.join(filter(None, ends[name]))}")
    found = complaints(known, ends, listed)
    if found:
        print(f"not as {KNOWN.name} says:", *found, sep="\n  ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
