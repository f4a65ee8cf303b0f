#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Chooses a part of a build's tests by a seed, so that a run takes minutes; `scripts/test full` runs all.

  sample.py BUILD SEED               prints the option of ctest that selects them; on stderr, how many of each kind
  sample.py BUILD SEED --programs    prints the build's targets of the HIP programs that they need
  sample.py --sanitizer SEED         prints the preset of the sanitizer build that this sample has

A scenario runs with one of the runtimes that it has a test for. Of the kinds in ONE_IN, every N-th test or scenario is
chosen, and each is in one of N seeds. All other tests are always chosen. The same seed chooses the same tests of the same build.
"""

import collections
import json
import pathlib
import random
import re
import subprocess
import sys

# The first pattern that begins the test's name counts. In a build with sanitizers, scenarios have one runtime.
ONE_IN = {"fault.": 4, "scenario.packages": 4, "scenario.selftest": 4, "abi.one_unit": 4, "abi.tidy": 2,
          "abi.thread_safety": 2, "race.": 2, "scenario.": 2}
SANITIZED_ONE_IN = {"scenario.": 4}
SANITIZERS = ("asan", "tsan", "fuzz")


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


def sanitizer(seed):
    return random.Random(f"{seed}/sanitizer").choice(SANITIZERS)


ROOT = pathlib.Path(__file__).resolve().parents[1]
# A Python file that takes the names of programs from pages says so; of a page, the sources that it names count.
PAGES = re.compile(r"^# Programs are named in (.*)", re.MULTILINE)


def texts_of(test):
    """The texts that name the programs of a test: its scenario's run.toml, or its Python file and those beside it that
    this one imports. ctest does not say the command of a unit test that is not built yet."""
    found, waiting = {}, []
    for word in test.get("command", []):
        path = pathlib.Path(word)
        waiting.append(path / "run.toml" if path.is_dir() else path)
    while waiting:
        path = waiting.pop()
        if path in found or path.suffix not in (".py", ".toml") or not path.is_file():
            continue
        found[path] = text = path.read_text(encoding="utf-8")
        if path.suffix == ".py" and path.name != "run_scenario.py":
            waiting += [path.parent / f"{name}.py" for name in re.findall(r"^\s*(?:from|import) (\w+)", text, re.M)]
        for pattern in " ".join(PAGES.findall(text)).split():
            for page in ROOT.glob(pattern):
                found[page] = " ".join(re.findall(r"(\w+)\.hip\b", page.read_text(encoding="utf-8")))
    return found.values()


def programs(build, tests, targets):
    """Those of `targets`, the names of HIP programs, that the tests name. NAME-RUNTIME is the program of a runtime with
    a compiler of its own; the others have links to those of another runtime, or of this machine. A test that is not of
    one runtime may run programs of each runtime that it names."""
    needed = set()
    for test in tests:
        texts = texts_of(test)
        runtimes = {test["name"].partition("@")[2]}
        if runtimes == {""}:
            runtimes |= set().union(*(re.findall(r"\b\d\.\d+\b", text) for text in (*texts, *test.get("command", []))))
        for word in set().union(*(re.findall(r"\w+", text) for text in texts)):
            needed |= {target_of(build, word, runtime) for runtime in runtimes} & targets
    return needed


def target_of(build, program, runtime):
    link = build / "bin" / f"programs-{runtime}" / program
    folder = link.readlink().parent.name if runtime and link.is_symlink() else f"programs-{runtime}"
    of = folder.removeprefix("programs").removeprefix("-")
    return f"{program}-{of}" if of else program


def targets_of(build):
    listed = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True,
                            check=True).stdout
    return set(re.findall(r"^program_(\S+): phony", listed, re.M))


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--sanitizer":
        return print(sanitizer(sys.argv[2]))
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--programs"]):
        sys.exit(f"usage: {pathlib.Path(sys.argv[0]).name} BUILD SEED [--programs] | --sanitizer SEED")
    build, seed = pathlib.Path(sys.argv[1]), sys.argv[2]
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True,
                            check=True).stdout
    tests = json.loads(listed)["tests"]
    names = [test["name"] for test in tests]
    if not names:
        sys.exit(f"{build}: ctest knows no test there")
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    sanitized = any(line.startswith("RTL_SANITIZE:") and not line.endswith("=") for line in cache.splitlines())
    chosen = choose(names, seed, sanitized)
    if sys.argv[3:]:
        needed = programs(build, [test for test in tests if test["name"] in chosen], targets_of(build))
        return print(*(f"program_{name}" for name in sorted(needed)))
    count = collections.Counter(name.partition(".")[0] for name in names if name in chosen)
    print(f"sample of seed {seed}: {len(chosen)} of {len(names)} tests, "
          f"{', '.join(f'{number} {kind}' for kind, number in count.items())}", file=sys.stderr)
    numbers = [str(number) for number, name in enumerate(names, 1) if name in chosen]
    print(f"-I {','.join([numbers[0], numbers[0], '1', *numbers[1:]])}")


if __name__ == "__main__":
    main()
