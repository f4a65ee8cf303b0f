#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares docs/reference/vgpu-counters.md with what the virtual GPU says that it models.

usage: check_vgpu_counters.py VGPU    (the launcher)
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "vgpu-counters.md"
DEFINITIONS = ROOT / "spec" / "counters" / "counter_defs.yaml"
GPUS = ("906", "90a", "942")


def events_of(gfx):
    """The counters that are events of a block of this GPU: {name: "BLOCK NUMBER"}."""
    found, name = {}, None
    for line in DEFINITIONS.read_text().splitlines():
        if heading := re.match(r"  - name: (\w+)", line):
            name = heading[1]
        row = re.search(r"architectures: \[(.*?)\], block: (\w+), event: (\d+)", line)
        if row and f"gfx{gfx}" in row[1].split(", "):
            found[name] = f"{row[2]} {row[3]}"
    return found


def modelled_by(vgpu, gfx):
    node = "/sys/class/kfd/kfd/topology/nodes/1/modelled_counters"
    done = subprocess.run([vgpu, "run", "--gfx", gfx, "--", "cat", node], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


def patterns(section, column):
    """Names in the column of counters of a section's table."""
    cells = [row.split("|")[column] for row in section.splitlines() if row.startswith("| ")]
    return [name for cell in cells for name in re.findall(r"`([A-Z][A-Z0-9a-z_*]+)`", cell)]


def main():
    text = PAGE.read_text()
    _, yes, no = re.split(r"^## What is .*modelled$", text, flags=re.M)
    yes, no = patterns(yes, 2), patterns(no, 1)
    problems, used = [], set()
    for gfx in GPUS:
        modelled = modelled_by(sys.argv[1], gfx)
        events = events_of(gfx)
        if len(events) < 25:
            problems.append(f"gfx{gfx}: {len(events)} events are defined")
        for name, event in events.items():
            says_yes = [each for each in yes if fnmatch.fnmatchcase(name, each)]
            says_no = [each for each in no if fnmatch.fnmatchcase(name, each)]
            used.update(says_yes, says_no)
            is_modelled = event in modelled
            if is_modelled and (not says_yes or says_no):
                problems.append(f"gfx{gfx}: {name} is modelled, the page does not say so")
            if not is_modelled and (says_yes or not says_no):
                problems.append(f"gfx{gfx}: {name} is not modelled, the page does not say so")
    derived = set(re.findall(r"  - name: (\w+)", DEFINITIONS.read_text()))
    for each in yes + no:
        if each not in used and not fnmatch.filter(derived, each):
            problems.append(f"{each} is on the page, but is no counter")
    print("\n".join(problems) or "the page names what is modelled")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
