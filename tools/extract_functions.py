#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions of a C library as data, from its headers.

  extract_functions.py --header rccl/rccl.h --prefix nccl,mscclL --include DIR [--include DIR ...]
                       [--table rccl/amd_detail/api_trace.h:rcclApiFuncTable] > spec/api/rccl/V.txt
      prints the functions of one version
  extract_functions.py --check FILE --header ... --prefix ... --include DIR
      fails when FILE differs

A description file has two kinds of lines, after its comments:
  function <name> | <result> | <type> <argument>, ...     in the order of the header
  entry <index> <name>                                    in the order of the dispatch table
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile


def run(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def nodes(command, source, word):
    text = run([*command, "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang",
                f"-ast-dump-filter={word}", str(source)])
    at, decoder = 0, json.JSONDecoder()
    while (at := text.find("{", at)) >= 0:
        node, at = decoder.raw_decode(text, at)
        yield node


def functions(command, source, prefixes):
    """Name -> its line; a function that is declared twice has the place of the first."""
    found = {}
    for prefix in prefixes:
        for node in nodes(command, source, prefix):
            if node["kind"] != "FunctionDecl" or not node["name"].startswith(prefix):
                continue
            parameters = [f'{part["type"]["qualType"]} {part.get("name", "")}'.strip()
                          for part in node.get("inner", []) if part["kind"] == "ParmVarDecl"]
            result = node["type"]["qualType"].split("(")[0].strip()
            line = f'function {node["name"]} | {result} | {", ".join(parameters)}'.rstrip()
            found.setdefault(node["name"], line)
    return list(found.values())


def entries(command, source, structure):
    for node in nodes(command, source, structure):
        if node["kind"] in ("RecordDecl", "CXXRecordDecl") and "inner" in node:
            names = [part["name"] for part in node["inner"] if part["kind"] == "FieldDecl"]
            return [f'entry {i} {name.removesuffix("_fn")}' for i, name in enumerate(names[1:])]
    raise SystemExit(f"extract_functions: the headers have no structure {structure}")


def describe(options):
    header, structure = (options.table or ":").split(":")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "source.cpp"
        lines = ["#define __HIP_PLATFORM_AMD__ 1", f"#include <{options.header}>"]
        if header:
            lines.append(f"#include <{header}>")
        source.write_text("\n".join(lines) + "\n")
        command = [options.clang, "-std=c++17", "-w", *(f"-I{path}" for path in options.include)]
        found = functions(command, source, options.prefix.split(","))
        if structure:
            found += entries(command, source, structure)
    return "\n".join(found) + "\n"


def without_comments(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("#"))


def compare(text, path):
    return without_comments(pathlib.Path(path).read_text()) == text


def self_test(clang):
    """A small header, and descriptions of it that are right and wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "own.h").write_text(
            '#pragma once\nextern "C" int ownInit(void);\nextern "C" void otherPart(int);\n'
            'extern "C" const char* ownName(int number, void** out);\n'
            "struct ownTable { unsigned long size; int (*ownInit_fn)(void); int (*ownLate_fn)(void); };\n")
        options = argparse.Namespace(header="own.h", prefix="own", include=[name], clang=clang,
                                     table="own.h:ownTable")
        text = describe(options)
        assert text == ("function ownInit | int |\nfunction ownName | const char * | int number, void ** out\n"
                        "entry 0 ownInit\nentry 1 ownLate\n"), text
        (folder / "right.txt").write_text("# A comment.\n" + text)
        (folder / "wrong.txt").write_text(text.replace("int number", "long number"))
        assert compare(text, folder / "right.txt")
        assert not compare(text, folder / "wrong.txt")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--header")
    parser.add_argument("--prefix")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--table")
    parser.add_argument("--check")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--clang", default="clang++")
    options = parser.parse_args()
    if options.self_test:
        return self_test(options.clang)
    if options.header is None or options.prefix is None:
        parser.error("--header and --prefix are needed")
    try:
        text = describe(options)
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"extract_functions: {options.header}: {error.stderr.strip()[:400]}")
    if options.check is None:
        sys.stdout.write(text)
    elif not compare(text, options.check):
        raise SystemExit(f"{options.check}: not what {options.header} says; run {parser.prog}")


if __name__ == "__main__":
    main()
