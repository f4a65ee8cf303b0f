// SPDX-License-Identifier: MIT
#include <string>

#include "vgpu/wave/wave_test_support.h"

namespace vgpu {
namespace {

constexpr uint32_t kResult = 4;
constexpr uint32_t kFirst = 6;
constexpr uint32_t kSecond = 8;

// What a scalar operation gives: computed here in wide signed arithmetic.
struct Expected {
  uint64_t value;
  int scc;  // -1: as it was
};
constexpr int kKept = -1;

int64_t S32(uint32_t value) { return static_cast<int32_t>(value); }
int64_t S64(uint64_t value) { return static_cast<int64_t>(value); }

void Check(TestMachine& m, bool scc_before, uint64_t value, int scc) {
  EXPECT_EQ(m.Sgpr(kResult), static_cast<uint32_t>(value));
  EXPECT_EQ(m.Scc(), scc == kKept ? scc_before : scc != 0);
}

template <class F>
void Test32(const char* label, F expected) {
  for (const uint32_t a : kEdgeValues) {
    for (const uint32_t b : kEdgeValues) {
      for (const bool scc : {false, true}) {
        SCOPED_TRACE(testing::Message() << std::hex << a << ", " << b << ", SCC " << scc);
        RunSnippet(
            label,
            [&](TestMachine& m) {
              m.SetSgpr(kFirst, a);
              m.SetSgpr(kSecond, b);
              m.SetScc(scc);
            },
            [&](TestMachine& m) {
              const Expected want = expected(a, b, scc);
              Check(m, scc, want.value, want.scc);
            });
      }
    }
  }
}

TEST(Sop2, AddsAndSubtracts) {
  Test32("s_add_u32", [](uint64_t a, uint64_t b, bool) {
    return Expected{a + b, a + b > 0xffffffff};
  });
}

}  // namespace
}  // namespace vgpu
