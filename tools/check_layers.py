#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a file in src/<module> includes a module that src/CMakeLists.txt does not grant it, or
if tracer and virtual GPU include each other: they share spec/ and nothing else.

usage: check_layers.py [--root DIR] [--self-test]
"""
import argparse
import pathlib
import re
import sys
import tempfile

CODE = {".h", ".c", ".cpp", ".inc"}
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"/]+)/')


def read_grants(cmake):
    """Module -> the modules it may include, itself among them. Grants pass on what they contain."""
    text = re.sub(r"#.*", "", cmake.read_text())
    grants = {}
    for call in re.findall(r"\brtl_module\(([^)]*)\)", text):
        words = call.split()
        end = words.index("LIBS") if "LIBS" in words else len(words)
        deps = words[words.index("DEPS") + 1:end] if "DEPS" in words else []
        grants[words[0]] = {words[0]}.union(*(grants.get(dep, {dep}) for dep in deps))
    return grants


def code_files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in CODE)


def includes(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        hit = INCLUDE.match(line)
        if hit:
            yield number, hit[1]


def problems(root):
    src, vgpu = root / "src", root / "vgpu"
    grants = read_grants(src / "CMakeLists.txt")
    if not grants:
        return [f"{src}/CMakeLists.txt: names no module"]
    found = []
    for path in code_files(src):
        module = path.relative_to(src).parts[0]
        for number, target in includes(path):
            if target == "vgpu":
                found.append(f"{path}:{number}: the tracer may not include the virtual GPU")
            elif module in grants and target in grants and target not in grants[module]:
                found.append(f"{path}:{number}: {module} may not include {target}")
    for path in code_files(vgpu):
        for number, target in includes(path):
            if target in grants or target == "src":
                found.append(f"{path}:{number}: the virtual GPU may not include the tracer's {target}")
    return found


def self_test():
    """Builds a small tree, clean first and then broken in every way, and looks at the answers."""
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        files = {
            "src/CMakeLists.txt": "# rtl_module(ghost)\nrtl_module(base INPROC)\n"
                                  "rtl_module(model DEPS base)\n"
                                  "rtl_module(store DEPS model LIBS base64)\n",
            "src/base/a.h": '#pragma once\n#include "base/b.h"\n',
            "src/store/a.cpp": '#include "base/a.h"\n#include "model/a.h"\n#include "other/x.h"\n',
            "vgpu/cp/a.cpp": '#include "spec/isa/x.h"\n#include "cp/b.h"\n',
        }
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        assert problems(root) == [], problems(root)
        broken = {
            "src/base/bad.h": ('#include "store/a.h"\n', "base may not include store"),
            "src/model/bad_test.cpp": ('\n # include "store/a.h"\n', "model may not include store"),
            "src/store/bad.cpp": ('#include "vgpu/cp/a.h"\n', "may not include the virtual GPU"),
            "vgpu/cp/bad.cpp": ('#include "base/a.h"\n', "may not include the tracer's base"),
        }
        for name, (text, expected) in broken.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            found = problems(root)
            assert len(found) == 1 and found[0].endswith(expected), (name, found)
            path.unlink()
        (root / "src/CMakeLists.txt").write_text("# nothing\n")
        assert len(problems(root)) == 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    found = problems(args.root)
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
