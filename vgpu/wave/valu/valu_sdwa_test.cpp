// SPDX-License-Identifier: MIT
#include <array>
#include <string>

#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test::sdwa {
namespace {

// Where a selection lies in the register.
struct Field {
  const char* name;
  int first_bit;
  int bits;
};
constexpr Field kFields[] = {{"BYTE_0", 0, 8},  {"BYTE_1", 8, 8},  {"BYTE_2", 16, 8},
                             {"BYTE_3", 24, 8}, {"WORD_0", 0, 16}, {"WORD_1", 16, 16},
                             {"DWORD", 0, 32}};

uint32_t Unsigned(uint32_t value, const Field& field) {
  return static_cast<uint32_t>(value / (uint64_t{1} << field.first_bit) %
                               (uint64_t{1} << field.bits));
}
uint32_t Signed(uint32_t value, const Field& field) {
  const int64_t raw = Unsigned(value, field);
  const int64_t limit = int64_t{1} << (field.bits - 1);
  return static_cast<uint32_t>(raw >= limit ? raw - 2 * limit : raw);
}

// v2 + v4, one of them read through `read`.
template <class F>
void ExpectSum(const std::string& label, int selected, F read) {
  RunSnippet(
      label.c_str(), [](TestMachine&) {},
      [&](TestMachine& m) {
        m.ForActive([&](int lane) {
          const uint32_t a = m.Before(2, lane);
          const uint32_t b = m.Before(4, lane);
          const uint32_t want = selected == 0 ? read(a) + b : a + read(b);
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), want) << "lane " << lane;
        });
      });
}

TEST(ValuSdwa, SelectsPartsOfSources) {
  for (const Field& field : kFields) {
    const std::string name = field.name;
    const auto zero_extended = [&](uint32_t value) { return Unsigned(value, field); };
    const auto sign_extended = [&](uint32_t value) { return Signed(value, field); };
    ExpectSum("sdwa_src0_" + name, 0, zero_extended);
    ExpectSum("sdwa_src1_" + name, 1, zero_extended);
    ExpectSum("sdwa_sext0_" + name, 0, sign_extended);
    ExpectSum("sdwa_sext1_" + name, 1, sign_extended);
  }
}

// The destination, bit by bit.
uint32_t Inserted(uint32_t value, uint32_t old, const Field& field, const std::string& unused) {
  uint32_t result = 0;
  for (int bit = 0; bit < 32; ++bit) {
    const int offset = bit - field.first_bit;
    bool set = value >> (offset & 31) & 1;
    if (offset < 0) set = unused == "PRESERVE" && (old >> bit & 1) != 0;
    if (offset >= field.bits) {
      set = (unused == "PRESERVE" && (old >> bit & 1) != 0) ||
            (unused == "SEXT" && (value >> (field.bits - 1) & 1) != 0);
    }
    if (set) result |= 1u << bit;
  }
  return result;
}

TEST(ValuSdwa, WritesPartsOfTheDestination) {
  for (const Field& field : kFields) {
    for (const std::string unused : {"PAD", "SEXT", "PRESERVE"}) {
      RunSnippet(
          ("sdwa_dst_" + std::string(field.name) + "_" + unused).c_str(), [](TestMachine&) {},
          [&](TestMachine& m) {
            m.ForActive([&](int lane) {
              const uint32_t want =
                  Inserted(m.Before(2, lane), m.Before(kResultRegister, lane), field, unused);
              EXPECT_EQ(m.Vgpr(kResultRegister, lane), want) << "lane " << lane;
            });
          });
    }
  }
}

float NegatedPlusMagnitude(float a, float b) { return Sum(-a, std::fabs(b)); }

float ClampedProduct(float a, float b) {
  const float product = Product(a, b);
  if (!(product > 0)) return 0;
  return product < 1 ? product : 1;
}

TEST(ValuSdwa, HasFloatModifiers) {
  ExpectLanes("sdwa_f32_modified", [](float a, float b) {
    const float sum = NegatedPlusMagnitude(a, b);
    return BitsOf(IsNan(sum) ? NanOf<float>(-a, std::fabs(b)) : sum);
  });
  ExpectLanes("sdwa_f32_clamp", ClampedProduct);
  ExpectLanes("sdwa_f32_mul4",
              [](float a, float b) {
                const float product = FlushToZero(Product(FlushToZero(a), FlushToZero(b)));
                const float scaled = product * 4;
                return scaled == 0 ? 0.0f : scaled;
              },
              {.mode = 0});
}

TEST(ValuSdwa, ComputesWithHighHalves) {
  ExpectLanes("sdwa_f16_high",
              [](uint32_t a, Half b) {
                const Half high = std::bit_cast<Half>(static_cast<uint16_t>(a >> 16 ^ 0x8000));
                const Half sum = Sum(high, b);
                return BitsOf(IsNan(sum) ? NanOf<Half>(high, b) : sum);
              },
              {.to_high = true});
}

TEST(ValuSdwa, SelectsFromScalars) {
  RunSnippet(
      "sdwa_scalar", [](TestMachine& m) { m.SetSgpr(4, 0x87654321); },
      [](TestMachine& m) {
        m.ForActive(
            [&](int lane) { EXPECT_EQ(m.Vgpr(kResultRegister, lane), m.Before(4, lane) + 0x43); });
      });
  RunSnippet(
      "sdwa_scalar1", [](TestMachine& m) { m.SetSgpr(4, 0x87654321); },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), m.Before(2, lane) - 0x8765);
        });
      });
}

TEST(ValuSdwa, ComparesParts) {
  RunSnippet(
      "sdwa_compare_vcc",
      [](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr(2, lane, 0xabcdef00u + static_cast<uint32_t>(lane % 3));
          m.SetVgpr(4, lane, 0x11110100u + static_cast<uint32_t>(lane));
        }
      },
      [](TestMachine& m) {
        uint64_t answers = 0;
        m.ForActive([&](int lane) {
          if (lane % 3 == 1) answers |= uint64_t{1} << lane;
        });
        EXPECT_EQ(m.Vcc(), answers);
      });
  RunSnippet(
      "sdwa_compare_sgpr", [](TestMachine&) {},
      [](TestMachine& m) {
        uint64_t answers = 0;
        m.ForActive([&](int lane) {
          const auto a = static_cast<int16_t>(m.Before(2, lane));
          const auto b = static_cast<int16_t>(m.Before(4, lane) >> 16);
          if (a < b) answers |= uint64_t{1} << lane;
        });
        EXPECT_EQ(m.Sgpr64(20), answers);
      });
}

TEST(ValuSdwa, CarriesAndConverts) {
  RunSnippet(
      "sdwa_carry", [](TestMachine& m) { m.SetVgpr(4, 9, 0xfffffff0); },
      [](TestMachine& m) {
        uint64_t carries = 0;
        m.ForActive([&](int lane) {
          const uint64_t sum = uint64_t{m.Before(2, lane) >> 16} + m.Before(4, lane);
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), static_cast<uint32_t>(sum));
          if (sum >> 32 != 0) carries |= uint64_t{1} << lane;
        });
        EXPECT_EQ(m.Vcc(), carries);
      });
  ExpectLanes("sdwa_convert", [](uint32_t a) { return static_cast<float>(a / 65536 % 256); });
}

}  // namespace
}  // namespace vgpu::valu::test::sdwa
