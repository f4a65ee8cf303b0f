#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HSA's functions as rocprofiler-sdk 1.0 numbers them, from spec/api/hsa.

  gen_sdk_hsa.py [--check]
      makes include/rocprofiler-sdk/hsa/*_api_id.h and api_args.h, src/names/hsa_functions.inc (how the
      functions are called) and src/model/hsa_calls.inc (how a trace shows their arguments)

An operation is the index of a function in the tables of the newest described runtime, which only grow
at their end. The AMD table of ROCm 5.5 and older lacks two in the middle: those slots are looked up by
name.
"""
import pathlib
import re
import sys

from generated import split, write_or_check

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = ROOT / "spec/api/hsa"
INCLUDE = ROOT / "include/rocprofiler-sdk/hsa"
FUNCTIONS = ROOT / "src/names/hsa_functions.inc"
CALLS = ROOT / "src/model/hsa_calls.inc"
OLD, NEW = "5.2", "7.2"
# Interface versions of hsa_ext_amd.h, by runtime: newer types need newer headers.
MINORS = {"5.2": 0, "6.1": 4, "6.4": 7, "7.2": 15}
# table, as in the enumerations, its number of functions in 1.0
TABLES = [("core_", "CORE", "core", 125), ("amd_ext_", "AMD_EXT", "amd_ext", 74),
          ("image_ext_", "IMAGE_EXT", "image_ext", 13),
          ("finalizer_ext_", "FINALIZE_EXT", "finalize_ext", 6)]
HANDLES = {f"hsa_{name}_t" for name in (
    "agent cache callback_data code_object code_object_reader code_symbol executable "
    "executable_symbol ext_image ext_program ext_sampler isa loaded_code_object region signal "
    "signal_group wavefront amd_memory_pool amd_vmem_alloc_handle").split()}
INTEGERS = {"uint16_t": ("uint16_t", "kUnsigned", 2), "uint32_t": ("uint32_t", "kUnsigned", 4),
            "uint64_t": ("uint64_t", "kUnsigned", 8), "size_t": ("uint64_t", "kUnsigned", 8),
            "hsa_queue_type32_t": ("uint32_t", "kUnsigned", 4), "uint8_t": ("uint8_t", "kUnsigned", 1),
            "int": ("int32_t", "kSigned", 4), "int32_t": ("int32_t", "kSigned", 4),
            "int64_t": ("int64_t", "kSigned", 8), "hsa_signal_value_t": ("int64_t", "kSigned", 8),
            "hsa_file_t": ("int32_t", "kSigned", 4), "hsa_handle_t": ("int32_t", "kSigned", 4),
            "bool": ("bool", "kBool", 1)}
# Types that are pointers, and how a C program may write them.
CALLBACKS = {
    "hsa_ext_module_t": None, "hsa_amd_signal_handler": None,
    "hsa_amd_deallocation_callback_t": None, "hsa_amd_system_event_callback_t": None,
    "hsa_amd_queue_intercept_handler": "void (*{})(const void*, uint64_t, uint64_t, void*, "
                                       "void (*)(const void*, uint64_t))",
    "hsa_amd_runtime_queue_notifier": "void (*{})(const hsa_queue_t*, hsa_agent_t, void*)"}
BY_VALUE = {"hsa_ext_control_directives_t"}
# Arguments that the interface names otherwise than newer headers of the runtime.
ARGUMENTS = {
    "hsa_amd_vmem_address_reserve": {"va": "ptr"}, "hsa_amd_vmem_address_free": {"va": "ptr"},
    "hsa_amd_vmem_address_reserve_align": {"va": "ptr"},
    "hsa_amd_vmem_retain_alloc_handle": {"memory_handle": "handle"},
    "hsa_amd_vmem_get_alloc_properties_from_handle": {"memory_handle": "alloc_handle"}}
# Arguments that no trace follows: arrays that may be empty, and texts that runtimes do not look at.
NOT_FOLLOWED = {"agents", "signals", "flags", "options"}
LICENCE = "SPDX-License-Identifier: MIT"


def read(version):
    """Table -> [(function, result, [(type, name)])]"""
    found, table = {}, None
    for line in (SPEC / f"{version}.txt").read_text().splitlines():
        fields = [field.strip() for field in line.split("|")]
        if line.startswith("table "):
            table = found.setdefault(fields[0].split()[1], [])
        elif line.startswith("slot ") and len(fields) == 3:
            arguments = [re.fullmatch(r"(.*?)\s*(\w+)", each).groups() for each in split(fields[2])]
            name = fields[0].split()[1]
            arguments = [(kind, ARGUMENTS.get(name, {}).get(each, each)) for kind, each in arguments]
            table.append((name, fields[1], arguments))
    return found


def plain(kind):
    """(type as it travels, how its value is written, bytes) of a type without stars."""
    if kind in INTEGERS:
        return INTEGERS[kind]
    if kind in HANDLES:
        return "uint64_t", "kHandle", 8
    if kind in BY_VALUE:
        return kind, "kOpaque", f"sizeof({kind})"
    if kind in CALLBACKS or "(*" in kind or "(*)" in kind:
        return "const void*", "kPointer", 8
    return "uint32_t", "kUnsigned", 4  # an enumeration


def described(kind):
    """(type as it travels, how, bytes, stars, pointee's how, pointee's bytes)"""
    stars = 0 if "(" in kind else kind.count("*")
    if stars == 0:
        return *plain(kind), 0, "kOpaque", 0
    inner = re.sub(r"\b(const|volatile)\b|\*", "", kind).strip()
    if inner == "char" and stars == 1:
        return "const void*", "kText", 8, 1, "kOpaque", 0
    if stars > 1:
        return "const void*", "kPointer", 8, stars, "kPointer", 8
    known = inner in INTEGERS or inner in HANDLES
    _, how, size = plain(inner) if known else (0, "kOpaque", 0)
    return "const void*", "kPointer", 8, stars, how, size


def member(kind, name):
    kind = CALLBACKS.get(kind) or kind
    if "{}" in kind:
        return kind.format(name)
    if "(*)" in kind:
        return re.sub(r" \*", "*", kind).replace("(*)", f"(*{name})", 1)
    return f'{re.sub(r" [*]", "*", kind)} {name}' if kind != "hsa_handle_t" else f"int {name}"


def ids(enum, lower, functions):
    prefix = f"ROCPROFILER_HSA_{enum}_API_ID"
    values = "".join(f"  {prefix}_{name} = {i},\n" for i, (name, *_) in enumerate(functions))
    return (f"/* {LICENCE}\n * {lower}_api_id.h: the operations of HSA_{enum}_API. Made by\n"
            " * tools/gen_sdk_hsa.py. */\n#pragma once\n\n"
            f"typedef enum rocprofiler_hsa_{lower}_api_id_t {{\n  {prefix}_NONE = -1,\n{values}"
            f"  {prefix}_LAST = {len(functions)},\n}} rocprofiler_hsa_{lower}_api_id_t;\n")


def args(tables, since):
    text = (f"/* {LICENCE}\n * api_args.h: arguments and results of HSA's functions. Made by "
            "tools/gen_sdk_hsa.py.\n * Functions are omitted when the runtime's headers lack their "
            "types; the union has the same size without them. */\n#pragma once\n\n"
            "#include <hsa/hsa.h>\n#include <hsa/hsa_ext_amd.h>\n#include <hsa/hsa_ext_finalize.h>\n"
            "#include <hsa/hsa_ext_image.h>\n#include <rocprofiler-sdk/defines.h>\n\n"
            "ROCPROFILER_EXTERN_C_INIT\n\n/* An empty structure has different sizes in C and C++. */\n"
            "typedef struct rocprofiler_hsa_api_no_args {\n  char empty;\n"
            "} rocprofiler_hsa_api_no_args;\n\n"
            "typedef union rocprofiler_hsa_api_retval_t {\n  uint64_t uint64_t_retval;\n"
            "  uint32_t uint32_t_retval;\n  hsa_signal_value_t hsa_signal_value_t_retval;\n"
            "  hsa_status_t hsa_status_t_retval;\n} rocprofiler_hsa_api_retval_t;\n\n"
            "/* One member per function, with its name. */\ntypedef union rocprofiler_hsa_api_args_t {\n")
    for _, functions in tables:
        for name, _, arguments in functions:
            members = [member(*each) for each in arguments] or ["rocprofiler_hsa_api_no_args no_args"]
            body = "  struct {\n" + "".join(f"    {each};\n" for each in members) + f"  }} {name};\n"
            minor = MINORS[since[name]]
            text += body if minor == 0 else \
                f"#if HSA_AMD_INTERFACE_VERSION_MINOR >= {minor}\n{body}#endif\n"
    return text + "} rocprofiler_hsa_api_args_t;\n\nROCPROFILER_EXTERN_C_FINI\n"


def functions_table(tables, old):
    text = (f"// {LICENCE}\n// The operations of HSA's kinds, in order. Made by tools/gen_sdk_hsa.py.\n"
            "//   table, operation, place in the AMD table of ROCm 5.5 and older, name, result,\n"
            "//   (types as they travel), arguments\n")
    for (_, enum, _, _), (_, functions) in zip(TABLES, tables):
        kind = "k" + enum.title().replace("_", "")
        for i, (name, result, arguments) in enumerate(functions):
            place = i if enum != "AMD_EXT" else old.get(name, "kNoSlot")
            what = [(*described(kind_), kind_, each) for kind_, each in arguments]
            travels = ", ".join(each[0] for each in what)
            list_ = ", ".join(
                f'{{"{re.sub(r" [*]", "*", kind_)}", "{each}", Format::{how}, {size}, {stars}, Format::{inner}, '
                f'{inner_size}}}'
                for _, how, size, stars, inner, inner_size, kind_, each in what)
            result = "void" if result == "void" else plain(result)[0]
            text += f"HSA_FUNCTION({kind}, {i}, {place}, {name}, {result}, ({travels}), ({list_}))\n"
    return text


def form(kind, name, result):
    """How a trace shows an argument: ArgForm."""
    _, how, _, stars, inner, _ = described(kind)
    if kind in BY_VALUE:
        return "kStruct"
    if stars == 0 or name in NOT_FOLLOWED:
        return {"kUnsigned": "kUnsigned", "kBool": "kUnsigned", "kSigned": "kSigned"}.get(how, "kPointer")
    if how == "kText":
        return "kText" if "const" in kind else "kPointer"
    # Its output is read when the function returns success.
    if result != "hsa_status_t" or inner == "kOpaque" or "const" in kind.split("*")[0]:
        return "kPointer"
    return {"kUnsigned": "kOutUnsigned", "kBool": "kOutUnsigned", "kSigned": "kOutSigned"}.get(inner, "kOutPointer")


def calls_table(tables):
    args, calls, results = [], [], []
    for _, functions in tables:
        for name, result, arguments in functions:
            forms = [(each, form(kind, each, result)) for kind, each in arguments]
            slots = sum(0 if f == "kStruct" else 2 if f.startswith("kOut") else 1 for _, f in forms)
            calls.append(f'    {{"{name}", {len(args)}, {len(forms)}, {slots}}},\n')
            args += [f'    {{"{each}", ArgForm::{f}, 0}},\n' for each, f in forms]
            results.append("kNone" if result == "void" else "kStatus" if result == "hsa_status_t"
                           else "kSigned" if plain(result)[1] == "kSigned" else "kUnsigned")
    lines = [f"    {', '.join('HsaResult::' + each for each in results[i:i + 4])},\n"
             for i in range(0, len(results), 4)]
    return (f"// {LICENCE}\n// The functions of HSA, in the order of hsa_functions.inc. Made by tools/gen_sdk_hsa.py.\n"
            f"constexpr ApiArg kHsaArgs[] = {{\n{''.join(args)}}};\n"
            f"constexpr ApiCall kHsaCalls[] = {{\n{''.join(calls)}}};\n"
            f"constexpr HsaResult kHsaResults[] = {{\n{''.join(lines)}}};\n")


def main():
    newest = read(NEW)
    tables = [(name, newest[name][:count]) for name, _, _, count in TABLES]
    since = {}
    for version in sorted(MINORS, key=MINORS.get, reverse=True):
        for functions in read(version).values():
            since.update({name: version for name, *_ in functions})
    old = {name: i for i, (name, *_) in enumerate(read(OLD)["amd_ext_"])}
    made = {INCLUDE / "api_args.h": args(tables, since), FUNCTIONS: functions_table(tables, old),
            CALLS: calls_table(tables)}
    for (_, enum, lower, _), (_, functions) in zip(TABLES, tables):
        made[INCLUDE / f"{lower}_api_id.h"] = ids(enum, lower, functions)
    return write_or_check(made)


if __name__ == "__main__":
    sys.exit(main())
