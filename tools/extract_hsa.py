#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The HSA runtime's dispatch tables as data: the slot of each function, and its signature.

  extract_hsa.py --include DIR --version V > spec/api/hsa/V.txt
      reads the headers of one runtime (DIR/hsa/hsa_api_trace.h and what it includes)
  extract_hsa.py --check --include DIR [--clang PROGRAM]
      fails when a file of spec/api/hsa has these table versions and differs; 77: there is none
  extract_hsa.py --self-test

A description file has two kinds of lines:
  table <member of HsaApiTable> | <structure> <bytes> | <major> <step>
  slot <function> @<offset> | <result> | <type> <argument>, ...
  slot <callback> @<offset> | <its type>
The slots of a table follow it, in the order of their offsets. major and step are the version that the
table's header has in it; 0 0 where the headers do not say.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = ROOT / "spec/api/hsa"
SKIPPED = 77
TABLES = ["core_", "amd_ext_", "finalizer_ext_", "image_ext_", "tools_", "pc_sampling_ext_"]
VERSIONS = {"core_": "HSA_CORE_API_TABLE", "amd_ext_": "HSA_AMD_EXT_API_TABLE",
            "finalizer_ext_": "HSA_FINALIZER_API_TABLE", "image_ext_": "HSA_IMAGE_API_TABLE",
            "tools_": "HSA_TOOLS_API_TABLE", "pc_sampling_ext_": "HSA_PC_SAMPLING_API_TABLE"}
HEADERS = "#define AMD_INTERNAL_BUILD  // otherwise it needs folders that are not installed\n" \
    "#include <hsa/hsa_api_trace.h>\n"


def run(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compiler(clang, folder, include):
    """The command that sees these headers and, of the folder they are in, nothing else."""
    (folder / "hsa").symlink_to(include.resolve() / "hsa")
    (folder / "hsa.cpp").write_text(HEADERS)
    return [clang, "-std=c++17", "-w", f"-I{folder}", f"-I{folder}/hsa"]


def nodes(folder, command, word):
    text = run([*command, "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang",
                f"-ast-dump-filter={word}", str(folder / "hsa.cpp")])
    at, decoder = 0, json.JSONDecoder()
    while (at := text.find("{", at)) >= 0:
        node, at = decoder.raw_decode(text, at)
        yield node


def functions(folder, command):
    """Name -> (result, ["type argument"])"""
    found = {}
    for node in nodes(folder, command, "hsa_"):
        if node["kind"] != "FunctionDecl":
            continue
        parameters = [f'{part["type"]["qualType"]} {part.get("name", "")}'.strip()
                      for part in node.get("inner", []) if part["kind"] == "ParmVarDecl"]
        result = node["type"]["qualType"].split("(")[0].strip()
        found[node["name"]] = (result, parameters)
    return found


def tables(folder, command):
    """[(member, structure, [(field, type)])] of HsaApiTable, in the order of TABLES."""
    structures = {}
    for node in nodes(folder, command, "Table"):
        if node["kind"] == "CXXRecordDecl" and "inner" in node:
            structures[node["name"]] = [(part["name"], part["type"]["qualType"])
                                        for part in node["inner"] if part["kind"] == "FieldDecl"]
    members = dict(structures["HsaApiTable"])
    found = []
    for member in filter(members.__contains__, TABLES):
        structure = members[member].replace("*", "").removeprefix("struct ").strip()
        found.append((member, structure, [field for field in structures[structure]
                                          if field[0] != "version"]))
    return found


def slot(field, kind, signatures):
    function = re.fullmatch(r"decltype\((\w+)\)\s*\*", kind)
    if function is None:
        return f'{field.removesuffix("_fn")} @%zu | {kind}'
    result, parameters = signatures[function[1]]
    return f'{function[1]} @%zu | {result} | {", ".join(parameters)}'.rstrip()


def describe(include, clang="clang++"):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = compiler(clang, folder, include)
        signatures, found = functions(folder, command), tables(folder, command)
        probe = ["#include <cstddef>", "#include <cstdio>", HEADERS, "int main() {"]
        for member, structure, fields in found:
            probe.append(f'  std::printf("table {member} | {structure} %zu | ", sizeof({structure}));')
            version = VERSIONS[member]
            probe += [f"#ifdef {version}_MAJOR_VERSION",
                      f'  std::printf("%d %d\\n", {version}_MAJOR_VERSION, {version}_STEP_VERSION);',
                      "#else", '  std::printf("0 0\\n");', "#endif"]
            for field, kind in fields:
                text = slot(field, kind, signatures)
                probe.append(f'  std::printf("slot {text}\\n", offsetof({structure}, {field}));')
        (folder / "probe.cpp").write_text("\n".join([*probe, "}"]))
        run([*command, "-Wno-invalid-offsetof", str(folder / "probe.cpp"), "-o",
             str(folder / "probe")])
        return run([str(folder / "probe")])


def without_comments(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("#"))


def check(text, spec):
    """(exit code, why) for the descriptions of these tables."""
    def versions(lines):
        return [line for line in lines.splitlines() if line.startswith("table ")]

    same = []
    for path in sorted(spec.glob("*.txt")):
        described = without_comments(path.read_text())
        if described == text:
            return 0, "as described"
        if versions(described) == versions(text):
            same.append(path.name)
    if same:
        return 1, f"{', '.join(same)}: differs from the headers; run tools/extract_hsa.py"
    return SKIPPED, "SKIPPED: tables of these versions are not described"


def self_test():
    """Small headers, and descriptions of them that are right, wrong and missing."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "hsa").mkdir()
        (folder / "hsa/hsa_api_trace.h").write_text(
            '#include <stdint.h>\nextern "C" int hsa_init();\n'
            'extern "C" void hsa_store(uint64_t signal, const char** text);\n'
            "#define HSA_CORE_API_TABLE_MAJOR_VERSION 2\n#define HSA_CORE_API_TABLE_STEP_VERSION 1\n"
            "struct CoreApiTable { uint64_t version; decltype(hsa_store)* hsa_store_fn;"
            " decltype(hsa_init)* hsa_init_fn; void (*hsa_event_fn)(int); };\n"
            "struct HsaApiTable { CoreApiTable* core_; };\n")
        text = describe(folder)
        assert text == ("table core_ | CoreApiTable 32 | 2 1\n"
                        "slot hsa_store @8 | void | uint64_t signal, const char ** text\n"
                        "slot hsa_init @16 | int |\nslot hsa_event @24 | void (*)(int)\n"), text
        spec = folder / "spec"
        spec.mkdir()
        assert check(text, spec)[0] == SKIPPED
        (spec / "1.txt").write_text("# comment\n" + text)
        assert check(text, spec)[0] == 0
        (spec / "1.txt").write_text(text.replace("@16", "@24"))
        code, why = check(text, spec)
        assert code == 1 and why.startswith("1.txt: differs"), why
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", type=pathlib.Path)
    parser.add_argument("--version")
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if options.include is None:
        parser.error("--include is needed")
    text = describe(options.include, options.clang)
    if options.check:
        code, why = check(text, SPEC)
        print(why)
        return code
    print(f"# The dispatch tables of the HSA runtime {options.version}. Written by tools/extract_hsa.py.")
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
