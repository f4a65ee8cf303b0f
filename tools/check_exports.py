#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a shared library exports symbols that its version script does not name, or needs other
libraries than those of libc.

usage: check_exports.py [--self-test] --map SCRIPT LIBRARY
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# libc and its parts
ALLOWED_LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1",
                     "ld-linux-x86-64.so.2"}


def read_map(path):
    """(version name or "", the exported names) of a version script with one node."""
    text = re.sub(r"#.*", "", path.read_text())
    hit = re.fullmatch(r"\s*([\w.]*)\s*\{\s*global:(.*?)local:\s*\*;\s*\}\s*;\s*", text, re.S)
    if not hit:
        raise SystemExit(f"{path}: not a version script with one node that ends in `local: *;`")
    return hit[1], set(hit[2].replace(";", " ").split())


def exported(library):
    listing = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                             check=True).stdout
    return {line.split()[-1] for line in listing.splitlines() if line.strip()}


def needed(library):
    listing = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True,
                             check=True).stdout
    return set(re.findall(r"\(NEEDED\)\s+Shared library: \[(.*?)\]", listing))


def problems(script, library):
    version, names = read_map(script)
    if not names:
        return [f"{script}: names nothing"]
    suffix = f"@@{version}" if version else ""
    expected = {name + suffix for name in names}
    actual = exported(library) - ({version} if version else set())
    found = [f"{library}: exports {name}" for name in sorted(actual - expected)]
    found += [f"{library}: does not export {name}" for name in sorted(expected - actual)]
    found += [f"{library}: needs {name}" for name in sorted(needed(library) - ALLOWED_LIBRARIES)]
    return found


def self_test():
    """Links small libraries, good and bad."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory)
        compiler = os.environ.get("CXX", "c++")

        def link(name, source, *options):
            (path / f"{name}.cpp").write_text(source)
            subprocess.run([compiler, "-shared", "-fPIC", f"{name}.cpp", "-o", f"{name}.so", *options],
                           check=True, cwd=path)
            return str(path / f"{name}.so")

        plain, versioned = path / "plain.map", path / "versioned.map"
        plain.write_text("{ global: OnLoad; OnUnload; local: *; };\n")
        versioned.write_text("# comment\nV_1 {\n  global:\n    OnLoad;\n    OnUnload;\n  local:\n    *;\n};\n")
        good = 'extern "C" void OnLoad() {}\nextern "C" void OnUnload() {}\nvoid Hidden() {}\n'
        script = lambda file: f"-Wl,--version-script={file}"
        c_only = "-nostdlib"
        answer = problems(plain, link("good", good, c_only, script(plain)))
        assert answer == [], answer
        answer = problems(versioned, link("versioned", good, c_only, script(versioned)))
        assert answer == [], answer
        answer = problems(plain, link("leaky", good, c_only))
        assert len(answer) == 1 and answer[0].endswith("leaky.so: exports _Z6Hiddenv"), answer
        answer = problems(plain, link("short", 'extern "C" void OnLoad() {}\n', c_only, script(plain)))
        assert len(answer) == 1 and answer[0].endswith("does not export OnUnload"), answer
        answer = problems(versioned, link("unversioned", good, c_only, script(plain)))
        assert len(answer) == 4, answer
        answer = problems(plain, link("needy", good, script(plain), "-Wl,--no-as-needed", "-lstdc++"))
        assert answer and all("needs lib" in line for line in answer), answer
        assert any("libstdc++" in line for line in answer), answer
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--map", type=pathlib.Path)
    parser.add_argument("library", nargs="?")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    if args.map is None or args.library is None:
        parser.error("a version script and a library are needed")
    found = problems(args.map, args.library)
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
