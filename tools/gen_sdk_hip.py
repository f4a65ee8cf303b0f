#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HIP's functions as rocprofiler-sdk 1.x numbers them, from spec/api/hip.

  gen_sdk_hip.py extract HIP_API_TRACE_HPP > spec/api/hip/signatures.txt
      each function in HIP's header of its dispatch tables: result, types, names
  gen_sdk_hip.py [--check]
      makes include/rocprofiler-sdk/hip/*_api_id.h and api_args.h, and src/names/hip_functions.inc

An operation is the index of a function in the dispatch table, which only grows at its end.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import gen_api  # noqa: E402
from generated import split, write_or_check  # noqa: E402

ROOT = gen_api.ROOT
SPEC = gen_api.SPEC
SIGNATURES = SPEC / "signatures.txt"
INCLUDE = ROOT / "include/rocprofiler-sdk/hip"
FUNCTIONS = ROOT / "src/names/hip_functions.inc"
LICENCE = "SPDX-License-Identifier: MIT"
# table, as in the enumerations, lower case
TABLES = [("hip", "RUNTIME", "runtime"), ("hip_compiler", "COMPILER", "compiler")]
# HIP's name of a call whose entry in the table has another name. HIP 5 has the layout of R0000.
NAMES = {"hipGetDeviceProperties": "hipGetDevicePropertiesR0000", "hipChooseDeviceR0600": "hipChooseDevice"}
# Not in the headers of every HIP, or not in C: as they travel.
SPELLED = {"GLuint": "unsigned int", "GLenum": "unsigned int", "hipGLDeviceList": "unsigned int",
           "uint3": "rocprofiler_dim3_t",
           "hipLimit_t": "enum hipLimit_t",
           "hipTextureAddressMode": "enum hipTextureAddressMode", "hipTextureFilterMode": "enum hipTextureFilterMode",
           "hipResourceViewDesc": "struct hipResourceViewDesc", "hipDeviceProp_tR0000": "struct hipDeviceProp_tR0000"}
INTEGERS = {"int": ("kSigned", 4), "unsigned int": ("kUnsigned", 4), "unsigned": ("kUnsigned", 4),
            "uint32_t": ("kUnsigned", 4), "int32_t": ("kSigned", 4), "uint64_t": ("kUnsigned", 8),
            "int64_t": ("kSigned", 8),
            "size_t": ("kUnsigned", 8), "unsigned long long": ("kUnsigned", 8), "unsigned char": ("kUnsigned", 1),
            "unsigned short": ("kUnsigned", 2), "short": ("kSigned", 2), "char": ("kSigned", 1), "float": ("kFloat", 4),
            "hipDevice_t": ("kSigned", 4), "GLuint": ("kUnsigned", 4), "GLenum": ("kUnsigned", 4)}
ENUMERATIONS = {"hipChannelFormatKind", "hipTextureAddressMode", "hipTextureFilterMode", "hipStreamAttrID",
                "hipLimit_t", "hipError_t"}
# Operations that interface 1.0 knows; those of newer HIPs have numbers behind its LAST.
KNOWN = {"RUNTIME": 477, "COMPILER": 9}
# Arguments that the interface names otherwise than HIP's header of its tables: function -> HIP's name -> its name.
F = {"f": "func"}
STREAM = {"f": "func", "hStream": "stream"}
ARGUMENTS = {
    "hipChooseDeviceR0000": {"properties": "prop"},
    "hipGetDevicePropertiesR0600": {"device": "deviceId"}, "hipGetDevicePropertiesR0000": {"device": "deviceId"},
    "hipKernelNameRef": F, "hipLaunchCooperativeKernel": F, "hipModuleLaunchCooperativeKernel": F,
    "hipModuleLaunchKernel": F, "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor": F,
    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": F, "hipModuleOccupancyMaxPotentialBlockSize": F,
    "hipModuleOccupancyMaxPotentialBlockSizeWithFlags": F, "hipOccupancyMaxActiveBlocksPerMultiprocessor": F,
    "hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": F, "hipOccupancyMaxPotentialBlockSize": F,
    "hipExtModuleLaunchKernel": STREAM, "hipHccModuleLaunchKernel": STREAM, "hipLaunchCooperativeKernel_spt": STREAM}
RESULTS = {"hipError_t", "const char*", "void", "void**", "int", "hipChannelFormatDesc"}


def squeeze(text):
    return re.sub(r"\s*\*\s*", "*", " ".join(text.split())).replace("*const", "* const")


def argument(text, place):
    """(type, name) of one parameter."""
    if hit := re.fullmatch(r"(.*)\(\*\s*(\w*)\)(.*)", text):
        return squeeze(hit[1]) + "(*)" + squeeze(hit[3]), hit[2] or f"arg{place}"
    text = re.sub(r"\b(struct|enum)\s+", "", text)
    if hit := re.fullmatch(r"(.*\W)(\w+)", text):
        if hit[2] not in ("int", "char", "long", "unsigned") and squeeze(hit[1]) != "const":
            return squeeze(hit[1]), hit[2]
    return squeeze(text), f"arg{place}"


def extract(header):
    text = re.sub(r"//[^\n]*", "", pathlib.Path(header).read_text())
    found = {}
    for result, name, arguments in re.findall(r"typedef ([^;]*?)\(\*t_(\w+)\)\(([^;]*)\);", text, re.S):
        if name in found:
            continue
        parts = [argument(each, i) for i, each in enumerate(split(arguments)) if each != "void"]
        found[name] = (squeeze(result), parts)
    print("# The functions of HIP's dispatch tables, in their order: result | type name, ...\n"
          "# Written by tools/gen_sdk_hip.py extract.")
    for table, _, name in gen_api.read_entries(pathlib.Path(header)):
        result, parts = found[name]
        print(f"{table} {name} | {result} | " + "; ".join(f"{kind} {each}" for kind, each in parts))


def read():
    """Table -> [(function, result, [(type, name)])]"""
    tables = {table: [] for table, *_ in TABLES}
    for line in SIGNATURES.read_text().splitlines():
        if line.startswith("#"):
            continue
        head, result, arguments = [part.strip() for part in line.split("|")]
        table, name = head.split()
        if result not in RESULTS:
            sys.exit(f"{name}: how does a {result} come back?")
        parts = [each.rsplit(" ", 1) for each in filter(None, arguments.split("; "))]
        parts = [(kind, ARGUMENTS.get(name, {}).get(each, each)) for kind, each in parts]
        tables[table].append((name, result, parts))
    return tables


def words(kind):
    return {each for each in re.findall(r"[A-Za-z_]\w*", kind)
            if each not in ("const", "void", "struct", "enum", "long") and each not in INTEGERS and each not in SPELLED
            and each != "dim3"}


class Types:
    """The known types, and the first HIP that has each."""

    def __init__(self):
        self.descriptions = [gen_api.Description(path) for path in sorted(
            SPEC.glob("[0-9]*.txt"), key=lambda path: [int(n) for n in path.stem.split(".")])]
        self.since = {}
        for description in reversed(self.descriptions):
            for kind in description.types:
                self.since.update({word: description.version for word in words(kind)})
        # Types of functions that HIP does not report to tracers; they exist in every version.
        for word in ("textureReference hipArray_const_t hipMipmappedArray_const_t hipTextureObject_t hipResourceDesc "
                     "hipTextureDesc hipResourceViewDesc hipTextureAddressMode hipTextureFilterMode hipError_t "
                     "hipChannelFormatDesc hipDeviceProp_t hip_Memcpy2D hipUUID hipHostFn_t hipStreamCallback_t "
                     "HIP_TEXTURE_DESC HIP_RESOURCE_DESC hipArray_t "
                     "HIP_RESOURCE_VIEW_DESC HIPaddress_mode HIPfilter_mode hipChannelFormatKind").split():
            self.since[word] = self.descriptions[0].version

    def first_entry(self, name):
        return next(description.version for description in self.descriptions
                    if any(name == each for entries in description.entries.values() for each, _ in entries))

    def version(self, name, arguments):
        versions = [self.descriptions[0].version]
        for kind, _ in arguments:
            for word in words(kind):
                # Unknown to the calls: as old as the functions that use it.
                versions.append(self.since.get(word) or self.first_entry(name))
        return max(versions, key=lambda version: [int(n) for n in version.split(".")])

    def described(self, call, kind, name):
        """(format, bytes, alignment, stars, inner format, inner bytes) of an argument."""
        stars = 0 if "(" in kind else kind.count("*")
        form = None
        newest = self.descriptions[-1]
        if stars == 0:
            if kind == "dim3":
                return "kDim3", 12, 4, 0, "kOpaque", 0
            if kind in INTEGERS:
                how, size = INTEGERS[kind]
                return how, size, size, 0, "kOpaque", 0
            for description in reversed(self.descriptions):
                if kind in description.types:
                    what, size, _ = description.types[kind]
                    if what == "struct":
                        return "kOpaque", size, 4 if kind == "hipMemLocation" else 8, 0, "kOpaque", 0
                    if what == "enum":
                        return "kSigned", size, size, 0, "kOpaque", 0
                    if what == "unsigned":
                        return "kUnsigned", size, size, 0, "kOpaque", 0
                    return "kPointer", size, size, 0, "kOpaque", 0
            if kind in ENUMERATIONS:
                return "kSigned", 4, 4, 0, "kOpaque", 0
            if "(" in kind or kind.endswith("_t") or kind == "hipArray_const_t":
                return "kPointer", 8, 8, 0, "kOpaque", 0
            sys.exit(f"{call}: how does a {kind} travel?")
        if kind == "const char*":
            return "kText", 8, 8, 1, "kOpaque", 0
        known = newest.types.get(kind) or newest.types.get(kind.replace("*", " *"))
        if known is not None and call in newest.calls:
            form = newest.form(kind, name)
        if form is not None and form.startswith("out:"):
            how = {"i": "kSigned", "u": "kUnsigned", "p": "kPointer", "f": "kFloat"}[form[4]]
            return "kPointer", 8, 8, stars, how, int(form[5:]) // 8
        return "kPointer", 8, 8, stars, "kOpaque", 0


def member(kind, name):
    for word, spelled in SPELLED.items():
        kind = re.sub(rf"\b{word}\b", spelled, kind)
    kind = kind if "(" in kind else re.sub(r"\* const$", "*", kind)  # a member can be written to
    kind = kind if "*" in kind else kind.replace("const ", "")
    kind = "rocprofiler_dim3_t" if kind == "dim3" else kind
    if "(*)" in kind:
        return kind.replace("(*)", f"(*{name})", 1)
    return f"{kind} {name}"


def ids(enum, lower, functions):
    prefix = f"ROCPROFILER_HIP_{enum}_API_ID"
    values = [f"  {prefix}_{name} = {i},\n" for i, (name, *_) in enumerate(functions)]
    known = KNOWN[enum]
    newer = "  /* Of newer HIP versions. */\n" + "".join(values[known:]) if len(values) > known else ""
    return (f"/* {LICENCE}\n * {lower}_api_id.h: the operations of HIP_{enum}_API. Made by\n"
            " * tools/gen_sdk_hip.py. */\n#pragma once\n\n"
            f"typedef enum rocprofiler_hip_{lower}_api_id_t {{\n  {prefix}_NONE = -1,\n{''.join(values[:known])}"
            f"  {prefix}_LAST = {known},\n{newer}}} rocprofiler_hip_{lower}_api_id_t;\n")


ARGS_BEGIN = f"""/* {LICENCE}
 * api_args.h: arguments and results of HIP's functions. Made by tools/gen_sdk_hip.py. A dim3 is a
 * rocprofiler_dim3_t. Functions are omitted when the installed HIP headers lack their types, or when
 * there are no HIP headers; the unions have the same size without them. In C++ all of HIP's headers
 * are included unless ROCPROFILER_SDK_SMALL_HIP_HEADERS is defined. */
#pragma once

#include <rocprofiler-sdk/fwd.h>

#if defined(__has_include)
#if __has_include(<hip/hip_runtime_api.h>)
#if !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__)
#define __HIP_PLATFORM_AMD__ 1
#endif
#if defined(__cplusplus) && !defined(ROCPROFILER_SDK_SMALL_HIP_HEADERS)
#include <hip/hip_runtime.h>
#if __has_include(<hip/hip_deprecated.h>)
#include <hip/hip_deprecated.h>
#endif
#if __has_include(<hip/amd_detail/amd_hip_gl_interop.h>)
#include <hip/amd_detail/amd_hip_gl_interop.h>
#endif
#if __has_include(<hip/amd_detail/hip_api_trace.hpp>)
#include <hip/amd_detail/hip_api_trace.hpp>
#endif
#endif
#include <hip/hip_runtime_api.h>
#define ROCPROFILER_HIP_HEADERS HIP_VERSION
#endif
#endif
#if !defined(ROCPROFILER_HIP_HEADERS)
#define ROCPROFILER_HIP_HEADERS 0
#endif

ROCPROFILER_EXTERN_C_INIT

/* An empty structure has different sizes in C and C++. */
typedef struct rocprofiler_hip_api_no_args {{
  char empty;
}} rocprofiler_hip_api_no_args;

typedef union rocprofiler_hip_api_retval_t {{
  uint64_t words[3];
  uint64_t uint64_t_retval;
  int int_retval;
  const char* const_charp_retval;
  void** voidpp_retval;
#if ROCPROFILER_HIP_HEADERS > 0
  hipError_t hipError_t_retval;
  hipChannelFormatDesc hipChannelFormatDesc_retval;
#endif
}} rocprofiler_hip_api_retval_t;

/* One member per function, with its name. */
typedef union rocprofiler_hip_api_args_t {{
  uint64_t words[11];
"""


def args(tables, types):
    text, open_for = ARGS_BEGIN, None
    for functions in tables.values():
        for name, _, arguments in functions:
            major, minor = types.version(name, arguments).split(".")
            since = int(major) * 10_000_000 + int(minor) * 100_000
            if since != open_for:
                text += "#endif\n" if open_for is not None else ""
                text += f"#if ROCPROFILER_HIP_HEADERS >= {since}\n"
                open_for = since
            members = [member(*each) for each in arguments] or ["rocprofiler_hip_api_no_args no_args"]
            text += "  struct {\n" + "".join(f"    {each};\n" for each in members) + f"  }} {name};\n"
    return text + "#endif\n} rocprofiler_hip_api_args_t;\n\nROCPROFILER_EXTERN_C_FINI\n"


def functions_table(tables, types):
    text = (f"// {LICENCE}\n// The operations of HIP's kinds, in order. Made by tools/gen_sdk_hip.py.\n"
            "//   table, operation, name, arguments\n")
    for (table, enum, _), functions in zip(TABLES, tables.values()):
        for i, (name, _, arguments) in enumerate(functions):
            rows = []
            for kind, each in arguments:
                how, size, alignment, stars, inner, inner_size = types.described(name, kind, each)
                rows.append(f'{{"{kind}", "{each}", Format::{how}, {size}, {stars}, Format::{inner}, {inner_size}, '
                            f'{alignment}}}')
            text += f"HIP_FUNCTION(k{enum.title()}, {i}, {name}, ({', '.join(rows)}))\n"
    calls = sorted({name for description in types.descriptions for name in description.calls})
    entries = {name for functions in tables.values() for name, *_ in functions}
    for name in calls:
        if name not in entries and name not in NAMES and not name.startswith("RESERVED"):
            sys.exit(f"{name} is a call and no entry of a table")
    return text + "".join(f"HIP_OTHER_NAME({call}, {entry})\n" for call, entry in sorted(NAMES.items()))


def main():
    if sys.argv[1:2] == ["extract"]:
        return extract(sys.argv[2])
    tables, types = read(), Types()
    made = {INCLUDE / "api_args.h": args(tables, types), FUNCTIONS: functions_table(tables, types)}
    for (_, enum, lower), functions in zip(TABLES, tables.values()):
        made[INCLUDE / f"{lower}_api_id.h"] = ids(enum, lower, functions)
    return write_or_check(made)


if __name__ == "__main__":
    sys.exit(main())
