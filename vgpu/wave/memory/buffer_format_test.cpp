// SPDX-License-Identifier: MIT
#include "vgpu/wave/memory/buffer_format.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string>
#include <vector>

#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu::buffer_format_test {
namespace {

constexpr uint32_t kXyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9;
constexpr uint32_t k8 = 1, k16 = 2, k32 = 4, k16x2 = 5, kPacked = 8, k8x4 = 10, k16x4 = 12;

uint32_t Word3(uint32_t form, NumberFormat number, uint32_t select = kXyzw) {
  return select | static_cast<uint32_t>(number) << 12 | form << 15;
}

uint32_t Bits(float value) { return std::bit_cast<uint32_t>(value); }

using Registers = std::array<uint32_t, 4>;

Registers Read(uint32_t word3, const std::vector<uint8_t>& memory) {
  Registers out{};
  ReadElement(*FormatOf(word3), memory.data(), out.data());
  return out;
}

std::vector<uint8_t> Written(uint32_t word3, const Registers& in) {
  const BufferFormat format = *FormatOf(word3);
  std::vector<uint8_t> memory(format.Bytes());
  WriteElement(format, in.data(), memory.data());
  return memory;
}

TEST(BufferFormat, ReadsEveryNumberFormat) {
  const std::vector<uint8_t> bytes = {0xff, 0x80, 0x00, 0x7f};
  EXPECT_EQ(Read(Word3(k8x4, NumberFormat::kUnsigned), bytes), (Registers{255, 128, 0, 127}));
  EXPECT_EQ(Read(Word3(k8x4, NumberFormat::kSigned), bytes),
            (Registers{0xffffffff, 0xffffff80, 0, 127}));
  EXPECT_EQ(Read(Word3(k8x4, NumberFormat::kUnsignedScaled), bytes),
            (Registers{Bits(255), Bits(128), Bits(0), Bits(127)}));
  EXPECT_EQ(Read(Word3(k8x4, NumberFormat::kSignedScaled), bytes),
            (Registers{Bits(-1), Bits(-128), Bits(0), Bits(127)}));
  EXPECT_EQ(Read(Word3(k8x4, NumberFormat::kUnsignedNormalized), bytes),
            (Registers{Bits(1), Bits(128 / 255.0f), Bits(0), Bits(127 / 255.0f)}));
  EXPECT_EQ(Read(Word3(k8x4, NumberFormat::kSignedNormalized), bytes),
            (Registers{Bits(-1 / 127.0f), Bits(-1), Bits(0), Bits(1)}));
  const std::vector<uint8_t> halves = {0x00, 0x3c, 0x00, 0xc1};  // 1 and -2.5
  EXPECT_EQ(Read(Word3(k16x2, NumberFormat::kFloat), halves),
            (Registers{Bits(1), Bits(-2.5f), 0, Bits(1)}));
  EXPECT_EQ(Read(Word3(k32, NumberFormat::kFloat), {0, 0, 0x80, 0x3f})[0], Bits(1));
}

TEST(BufferFormat, SelectsComponentsZerosAndOnes) {
  const uint32_t select = 7 | 0 << 3 | 1 << 6 | 4 << 9;  // w, 0, 1, x
  EXPECT_EQ(Read(Word3(k8x4, NumberFormat::kUnsigned, select), {9, 8, 7, 6}),
            (Registers{6, 0, 1, 9}));
  EXPECT_EQ(Read(Word3(k8, NumberFormat::kUnsigned), {9}), (Registers{9, 0, 0, 1}));
  EXPECT_EQ(Read(Word3(k8, NumberFormat::kUnsignedScaled), {9}),
            (Registers{Bits(9), 0, 0, Bits(1)}));
}

TEST(BufferFormat, WritesWhatItReads) {
  for (const auto number : {NumberFormat::kUnsignedNormalized, NumberFormat::kSignedNormalized,
                            NumberFormat::kUnsignedScaled, NumberFormat::kSignedScaled,
                            NumberFormat::kUnsigned, NumberFormat::kSigned, NumberFormat::kFloat}) {
    const uint32_t word3 = Word3(k16x4, number);
    const std::vector<uint8_t> memory = {0x00, 0x3c, 0x34, 0x12, 0xff, 0x7b, 0x01, 0x80};
    EXPECT_TRUE(number == NumberFormat::kSignedNormalized ||
                Written(word3, Read(word3, memory)) == memory)
        << static_cast<int>(number);
  }
}

TEST(BufferFormat, ClampsValuesThatDoNotFit) {
  EXPECT_EQ(Written(Word3(k8, NumberFormat::kUnsignedNormalized), {Bits(7)})[0], 255);
  EXPECT_EQ(Written(Word3(k8, NumberFormat::kUnsignedNormalized), {Bits(-7)})[0], 0);
  EXPECT_EQ(Written(Word3(k8, NumberFormat::kUnsignedNormalized), {0x7fc00000})[0], 0);  // NaN
  EXPECT_EQ(Written(Word3(k8, NumberFormat::kSignedNormalized), {Bits(-7)})[0], 0x81);
  EXPECT_EQ(Written(Word3(k8, NumberFormat::kSignedScaled), {Bits(-1000)})[0], 0x80);
}

TEST(BufferFormat, RefusesFormsThatAreNotModelled) {
  EXPECT_FALSE(FormatOf(Word3(0, NumberFormat::kUnsigned)));
  EXPECT_FALSE(FormatOf(Word3(kPacked, NumberFormat::kUnsigned)));
  EXPECT_FALSE(FormatOf(Word3(k8, NumberFormat::kFloat)));
  EXPECT_FALSE(FormatOf(Word3(k8, static_cast<NumberFormat>(6))));
}

// The instructions: descriptor s[8:11], index v2, data from v4 on.
constexpr uint32_t kData = 4;
constexpr uint32_t kStride = 8;
constexpr uint32_t kRecords = 50;

void SetTyped(TestMachine& m, uint32_t word3) {
  m.SetSgpr64(8, TestMachine::kMemoryVa);
  m.SetSgpr(9, m.wave().sgpr[9] | kStride << 16);
  m.SetSgpr(10, kRecords);
  m.SetSgpr(11, word3);
  m.SetSgpr(6, 0x40);
  for (int lane = 0; lane < kLanes; ++lane) m.SetVgpr(2, lane, static_cast<uint32_t>(lane));
}

uint32_t PlaceOf(int lane) { return 0x40 + static_cast<uint32_t>(lane) * kStride; }
bool IsInside(int lane) { return static_cast<uint32_t>(lane) < kRecords; }

const std::string kNames[] = {"x", "xy", "xyz", "xyzw"};

void SetHalves(TestMachine& m) { SetTyped(m, Word3(k16x4, NumberFormat::kSigned)); }

// Component i of a lane's element, as it was.
uint32_t Component(TestMachine& m, int lane, uint32_t i) {
  return IsInside(lane) ? m.MemoryBefore<uint16_t>(PlaceOf(lane) + 2 * i) : 0u;
}

TEST(BufferFormat, LoadsComponentsIntoRegisters) {
  for (uint32_t count = 1; count <= 4; ++count) {
    RunSnippet(("buffer_load_format_" + kNames[count - 1]).c_str(), SetHalves, [&](TestMachine& m) {
      m.ForActive([&](int lane) {
        for (uint32_t i = 0; i < 4; ++i) {
          const auto value = static_cast<int16_t>(Component(m, lane, i));
          EXPECT_EQ(m.Vgpr(kData + i, lane),
                    i < count ? static_cast<uint32_t>(value) : m.Before(kData + i, lane));
        }
      });
    });
  }
}

TEST(BufferFormat, LoadsTwoComponentsIntoARegister) {
  for (const bool clears : {true, false}) {
    const ScopedSramEcc sram_ecc(clears);
    for (uint32_t count = 1; count <= 4; ++count) {
      RunSnippet(("buffer_load_format_d16_" + kNames[count - 1]).c_str(), SetHalves,
                 [&](TestMachine& m) {
                   m.ForActive([&](int lane) {
                     for (uint32_t i = 0; i < count; i += 2) {
                       const uint32_t before = m.Before(kData + i / 2, lane);
                       uint32_t high = clears ? 0 : before & 0xffff0000;
                       if (i + 1 < count) high = Component(m, lane, i + 1) << 16;
                       EXPECT_EQ(m.Vgpr(kData + i / 2, lane), high | Component(m, lane, i));
                     }
                   });
                 });
    }
  }
}

// Components of an element that are not given become 0.
TEST(BufferFormat, StoresElementsThatAreInside) {
  for (const bool halves : {false, true}) {
    for (uint32_t count = 1; count <= 4; ++count) {
      const std::string name = halves ? "buffer_store_format_d16_" : "buffer_store_format_";
      RunSnippet((name + kNames[count - 1]).c_str(), SetHalves, [&](TestMachine& m) {
        m.ForActive([&](int lane) {
          for (uint32_t i = 0; i < 4 && IsInside(lane); ++i) {
            uint32_t want = 0;
            if (i < count && !halves) want = m.Before(kData + i, lane) & 0xffff;
            if (i < count && halves) want = m.Before(kData + i / 2, lane) >> (i % 2 * 16) & 0xffff;
            EXPECT_EQ(m.Peek<uint16_t>(PlaceOf(lane) + 2 * i), want) << name << count;
          }
        });
      });
    }
  }
}

TEST(BufferFormat, NamesABufferWhoseFormIsNotModelled) {
  RunSnippet(
      "buffer_load_format_x",
      [](TestMachine& m) { SetTyped(m, Word3(kPacked, NumberFormat::kUnsigned)); },
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
        EXPECT_NE(m.fault().message.find("buffer_load_format_x"), std::string::npos);
      });
}

}  // namespace
}  // namespace vgpu::buffer_format_test
