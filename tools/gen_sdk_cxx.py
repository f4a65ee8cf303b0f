#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The headers of rocprofiler-sdk/cxx that are lists: serialization, from spec/api/sdk/serialized.txt, and the labels
of enumerations, from the C headers.

  gen_sdk_cxx.py [--check]
"""
import pathlib
import re
import sys

from generated import write_or_check

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = ROOT / "spec/api/sdk/serialized.txt"
INCLUDE = ROOT / "include/rocprofiler-sdk"
LICENCE = "SPDX-License-Identifier: MIT"
MADE = "Made by tools/gen_sdk_cxx.py."
SINGLE_BITS = {"rocprofiler_runtime_library_t", "rocprofiler_intercept_table_t"}
# A name from before, of the same value.
OLD = re.compile(r"_(LOAD|UNLOAD)$")


def begin(name, what, includes):
    return (f"/* {LICENCE}\n * {name}: {what} {MADE} */\n#pragma once\n\n" +
            "".join(f"#include <{each}>\n" for each in includes) + "\n")


def quoted(name):
    return '"' + name.replace("%20", " ") + '"'


def members(text):
    """[(how, name, expression)]"""
    found = []
    for word in text.split():
        how, _, rest = word.rpartition(":") if not word.startswith("when:") else ("when", "", word[5:])
        if how == "when":
            condition, member = rest.rsplit(":", 1)
            found.append(("when", condition.replace("=", " == data.", 0), member))
            continue
        name, _, expression = rest.partition("=")
        found.append((how, name, expression or name))
    return found


def value(expression):
    return "*data." + expression[1:] if expression.startswith("*") else "data." + expression


def written(how, name, expression):
    if how in ("", "out"):
        if name in ("args", "inst_type", "stall_reason") and expression == name:
            function = {"args": "get_buffer_tracing_args", "inst_type": "instruction_type",
                        "stall_reason": "stall_reason"}[name]
            return f'  ar(make_nvp("{name}", ::rocprofiler::sdk::serialization::{function}(data)));\n'
        return f"  ar(make_nvp({quoted(name)}, {value(expression)}));\n"
    if how == "text":
        return f"  ar(make_nvp({quoted(name)}, std::string{{data.{name} != nullptr ? data.{name} : \"\"}}));\n"
    if how == "bits":
        return f"  {{\n    auto bits = {value(expression)};\n    ar(make_nvp({quoted(name)}, bits));\n  }}\n"
    if how == "hex":
        return f"  ar(make_nvp({quoted(name)}, ::rocprofiler::sdk::utility::as_hex({value(expression)}, 16)));\n"
    if how == "array":
        pointer, count = expression.split(",")
        return (f"  ar(make_nvp({quoted(name)}, ::rocprofiler::sdk::container::make_c_array(data.{pointer}, "
                f"data.{count})));\n")
    if how == "list":
        return (f"  ar(make_nvp({quoted(name)}, ::rocprofiler::sdk::serialization::copies(data.{name}, "
                f"data.{expression})));\n")
    if how == "when":
        member, constant = name.split("=")
        return f"  if (data.{member} == {constant}) ar(make_nvp({quoted(expression)}, data.{expression}));\n"
    sys.exit(f"what is {how}:{name}?")


def read(how, name, expression):
    if how == "":
        return f"  ar(make_nvp({quoted(name)}, {value(expression)}));\n"
    if how == "out":
        return ""
    if how == "text":
        return f"  ::rocprofiler::sdk::serialization::load_text(ar, {quoted(name)}, &data.{name});\n"
    if how == "bits":
        return (f"  {{\n    auto bits = {value(expression)};\n    ar(make_nvp({quoted(name)}, bits));\n"
                f"    {value(expression)} = bits;\n  }}\n")
    if how == "list":
        return (f"  ::rocprofiler::sdk::serialization::load_list(ar, {quoted(name)}, &data.{name}, "
                f"&data.{expression});\n")
    if how == "when":
        return written(how, name, expression)
    sys.exit(f"how is {how}:{name} read?")


def functions(which, one):
    text = ""
    for line in SPEC.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        head, rest = line.split("|")
        flags, kind = head.split()
        if which == "load" and flags != "both":
            continue
        body = "".join(one(*each) for each in members(rest))
        guard = kind.startswith("hsa_amd_event_")
        text += "#if ROCPROFILER_HSA_TOOL_HEADERS\n" if guard else ""
        argument = f"const {kind}& data" if which == "save" else f"{kind}& data"
        text += f"template <typename ArchiveT>\nvoid {which}(ArchiveT& ar, {argument}) {{\n{body}}}\n"
        text += "#endif\n\n" if guard else "\n"
    return text


def serialization(which, one):
    text = begin(f"serialization/{which}.hpp", "how records are written with cereal." if which == "save" else
                 "how records are read with cereal; texts and lists that it makes are never freed.",
                 ["rocprofiler-sdk/cxx/serialization/cereal.hpp", "rocprofiler-sdk/rocprofiler.h"])
    return (text + "ROCPROFILER_SDK_CEREAL_NAMESPACE_BEGIN\n\n" + functions(which, one) +
            "ROCPROFILER_SDK_CEREAL_NAMESPACE_END\n")


def enumerations():
    """Name -> [(enumerator, value or none)], of the C headers."""
    found = {}
    for path in sorted(INCLUDE.rglob("*.h")):
        code = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        for name, body in re.findall(r"typedef enum (rocprofiler_\w+) \{([^}]*)\}", code):
            items, number = [], -1
            for each in filter(None, (part.strip() for part in body.split(","))):
                enumerator, _, given = each.partition("=")
                is_number = re.fullmatch(r"\s*-?\w+\s*", given or "") and given.strip().lstrip("-")[0].isdigit()
                number = int(given, 0) if is_number \
                    else number + 1
                items.append((enumerator.strip(), number))
            found[name] = items
    return found


def labels():
    text = begin("enum_string.hpp", "the name of an enumerator.", [
        "rocprofiler-sdk/experimental/thread_trace.h", "rocprofiler-sdk/rocprofiler.h", "string_view", "type_traits"])
    text += "namespace rocprofiler {\nnamespace sdk {\nnamespace details {\n\n"
    for name, items in sorted(enumerations().items()):
        cases, seen = "", set()
        for enumerator, number in items:
            if enumerator.endswith("_LAST") or OLD.search(enumerator) or number in seen:
                continue
            seen.add(number)
            cases += f"    case {enumerator}:\n      return \"{enumerator}\";\n"
        text += (f"constexpr std::string_view enum_label({name} value) {{\n"
                 f"  switch (static_cast<int>(value)) {{\n{cases}"
                 f"    default:\n      return \"unsupported_{name}\";\n  }}\n}}\n\n")
    return (text + "}  // namespace details\n\n"
            "/* \"unsupported_\" and the type's name for a value that is no enumerator. */\n"
            "template <typename EnumT>\nconstexpr std::string_view get_enum_label(EnumT value) {\n"
            "  static_assert(std::is_enum<EnumT>::value, \"an enumeration of this interface\");\n"
            "  return details::enum_label(value);\n}\n\n}  // namespace sdk\n}  // namespace rocprofiler\n")


def main():
    made = {INCLUDE / "cxx/serialization/save.hpp": serialization("save", written),
            INCLUDE / "cxx/serialization/load.hpp": serialization("load", read),
            INCLUDE / "cxx/enum_string.hpp": labels()}
    return write_or_check(made)


if __name__ == "__main__":
    sys.exit(main())
