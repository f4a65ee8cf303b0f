#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The operations of RCCL, OpenMP, rocDecode, rocJPEG and the driver in rocprofiler-sdk 1.0, from spec/api/sdk.

  gen_sdk_libraries.py [--check]
      makes include/rocprofiler-sdk/{rccl,ompt,rocdecode,rocjpeg}/api_id.h and api_args.h and the headers of types
      beside them, kfd/kfd_id.h, src/names/library_operations.inc, and of RCCL src/capture/rccl/rccl_functions.inc,
      src/model/rccl_operations.h and src/libraries/rccl/rccl_preload.map,
      and of OpenMP src/sdk/ompt/ompt_functions.inc
"""
import pathlib
import re
import sys

from generated import write_or_check

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = ROOT / "spec/api/sdk"
INCLUDE = ROOT / "include/rocprofiler-sdk"
FUNCTIONS = ROOT / "src/names/library_operations.inc"
RCCL_FUNCTIONS = ROOT / "src/capture/rccl/rccl_functions.inc"
OMPT_LIST = ROOT / "src/sdk/ompt/ompt_functions.inc"
RCCL_OPERATIONS = ROOT / "src/model/rccl_operations.h"
RCCL_MAP = ROOT / "src/libraries/rccl/rccl_preload.map"
LICENCE = "SPDX-License-Identifier: MIT"
MADE = "Made by tools/gen_sdk_libraries.py."

# kind of the operations -> its description
LIBRARIES = {
    "rccl": {
        "name": "RCCL", "id": "rocprofiler_rccl_api_id_t", "prefix": "ROCPROFILER_RCCL_API_ID", "stem": "rccl_api",
        "types": "rccl/details/rccl.h", "system": "rccl/rccl.h", "guard": "NCCL_H_", "switch": "RCCL",
        "retval": ["int32_t ncclResult_t_retval", "const char* const_charp_retval"]},
    "ompt": {
        "name": "OpenMP", "id": "rocprofiler_ompt_operation_t", "prefix": "ROCPROFILER_OMPT_ID", "stem": "ompt",
        "types": "ompt/omp-tools.h", "system": None, "guard": "__OMPT__", "switch": None, "retval": None},
    "rocdecode": {
        "name": "rocDecode", "id": "rocprofiler_rocdecode_api_id_t", "prefix": "ROCPROFILER_ROCDECODE_API_ID",
        "stem": "rocdecode_api", "types": "rocdecode/details/rocdecode.h", "system": "rocdecode/rocdecode.h",
        "guard": "ROCDECODE_H", "switch": "ROCDECODE",
        "retval": ["uint64_t uint64_t_retval", "int32_t rocDecStatus_retval", "const char* const_charp_retval"]},
    "rocjpeg": {
        "name": "rocJPEG", "id": "rocprofiler_rocjpeg_api_id_t", "prefix": "ROCPROFILER_ROCJPEG_API_ID",
        "stem": "rocjpeg_api", "types": "rocjpeg/details/rocjpeg.h", "system": "rocjpeg/rocjpeg.h",
        "guard": "ROC_JPEG_H", "switch": "ROCJPEG",
        "retval": ["int32_t rocJpegStatus_retval", "const char* const_charp_retval"]},
}
MORE_HEADERS = {"rocdecode": ["rocdecode/roc_bitstream_reader.h", "rocdecode/rocparser.h"]}
# Types that only newer headers of the library have: type -> condition
NEWER = {"ncclConfig_t": "NCCL_VERSION_CODE >= 21400", "mscclAlgoHandle_t": "NCCL_VERSION_CODE >= 21700"}
# Structures that are not dereferenced here; tag, name.
OPAQUE = {"rocdecode": [("_RocdecParserParams", "RocdecParserParams"),
                        ("_RocdecSourceDataPacket", "RocdecSourceDataPacket"),
                        ("_RocDecoderCreateInfo", "RocDecoderCreateInfo"), ("_RocdecDecodeCaps", "RocdecDecodeCaps"),
                        ("_RocdecPicParams", "RocdecPicParams"), ("_RocdecDecodeStatus", "RocdecDecodeStatus"),
                        ("_RocdecReconfigureDecoderInfo", "RocdecReconfigureDecoderInfo"),
                        ("_RocdecProcParams", "RocdecProcParams")],
          "rocjpeg": [("RocJpegImage", "RocJpegImage"), ("RocJpegDecodeParams", "RocJpegDecodeParams")]}
# Functions of an OpenMP runtime that a tool is handed, in their order.
OMPT_FUNCTIONS = ("enumerate_states enumerate_mutex_impls get_thread_data get_num_places get_place_proc_ids "
                  "get_place_num "
                  "get_partition_place_nums get_proc_id get_state get_parallel_info get_task_info get_task_memory "
                  "get_num_devices get_num_procs get_target_info get_unique_id").split()


def lines(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def read_operations():
    """Kind -> [(end of identifier, name, [argument])], by number."""
    found = {}
    for line in lines(SPEC / "operations.txt"):
        head, arguments = line.split("|", 1)
        kind, number, end, name = head.split()
        operations = found.setdefault(kind, [])
        if int(number) != len(operations):
            sys.exit(f"{kind} {number} is out of order")
        operations.append((end, name, [each.strip() for each in arguments.split(";") if each.strip()]))
    return found


def wrapped(head, words, indent="    "):
    """`head` and words in lines of at most 100 columns."""
    text, line = "", head
    for i, word in enumerate(words):
        word += "," if i + 1 < len(words) else ""
        if len(line) + 1 + len(word) > 98:
            text, line = text + line + "\n", indent + word
        else:
            line += ("" if line.endswith("(") or not line else " ") + word
    return text + line


def types(library):
    about = LIBRARIES[library]
    text = (f"/* {LICENCE}\n * {pathlib.Path(about['types']).name}: the types in the arguments of {about['name']}'s "
            "functions, "
            "for machines without its\n * headers. The functions themselves are not declared. " + MADE + " */\n"
            f"#ifndef {about['guard']}\n#define {about['guard']}\n\n")
    if library == "rccl":
        text += ("#include <rocprofiler-sdk/hip/api_args.h>\n\n#if ROCPROFILER_HIP_HEADERS == 0\n"
                 "typedef struct ihipStream_t* hipStream_t;\n#endif\n\n#define NCCL_MAJOR 2\n#define NCCL_MINOR 20\n"
                 "#define NCCL_PATCH 5\n#define NCCL_VERSION_CODE 22005\n#define NCCL_UNIQUE_ID_BYTES 128\n")
    else:
        text += "#include <stddef.h>\n#include <stdint.h>\n"
    text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
    for tag, name in OPAQUE.get(library, []):
        text += f"typedef struct {tag} {name};\n"
    for line in lines(SPEC / "types.txt"):
        head, *rest = [part.strip() for part in line.split("|")]
        where, what, tag, name = head.split()
        if where != library:
            continue
        tag = "" if tag == "-" else f" {tag}"
        if what == "alias":
            text += f"typedef {rest[0]} {name};\n"
        elif what == "function":
            text += wrapped(f"typedef {rest[0]} (*{name})(", [each.strip() for each in rest[1].split(",")]) + ");\n"
        elif what == "enum":
            values = [" = ".join(each.split()) for each in rest[0].split(", ")]
            text += f"\ntypedef enum{tag} {{\n" + "".join(f"  {each},\n" for each in values) + f"}} {name};\n"
        else:
            members = "".join(f"  {each.strip()};\n" for each in rest[0].split(";"))
            text += f"\ntypedef {what}{tag} {{\n{members}}} {name};\n"
    return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"


def identifier(prefix, end):
    return prefix if end == "-" else f"{prefix}_{end}"


def enumeration(name, prefix, operations):
    values = "".join(f"  {identifier(prefix, end)} = {i},\n" for i, (end, *_) in enumerate(operations))
    return (f"typedef enum {name} {{\n  {prefix}_NONE = -1,\n{values}  {prefix}_LAST = {len(operations)},\n"
            f"}} {name};\n")


def ids(library, operations):
    about = LIBRARIES[library]
    return (f"/* {LICENCE}\n * api_id.h: the operations of {about['name']}. {MADE} */\n#pragma once\n\n" +
            enumeration(about["id"], about["prefix"], operations))


def args(library, operations):
    about = LIBRARIES[library]
    stem = f"rocprofiler_{about['stem']}"
    text = (f"/* {LICENCE}\n * api_args.h: arguments and results of {about['name']}'s functions. {MADE} */\n"
            "#pragma once\n\n"
            "#include <rocprofiler-sdk/defines.h>\n")
    if about["switch"] is None:
        text += f"#include <rocprofiler-sdk/{about['types']}>\n"
    else:
        use = f"ROCPROFILER_SDK_USE_SYSTEM_{about['switch']}"
        text += (f"\n/* Uses the library's own headers if they are installed; define it as 0 or 1 to choose. */\n"
                 f"#if !defined({use})\n#if defined(__has_include)\n#if __has_include(<{about['system']}>)\n"
                 f"#define {use} 1\n#endif\n#endif\n#endif\n"
                 f"#if !defined({use})\n#define {use} 0\n#endif\n\n#if {use} > 0\n#include <{about['system']}>\n" +
                 "".join(f"#include <{each}>\n" for each in MORE_HEADERS.get(library, [])) +
                 f"#else\n#include <rocprofiler-sdk/{about['types']}>\n#endif\n")
    text += (f"\nROCPROFILER_EXTERN_C_INIT\n\n/* An empty structure has different sizes in C and C++. */\n"
             f"typedef struct {stem}_no_args {{\n  char empty;\n}} {stem}_no_args;\n\n")
    if library == "ompt":
        text += ("/* The runtime's functions that a tool may call. */\n"
                 "typedef struct rocprofiler_ompt_callback_functions_t {\n" +
                 "".join(f"  ompt_{each}_t ompt_{each};\n" for each in OMPT_FUNCTIONS) +
                 "} rocprofiler_ompt_callback_functions_t;\n\n")
    if about["retval"] is not None:
        text += (f"typedef union {stem}_retval_t {{\n" + "".join(f"  {each};\n" for each in about["retval"]) +
                 f"}} {stem}_retval_t;\n\n")
    text += f"/* One member per function, with its name. */\ntypedef union {stem}_args_t {{\n"
    if library == "rccl":
        text += "  uint64_t words[14];\n"
    for end, _, arguments in operations:
        if library == "ompt" and end == "callback_functions":
            text += "  rocprofiler_ompt_callback_functions_t callback_functions;\n"
            continue
        condition = next((NEWER[kind] for kind in NEWER if any(kind in each for each in arguments)), None)
        members = arguments or [f"{stem}_no_args no_args"]
        body = "  struct {\n" + "".join(f"    {each};\n" for each in members) + f"  }} {end};\n"
        text += body if condition is None else f"#if {condition}\n{body}#endif\n"
    return text + f"}} {stem}_args_t;\n\nROCPROFILER_EXTERN_C_FINI\n"


def kfd(found):
    text = (f"/* {LICENCE}\n * kfd_id.h: the operations of the driver's kinds. {MADE} */\n#pragma once\n\n"
            "#include <rocprofiler-sdk/defines.h>\n#include <stdint.h>\n\nROCPROFILER_EXTERN_C_INIT\n")
    for kind, operations in found.items():
        if kind.startswith("kfd_"):
            text += "\n" + enumeration(f"rocprofiler_{kind}_operation_t", f"ROCPROFILER_{kind.upper()}", operations)
    return text + "\nROCPROFILER_EXTERN_C_FINI\n"


def names(found):
    text = f"// {LICENCE}\n// The names of operations, by number. {MADE}\n"
    for kind, operations in found.items():
        letters = "".join(part.capitalize() for part in kind.split("_"))
        listed = "".join(f'    "{name}",\n' for _, name, _ in operations)
        text += f"constexpr const char* k{letters}[] = {{\n{listed}}};\n"
    return text


# How a value of RCCL's is written (sdk/calls/arguments.h): format, bytes, C type of the same size.
RCCL_VALUES = {"size_t": ("kUnsigned", 8, "size_t"), "int": ("kSigned", 4, "int"),
               "ncclComm_t": ("kPointer", 8, "void*"),
               "hipStream_t": ("kPointer", 8, "void*"), "ncclUniqueId": ("kOpaque", 128, "UniqueId"),
               "mscclAlgoHandle_t": ("kSigned", 4, "int")}
# A call's outputs: after success the value is shown instead of the pointer.
RCCL_RESULTS = {"int*": ("kSigned", 4), "ncclResult_t*": ("kUnsigned", 4), "ncclRedOp_t*": ("kUnsigned", 4),
                "ncclComm_t*": ("kPointer", 8), "void**": ("kPointer", 8), "mscclAlgoHandle_t*": ("kSigned", 4)}


def rccl_argument(text):
    """Type as C has it, name, and the entry of sdk/calls/arguments.h."""
    kind, name = re.fullmatch(r"(.*?[ *])(\w+)", text).groups()
    kind = kind.strip()
    inner, inner_bytes = RCCL_RESULTS.get(kind, ("kOpaque", 0))
    if kind == "const char*":
        form, size, same = "kText", 8, kind
    elif kind.endswith("*"):
        form, size, same = "kPointer", 8, "void*"
    else:
        form, size, same = RCCL_VALUES.get(kind, ("kUnsigned", 4, "int"))
    alignment = ", 1" if kind == "ncclUniqueId" else ""
    return same, name, (f'{{"{kind}", "{name}", Format::{form}, {size}, {kind.count("*")}, '
                        f"Format::{inner}, {inner_bytes}{alignment}}}")


def rccl_functions(operations):
    results = {}
    for line in lines(ROOT / "spec/api/rccl/7.2.txt"):
        if line.startswith("function "):
            head, result, _ = line.split("|", 2)
            results[head.split()[1]] = result.strip()
    text = (f"// {LICENCE}\n// RCCL's functions in the order of its table. {MADE}\n"
            "//   operation, name, result, (parameters), (types), (names), (arguments)\n")
    for i, (_, name, arguments) in enumerate(operations):
        made = [rccl_argument(each) for each in arguments]
        result = "int" if results[name] == "ncclResult_t" else "const char*"
        text += (f"RCCL_FUNCTION({i}, {name}, {result}, ({', '.join(f'{same} {n}' for same, n, _ in made)}), "
                 f"({', '.join(same for same, *_ in made)}), ({', '.join(n for _, n, _ in made)}), "
                 f"({', '.join(entry for *_, entry in made)}))\n")
    return text


def rccl_operations(operations):
    rows = " \\\n".join(f'  O({name}, "{name}")' for _, name, _ in operations)
    return (f"// {LICENCE}\n// rccl_operations.h: what calls of RCCL are called, for event_kinds.h. Made by\n"
            "// tools/gen_sdk_libraries.py.\n"
            "#pragma once\n\n"
            f"// clang-format off\n#define RTL_RCCL_CALL_OPERATIONS(O) \\\n{rows}\n// clang-format on\n")


def rccl_map(operations):
    exported = sorted(["ncclBcast", *(name for _, name, _ in operations)])
    return f"# {MADE}\n{{\n  global:\n" + "".join(f"    {name};\n" for name in exported) + "  local:\n    *;\n};\n"


# How a value of OpenMP's is written; all others are enumerations.
OMPT_VALUES = {"int": ("kSigned", 4), "int64_t": ("kSigned", 8), "uint64_t": ("kUnsigned", 8),
               "size_t": ("kUnsigned", 8),
               "ompt_wait_id_t": ("kUnsigned", 8), "ompt_data_t": ("kUnsigned", 8),
               "ompt_function_lookup_t": ("kPointer", 8)}


def ompt_argument(text):
    kind, name = re.fullmatch(r"(.*?[ *])(\w+)", text).groups()
    kind = kind.strip()
    if kind == "const char*" and name != "message":
        form, size = "kText", 8
    elif kind.endswith("*"):
        form, size = "kPointer", 8
    else:
        form, size = OMPT_VALUES.get(kind, ("kUnsigned", 4))
    return f'{{"{kind}", "{name}", Format::{form}, {size}, {kind.count("*")}, Format::kOpaque, 0}}'


def ompt_functions(operations):
    text = (f"// {LICENCE}\n// OpenMP's callbacks as operations, in order. {MADE}\n"
            "//   operation, name, (arguments)\n")
    for i, (name, _, arguments) in enumerate(operations):
        if name == "callback_functions":
            arguments = ()  # the runtime's functions: no arguments of a callback
        text += f"OMPT_FUNCTION({i}, {name}, ({', '.join(map(ompt_argument, arguments))}))\n"
    return text


def main():
    found = read_operations()
    made = {FUNCTIONS: names(found), INCLUDE / "kfd/kfd_id.h": kfd(found),
            RCCL_FUNCTIONS: rccl_functions(found["rccl"]), RCCL_OPERATIONS: rccl_operations(found["rccl"]),
            RCCL_MAP: rccl_map(found["rccl"]), OMPT_LIST: ompt_functions(found["ompt"])}
    for library, about in LIBRARIES.items():
        made[INCLUDE / library / "api_id.h"] = ids(library, found[library])
        made[INCLUDE / library / "api_args.h"] = args(library, found[library])
        made[INCLUDE / about["types"]] = types(library)
    return write_or_check(made)


if __name__ == "__main__":
    sys.exit(main())
