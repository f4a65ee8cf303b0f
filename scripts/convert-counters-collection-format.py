#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Joins the counters that rocprofv3 read in several runs into one table, a row for each kernel, a column for each
counter, as rocprof v1 wrote it. The command line is that of AMD's program of this name."""
import argparse
import csv
import os
import pathlib
import sys

KEYS = ["Dispatch_Id", "Agent_Id", "Grid_Size", "Kernel_Name", "LDS_Block_Size", "Queue_Id", "SGPR_Count", "Scratch_Size",
        "VGPR_Count", "Workgroup_Size"]
TRUTH = {"y": True, "yes": True, "t": True, "true": True, "on": True, "1": True,
         "n": False, "no": False, "f": False, "false": False, "off": False, "0": False}


def files_of(inputs):
    """Files as they are; of folders, what lies in pmc_1, pmc_2, …"""
    for place in map(pathlib.Path, inputs):
        if place.is_file():
            yield place
        elif place.is_dir():
            yield from sorted(file for file in place.rglob("*counter_collection.csv") if "pmc_" in str(file.parent))
        else:
            raise OSError(f"{place}: no such file or folder")


def read(file, kernels, counters):
    """The first value of each counter of each kernel; a counter in several runs is not added up."""
    with open(file, newline="") as text:
        rows = csv.DictReader(text)
        missing = [name for name in [*KEYS, "Counter_Name", "Counter_Value"] if name not in (rows.fieldnames or [])]
        if missing:
            raise ValueError(f"{file}: there is no column {missing[0]}; a file of rocprofv3 --pmc has it")
        for row in rows:
            if None in row.values():
                raise ValueError(f"{file}:{rows.line_num}: the row is shorter than the first line")
            name = row["Counter_Name"]
            counters[name] = None
            kernels.setdefault(tuple(row[key] for key in KEYS), {}).setdefault(name, row["Counter_Value"])


def in_order(key):
    """Numbers by value."""
    return [(0, int(cell), "") if cell.isdecimal() else (1, 0, cell) for cell in key]


def write(path, kernels, counters, keeps_prefix):
    if path.parent != path:
        path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".tmp")
    with open(partial, "w", newline="") as text:
        out = csv.writer(text, lineterminator="\n")
        out.writerow([*KEYS, *sorted(counters)])
        for key in sorted(kernels, key=in_order):
            cells = dict(zip(KEYS, key))
            if not keeps_prefix:
                cells["Agent_Id"] = cells["Agent_Id"].split(" ")[-1]  # "Agent 1"
            out.writerow([*cells.values(), *(kernels[key].get(name, "") for name in sorted(counters))])
    os.replace(partial, path)


def truth(text):
    if text.lower() not in TRUTH:
        raise argparse.ArgumentTypeError(f"yes or no is expected, not {text}")
    return TRUTH[text.lower()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--input", nargs="+", required=True, metavar="PLACE",
                        help="files of rocprofv3 --pmc, or folders with pmc_N")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="FILE", help="the table")
    parser.add_argument("-d", "--debug", action="store_true", help="names the files")
    parser.add_argument("-v", "--verbose", action="store_true", help="names the files")
    parser.add_argument("--retain-agent-prefix", type=truth, nargs="?", const=True, default=False, metavar="BOOL",
                        help='"Agent 1" in place of 1')
    options = parser.parse_args()
    kernels, counters = {}, {}
    try:
        files = list(files_of(options.input))
        if not files:
            raise ValueError(f"{' '.join(options.input)}: there is no pmc_N/…counter_collection.csv")
        for file in files:
            if options.verbose or options.debug:
                print(file, file=sys.stderr)
            read(file, kernels, counters)
        write(options.output, kernels, counters, options.retain_agent_prefix)
    except (OSError, ValueError, csv.Error) as error:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {error}")


if __name__ == "__main__":
    main()
