#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the results of ctest (--output-junit) as a table: scenarios by runtimes.

The runtime of this machine is the column `host`; a test `scenario.NAME@7.2` is in the column 7.2.
`again` failed once and passed when tests/second_look.py ran it again.
Exit code 1 when a test failed.
"""

import argparse
import collections
import sys
import xml.etree.ElementTree

WORDS = {"run": "ok", "fail": "FAIL", "notrun": "skip", "disabled": "skip", "unsteady": "again"}
HOST = "host"


def read(path):
    """{scenario: {runtime: word}}"""
    results = collections.defaultdict(dict)
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        name, _, runtime = case.get("name").partition("@")
        if name.startswith("scenario."):
            word = WORDS.get(case.get("status"), "FAIL")
            results[name.removeprefix("scenario.")][runtime or HOST] = word
    return results


def table(results, runtimes):
    width = max(map(len, ["= skip", *results]))
    yield "".join([" " * width, *(f"{runtime:>6}" for runtime in runtimes)])
    for name in sorted(results):
        yield "".join([f"{name:{width}}", *(f"{results[name].get(r, '-'):>6}" for r in runtimes)])
    for word in ("ok", "again", "FAIL", "skip"):
        counts = [sum(row.get(r) == word for row in results.values()) for r in runtimes]
        yield "".join([f"{'= ' + word:{width}}", *(f"{count:>6}" for count in counts)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("junit", help="what ctest --output-junit wrote")
    parser.add_argument("runtimes", nargs="*", help="the runtimes beside the machine's own")
    arguments = parser.parse_args()
    results = read(arguments.junit)
    runtimes = [HOST, *arguments.runtimes]
    print("\n".join(table(results, runtimes)))
    words = [row[runtime] for row in results.values() for runtime in runtimes if runtime in row]
    failed = words.count("FAIL")
    ran = {runtime for row in results.values() for runtime, word in row.items() if word != "skip"}
    for runtime in runtimes:
        if runtime not in ran:
            print(f"runtime {runtime}: SKIPPED, no scenario ran")
    print(f"scenarios: {words.count('ok')} passed, {words.count('again')} unsteady, {failed} failed, "
          f"{words.count('skip')} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
