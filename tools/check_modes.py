#!/usr/bin/env python3
"""Fails when the table of the modes in docs/reference/cli.md is wrong.

  check_modes.py --root DIR
      The first column of the table under "| mode |" must have the words that src/base/settings.cpp takes
      for a mode, each once. Each of them must have a scenario that runs in this mode, or a folder of
      tests with its name.
  check_modes.py --self-test
"""
import argparse
import pathlib
import re
import sys
import tempfile
import tomllib

DOCUMENT = "docs/reference/cli.md"
OTHER_WORDS = {"default"}  # means standard


def words(root):
    text = (root / "src/base/settings.cpp").read_text()
    table = re.search(r"kModes\[\] = \{(.*?)\};", text, re.S)
    return set(re.findall(r'Means\("(\w+)", Mode::', table[1])) - OTHER_WORDS


def modes_tried(root):
    """The modes of the scenarios; a scenario that names none runs in `auto`."""
    tried = {folder.name for folder in (root / "tests").iterdir() if folder.is_dir()}
    for scenario in (root / "tests/scenario").glob("*/run.toml"):
        trace = tomllib.loads(scenario.read_text()).get("trace")
        if trace is not None:
            tried.add(trace.get("mode", "auto"))
    return tried


def table_of(text):
    """The modes in the first column."""
    found = []
    inside = False
    for line in text.splitlines():
        inside = line.startswith("| mode |") or (inside and line.startswith("|"))
        mode = re.match(r"\| `(\w+)`", line)
        if inside and mode:
            found.append(mode[1])
    return found


def complaints(root):
    names = table_of((root / DOCUMENT).read_text())
    for name in sorted(words(root) - set(names)):
        yield f"{DOCUMENT}: the table of modes leaves out {name}"
    for name in sorted(set(names) - words(root)):
        yield f"{DOCUMENT}: there is no mode {name}"
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{DOCUMENT}: mode {name} is there twice"
    for name in sorted(words(root) - modes_tried(root)):
        yield f"no scenario runs in mode {name}"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("src/base", "docs/reference", "tests/clr", "tests/scenario/trace_a"):
            (root / name).mkdir(parents=True)
        config = 'X kModes[] = {Means("auto", Mode::kAuto), Means("default", Mode::kStandard), Means("clr", Mode::kClr)%s};'
        (root / "tests/scenario/trace_a/run.toml").write_text('[trace]\n')

        def said(table, more=""):
            (root / "src/base/settings.cpp").write_text(config % more)
            (root / DOCUMENT).write_text(table)
            return list(complaints(root))

        good = "| mode |\n|---|\n| `auto` | |\n| `clr` | |\n"
        failed = [] if not said(good) else ["a table that is true"]
        for what, table, more in (
            ("a mode that is left out", good.replace("| `clr` | |\n", ""), ""),
            ("a mode that is not there", good + "| `fast` | |\n", ""),
            ("a mode twice", good + "| `clr` | |\n", ""),
            ("a mode that nothing runs in", good + "| `lite` | |\n", ', Means("lite", Mode::kLite)'),
            ("no table", "", ""),
        ):
            if not said(table, more):
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
