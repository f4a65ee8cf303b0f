#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The size of the tree and of its parts, as docs/reference/measurements.md has it.

Product code is src, vgpu and include, without tests, benchmarks and fuzzers. A function is what clang-format indents
like one: from a line that opens its body to the brace in the same column. Members of a class are the declarations
between its braces. Written by hand is what no tool of this tree has made.
"""

import argparse
import pathlib
import re
import statistics

ROOT = pathlib.Path(__file__).resolve().parents[1]
SUFFIXES = (".cpp", ".h", ".inc", ".c", ".py", ".s", ".hip", ".cmake", ".js", ".ts", ".css", ".html", ".md", ".txt",
            ".toml", ".sql", ".sh", ".yaml", ".json", ".proto", "")
NOT_PRODUCT = re.compile(r"_(test|bench|fuzz)\.\w+$|test_support\.h$|/testdata/")
MADE = re.compile(r"(Made|Written) by tools/gen_\w+")
CLASSES = ("TraceWriter", "TraceReader", "Session", "TracedQueue", "Collector::Impl", "Library", "Services")
OPENS = re.compile(r"^( *)(?!.*\b(?:namespace|struct|class|enum|union|if|for|while|switch|do|else|try|catch)\b)"
                   r"[\w~].*\)[^;=]*\{$")


def lines_of(path):
    return path.read_text(errors="replace").splitlines()


def functions(lines):
    """The length of each function."""
    start = indent = None
    for number, line in enumerate(lines):
        if start is None:
            if hit := OPENS.match(line):
                start, indent = number, hit[1]
        elif line.rstrip() in (indent + "}", indent + "};"):
            yield number - start + 1
            start = None


def members(text, name):
    """The number of declarations in the class's body; None: there is no such class."""
    begin = re.search(rf"^class {re.escape(name)}(?: final)?(?: :[^{{]*)? \{{$(.*?)^\}};$", text, re.M | re.S)
    if begin is None:
        return None
    body = re.sub(r"//.*|\".*?\"", "", begin[1])
    while re.search(r"\{[^{}]*\}", body):  # bodies of functions, nested types, initial values
        body = re.sub(r"\{[^{}]*\}(?!\s*[;,)])", ";", re.sub(r"\{[^{}]*\}(?=\s*[;,)])", "", body))
    body = re.sub(r"(public|private|protected):", "", body)
    found = [re.sub(r"\s+", " ", each).strip() for each in body.split(";")]
    return len([each for each in found if each and not re.match(r"using |static_assert|friend |RTL_REQUIRES", each)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT, help="another tree; default: this one")
    parser.add_argument("classes", nargs="*", default=CLASSES, metavar="class")
    options = parser.parse_args()
    root = options.folder.resolve()
    if not (root / "src").is_dir():
        parser.error(f"{root}: not a tree of this project: it has no folder src")
    tree = [path for path in sorted(root.rglob("*")) if path.is_file() and path.suffix in SUFFIXES
            and path.relative_to(root).parts[0] not in ("build", ".git")]
    code = [path for path in tree if path.suffix in (".cpp", ".h", ".inc", ".c")]
    product = [path for path in code if path.relative_to(root).parts[0] in ("src", "vgpu", "include")
               and not NOT_PRODUCT.search(str(path))]
    by_file = {path: lines_of(path) for path in product}
    lengths = sorted(length for lines in by_file.values() for length in functions(lines))
    text = "\n".join("\n".join(lines) for path, lines in by_file.items() if path.suffix == ".h")
    print(f"files, lines of the tree: {len(tree):,}, {sum(len(lines_of(path)) for path in tree):,}")
    print(f"files, lines of product code: {len(product):,}, {sum(map(len, by_file.values())):,}")
    by_hand = {path: lines for path, lines in by_file.items() if not MADE.search("\n".join(lines[:20]))}
    print(f"files, lines of these written by hand: {len(by_hand):,}, {sum(map(len, by_hand.values())):,}")
    small = [path for path, lines in by_file.items() if len(lines) < 40]
    own = sum(path.relative_to(root).parts[0] != "include" for path in small)
    print(f"product files under 40 lines, of these not installed: {len(small)}, {own}")
    print(f"product files over 600 lines: {sum(len(lines) > 600 for lines in by_file.values())}")
    print(f"lines of a function, median, p99: {statistics.median(lengths):g}, {lengths[len(lengths) * 99 // 100]}")
    print(f"functions, over 60 lines: {len(lengths):,}, {sum(length > 60 for length in lengths)}")
    wide = sum(len(line) > 100 for path, lines in by_file.items() for line in lines if "//" in line)
    print(f"lines with a comment over 100 columns: {wide}")
    for name in options.classes:
        print(f"members of {name}: {members(text, name)}")


if __name__ == "__main__":
    main()
