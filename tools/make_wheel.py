#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a Python wheel of a build: rtl, rocprofv3 and vgpu with their libraries, as `pip install` puts them into an
environment, and the contents of python/.

    tools/make_wheel.py --build build/release --out FOLDER

The programs lie in the package rocm_trace_lite, together with the libraries of this system that they need; libraries
of every Linux (libc and its relatives) come from the system, and the wheel's tag names their least version.
"""
import argparse
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

PROJECT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = "rocm_trace_lite"
PROGRAMS = ("rtl", "rocprofv3", "rocprofv3-avail", "vgpu")
READER = "librtl_read.so"  # Python opens it, outside of traced programs
OF_SDK = ("librocprofiler-sdk.so.1", "librtl_selftest_tool.so")  # for `rtl selftest`
# Part of every Linux that the wheel is for: never brought along.
OF_THE_SYSTEM = re.compile(r"^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt)\b")

START = '''# SPDX-License-Identifier: MIT
"""rtl, rocprofv3 and vgpu, as programs of this environment."""
import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def _become(name):
    program = FOLDER / "bin" / name
    try:
        os.execv(program, [str(program), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{name}: {program} cannot be run: {error.strerror}")


def rtl():
    _become("rtl")


def rocprofv3():
    _become("rocprofv3")


def rocprofv3_avail():
    _become("rocprofv3-avail")


def vgpu():
    _become("vgpu")
'''


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"make_wheel: {command[0]} failed: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return done.stdout


def install(build, tree):
    """The programs and libraries in `tree`; a library under the one name by which it is loaded."""
    with tempfile.TemporaryDirectory(prefix="wheel-") as folder:
        prefix = pathlib.Path(folder)
        for component in ("rtl", "vgpu", "sdk"):
            part = prefix / component
            run("cmake", "--install", build, "--component", component, "--prefix", part, "--strip")
            if component != "sdk":
                shutil.copytree(part / "bin", tree / "bin", dirs_exist_ok=True)
            if component == "rtl":  # in place of the scripts that start them: the wheel has its own
                shutil.copytree(part / "libexec", tree / "bin", dirs_exist_ok=True)
            (tree / "lib").mkdir(exist_ok=True)
            for path in (part / "lib").iterdir():
                is_wanted = path.name in OF_SDK if component == "sdk" else not re.search(r"\.so\.\d+\.\d", path.name)
                if path.is_file() and is_wanted:
                    shutil.copy(path, tree / "lib" / path.name)


def bring_libraries(tree):
    """Copies the libraries beside libc of programs and reader into deps/, which they search first."""
    (tree / "deps").mkdir()
    for file in (*(tree / "bin" / program for program in PROGRAMS), tree / "lib" / READER):
        for name, path in re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", file), re.M):
            if not OF_THE_SYSTEM.match(name):
                shutil.copy(path, tree / "deps" / name)
        run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../deps", file)


def newest_glibc(tree):
    versions = {(2, 17)}
    for path in [*tree.rglob("*.so*"), *(tree / "bin").iterdir()]:
        for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "-T", path)):
            versions.add((int(major), int(minor)))
    return max(versions)


def check_glibc(build, tree):
    """The brought files must not need a newer C library than the build is for."""
    older = re.search(r"^RTL_OLDER_GLIBC:PATH=(.+)$", (build / "CMakeCache.txt").read_text(), re.M)
    if older:
        run(sys.executable, PROJECT / "tools" / "check_glibc.py", tree, "2.28")


def write_about(tree, version, tag):
    about = tree.parent / f"{PACKAGE}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: rocm-trace-lite\nVersion: {version}\nLicense: MIT\nRequires-Python: >=3.9\n"
        "Summary: light tracer and profiler for AMD GPUs: rtl, rocprofv3, and a virtual GPU\n")
    (about / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n")
    (about / "entry_points.txt").write_text(
        "[console_scripts]\n" + "".join(f"{name} = {PACKAGE}:{name.replace('-', '_')}\n" for name in PROGRAMS))
    for name in ("LICENSE", "CHANGELOG.md"):
        shutil.copy(PROJECT / name, about / name)
    return about


def pack(folder, about, wheel):
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            name = path.relative_to(folder).as_posix()
            content = path.read_bytes()
            entry = zipfile.ZipInfo(name)  # its date is the same each time
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
        listing = f"{about.name}/RECORD"
        archive.writestr(zipfile.ZipInfo(listing), "".join(record) + f"{listing},,\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    for tool in ("patchelf", "objdump"):
        if shutil.which(tool) is None:
            sys.exit(f"make_wheel: {tool} is missing: install it with scripts/setup test")
    version = re.search(r"project\(rtl VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text())[1]
    with tempfile.TemporaryDirectory(prefix="wheel-") as name:
        tree = pathlib.Path(name) / PACKAGE
        tree.mkdir()
        (tree / "__init__.py").write_text(START)
        install(options.build, tree)
        bring_libraries(tree)
        check_glibc(options.build, tree)
        python = PROJECT / "python"
        for package in sorted(each for each in python.iterdir() if each.is_dir()) if python.exists() else ():
            shutil.copytree(package, tree.parent / package.name, ignore=shutil.ignore_patterns("*test*", "__pycache__"))
        tag = "py3-none-manylinux_{}_{}_x86_64".format(*newest_glibc(tree))
        about = write_about(tree, version, tag)
        options.out.mkdir(parents=True, exist_ok=True)
        pack(tree.parent, about, options.out / f"{PACKAGE}-{version}-{tag}.whl")
    return 0


if __name__ == "__main__":
    sys.exit(main())
