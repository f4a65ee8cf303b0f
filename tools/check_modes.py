#!/usr/bin/env python3
"""Fails when a table of the modes in the documents is not true.

  check_modes.py --root DIR
      The first column of the table under "| mode |" in README.md and docs/reference/cli.md must have the
      words that src/base/config.cpp takes for a mode, each once; what the table of README.md says that a
      mode is tried by must be there: a folder, or a scenario that is run in this mode.
  check_modes.py --self-test
"""
import argparse
import pathlib
import re
import sys
import tempfile
import tomllib

DOCUMENTS = ("README.md", "docs/reference/cli.md")
OTHER_WORDS = {"default"}  # means standard


def words(root):
    text = (root / "src/base/config.cpp").read_text()
    table = re.search(r"kModes\[\] = \{(.*?)\};", text, re.S)
    return set(re.findall(r'\{"(\w+)", Mode::', table[1])) - OTHER_WORDS


def rows(text):
    """mode -> its line."""
    found = []
    inside = False
    for line in text.splitlines():
        inside = line.startswith("| mode |") or (inside and line.startswith("|"))
        mode = re.match(r"\| `(\w+)`", line)
        if inside and mode:
            found.append((mode[1], line))
    return found


def complaints(root):
    for document in DOCUMENTS:
        table = rows((root / document).read_text())
        names = [name for name, _ in table]
        for name in sorted(words(root) - set(names)):
            yield f"{document}: the table of modes leaves out {name}"
        for name in sorted(set(names) - words(root)):
            yield f"{document}: there is no mode {name}"
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"{document}: mode {name} is there twice"
        if document != "README.md":
            continue
        for name, line in table:
            yield from untrue(root, document, name, line)


def untrue(root, document, mode, line):
    tests = re.findall(r"`(tests/[\w/]+|trace_\w+)`", line)
    if not tests:
        yield f"{document}: mode {mode} names no test"
    for test in tests:
        if test.startswith("tests/"):
            if not (root / test).is_dir():
                yield f"{document}: mode {mode}: {test} does not exist"
            continue
        scenario = root / "tests/scenario" / test / "run.toml"
        if not scenario.exists():
            yield f"{document}: mode {mode}: there is no scenario {test}"
            continue
        used = tomllib.loads(scenario.read_text()).get("trace", {}).get("mode")
        if used != mode:
            yield f"{document}: mode {mode}: {test} is run in mode {used}"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("src/base", "docs/reference", "tests/clr", "tests/scenario/trace_a"):
            (root / name).mkdir(parents=True)
        (root / "src/base/config.cpp").write_text(
            'X kModes[] = {{"auto", Mode::kAuto}, {"default", Mode::kStandard}, {"clr", Mode::kClr}};')
        (root / "tests/scenario/trace_a/run.toml").write_text('[trace]\nmode = "auto"\n')
        cli = "| mode |\n|---|\n| `auto` | |\n| `clr` | |\n"
        (root / "docs/reference/cli.md").write_text(cli)

        def said(readme):
            (root / "README.md").write_text(readme)
            return list(complaints(root))

        good = "| mode |\n|---|\n| `auto` | `trace_a` |\n| `clr` | `tests/clr` |\n"
        failed = []
        if said(good):
            failed.append("a table that is true")
        for what, table in {
            "a mode that is left out": good.replace("| `clr` | `tests/clr` |\n", ""),
            "a mode that is not there": good + "| `fast` | `trace_a` |\n",
            "a mode twice": good + "| `clr` | `tests/clr` |\n",
            "a scenario that is not there": good.replace("trace_a", "trace_b"),
            "a scenario of another mode": good.replace("`tests/clr`", "`trace_a`"),
            "a folder that is not there": good.replace("tests/clr", "tests/none"),
            "no test": good.replace("`tests/clr`", ""),
            "no table": "",
        }.items():
            if not said(table):
                failed.append(what)
        for what in failed:
            print(f"self-test: {what}")
        return bool(failed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    found = list(complaints(options.root))
    for line in found:
        print(line)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
