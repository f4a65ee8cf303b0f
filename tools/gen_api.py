#!/usr/bin/env python3
"""HIP's functions as data, and the tables that are made from them.

  gen_api.py extract --include DIR --version V > spec/api/hip/V.txt
      reads the headers of one HIP (hip_prof_str.h defines what HIP passes to a tracer of its calls) and
      writes their contents: types, enumerators, and for each call its arguments with their offsets.
  gen_api.py generate [--check]
      makes src/model/hip_calls.inc, src/capture/hip/hip_*.inc and the exported names of
      src/libraries/hip from spec/api/hip/*.txt.
      Numbers of calls are kept in spec/api/hip/numbers.txt, which only ever grows.

A description file has six kinds of lines:
  like <version>
      all of that version holds, too. Such a file is written by hand: where no package has the headers of a HIP, from
      what is published of them. Its calls have no offsets, so HIP's callbacks are not described
  type <name> | <what> <bytes> | <what it points to> <bytes> <const?>
  enum <name> | <enumerator>=<value> ...
  call <name> | <type> <argument> @<offset>, ...      "@" is absent in a file with "like"
  function <symbol> | <name> <its call's name> | <result> <arguments>
      how the exported functions travel (System V ABI): i an integer register, f a float,
      x dim3 in two registers, mN a structure of N bytes in memory, e hipError_t, v nothing
  entry <table> <index> <name> | <result> <arguments>
      of the dispatch tables that HIP registers with rocprofiler-register: a size_t, the table's
      size, and then one pointer after the other
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = ROOT / "spec/api/hip"
NUMBERS = SPEC / "numbers.txt"
READER_TABLE = ROOT / "src/model/hip_calls.inc"
LAYOUT_TABLE = ROOT / "src/capture/hip/hip_layouts.inc"
FUNCTION_TABLE = ROOT / "src/capture/hip/hip_functions.inc"
ENTRY_TABLE = ROOT / "src/capture/hip/hip_entries.inc"
PRELOAD_MAP = ROOT / "src/libraries/hip/hip_preload.map"

# Launch one kernel and return when it is submitted. Not cooperative launches and those on several devices, which may
# wait for what was submitted before.
LAUNCHES = ("hipExtLaunchKernel", "hipExtModuleLaunchKernel", "hipHccModuleLaunchKernel", "hipDrvLaunchKernelEx",
            "hipLaunchByPtr", "hipLaunchKernel", "hipLaunchKernelExC", "hipModuleLaunchKernel")

# The dispatch tables, by the names under which they are registered.
TABLES = {"hip": "HipDispatchTable", "hip_compiler": "HipCompilerDispatchTable"}

# Arrays of unknown length, and memory of the device, are not dereferenced.
OPAQUE = {"kernelParams", "extra", "args", "options", "optionValues", "optionsValues", "nodes"}

PROBE = r"""
#include <cstddef>
#include <cstdio>
#include <type_traits>
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#include <hip/hip_runtime_api.h>
#include <hip/amd_detail/hip_prof_str.h>
template <typename T, typename = void> struct Bytes { static constexpr size_t value = 0; };
template <typename T> struct Bytes<T, std::void_t<decltype(sizeof(T))>> {
  static constexpr size_t value = std::is_function_v<T> ? 0 : sizeof(T);
};
template <> struct Bytes<void> { static constexpr size_t value = 0; };
template <> struct Bytes<const void> { static constexpr size_t value = 0; };
template <typename T> const char* What() {
  using U = std::remove_cv_t<T>;
  if (std::is_same_v<U, char>) return "char";
  if (std::is_void_v<U>) return "void";
  if (std::is_pointer_v<U>) return "pointer";
  if (std::is_enum_v<U>) return "enum";
  if (std::is_floating_point_v<U>) return "float";
  if (std::is_integral_v<U>) return std::is_signed_v<U> ? "signed" : "unsigned";
  return "struct";
}
template <typename T> void Type(const char* name) {
  using P = std::remove_pointer_t<T>;
  std::printf("type %s | %s %zu |", name, What<T>(), Bytes<T>::value);
  if (std::is_pointer_v<T>)
    std::printf(" %s %zu%s", What<P>(), Bytes<P>::value, std::is_const_v<P> ? " const" : "");
  std::printf("\n");
}
template <typename T> void Travels() {
  if constexpr (std::is_void_v<T>) std::printf(" v");
  else if constexpr (std::is_same_v<T, hipError_t>) std::printf(" e");
  else if constexpr (std::is_same_v<T, dim3>) std::printf(" x");
  else if constexpr (std::is_same_v<T, float>) std::printf(" f");
  else if constexpr (sizeof(T) > 16) std::printf(" m%zu", sizeof(T));
  else if constexpr (sizeof(T) <= 8 && !std::is_floating_point_v<T>) std::printf(" i");
  else std::printf(" ?");
}
"""

ENTRY_PROBE = r"""
template <typename F> struct Function;
template <typename R, typename... P> struct Function<R (*)(P...)> {
  static void Travel() {
    Travels<R>();
    (Travels<P>(), ...);
  }
};
"""

# The headers that declare exported functions.
DECLARATIONS = r"""
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#include <hip/hip_runtime_api.h>
#include <hip/hip_ext.h>
#include <hip/amd_detail/amd_hip_runtime_pt_api.h>
"""


def read_calls(header):
    """Name -> [(type, argument)] of hip_prof_str.h's argument structures."""
    text = header.read_text()
    body = text[text.index("typedef struct hip_api_data_s"):]
    body = body[:body.index("} hip_api_data_t")]
    calls = {}
    for fields, name in re.findall(r"struct \{([^{}]*)\} (\w+);", body):
        arguments = []
        for line in fields.split(";"):
            line = line.strip()
            if not line:
                continue
            kind, argument = re.fullmatch(r"(.*?)\s*\b(\w+)", line, re.S).groups()
            if not argument.endswith("__val"):
                arguments.append((" ".join(kind.split()), argument))
        calls[name] = arguments
    used = set(re.findall(r"HIP_API_ID_(\w+) = [1-9]\d*,", text)) - {"FIRST", "LAST"}
    for name in used:
        calls.setdefault(name, [])
    return {name: calls[name] for name in sorted(used)}


def compile_and_run(source, include):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "hip").symlink_to(include / "hip")  # and not the C library's headers beside it
        (path / "probe.cpp").write_text(source)
        subprocess.run(["g++", "-std=c++17", "-w", "-Wno-invalid-offsetof", "-fpermissive",
                        f"-I{path}", str(path / "probe.cpp"), "-o", str(path / "probe")],
                       check=True)
        return subprocess.run([str(path / "probe")], check=True, capture_output=True,
                              text=True).stdout


def enumerators(include, names):
    """Enumerators of the enums, as the preprocessed headers spell them."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "hip").symlink_to(include / "hip")
        (path / "probe.cpp").write_text(PROBE)
        text = subprocess.run(["g++", "-std=c++17", "-w", "-E", "-P", f"-I{path}",
                               str(path / "probe.cpp")],
                              check=True, capture_output=True, text=True).stdout
    found = {}
    for tag, body, alias in re.findall(
            r"\benum\s+(?:\[\[\w+\]\]\s*|__attribute__\s*\(\(\w+\)\)\s*)?(\w*)\s*\{([^{}]*)\}\s*(\w*)\s*;",
            text):
        for name in (tag, alias):
            if name in names:
                found[name] = re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", body)
    return found


def read_functions(include, calls):
    """Symbol -> (name, its call, result, [parameter]) of the functions that make those calls. A name
    that ends in _spt is the same call with another default stream."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "hip").symlink_to(include / "hip")
        (path / "probe.cpp").write_text(DECLARATIONS)
        dump = ["-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=hip"]
        text = subprocess.run(["clang++", "-std=c++17", "-w", f"-I{path}", *dump,
                               str(path / "probe.cpp")],
                              check=True, capture_output=True, text=True).stdout
    functions, at, decoder = {}, 0, json.JSONDecoder()
    while (at := text.find("{", at)) >= 0:
        node, at = decoder.raw_decode(text, at)
        inner = node.get("inner", [])
        call = node.get("name", "").removesuffix("_spt")
        if node["kind"] != "FunctionDecl" or call not in calls or \
                any(part["kind"] == "CompoundStmt" for part in inner):
            continue
        parameters = [part["type"]["qualType"] for part in inner if part["kind"] == "ParmVarDecl"]
        result = node["type"]["qualType"].split("(")[0].strip()
        if len(parameters) == len(calls[call]) or not calls[call]:
            functions[node["mangledName"]] = (node["name"], call, result, parameters)
    return functions


def read_entries(header):
    """[(table, index, name)] of the dispatch tables; none where HIP has no such header."""
    if not header.exists():
        return []
    text, entries = header.read_text(), []
    for table, structure in TABLES.items():
        body = re.search(rf"struct {structure} \{{(.*?)\n\}};", text, re.S).group(1)
        names = re.findall(r"^\s*(?!//)t_\w+\s+(\w+)_fn;", body, re.M)
        entries += [(table, i, name) for i, name in enumerate(names)]
    return entries


def print_entries(include):
    entries = read_entries(include / "hip/amd_detail/hip_api_trace.hpp")
    if not entries:
        return
    probe = [PROBE, "#include <hip/amd_detail/hip_api_trace.hpp>", ENTRY_PROBE, "int main() {"]
    for table, i, name in entries:
        place = f"offsetof({TABLES[table]}, {name}_fn)"
        probe.append(f'  static_assert({place} == {8 + 8 * i});')
        probe.append(f'  std::printf("entry {table} {i} {name} |");')
        probe.append(f"  Function<decltype({TABLES[table]}::{name}_fn)>::Travel();")
        probe.append('  std::printf("\\n");')
    probe.append("}")
    print(compile_and_run("\n".join(probe), include), end="")


def extract(options):
    include = pathlib.Path(options.include)
    calls = read_calls(include / "hip/amd_detail/hip_prof_str.h")
    types = sorted({kind for arguments in calls.values() for kind, _ in arguments})
    lines = [PROBE, "int main() {"]
    lines += [f'  Type<{kind}>("{kind}");' for kind in ["hip_api_data_t", *types]]
    for name, arguments in calls.items():
        lines.append(f'  std::printf("call {name} |");')
        for i, (kind, argument) in enumerate(arguments):
            place = f"offsetof(hip_api_data_t, args.{name}.{argument})"
            comma = "," if i else ""
            lines.append(f'  std::printf("{comma} {kind} {argument} @%zu", {place});')
        lines.append('  std::printf("\\n");')
    lines.append("}")
    output = compile_and_run("\n".join(lines), include)
    enums = [line.split(" | ")[0].split()[-1] for line in output.splitlines()
             if line.startswith("type ") and line.split(" | ")[1].startswith("enum")]
    spelled = enumerators(include, enums + ["hipError_t"])
    probe = [PROBE, "int main() {"]
    for name in sorted(spelled):
        probe.append(f'  std::printf("enum {name} |");')
        probe += [f'  std::printf(" {item}=%lld", static_cast<long long>({item}));'
                  for item in dict.fromkeys(spelled[name])]
        probe.append('  std::printf("\\n");')
    probe.append("}")
    print(f"# What HIP {options.version} hands to a tracer of its calls. Written by tools/gen_api.py "
          "extract.")
    print("\n".join(line for line in output.splitlines() if line.startswith("type ")))
    print(compile_and_run("\n".join(probe), include), end="")
    print("\n".join(line for line in output.splitlines() if line.startswith("call ")))
    probe = [PROBE, "int main() {"]
    for symbol, (name, call, result, parameters) in sorted(read_functions(include, calls).items()):
        probe.append(f'  std::printf("function {symbol} | {name} {call} |");')
        probe += [f"  Travels<{kind}>();" for kind in [result, *parameters]]
        probe.append('  std::printf("\\n");')
    probe.append("}")
    print(compile_and_run("\n".join(probe), include), end="")
    print_entries(include)


class Description:
    """One version's file."""

    def __init__(self, path):
        self.version = path.stem
        self.types, self.enums, self.calls, self.functions = {}, {}, {}, {}
        self.entries = {table: [] for table in TABLES}  # [(name, how it travels)], in their order
        for line in path.read_text().splitlines():
            if line.startswith("#") or not line.strip():
                continue
            word, rest = line.split(" ", 1)
            name, *parts = [part.strip() for part in rest.split("|")]
            if word == "like":
                base = Description(path.with_name(f"{name}.txt"))
                self.types, self.enums, self.calls = base.types, base.enums, base.calls
                self.functions, self.entries = base.functions, base.entries
                self.types["hip_api_data_t"] = ("struct", 0, None)
            elif word == "type":
                what, size = parts[0].split()
                target = parts[1].split() if len(parts) > 1 and parts[1] else None
                self.types[name] = (what, int(size), target)
            elif word == "enum":
                self.enums[name] = [(item.split("=")[0], int(item.split("=")[1]))
                                    for item in parts[0].split()]
            elif word == "call":
                arguments = []
                for item in filter(None, (item.strip() for item in parts[0].split(","))):
                    kind, argument, place = re.fullmatch(r"(.*) (\w+)(?: @(\d+))?", item).groups()
                    arguments.append((kind, argument, int(place or 0)))
                self.calls[name] = arguments
            elif word == "function":
                self.functions[name] = (parts[0].split()[1], parts[1].split())
            elif word == "entry":
                table, index, function = name.split()
                if int(index) != len(self.entries[table]):
                    sys.exit(f"{path}: entry {index} of {table} is out of order")
                self.entries[table].append((function, parts[0].split()))
            else:
                sys.exit(f"{path}: what is '{word}'?")

    def form(self, kind, argument):
        """How an argument travels and is shown: one word; see src/model/api_calls.h."""
        what, size, target = self.types[kind]
        if kind == "dim3":
            return "dim3"
        if what == "enum":
            return f"enum:{kind.split()[-1]}"
        if what in ("signed", "unsigned", "float"):
            return f"{'ifu'['sfu'.index(what[0])]}{8 * size}"
        if what == "char":
            return "i8"
        if what == "struct":
            return "struct" if size != 8 or kind != "hipMemLocation" else "u64"
        if target[0] == "char" and "const" in target:
            return "text"
        if kind in ("hipStream_t", "hipEvent_t"):
            return "pointer"
        if "const" in target or argument in OPAQUE or kind.count("*") == 0:
            return "pointer"
        if target[0] in ("signed", "unsigned", "float", "enum", "pointer") and \
                int(target[1]) in (1, 2, 4, 8):
            letter = {"signed": "i", "unsigned": "u", "float": "f", "enum": "i",
                      "pointer": "p"}[target[0]]
            return f"out:{letter}{8 * int(target[1])}"
        return "pointer"


FORMS = {"pointer": ("kPointer", 1), "dim3": ("kDim3", 2), "struct": ("kStruct", 0),
         "text": ("kText", 1)}


def form_of(word):
    """(ArgForm, slots, enum's name)"""
    if word in FORMS:
        return (*FORMS[word], None)
    if word.startswith("enum:"):
        return "kEnum", 1, word[5:]
    if word.startswith("out:"):
        letter = word[4]
        return {"i": "kOutSigned", "u": "kOutUnsigned", "p": "kOutPointer",
                "f": "kOutFloat"}[letter], 2, None
    if word == "f64":
        return "kDouble", 1, None
    return {"i": "kSigned", "u": "kUnsigned", "f": "kFloat"}[word[0]], 1, None


def copy_of(word):
    """How its bytes are read from HIP's memory: a Copy of src/capture/hip/hip_layout.h."""
    if word in FORMS:
        return {"pointer": "k64", "dim3": "kDim3", "struct": "kSkip", "text": "kText"}[word]
    if word.startswith("enum:"):
        return "k32Signed"
    if word.startswith("out:"):
        bits = int(word[5:])
        signed = "Signed" if word[4] == "i" and bits == 32 else ""
        return f"kOut{bits}{signed}"
    bits = int(word[1:])
    signed = "Signed" if word[0] == "i" and bits < 64 else ""
    return f"k{bits}{signed}"


def signature(description, name):
    return " ".join(f"{argument}:{description.form(kind, argument)}"
                    for kind, argument, _ in description.calls[name])


def read_numbers():
    """[(number, name, signature)], in order."""
    if not NUMBERS.exists():
        return []
    rows = []
    for line in NUMBERS.read_text().splitlines():
        if line and not line.startswith("#"):
            number, name, *rest = line.split(" ", 2)
            rows.append((int(number), name, rest[0] if rest else ""))
    return rows


def generate(options):
    descriptions = [Description(path) for path in
                    sorted(SPEC.glob("[0-9]*.txt"), key=lambda p: [int(n) for n in p.stem.split(".")])]
    rows = read_numbers()
    known = {(name, form): number for number, name, form in rows}
    for description in descriptions:
        for name in description.calls:
            key = (name, signature(description, name))
            if key not in known:
                known[key] = len(rows) + 1
                rows.append((known[key], *key))
    files = {
        NUMBERS: "# Number, name and arguments of every call that a trace can hold. Lines are added,"
                 " never changed:\n# traces hold the numbers. Written by tools/gen_api.py generate.\n"
                 + "".join(f"{number} {name} {form}".rstrip() + "\n" for number, name, form in rows),
        READER_TABLE: reader_table(rows, descriptions),
        LAYOUT_TABLE: layout_table(known, descriptions),
        FUNCTION_TABLE: function_table(descriptions),
        ENTRY_TABLE: entry_table(descriptions),
        PRELOAD_MAP: preload_map(descriptions),
    }
    stale = []
    for path, text in files.items():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path)
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if options.check and stale:
        sys.exit("out of date, run tools/gen_api.py generate: " + ", ".join(map(str, stale)))


def reader_table(rows, descriptions):
    enums = {}
    for description in descriptions:  # newer names win
        for name, items in description.enums.items():
            values, names = enums.setdefault(name, {}), {}
            for item, value in items:  # of two names for one value, the first
                if not item.endswith(("Begin", "End")):
                    names.setdefault(value, item)
            values.update(names)
    used = [name for name in sorted(enums)
            if name == "hipError_t" or any(f":enum:{name}" in " " + row[2] for row in rows)]
    lines = ["// Written by tools/gen_api.py generate from spec/api/hip. Do not edit.", ""]
    for name in used:
        lines.append(f"constexpr Enumerator k_{name}[] = {{")
        lines += [f'    {{{value}, "{item}"}},' for value, item in sorted(enums[name].items())]
        lines.append("};")
    lines.append("constexpr EnumInfo kEnums[] = {")
    lines += [f'    {{"{name}", k_{name}, sizeof k_{name} / sizeof *k_{name}}},' for name in used]
    lines += ["};", f'constexpr uint8_t kErrorEnum = {used.index("hipError_t")};', "",
              "constexpr ApiArg kArgs[] = {"]
    calls, first = [], 0
    for _, name, form in rows:
        slots = 0
        for item in filter(None, form.split(" ")):
            argument, word = item.split(":", 1)
            shape, size, enum = form_of(word)
            number = used.index(enum) if enum in used else 0
            if enum is not None and enum not in used:
                shape = "kSigned"
            lines.append(f'    {{"{argument}", ArgForm::{shape}, {number}}},')
            slots += size
        count = len(list(filter(None, form.split(" "))))
        calls.append(f'    {{"{name}", {first}, {count}, {slots}}},')
        first += count
    lines += ["};", "", "constexpr ApiCall kCalls[] = {  // [0] is number 1", *calls, "};"]
    return "\n".join(lines) + "\n"


def layout_table(known, descriptions):
    lines = ["// Written by tools/gen_api.py generate from spec/api/hip. Do not edit.", ""]
    for description in descriptions:
        tag = description.version.replace(".", "_")
        lines.append(f"constexpr CopyStep kSteps_{tag}[] = {{")
        calls, first = [], 0
        for name in sorted(description.calls):
            arguments = description.calls[name]
            slots = 0
            for kind, argument, place in arguments:
                word = description.form(kind, argument)
                slots += form_of(word)[1]
                words = f", {-(-description.types[kind][1] // 8)}" if word == "struct" else ""
                lines.append(f"    {{{place}, Copy::{copy_of(word)}{words}}},")
            number = known[(name, signature(description, name))]
            launches = ", true" if name in LAUNCHES else ""
            calls.append(f'    {{"{name}", {number}, {first}, {len(arguments)}, {slots}{launches}}},')
            first += len(arguments)
        lines += ["};", f"constexpr CallLayout kCalls_{tag}[] = {{  // sorted by name", *calls, "};"]
    lines.append("constexpr HipLayout kLayouts[] = {  // oldest first")
    for description in descriptions:
        tag = description.version.replace(".", "_")
        major, minor = description.version.split(".")
        lines.append(f"    {{{major}, {minor}, {description.types['hip_api_data_t'][1]},"
                     f" {len(description.entries['hip'])}, kSteps_{tag}, kCalls_{tag},"
                     f" sizeof kCalls_{tag} / sizeof *kCalls_{tag}}},")
    lines.append("};")
    return "\n".join(lines) + "\n"


def preloaded(descriptions):
    """{symbol: (call, how result and arguments travel)}: of functions that are the same wherever
    they are. What travels in a way that is not known, or in more than one, stays HIP's alone."""
    found, left_out = {}, set()
    for description in descriptions:
        for symbol, function in description.functions.items():
            if "?" in function[1] or found.setdefault(symbol, function) != function:
                left_out.add(symbol)
    return {symbol: found[symbol] for symbol in sorted(found) if symbol not in left_out}


def entry_functions(descriptions):
    """{name: (call, how result and arguments travel)}: of the tables' entries that are calls and
    that no exported function stands for."""
    exported = {symbol if not symbol.startswith("_Z") else function[0]
                for symbol, function in preloaded(descriptions).items()}
    found = {}
    for description in descriptions:
        for entries in description.entries.values():
            for name, travels in entries:
                if name in description.calls and name not in exported and "?" not in travels:
                    found[name] = (name, travels)
    return found


def function_table(descriptions):
    results = {"e": "Error", "i": "Word", "v": "void"}
    lines = ["// Written by tools/gen_api.py generate from spec/api/hip. Do not edit.",
             "// RTL_HIP(its place in this list, result, symbol, call, parameters, arguments...)",
             "// RTL_HIP_ENTRY: the same, of what is no exported function, but an entry of a table", ""]
    exported, entries = preloaded(descriptions), entry_functions(descriptions)
    for i, (symbol, (call, travels)) in enumerate([*exported.items(), *entries.items()]):
        kinds = [{"i": "Word", "e": "Word", "f": "float", "x": "Dim3"}.get(word) or f"Bytes<{word[1:]}>"
                 for word in travels[1:]]
        parameters = ", ".join(f"{kind} {chr(97 + k)}" for k, kind in enumerate(kinds))
        arguments = "".join(f", {chr(97 + k)}" for k in range(len(kinds)))
        macro = "RTL_HIP" if symbol in exported else "RTL_HIP_ENTRY"
        lines.append(f"{macro}({i}, {results[travels[0]]}, {symbol}, {call}, ({parameters}){arguments})")
    return "\n".join(lines) + "\n"


def entry_table(descriptions):
    """For each entry of each table: its index in the list of functions, or -1 where it cannot be
    interposed: it is no call, or it travels differently. Tables only ever grow."""
    functions = [*preloaded(descriptions).items(), *entry_functions(descriptions).items()]
    places = {}
    for place, (symbol, function) in enumerate(functions):
        name = symbol if not symbol.startswith("_Z") else function[0]
        if places.setdefault(name, (place, function))[1] != function:
            sys.exit(f"{name} travels in two ways")
    lines = ["// Written by tools/gen_api.py generate from spec/api/hip. Do not edit.", ""]
    for table in TABLES:
        newest = []
        for description in descriptions:
            entries = description.entries[table]
            if entries and entries[:len(newest)] != newest:
                sys.exit(f"HIP {description.version}: table {table} has not only grown")
            newest = entries or newest
        lines.append(f"constexpr int16_t k_{table}[] = {{")
        for name, travels in newest:
            place, function = places.get(name, (-1, (name, travels)))
            lines.append(f"    {place if function[1] == travels else -1},  // {name}")
        lines.append("};")
    return "\n".join(lines) + "\n"


def preload_map(descriptions):
    names = "".join(f"    {symbol};\n" for symbol in preloaded(descriptions))
    return ("# Written by tools/gen_api.py generate from spec/api/hip. Do not edit.\n"
            f"{{\n  global:\n    rtl_hip_preloaded;\n    dlmopen;\n    dlsym;\n    dlvsym;\n{names}  local:\n    *;\n}};\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("extract")
    verb.add_argument("--include", required=True)
    verb.add_argument("--version", required=True)
    verb.set_defaults(run=extract)
    verb = verbs.add_parser("generate")
    verb.add_argument("--check", action="store_true")
    verb.set_defaults(run=generate)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
