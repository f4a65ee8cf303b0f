#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if an argument of a function of HIP does not lie where the library puts it: hip/api_args.h, compiled
with the headers of each HIP that is here, against src/names/hip_functions.inc.

usage: hip_layouts_test.py COMPILER INCLUDE_FOLDER [folder of a runtime ...]
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import ROOT, skip  # noqa: E402

FUNCTIONS = ROOT / "src/names/hip_functions.inc"
ARGUMENT = re.compile(r'\{"[^"]*", "(\w+)", Format::\w+, (\d+), \d+, Format::\w+, \d+, (\d+)\}')


def places():
    """[(function, argument, offset, bytes)]"""
    for function, arguments in re.findall(r"^HIP_FUNCTION\(\w+, \d+, (\w+), \((.*)\)\)$", FUNCTIONS.read_text(), re.M):
        offset = 0
        for name, size, alignment in ARGUMENT.findall(arguments):
            offset = -(-offset // int(alignment)) * int(alignment)
            yield function, name, offset, int(size)
            offset += int(size)


def members(compiler, flags):
    """Functions that are there with these headers."""
    source = "#include <rocprofiler-sdk/hip/api_args.h>\n"
    text = subprocess.run([*compiler, *flags, "-E", "-P", "-x", "c++", "-"], input=source, capture_output=True,
                          text=True, check=True).stdout
    union = text[text.index("union rocprofiler_hip_api_args_t"):]
    return set(re.findall(r"\} (\w+);", union))


def main():
    compiler, include, *roots = sys.argv[1:]
    wrong, looked = 0, 0
    for root in ["", *roots]:
        with tempfile.TemporaryDirectory() as folder:
            headers = pathlib.Path(root or "/") / "usr/include/hip"
            if not (headers / "hip_runtime_api.h").exists():
                continue
            (pathlib.Path(folder) / "hip").symlink_to(headers)  # and not the C library's beside it
            command, flags = [compiler, "-std=c++17"], [f"-I{include}", f"-I{folder}"]
            there = members(command, flags)
            lines = [f"static_assert(offsetof(Args, {function}.{name}) == {offset} && "
                     f"sizeof(Args::{function}.{name}) == {size});" for function, name, offset, size in places()
                     if function in there]
            text = ("#include <rocprofiler-sdk/hip/api_args.h>\n#include <cstddef>\n"
                    "using Args = rocprofiler_hip_api_args_t;\nArgs* args;\n" + "\n".join(lines))
            text = re.sub(r"sizeof\(Args::", "sizeof(args->", text)
            result = subprocess.run([*command, *flags, "-fsyntax-only", "-x", "c++", "-"], input=text,
                                    capture_output=True, text=True)
            print(f"{headers}: {len(there)} functions, {len(lines)} arguments\n{result.stderr}")
            wrong += result.returncode != 0 or len(lines) < 1000
            looked += 1
    if looked == 0:
        skip("no headers of HIP")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
