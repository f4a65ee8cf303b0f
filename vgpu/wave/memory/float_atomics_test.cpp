// SPDX-License-Identifier: MIT
// Float atomics in memory and, for float64, in LDS.
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>

#include "vgpu/wave/isa.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu::float_atomics_test {
namespace {

constexpr uint32_t kAddress = 2;
constexpr uint32_t kData = 4;
constexpr uint32_t kResult = 8;
constexpr uint32_t kOffset = 16;
constexpr uint32_t kSharedAperture = 0x10000;  // its upper half

uint32_t Place(int lane) { return 0x100 + static_cast<uint32_t>(lane) * 24; }

// ---- The expected memory contents, written out for one number

double Double(uint64_t bits) { return std::bit_cast<double>(bits); }
float Float(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

uint64_t Sum64(uint64_t old, uint64_t data) {
  constexpr uint64_t kQuiet = 0x0008000000000000;
  if (std::isnan(Double(old))) return old | kQuiet;
  if (std::isnan(Double(data))) return data | kQuiet;
  const double sum = Double(old) + Double(data);
  return std::isnan(sum) ? 0x7ff8000000000000 : std::bit_cast<uint64_t>(sum);
}

uint64_t ZeroForDenormal(uint64_t bits) {
  return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

uint64_t Sum32(uint64_t old, uint64_t data) {
  const float a = Float(ZeroForDenormal(old)), b = Float(ZeroForDenormal(data));
  if (std::isnan(a)) return old | 0x400000;
  if (std::isnan(b)) return data | 0x400000;
  const auto sum = static_cast<float>(static_cast<double>(a) + static_cast<double>(b));
  return std::isnan(sum) ? 0x7fc00000 : ZeroForDenormal(std::bit_cast<uint32_t>(sum));
}

uint64_t Sum16(uint32_t old, uint32_t data) {
  const auto number = [](uint32_t bits) {
    return static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
  };
  if (std::isnan(number(old))) return old | 0x200;
  if (std::isnan(number(data))) return data | 0x200;
  const auto sum = static_cast<_Float16>(number(old) + number(data));
  return std::isnan(static_cast<double>(sum)) ? 0x7e00 : std::bit_cast<uint16_t>(sum);
}

uint64_t PackedSum(uint64_t old, uint64_t data) {
  return Sum16(old & 0xffff, data & 0xffff) | Sum16(old >> 16 & 0xffff, data >> 16 & 0xffff) << 16;
}

uint64_t Smaller(uint64_t old, uint64_t data) {
  if (std::isnan(Double(old)) || std::isnan(Double(data)))
    return std::isnan(Double(old)) ? data : old;
  if (Double(old) == Double(data)) return std::signbit(Double(data)) ? data : old;
  return Double(data) < Double(old) ? data : old;
}

uint64_t Larger(uint64_t old, uint64_t data) {
  if (std::isnan(Double(old)) || std::isnan(Double(data)))
    return std::isnan(Double(old)) ? data : old;
  if (Double(old) == Double(data)) return std::signbit(Double(data)) ? old : data;
  return Double(data) > Double(old) ? data : old;
}

// ---- Operands: every pair of eight numbers, distributed over the lanes

constexpr uint64_t kDoubles[] = {std::bit_cast<uint64_t>(1.5),
                                 std::bit_cast<uint64_t>(-2.25e300),
                                 std::bit_cast<uint64_t>(1.7e308),
                                 0x8000000000000000,
                                 0,
                                 0x7ff0000000000000,
                                 0xfff0000000000000,
                                 0x7ff0000000000123};
constexpr uint64_t kFloats[] = {std::bit_cast<uint32_t>(1.5f),
                                std::bit_cast<uint32_t>(-3e38f),
                                0x00000001,
                                0x80800000,
                                0x00800001,
                                0x7f800000,
                                0xff800000,
                                0x7f800123};
constexpr uint64_t kHalves[] = {0x3c007bff, 0x0001bc00, 0x80017bff, 0x7c00fc00,
                                0xfc007c00, 0x7c010400, 0x00008000, 0x12345678};

struct Case {
  const char* name;
  int bits;
  const uint64_t (&values)[8];
  uint64_t (*expected)(uint64_t old, uint64_t data);
};

constexpr Case kCases[] = {
    {"add_f32", 32, kFloats, Sum32},   {"pk_add_f16", 32, kHalves, PackedSum},
    {"add_f64", 64, kDoubles, Sum64},  {"min_f64", 64, kDoubles, Smaller},
    {"max_f64", 64, kDoubles, Larger},
};

uint64_t Old(const Case& c, int lane) { return c.values[lane / 8]; }
uint64_t Data(const Case& c, int lane) { return c.values[lane % 8]; }

void SetData(TestMachine& m, const Case& c) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if (c.bits == 64) {
      m.SetVgpr64(kData, lane, Data(c, lane));
    } else {
      m.SetVgpr(kData, lane, static_cast<uint32_t>(Data(c, lane)));
    }
  }
}

void ExpectReturned(TestMachine& m, const Case& c, uint32_t number, int lane) {
  const uint64_t got = c.bits == 64 ? m.Vgpr64(number, lane) : m.Vgpr(number, lane);
  EXPECT_EQ(got, Old(c, lane)) << c.name << ", lane " << lane;
}

void SetMemory(TestMachine& m, const Case& c) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if (c.bits == 64) {
      m.Poke<uint64_t>(Place(lane), Old(c, lane));
    } else {
      m.Poke<uint32_t>(Place(lane), static_cast<uint32_t>(Old(c, lane)));
    }
  }
}

void ExpectMemory(TestMachine& m, const Case& c, int lane) {
  const uint64_t got = c.bits == 64 ? m.Peek<uint64_t>(Place(lane)) : m.Peek<uint32_t>(Place(lane));
  EXPECT_EQ(got, c.expected(Old(c, lane), Data(c, lane))) << c.name << ", lane " << lane;
}

// `result`: the register that the old value comes back in.
template <class F>
void TestMemory(const std::string& prefix, const Case& c, uint32_t result, F set_addresses) {
  for (const bool returns : {false, true}) {
    const std::string label = prefix + "atomic_" + c.name + (returns ? "_glc" : "");
    RunSnippet(
        label.c_str(),
        [&](TestMachine& m) {
          SetData(m, c);
          SetMemory(m, c);
          set_addresses(m);
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            ExpectMemory(m, c, lane);
            if (returns) ExpectReturned(m, c, result, lane);
          });
        });
  }
}

void SetAddresses(TestMachine& m) {
  for (int lane = 0; lane < kLanes; ++lane) {
    m.SetVgpr64(kAddress, lane, TestMachine::kMemoryVa + Place(lane) - kOffset);
  }
}

void SetBuffer(TestMachine& m) {
  constexpr uint32_t kDescriptor = 8;
  m.SetSgpr64(kDescriptor, TestMachine::kMemoryVa);
  m.SetSgpr(kDescriptor + 2, TestMachine::kMemoryBytes);
  m.SetSgpr(kDescriptor + 3, 0);
  m.SetSgpr(6, 0x40);
  for (int lane = 0; lane < kLanes; ++lane) m.SetVgpr(kAddress, lane, Place(lane) - 0x40 - kOffset);
}

class FloatAtomics : public testing::Test {
 private:
  ScopedIsa isa_{0x90a};
};

TEST_F(FloatAtomics, UpdateGlobalMemory) {
  for (const Case& c : kCases) TestMemory("global_", c, kResult, SetAddresses);
}

TEST_F(FloatAtomics, UpdateBuffers) {
  for (const Case& c : kCases) TestMemory("buffer_", c, kData, SetBuffer);
}

TEST_F(FloatAtomics, UpdateFlatMemory) {
  for (const Case& c : kCases) {
    if (c.bits == 64) TestMemory("flat_", c, kResult, SetAddresses);
  }
}

TEST_F(FloatAtomics, UpdateLdsThroughFlatAddressesAndDirectly) {
  const Case& c = kCases[2];
  for (const char* label : {"flat_atomic_add_f64_glc", "ds_add_f64", "ds_add_rtn_f64"}) {
    RunSnippet(
        label,
        [&](TestMachine& m) {
          SetData(m, c);
          for (int lane = 0; lane < kLanes; ++lane) {
            m.PokeLds<uint64_t>(Place(lane), Old(c, lane));
            m.SetVgpr64(kAddress, lane, uint64_t{kSharedAperture} << 32 | (Place(lane) - kOffset));
          }
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            EXPECT_EQ(m.PeekLds<uint64_t>(Place(lane)), Sum64(Old(c, lane), Data(c, lane)));
            if (std::string(label) != "ds_add_f64") ExpectReturned(m, c, kResult, lane);
          });
        });
  }
}

TEST(FloatAtomics906, ExistOnGfx90aOnly) {
  for (const char* label : {"gfx906_global_add", "gfx906_buffer_add", "gfx906_ds_add"}) {
    RunSnippet(
        label, [](TestMachine&) {},
        [](TestMachine& m) { EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction); });
  }
}

}  // namespace
}  // namespace vgpu::float_atomics_test
