#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails unless docs/design/completeness.md has one row for every loss of src/model/losses.h, and every
test that a row names exists, in a file that mentions that loss.

usage: check_losses.py [--root DIR] [--self-test]
"""
import argparse
import pathlib
import re
import sys
import tempfile

LOSSES = "src/model/losses.h"
TABLE = "docs/design/completeness.md"
TEST = re.compile(r"^\s*TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)


def read_losses(header):
    table = re.search(r"#define RTL_LOSSES\(X\)((?:.*\\\n)*.*)", header)
    return re.findall(r"X\((k\w+),", table[1]) if table else []


def read_rows(text):
    """Loss -> the tests of its row."""
    rows = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if re.fullmatch(r"k\w+", cells[0]) and len(cells) > 1:
            rows.append((cells[0], re.findall(r"`([^`]+)`", cells[-1])))
    return rows


def read_tests(root):
    """Name of a test -> the files that make it."""
    tests = {}
    for folder in ("src", "tests", "vgpu"):
        for path in sorted((root / folder).rglob("*_test.cpp")):
            for suite, name in TEST.findall(path.read_text(errors="replace")):
                tests.setdefault(f"{suite}.{name}", []).append(path)
    for run in sorted((root / "tests" / "scenario").glob("*/run.toml")):
        name = run.parent.name.replace("_", ".", 1)
        tests[f"scenario.{name}"] = sorted(path for path in run.parent.iterdir() if path.is_file())
    return tests


def problems(root):
    losses = read_losses((root / LOSSES).read_text())
    if not losses:
        return [f"{LOSSES}: no RTL_LOSSES"]
    rows, tests, found = read_rows((root / TABLE).read_text()), read_tests(root), []
    for loss in losses:
        count = sum(row == loss for row, _ in rows)
        if count != 1:
            found.append(f"{TABLE}: {count} rows of {loss}, should be one")
    for loss, names in rows:
        if loss not in losses:
            found.append(f"{TABLE}: {loss} is not in {LOSSES}")
        if not names:
            found.append(f"{TABLE}: {loss} names no test that produces it")
        for name in names:
            files = tests.get(name)
            if not files:
                found.append(f"{TABLE}: {loss}: there is no test {name}")
            elif not any(loss in path.read_text(errors="replace") for path in files):
                found.append(f"{TABLE}: {loss}: the file of {name} does not mention it")
    return found


def self_test():
    files = {
        LOSSES: "#define RTL_LOSSES(X) \\\n  X(kOne, \"a\") \\\n  X(kTwo, \"b\")\n",
        TABLE: "| cause | when | test |\n|---|---|---|\n"
               "| kOne | a | `Suite.A` |\n| kTwo | b | `scenario.trace.two` |\n",
        "src/a_test.cpp": "TEST_F(Suite, A) { EXPECT_EQ(loss(Loss::kOne), 1); }\n",
        "tests/scenario/trace_two/run.toml": "losses.\"kTwo.kernels\" = 2\n",
    }
    spoilt = {
        TABLE: [("kTwo | b", "kThree | b"), ("`Suite.A`", "`Suite.B`"), ("`Suite.A`", "somewhere"),
                ("| kTwo | b | `scenario.trace.two` |\n", ""), ("scenario.trace.two", "scenario.trace.three")],
        LOSSES: [("X(kTwo, \"b\")", "X(kTwo, \"b\") \\\n  X(kThree, \"c\")")],
        "src/a_test.cpp": [("kOne", "kOther")],
        "tests/scenario/trace_two/run.toml": [("kTwo", "kOther")],
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        assert problems(root) == [], problems(root)
        for name, changes in spoilt.items():
            for old, new in changes:
                assert old in files[name], old
                (root / name).write_text(files[name].replace(old, new))
                assert problems(root), f"{old!r} for {new!r} in {name} was not found"
            (root / name).write_text(files[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--self-test", action="store_true", help="test this script and end")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    found = problems(arguments.root)
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
