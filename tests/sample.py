#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Chooses a part of a build's tests by a seed, so that a run takes minutes; `scripts/test full` runs all.

  sample.py BUILD SEED    prints the option of ctest that selects them; on stderr, how many of each kind

A scenario runs with one of the runtimes that it has a test for. Of the kinds in ONE_IN, every N-th test is chosen, and each
is in one of N seeds. All other tests are always chosen. The same seed chooses the same tests of the same build.
"""

import collections
import json
import pathlib
import random
import subprocess
import sys

# The first pattern that begins the test's name counts. In a build with sanitizers, scenarios have one runtime.
ONE_IN = {"fault.": 4, "scenario.packages": 4, "abi.one_unit": 4}
SANITIZED_ONE_IN = {"scenario.": 4}


def one_in(name, sanitized):
    rules = ONE_IN | (SANITIZED_ONE_IN if sanitized else {})
    return next((rules[start] for start in rules if name.startswith(start)), 1)


def choose(names, seed, sanitized):
    """The chosen names, a set. `names`: of all tests, in ctest's order."""
    runtimes = collections.defaultdict(list)
    for name in names:
        runtimes[name.partition("@")[0]].append(name)
    chosen = set()
    turns = collections.defaultdict(list)  # N: groups that are chosen in one of N seeds
    for group in runtimes.values():
        turns[one_in(group[0], sanitized)].append(group)
    for n, groups in turns.items():
        dice = random.Random(f"{seed}/{n}")
        first = dice.randrange(n)
        dice.shuffle(groups)
        for group in groups[first::n]:
            scenario = group[0].startswith("scenario.")
            chosen.update([random.Random(f"{seed}/{group[0]}").choice(group)] if scenario else group)
    return chosen


def main():
    if len(sys.argv) != 3:
        sys.exit(f"usage: {pathlib.Path(sys.argv[0]).name} BUILD SEED")
    build, seed = pathlib.Path(sys.argv[1]), sys.argv[2]
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True,
                            check=True).stdout
    names = [test["name"] for test in json.loads(listed)["tests"]]
    if not names:
        sys.exit(f"{build}: ctest knows no test there")
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    sanitized = any(line.startswith("RTL_SANITIZE:") and not line.endswith("=") for line in cache.splitlines())
    chosen = choose(names, seed, sanitized)
    count = collections.Counter(name.partition(".")[0] for name in names if name in chosen)
    print(f"sample of seed {seed}: {len(chosen)} of {len(names)} tests, "
          f"{', '.join(f'{number} {kind}' for kind, number in count.items())}", file=sys.stderr)
    numbers = [str(number) for number, name in enumerate(names, 1) if name in chosen]
    print(f"-I {','.join([numbers[0], numbers[0], '1', *numbers[1:]])}")


if __name__ == "__main__":
    main()
