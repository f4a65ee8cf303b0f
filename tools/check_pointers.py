#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a comment or a page names a file, a folder or an ADR of this tree that does not exist, or if the head of a
header names another file.

usage: check_pointers.py [--root DIR] [--self-test]

A path may begin at the root, at any folder, or at the file that names it; `log.{h,cpp}` names two files. ADRs are
history: of them, only links and numbers are checked.
"""
import argparse
import pathlib
import re
import sys
import tempfile

from check_words import LEFT_OUT, MADE, cpp_comments, hash_comments, python_comments, files

TOP = ("benchmarks", "cmake", "docs", "examples", "include", "python", "samples", "scripts", "spec", "src", "tests",
       "tools", "vgpu")
WORD = re.compile(r"[^\s`'\"()\[\];|=]+")  # "src/base/config.h", "base/log.{h,cpp}"
FILE = re.compile(r"[\w./{},-]+\.(?:h|cpp|c|inc|py|md|cmake|s|hip|sql|map|toml|yaml|proto|js|html|css|\{[\w,]+\})")
FOLDER = re.compile(r"[\w./{},-]+")
# Placeholders; files of the system and of other projects; a tool that the reader of a guide writes.
OTHERS = re.compile(r"NNN|_X\.|(^|/)(?!README)[A-Z][A-Z_]*[./]|^X/|^(linux|rccl|opt|count_kernels)/|^llama\.cpp$")
OTHER_TREES = re.compile(r"/foreign-traces\.md$")
ADR = re.compile(r"\bADRs? (\d{4})\b")
HEAD = re.compile(r"// SPDX[^\n]*\n// ([\w.-]+\.h):")  # "// log.h: one line on stderr"
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)")


def texts(name, text):
    """Pairs of a line number and a text that may name files."""
    if MADE.search(text):
        return []
    if re.search(r"\.(h|cpp|c|hip|inc)$", name):
        return cpp_comments(text)
    if name.endswith(".py"):
        return python_comments(text)
    if name.endswith(".md"):
        return list(enumerate(text.splitlines(), 1))
    return hash_comments(text) if re.search(r"\.(cmake|toml|sh|yaml)$|CMakeLists\.txt$|^scripts/", name) else []


def expanded(path):
    """The paths behind the words in braces."""
    hit = re.search(r"\{([\w,]+)\}", path)
    if hit is None:
        return [path]
    return [each for word in hit[1].split(",") for each in expanded(path[:hit.start()] + word + path[hit.end():])]


def names_a_file(path, in_page):
    """A path with a folder; alone, only the .cpp of a comment: other names are those of users and of systems."""
    if path.startswith(("/", "-", "~", ".")) or OTHERS.search(path):
        return False
    if FILE.fullmatch(path):
        return "/" in path or (not in_page and path.endswith(".cpp"))
    return path.startswith(tuple(folder + "/" for folder in TOP)) and FOLDER.fullmatch(path) is not None


class Tree:
    def __init__(self, root, names):
        self.root = root
        self.ends = set()  # "src/base/log.h", "base/log.h", "log.h", and folders
        for name in names:
            parts = pathlib.PurePath(name).parts
            for begin in range(len(parts)):
                self.ends.update("/".join(parts[begin:end]) for end in range(begin + 1, len(parts) + 1))
                self.ends.add("/".join((*parts[begin:-1], parts[-1].split(".")[0])))  # a program by its name

    def has(self, path, beside):
        return path in self.ends or (self.root / beside / path).exists()


def wrong_in(tree, name, text):
    beside = pathlib.PurePath(name).parent
    is_history = name.startswith("docs/adr/")
    found = [f"ADR {number}" for number in ADR.findall(text)
             if not any((tree.root / "docs/adr").glob(f"{number}-*.md"))]
    if name.endswith(".md"):
        found += [link for link in LINK.findall(text) if not (tree.root / beside / link).exists()]
        text = LINK.sub("]", text)
    if is_history or OTHER_TREES.search(name):
        return found
    paths = [word.rstrip(".,:/") for word in WORD.findall(text)]
    paths = [path for path in paths if names_a_file(path, name.endswith(".md"))]
    return found + [path for each in paths for path in expanded(each) if not tree.has(path, beside)]


def wrong_pointers(root, names):
    tree = Tree(root, names)
    found = []
    for name in names:
        if LEFT_OUT.search(name):
            continue
        whole = (root / name).read_text(errors="replace")
        head = HEAD.match(whole)
        if head and head[1] != pathlib.PurePath(name).name:
            found.append(f"{name}:2: the head names {head[1]}")
        for number, text in texts(name, whole):
            found += [f"{name}:{number}: there is no {path}" for path in dict.fromkeys(wrong_in(tree, name, text))]
    return found


def self_test():
    with tempfile.TemporaryDirectory(prefix="check-pointers-") as name:
        root = pathlib.Path(name)
        pages = {"docs/adr/0001-a.md": "Once src/old.h had it. ADR 0001, [this](0001-a.md)\n",
                 "src/base/a.h": "// SPDX\n// a.h: as base/a.{h,cpp}, a.cpp, <linux/fs.h>, /proc/x.h, src/base and ADR 0001 say.\n",
                 "src/base/a.cpp": "const char* kFile = \"no/such.h\";\n",
                 "docs/a.md": "`src/base/a.h`, `out.cpp` and [the decision](adr/0001-a.md#why)\n"}
        wrong = {"src/base/a.h": ("// base/b.h\n", "// See b.cpp.\n", "// ADR 0002\n", "// src/store\n",
                                  "// base/a.{h,inc}\n", "// SPDX\n// log.h: of another file\n"),
                 "docs/a.md": ("`base/b.h`\n", "[it](adr/0002-b.md)\n", "ADR 0002\n"),
                 "docs/adr/0001-a.md": ("ADRs 0003\n", "[it](0003-c.md)\n")}
        for path, text in pages.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        assert wrong_pointers(root, list(pages)) == [], wrong_pointers(root, list(pages))
        for path, texts_of_it in wrong.items():
            for text in texts_of_it:
                (root / path).write_text(text)
                assert len(wrong_pointers(root, list(pages))) == 1, (text, wrong_pointers(root, list(pages)))
            (root / path).write_text(pages[path])
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    found = wrong_pointers(options.root, files(options.root))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
