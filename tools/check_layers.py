#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a file in src/<module> includes a module that src/CMakeLists.txt does not grant it, if folders of a
module include each other in a circle, if a folder of vgpu/ includes one that does not stand before it in
vgpu/CMakeLists.txt, or if tracer and virtual GPU include each other: they share spec/ and nothing else; if an
offline program contains a symbol of what runs in the traced process; or if the folder of a module, or a folder in it
with 8 files or more, has no README.md or one of more than 20 lines.

usage: check_layers.py [--root DIR] [--offline PROGRAM...] [--self-test]
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from check_words import files

CODE = {".h", ".c", ".cpp", ".inc"}
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+/[^"]+)"')
IN_PROCESS = re.compile(r"\brtl::(?:capture|sdk|engine)::[\w:~]+")
TEST = re.compile(r"_(test|bench|fuzz)\.cpp$")
LARGE_FOLDER = 8  # files, with those of folders below
README_LINES = 20


def cmake_text(path):
    """Without comments, and with the files that it includes from folders beside it in their places."""
    def included(hit):
        other = path.parent / hit[1]
        return cmake_text(other) if other.is_file() else hit[0]
    return re.sub(r"\binclude\(([\w/]+\.cmake)\)", included, re.sub(r"#.*", "", path.read_text()))


def read_grants(cmake):
    """Module -> the modules it may include, itself among them. Grants pass on what they contain."""
    text = cmake_text(cmake)
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
            yield number, hit[1].split("/")


def folder_includes(module):
    """(from, to) -> where, for the folders of a module; "." is the module's own. Tests may include everything."""
    found = {}
    for path in code_files(module):
        if TEST.search(path.name):
            continue
        parts = path.relative_to(module).parts
        for number, target in includes(path):
            edge = (parts[0] if len(parts) > 1 else ".", target[1] if len(target) > 2 else ".")
            if target[0] == module.name and edge[0] != edge[1]:
                found.setdefault(edge, []).append(f"{path}:{number}")
    return found


def reaches(edges, start, end):
    seen, todo = set(), [start]
    while todo:
        folder = todo.pop()
        if folder == end:
            return True
        if folder not in seen:
            seen.add(folder)
            todo += [to for source, to in edges if source == folder]
    return False


def circles(module):
    """Includes that are part of a circle between the folders of a module."""
    edges = folder_includes(module)
    return [f"{where}: {module.name}/{source} may not include {module.name}/{to}, which includes it in turn"
            for source, to in sorted(edges) if reaches(edges, to, source) for where in edges[source, to]]


def vgpu_folders(vgpu):
    listed = re.search(r"set\(VGPU_CORE_FOLDERS ([^)]*)\)", (vgpu / "CMakeLists.txt").read_text())
    return listed[1].split() if listed else []


def wrong_order(vgpu):
    """Includes of the virtual GPU that go from a folder to one that stands after it, or nowhere, in CMakeLists.txt."""
    place = {folder: index for index, folder in enumerate(vgpu_folders(vgpu))}
    if not place:
        return [f"{vgpu}/CMakeLists.txt: names no VGPU_CORE_FOLDERS"]
    problems = []
    for path in code_files(vgpu):
        folder = path.relative_to(vgpu).parts[0]
        if folder not in place:
            problems.append(f"{path}: {folder} is not one of VGPU_CORE_FOLDERS")
            continue
        for number, target in includes(path):
            if target[0] == "vgpu" and place.get(target[1], len(place)) > place[folder]:
                problems.append(f"{path}:{number}: vgpu/{folder} may not include vgpu/{target[1]}")
    return problems


def wrong_readmes(root):
    """Folders of modules, and large folders in them, whose README.md is missing or too long."""
    modules = [f"src/{module}" for module in read_grants(root / "src" / "CMakeLists.txt")]
    modules += ["vgpu", *(f"vgpu/{folder}" for folder in vgpu_folders(root / "vgpu"))]
    names = files(root)
    count = collections.Counter("/".join(parts[:depth]) for parts in (name.split("/") for name in names)
                                for depth in range(1, len(parts)))
    large = {folder for folder in count if count[folder] >= LARGE_FOLDER and folder.rpartition("/")[0] in modules}
    found = []
    for folder in sorted(large.union(modules)):
        if f"{folder}/README.md" not in names:
            found.append(f"{folder}: has no README.md")
            continue
        lines = len((root / folder / "README.md").read_text().splitlines())
        if lines > README_LINES:
            found.append(f"{folder}/README.md: has {lines} lines; {README_LINES} are allowed")
    return found


def traced_code(program):
    """What an offline program contains of the modules that run in the traced process."""
    symbols = subprocess.run(["nm", "-C", program], text=True, capture_output=True, check=True).stdout
    found = sorted(set(IN_PROCESS.findall(symbols)))
    return [f"{program}: contains {len(found)} names of the tracer, such as {found[0]}"] if found else []


def problems(root):
    src, vgpu = root / "src", root / "vgpu"
    grants = read_grants(src / "CMakeLists.txt")
    if not grants:
        return [f"{src}/CMakeLists.txt: names no module"]
    found = []
    for path in code_files(src):
        module = path.relative_to(src).parts[0]
        for number, (target, *_) in includes(path):
            if target == "vgpu":
                found.append(f"{path}:{number}: the tracer may not include the virtual GPU")
            elif module in grants and target in grants and target not in grants[module]:
                found.append(f"{path}:{number}: {module} may not include {target}")
    for module in grants:
        found += circles(src / module)
    found += wrong_order(vgpu)
    for path in code_files(vgpu):
        for number, (target, *_) in includes(path):
            if target in grants or target == "src":
                found.append(f"{path}:{number}: the virtual GPU may not include the tracer's {target}")
    return found


def self_test():
    """Builds a small tree, first clean and then broken in every way, and checks the results."""
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        files = {
            "src/CMakeLists.txt": "# rtl_module(ghost)\nrtl_module(base INPROC)\n"
                                  "rtl_module(model DEPS base)\n"
                                  "rtl_module(store DEPS model LIBS base64)\n"
                                  "include(kit/kit.cmake)\ninclude(CTest)\n",
            "src/kit/kit.cmake": "rtl_module(kit DEPS base)\n",
            "src/kit/a.h": '#include "base/a.h"\n',
            "src/base/a.h": '#pragma once\n#include "base/b.h"\n',
            "src/store/a.cpp": '#include "base/a.h"\n#include "model/a.h"\n#include "other/x.h"\n',
            "src/model/in/a.h": '#include "model/a.h"\n#include "model/out/a.h"\n',
            "src/model/out/a_test.cpp": '#include "model/in/a.h"\n',
            "vgpu/CMakeLists.txt": "set(VGPU_CORE_FOLDERS mem cp)\n",
            "vgpu/cp/a.cpp": '#include "spec/isa/x.h"\n#include "vgpu/mem/a.h"\n#include "vgpu/cp/a.h"\n',
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
            "src/kit/bad.cpp": ('#include "model/a.h"\n', "kit may not include model"),
            "vgpu/cp/bad.cpp": ('#include "base/a.h"\n', "may not include the tracer's base"),
            "vgpu/mem/bad.cpp": ('#include "vgpu/cp/a.h"\n', "vgpu/mem may not include vgpu/cp"),
            "vgpu/new/bad.cpp": ("\n", "new is not one of VGPU_CORE_FOLDERS"),
        }
        for name, (text, expected) in broken.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            found = problems(root)
            assert len(found) == 1 and found[0].endswith(expected), (name, found)
            path.unlink()
        # A circle is named from every side.
        for name, include in (("src/model/out/bad.h", "model/in/a.h"), ("src/model/a.h", "model/in/a.h")):
            (root / name).write_text(f'#include "{include}"\n')
            assert len(problems(root)) == 2, (name, problems(root))
            (root / name).unlink()
        readme = "\n" * README_LINES
        for folder in ("src/base", "src/model", "src/store", "src/kit", "vgpu", "vgpu/mem", "vgpu/cp"):
            (root / folder).mkdir(exist_ok=True)
            (root / folder / "README.md").write_text(readme)
        for number in range(LARGE_FOLDER - 1):
            (root / f"src/model/in/{number}.h").write_text("")  # with a.h they are enough
        assert wrong_readmes(root) == ["src/model/in: has no README.md"], wrong_readmes(root)
        (root / "src/model/in/0.h").rename(root / "src/model/out/0.h")
        assert wrong_readmes(root) == [], wrong_readmes(root)
        (root / "src/kit/README.md").unlink()
        (root / "vgpu/cp/README.md").write_text(readme + "\n")
        assert wrong_readmes(root) == ["src/kit: has no README.md",
                                       "vgpu/cp/README.md: has 21 lines; 20 are allowed"], wrong_readmes(root)
        for name, bad in (("tables", False), ("capture", True)):
            source = root / f"{name}.cpp"
            source.write_text(f"namespace rtl::{name} {{ int Width() {{ return 1; }} }}\nint main() {{}}\n")
            subprocess.run([os.environ.get("CXX", "c++"), "-o", root / name, source], check=True)
            assert bool(traced_code(root / name)) == bad, name
        (root / "src/CMakeLists.txt").write_text("# nothing\n")
        assert len(problems(root)) == 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--offline", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    found = problems(args.root) + wrong_readmes(args.root)
    found += [problem for program in args.offline for problem in traced_code(program)]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
