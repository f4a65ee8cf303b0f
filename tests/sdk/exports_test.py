#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if the headers declare other functions than the library exports, or if their number differs from
upstream's.

usage: exports_test.py INCLUDE_FOLDER MAP
"""
import pathlib
import re
import sys

UPSTREAM = 68 + 2  # of 1.3: attach.h and experimental/registration.h
# Functions that the runtimes and librtl_hip.so look up, declared in no header.
ENTRY_POINTS = {"OnLoad", "OnUnload", "rocprofiler_set_api_table", "rtl_hip_hooks", "rtl_rccl_hooks", "rtl_late_tools",
                "ompt_start_tool"}


def declared(folder):
    names = set()
    for header in folder.rglob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        names |= set(re.findall(r"\bROCPROFILER_API\b[^;(]*?\b(rocprofiler_\w+)\(", text))
    return names


def exported(script):
    body = re.search(r"global:(.*?)local:", script.read_text(), re.S)[1]
    return set(body.replace(";", " ").split())


def main():
    headers = declared(pathlib.Path(sys.argv[1]))
    library = exported(pathlib.Path(sys.argv[2]))
    wrong = [f"declared, not exported: {name}" for name in sorted(headers - library)]
    wrong += [f"exported, not declared: {name}" for name in sorted(library - headers - ENTRY_POINTS)]
    if len(headers) != UPSTREAM:
        wrong.append(f"{len(headers)} functions are declared, not {UPSTREAM}")
    print("\n".join(wrong) or f"{len(headers)} functions, each declared and exported")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
