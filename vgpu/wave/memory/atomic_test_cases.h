// SPDX-License-Identifier: MIT
// atomic_test_cases.h: the results of the atomic instructions of every memory format, written out
// plainly for numbers of `bits` bits.
#pragma once

#include <cstdint>

namespace vgpu {

struct AtomicCase {
  const char* name;  // as in global_atomic_<name>
  uint64_t (*expected)(uint64_t old, uint64_t data, uint64_t compare, int bits);
};

inline int64_t AsSigned(uint64_t value, int bits) {
  return bits == 32 ? static_cast<int32_t>(value) : static_cast<int64_t>(value);
}

inline constexpr AtomicCase kAtomicCases[] = {
    {"swap", [](uint64_t, uint64_t data, uint64_t, int) { return data; }},
    {"cmpswap",
     [](uint64_t old, uint64_t data, uint64_t compare, int) {
       if (old != compare) return old;
       return data;
     }},
    {"add", [](uint64_t old, uint64_t data, uint64_t, int) { return data + old; }},
    {"sub", [](uint64_t old, uint64_t data, uint64_t, int) { return old + ~data + 1; }},
    {"smin", [](uint64_t old, uint64_t data, uint64_t,
                int bits) { return AsSigned(data, bits) < AsSigned(old, bits) ? data : old; }},
    {"umin", [](uint64_t old, uint64_t data, uint64_t, int) { return data < old ? data : old; }},
    {"smax", [](uint64_t old, uint64_t data, uint64_t,
                int bits) { return AsSigned(data, bits) > AsSigned(old, bits) ? data : old; }},
    {"umax", [](uint64_t old, uint64_t data, uint64_t, int) { return data > old ? data : old; }},
    {"and", [](uint64_t old, uint64_t data, uint64_t, int) { return ~(~old | ~data); }},
    {"or", [](uint64_t old, uint64_t data, uint64_t, int) { return ~(~old & ~data); }},
    {"xor", [](uint64_t old, uint64_t data, uint64_t, int) { return (old | data) - (old & data); }},
    {"inc",
     [](uint64_t old, uint64_t data, uint64_t, int) { return old < data ? old + 1 : uint64_t{0}; }},
    {"dec",
     [](uint64_t old, uint64_t data, uint64_t, int) {
       const bool counts_down = old >= 1 && old <= data;
       return counts_down ? old - 1 : data;
     }},
};

// Pairs of memory contents and operand that take every branch, as 64-bit numbers; a 32-bit
// instruction sees the upper halves (shifted down).
struct AtomicValues {
  uint64_t old;
  uint64_t data;
  uint64_t compare;
};
inline constexpr AtomicValues kAtomicValues[] = {
    {0x0000000500000005, 0x0000000300000003, 0x0000000500000005},
    {0x0000000300000003, 0x0000000500000005, 0x0000000400000004},
    {0x0000000500000005, 0x0000000500000005, 0x0000000500000006},
    {0x0000000000000000, 0x0000000700000007, 0x0000000000000000},
    {0xffffffffffffffff, 0x0000000100000001, 0xffffffffffffffff},
    {0x0000000100000001, 0xffffffffffffffff, 0x0000000000000000},
    {0x8000000000000000, 0x7fffffffffffffff, 0x8000000000000000},
    {0x7fffffffffffffff, 0x8000000000000000, 0x7fffffff00000000},
    {0x123456789abcdef0, 0x0f1e2d3c4b5a6978, 0x123456789abcdef0},
};

}  // namespace vgpu
