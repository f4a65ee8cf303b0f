#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The support table: written from the results of ctest (--output-junit), and checked.

  support_table.py write JUNIT RUNTIME...    puts the table of these results into the documents
  support_table.py add JUNIT RUNTIME         puts the column of one runtime, of its scenarios alone, beside the others
  support_table.py compare JUNIT RUNTIME...  reports whether the documents show these results
  support_table.py check --build BUILD       fails when a table names what does not exist

The table stands between two comments. docs/reference/support.md has a row for each feature of
features.toml, and below them every scenario that did not pass, with the reason. The README has the
sums of the columns.
"""

import argparse
import collections
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree

import runtime_table

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
PAGE = PROJECT / "docs/reference/support.md"
README = PROJECT / "README.md"
BEGIN = "<!-- support table: made by tests/scenario/support_table.py from a run of scripts/test -->"
END = "<!-- end of the support table -->"
NOT_PASSED = {"FAIL": "FAILED", "again": "failed once, passed when it ran again"}
HOST_PACKAGE = "libhsa-runtime64-1"


def feature_of(features, scenario):
    """The row with the longest pattern that fits."""
    fits = [(len(pattern), feature) for feature, patterns in features.items()
            for pattern in patterns if fnmatch.fnmatchcase(scenario, pattern)]
    return max(fits)[1]


def reasons(path):
    """{test: its text after SKIPPED}"""
    found = {}
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        said = re.search(r"^SKIPPED: (.*)$", case.findtext("system-out", ""), re.MULTILINE)
        if said:
            found[case.get("name").removeprefix("scenario.")] = said[1].strip()
    return found


def host_version():
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", HOST_PACKAGE],
                           capture_output=True, text=True)
    version = re.match(r"\d+\.\d+", asked.stdout)
    return version[0] if version else runtime_table.HOST


def not_passed(results, why, heading):
    """A line for each reason: which scenarios, and with which runtimes."""
    same = collections.defaultdict(list)
    for scenario in sorted(results):
        for runtime, word in results[scenario].items():
            if word == "ok" or runtime not in heading:
                continue
            test = scenario if runtime == runtime_table.HOST else f"{scenario}@{runtime}"
            reason = NOT_PASSED.get(word) or why.get(test, "skipped")
            same[heading[runtime], reason].append(scenario)
    merged = collections.defaultdict(list)
    for (runtime, reason), scenarios in same.items():
        merged[tuple(scenarios), reason].append(runtime)
    for (scenarios, reason), runtimes in merged.items():
        yield f"- {', '.join(f'`{name}`' for name in scenarios)} with {', '.join(runtimes)}: {reason}"


def cell(rows, runtime):
    """The number of scenarios in `rows` that passed with this runtime, of those that it has."""
    words = [row[runtime] for row in rows if runtime in row]
    return f"{words.count('ok')} of {len(words)}" if words else "-"


def columns(runtimes, host):
    return {runtime_table.HOST: host} | {runtime: runtime for runtime in runtimes}


def sums(results, runtimes, host):
    """The lines between the README's two comments."""
    heading = columns(runtimes, host)
    yield f"| ROCm runtime | {' | '.join(heading.values())} |"
    yield "|---" * (len(heading) + 1) + "|"
    yield f"| scenarios passed | {' | '.join(cell(results.values(), name) for name in heading)} |"


def block(features, results, why, runtimes, host):
    """The lines between the two comments of the page."""
    heading = columns(runtimes, host)
    rows = collections.defaultdict(dict)
    for scenario, row in results.items():
        rows[feature_of(features, scenario)][scenario] = row
    yield f"| scenarios passed, of those there are | {' | '.join(heading.values())} |"
    yield "|---" * (len(heading) + 1) + "|"
    for feature in features:
        if feature not in rows:
            continue
        cells = [cell(rows[feature].values(), runtime) for runtime in heading]
        yield f"| {feature} | {' | '.join(cells)} |"
    notes = list(not_passed(results, why, heading))
    if notes:
        yield ""
        yield "Not passed:"
        yield ""
        yield from notes


def cells(line):
    return [word.strip() for word in line.strip("|").split("|")]


def with_column(inside, made, runtime):
    """The lines of `inside` with the column of this runtime, and what is said of it, from `made`."""
    lines = inside.splitlines()
    place = cells(made[0]).index(runtime)
    added = {cells(line)[0]: cells(line)[place] for line in made if line.startswith("| ")}
    head = cells(lines[0])
    here = head.index(runtime) if runtime in head else len(head)
    for line in lines:
        if line.startswith("|---"):
            yield "|---" * max(len(head), here + 1) + "|"
        elif line.startswith("| "):
            row = cells(line)
            row[here:here + 1] = [added.get(row[0], "-")]
            yield f"| {' | '.join(row)} |"
        else:
            named, _, rest = line.partition(" with ")
            whose, _, reason = rest.partition(":")
            others = [name for name in whose.split(", ") if name != runtime]
            if not line.startswith("- "):
                yield line
            elif others:
                yield f"{named} with {', '.join(others)}:{reason}"
    yield from (line for line in made if line.startswith("- "))


def split(text):
    """A document's text before, in and after the block."""
    before, found, rest = text.partition(BEGIN + "\n")
    inside, found_end, after = rest.partition("\n" + END)
    if not found or not found_end:
        raise SystemExit("support_table: a document has no block between the two comments")
    return before + BEGIN + "\n", inside, "\n" + END + after


def scenarios_of(build):
    """The scenarios that ctest knows in this build."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"],
                            capture_output=True, text=True, check=True).stdout
    names = (test["name"].partition("@")[0] for test in json.loads(listed)["tests"])
    return {name.removeprefix("scenario.") for name in names if name.startswith("scenario.")}


def runtimes_here(tool):
    listed = subprocess.run([tool, "list"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


def check(inside, features, scenarios, runtimes):
    """Names in the block that do not exist."""
    lines = inside.splitlines()
    columns = [cell.strip() for cell in lines[0].strip("|").split("|")][1:]
    # The first column is this machine's own runtime, whichever that was.
    wrong = [f"there is no runtime {column}" for column in columns[1:] if column not in runtimes]
    for line in lines:
        if line.startswith("| ") and line != lines[0]:
            row = line.strip("|").split("|")[0].strip()
            if row not in features:
                wrong.append(f"features.toml has no row {row!r}")
        if line.startswith("- "):
            named, _, rest = line.partition(" with ")
            wrong += [f"there is no scenario {name}" for name in re.findall(r"`([^`]+)`", named)
                      if name not in scenarios]
            wrong += [f"there is no column {name}" for name in rest.partition(":")[0].split(", ")
                      if name not in columns]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=["write", "add", "compare", "check"])
    parser.add_argument("junit", nargs="?", help="what ctest --output-junit wrote")
    parser.add_argument("runtimes", nargs="*", help="the runtimes beside the machine's own")
    parser.add_argument("--build", type=pathlib.Path, help="check: the build with the scenarios")
    arguments = parser.parse_args()
    features = tomllib.loads((HERE / "features.toml").read_text())

    if arguments.verb == "check":
        wrong = check(split(PAGE.read_text())[1], features, scenarios_of(arguments.build),
                      runtimes_here(PROJECT / "scripts" / "runtime"))
        for line in wrong:
            print(f"{PAGE.name}, support table: {line}; scripts/test rewrites it")
        return 1 if wrong else 0

    if not arguments.junit:
        parser.error(f"{arguments.verb}: which results?")
    results = runtime_table.read(arguments.junit)
    host = host_version()
    made = {
        PAGE: block(features, results, reasons(arguments.junit), arguments.runtimes, host),
        README: sums(results, arguments.runtimes, host),
    }
    stale = []
    for document, lines in made.items():
        before, inside, after = split(document.read_text())
        if arguments.verb == "add":
            lines = with_column(inside, list(lines), arguments.runtimes[0])
        text = "\n".join(lines)
        if arguments.verb in ("write", "add"):
            document.write_text(before + text + after)
        elif text != inside:
            stale.append(str(document.relative_to(PROJECT)))
    if stale:
        print(f"The support table of {' and '.join(stale)} is not that of this run. To write it:\n  "
              f"tests/scenario/support_table.py write {arguments.junit} "
              f"{' '.join(arguments.runtimes)}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
