#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a program or library below a folder needs a newer C library than it may, and names the functions.

    tools/check_glibc.py FOLDER VERSION       e.g. build/packages/tree 2.28
    tools/check_glibc.py --self-test
"""
import pathlib
import re
import subprocess
import sys

ELF = b"\x7fELF"
NEED = re.compile(r"\(?GLIBC_(\d+(?:\.\d+)+)\)?\s+(\S+)$", re.M)


def needs(symbols):
    """The pairs of version and function in what objdump -T prints, of functions that are not defined there."""
    undefined = "\n".join(line for line in symbols.split("\n") if "*UND*" in line)
    return sorted((tuple(int(part) for part in version.split(".")), name) for version, name in NEED.findall(undefined))


def newer(folder, limit):
    """The complaints about the files below `folder`, and how many files were read."""
    complaints, read = [], 0
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        with open(path, "rb") as file:
            if file.read(4) != ELF:
                continue
        read += 1
        done = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True)
        found = [(version, name) for version, name in needs(done.stdout) if version > limit]
        if found:
            names = ", ".join(f"{name} ({'.'.join(map(str, version))})" for version, name in found[:5])
            more = f" and {len(found) - 5} more" if len(found) > 5 else ""
            complaints.append(f"{path} needs {names}{more}")
    return complaints, read


def self_test():
    text = ("0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.34) dlsym\n"
            "0000000000000000      DF *UND*\t0000000000000000  GLIBC_2.2.5 free\n"
            "0000000000001000 g    DF .text\t0000000000000010  GLIBC_2.99  ours\n")
    assert needs(text) == [((2, 2, 5), "free"), ((2, 34), "dlsym")], needs(text)
    assert (2, 2, 5) < (2, 28) < (2, 34)
    assert newer("/nowhere", (2, 28)) == ([], 0)


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    if len(sys.argv) != 3 or not re.fullmatch(r"\d+\.\d+", sys.argv[2]):
        sys.exit(__doc__)
    complaints, read = newer(sys.argv[1], tuple(int(part) for part in sys.argv[2].split(".")))
    print("\n".join(complaints + [f"check_glibc: {read} files need glibc {sys.argv[2]} or older"] * (not complaints)))
    return 1 if complaints or read == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
