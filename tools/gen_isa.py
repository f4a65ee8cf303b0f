#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Derives the opcode numbers and names of gfx9 GPUs from LLVM's disassembler, none typed by hand.

  gen_isa.py            writes spec/isa/gfx9_opcodes.h (gfx906), gfx90a_opcodes.h (what differs from gfx906), and
                        gfx940_opcodes.h (what differs from gfx90a; gfx942 has the same instructions)
  gen_isa.py --check    exit 0 if the checked-in files match LLVM, 1 with a diff if not,
                        77 if llvm-mc-15 is missing (the test is then reported as skipped)

How: for every instruction format and every opcode number, one or more probe encodings with harmless
operands are disassembled. A probe that LLVM understands gives the mnemonic. Each probe is in
its own block ("[...]") and is followed by a marker instruction that carries the probe's index, so
that probes that LLVM rejects, or that it splits in two, cannot shift the answers.
"""
import argparse
import difflib
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LLVM_MC = "llvm-mc-15"
# Namespace and file, and the processor whose instructions they are.
PROCESSORS = {"gfx9": "gfx906", "gfx90a": "gfx90a", "gfx940": "gfx940"}
EXTENDS = {"gfx90a": "gfx9", "gfx940": "gfx90a"}
SKIPPED = 77
COLUMNS = 100

MARKER = 0xBF804000  # s_nop 0x4000 + index; no probe uses such an immediate
CHUNK = 0x2000


def block(words):
    """A bracketed list of bytes, the form in which llvm-mc decodes exactly one block."""
    return "[" + ",".join(f"0x{w >> 8 * i & 255:02x}" for w in words for i in range(4)) + "]"


def disassemble(cpu, probes):
    """For each probe (a list of dwords): (mnemonic, first dword as LLVM re-encodes it), or None."""
    answers = []
    for base in range(0, len(probes), CHUNK):
        chunk = probes[base : base + CHUNK]
        lines = []
        for index, words in enumerate(chunk):
            lines += [block(words), block([MARKER + index])]
        command = [LLVM_MC, "--disassemble", "-arch=amdgcn", f"-mcpu={cpu}", "--show-encoding"]
        run = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True)
        answers += parse(run.stdout, len(chunk))
    return answers


def parse(text, count):
    answers = [None] * count
    index = 0
    first = None
    for line in text.splitlines():
        found = re.match(r"\s*(\S+).*; encoding: \[(0x..),(0x..),(0x..),(0x..)", line)
        if not found:
            continue
        word = sum(int(found[2 + i], 16) << 8 * i for i in range(4))
        if word == MARKER + index:
            answers[index] = first
            first = None
            index += 1
        elif first is None:
            first = (found[1], word)
    if index != count:
        sys.exit(f"gen_isa: {LLVM_MC} answered {index} of {count} probes")
    return answers


class Table:
    """One instruction format: how to encode opcode n, and which names to expect.

    Each encoder is a pair: the bits of the first dword that select format and opcode, and a
    function from the opcode to the dwords of a probe (None: this encoder has no such opcode).
    """

    def __init__(self, enum, names, size, prefix, encoders):
        self.enum = enum  # prefix of the enumerators
        self.names = names  # name of the array of mnemonics
        self.size = size
        self.prefix = prefix  # mnemonics that belong to this format begin so
        self.encoders = encoders

    def probe(self, cpu):
        """{opcode: mnemonic}; the first encoder that LLVM accepts wins."""
        found = {}
        for mask, encode in self.encoders:
            wanted = [op for op in range(self.size) if op not in found and encode(op) is not None]
            probes = [encode(op) for op in wanted]
            for op, words, answer in zip(wanted, probes, disassemble(cpu, probes)):
                if answer is None:
                    continue
                mnemonic, word = answer
                same_opcode = (word ^ words[0]) & mask == 0
                if same_opcode and mnemonic.startswith(self.prefix):
                    found[op] = re.sub(r"_(e32|e64)$", "", mnemonic)
        return found

    def emit(self, found):
        lines = self.emit_enum(numbers(found))
        lines.append(f"inline constexpr Names<{self.size}> {self.names} = {{")
        lines += wrap([f'"{found[op]}"' if op in found else "nullptr" for op in range(self.size)])
        lines += ["};", ""]
        return lines

    def emit_changes(self, found, extended, before):
        """The differences from the processor `before`, whose namespace is `extended`."""
        changed = [op for op in range(self.size) if found.get(op) != before.get(op)]
        if not changed:
            return []
        known = numbers(before)
        lines = self.emit_enum({name: op for name, op in numbers(found).items() if known.get(name) != op})
        lines.append(f"inline constexpr Names<{self.size}> {self.names} = Changed({extended}::{self.names}, {{")
        for op in changed:
            lines.append(f'    {{0x{op:x}, ' + (f'"{found[op]}"' if op in found else "nullptr") + "},")
        lines += ["});", ""]
        return lines

    def emit_enum(self, values):
        if not values:
            return []
        lines = [f"  {self.enum}_{name} = 0x{op:x}," for name, op in sorted(values.items(), key=lambda item: item[1])]
        return [f"enum {self.enum.capitalize()} : uint16_t {{", *lines, "};"]


def numbers(found):
    """{mnemonic: opcode}; the lowest where there are several."""
    values = {}
    for op, name in sorted(found.items()):
        values.setdefault(name, op)
    return values


def wrap(items):
    lines = []
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > COLUMNS:
            lines.append(line)
            line = "   "
        line += f" {item},"
    lines.append(line)
    return lines


# The formats. Unified vector opcodes use the numbers of the VOP3 encoding: VOPC +0, VOP2 +0x100,
# VOP1 +0x140. Instructions without a VOP3 form (v_readfirstlane, v_madmk, v_swap) are probed in their short form.


def vop3(dst, src0, src1, src2):
    """Operand codes; an absent operand is 0, v<n> is 0x100 + n as a source."""
    sources = src0 | src1 << 9 | src2 << 18
    return lambda op: [0xD0000000 | op << 16 | dst, sources] if op < 0x380 else None


def vop2(literal):
    return lambda op: (
        [(op - 0x100) << 25 | 6 << 17 | 2 << 9 | 0x100] + literal if 0x100 <= op < 0x13E else None
    )


def vop1(op):
    return [0x7E000000 | 6 << 17 | (op - 0x140) << 9 | 0x100] if 0x140 <= op < 0x1C0 else None


def vop3p(src2):
    return lambda op: [0xD3800006 | op << 16, 0x18000100 | 0x102 << 9 | src2 << 18]


SOP1 = 0xFF80FF00
SOPK = 0xFF800000
SMEM = 0xFFFC0000
VOP3 = 0xFFFF0000
DS = 0xFFFE0000
MUBUF = 0xFFFC0000
LITERAL = [0x12345678]

TABLES = [
    Table("SOP2", "kSop2Names", 96, "s_", [
        (0xFF800000, lambda op: [0x80040204 | op << 23]),
    ]),
    Table("SOPK", "kSopkNames", 29, "s_", [
        (SOPK, lambda op: [0xB0040001 | op << 23]),
        (SOPK, lambda op: [0xB000F801 | op << 23] + LITERAL),
    ]),
    Table("SOP1", "kSop1Names", 256, "s_", [
        (SOP1, lambda op: [0xBE840002 | op << 8]),
        (SOP1, lambda op: [0xBE800002 | op << 8]),
        (SOP1, lambda op: [0xBE840000 | op << 8]),
    ]),
    Table("SOPC", "kSopcNames", 128, "s_", [
        (0xFFFF0000, lambda op: [0xBF000402 | op << 16]),
    ]),
    Table("SOPP", "kSoppNames", 128, "s_", [
        (0xFFFF0000, lambda op: [0xBF800000 | op << 16]),
    ]),
    Table("SMEM", "kSmemNames", 256, "s_", [
        (SMEM, lambda op: [0xC0020201 | op << 18, 0]),
        (SMEM, lambda op: [0xC0000000 | op << 18, 0]),
        (SMEM, lambda op: [0xC0000200 | op << 18, 0]),
    ]),
    Table("V", "kVNames", 1024, "v_", [
        (VOP3, vop3(6, 0x100, 0x102, 0x104)),
        (VOP3, vop3(6, 0x100, 0x102, 0)),
        (VOP3, vop3(6, 0x100, 0, 0)),
        (VOP3, vop3(6, 0x100, 0x102, 4)),
        (VOP3, vop3(0, 0, 0, 0)),
        (0xFE000000, vop2([])),
        (0xFE000000, vop2(LITERAL)),
        (0xFE01FE00, vop1),
    ]),
    Table("VOP3P", "kVop3pNames", 128, "v_", [
        (VOP3, vop3p(0x104)),
        (VOP3, vop3p(0)),
        (VOP3, lambda op: [0xD3800006 | op << 16, 0x18000100]),
    ]),
    Table("DS", "kDsNames", 256, "ds_", [
        (DS, lambda op: [0xD8000000 | op << 17, 0x06040201]),
        (DS, lambda op: [0xD8000000 | op << 17, 0]),
        (DS, lambda op: [0xD8010000 | op << 17, 0x06040201]),
        (DS, lambda op: [0xD8010000 | op << 17, 0]),
    ]),
    Table("FLAT", "kFlatNames", 128, "global_", [
        (0xFFFC0000, lambda op: [0xDC008000 | op << 18, 0x067F0400]),
    ]),
    Table("MUBUF", "kMubufNames", 128, "buffer_", [
        (MUBUF, lambda op: [0xE0000000 | op << 18, 0x80010400]),
        (MUBUF, lambda op: [0xE0010000 | op << 18, 0x80010000]),
    ]),
]

HEADER = """// SPDX-License-Identifier: MIT
// {namespace}_opcodes.h: {subject}
//
// Generated by tools/gen_isa.py from {llvm_mc} -mcpu={cpu}. Do not edit; run the tool again.
//
// Enumerators are <FORMAT>_<mnemonic>. Name tables are indexed by opcode; nullptr: no instruction.
// V_: every vector opcode under its VOP3 number (VOPC +0, VOP2 +0x100, VOP1 +0x140).
// FLAT_: shared by flat_, global_ and scratch_ instructions, named after the global_ form.
#pragma once

#include <cstdint>

#include "spec/isa/{include}"

// clang-format off
namespace isa::{namespace} {{
"""
SUBJECTS = {
    "gfx9": "opcode numbers and mnemonics of gfx9 instructions, by format.",
    "gfx90a": "the opcode numbers and mnemonics of gfx90a that differ from gfx9's.",
    "gfx940": "the opcode numbers and mnemonics of gfx940 and gfx942 that differ from gfx90a's.",
}
INCLUDES = {"gfx9": "opcode_names.h", "gfx90a": "gfx9_opcodes.h", "gfx940": "gfx90a_opcodes.h"}
FOOTER = "}}  // namespace isa::{namespace}\n// clang-format on\n"


def output(namespace):
    return ROOT / "spec" / "isa" / f"{namespace}_opcodes.h"


def generate(namespace, found, before):
    """The header of the opcodes `found`, one dictionary for each table; `before`: the processor's that it extends."""
    facts = {"namespace": namespace, "cpu": PROCESSORS[namespace], "llvm_mc": LLVM_MC,
             "subject": SUBJECTS[namespace], "include": INCLUDES[namespace]}
    extended = EXTENDS.get(namespace)
    lines = [f"using namespace {extended};", ""] if before else []
    for i, table in enumerate(TABLES):
        lines += table.emit_changes(found[i], extended, before[i]) if before else table.emit(found[i])
    return HEADER.format(**facts) + "\n" + "\n".join(lines) + "\n" + FOOTER.format(**facts)


def check(path, text):
    checked_in = path.read_text() if path.exists() else ""
    if text == checked_in:
        return 0
    diff = difflib.unified_diff(
        checked_in.splitlines(), text.splitlines(), str(path), "regenerated", lineterm=""
    )
    print("\n".join(diff))
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    if shutil.which(LLVM_MC) is None:
        print(f"gen_isa: SKIPPED: {LLVM_MC} is not installed; the opcode tables were not checked")
        return SKIPPED if options.check else 1
    result = 0
    probed = {}
    for namespace, cpu in PROCESSORS.items():
        probed[namespace] = [table.probe(cpu) for table in TABLES]
        text = generate(namespace, probed[namespace], probed.get(EXTENDS.get(namespace)))
        if options.check:
            result |= check(output(namespace), text)
        else:
            output(namespace).write_text(text)
    return result


if __name__ == "__main__":
    sys.exit(main())
