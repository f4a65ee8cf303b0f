// SPDX-License-Identifier: MIT
#include "vgpu/wave/cache_model.h"

#include <gtest/gtest.h>

#include <memory>

#include "vgpu/config/gpu_model.h"

namespace vgpu {
namespace {

using Kind = CacheModel::Kind;

class Caches : public ::testing::Test {
 protected:
  Caches() { model_->BeginDispatch(); }

  // One instruction of compute unit `unit` that touches `bytes` bytes from `address` on.
  void Touch(Kind kind, uint64_t address, uint64_t bytes, uint32_t unit = 0, bool returns = false) {
    auto lines = std::make_unique<LineSet>();
    lines->Add(reinterpret_cast<const uint8_t*>(address), bytes);
    model_->Access(0, unit, kind, returns, *lines);
  }
  uint64_t L2(TccEvent event) const {
    uint64_t sum = 0;
    for (const auto& channel : counters_->tcc) sum += channel[static_cast<int>(event)];
    return sum;
  }
  uint64_t L1(TcpEvent event, uint32_t unit = 0) const {
    return counters_->tcp[0][unit][static_cast<int>(event)];
  }
  uint64_t MemoryWrites() const {
    return L2(TccEvent::kMemoryWrites) + L2(TccEvent::kSecondWrites);
  }

  std::unique_ptr<HwCounters> counters_ = std::make_unique<HwCounters>();
  std::unique_ptr<CacheModel> model_ = std::make_unique<CacheModel>(counters_.get());
};

TEST_F(Caches, LanesOfOneLineAreOneAccess) {
  LineSet lines;
  for (uint64_t lane = 0; lane < 64; ++lane)
    lines.Add(reinterpret_cast<const uint8_t*>(0x1000 + 4 * lane), 4);
  EXPECT_EQ(lines.end() - lines.begin(), 4) << "256 bytes";
  for (const LineSet::Line& line : lines) EXPECT_EQ(line.bytes, ~uint64_t{0});
}

TEST_F(Caches, ALineIsReadFromMemoryOnce) {
  Touch(Kind::kRead, 0x1000, 64);
  Touch(Kind::kRead, 0x1000, 64);
  Touch(Kind::kRead, 0x1000, 64, 1);
  EXPECT_EQ(L1(TcpEvent::kCacheAccesses), 2u);
  EXPECT_EQ(L1(TcpEvent::kReadRequests), 1u) << "the second is in the compute unit's own cache";
  EXPECT_EQ(L1(TcpEvent::kReadRequests, 1), 1u);
  EXPECT_EQ(L2(TccEvent::kRequests), 2u);
  EXPECT_EQ(L2(TccEvent::kMisses), 1u);
  EXPECT_EQ(L2(TccEvent::kHits), 1u);
  EXPECT_EQ(L2(TccEvent::kMemoryReads) + L2(TccEvent::kSecondReads), 1u);
}

TEST_F(Caches, WrittenLinesGoToMemoryAtTheEnd) {
  Touch(Kind::kWrite, 0x1000, 64);
  Touch(Kind::kWrite, 0x1000, 64);
  Touch(Kind::kWrite, 0x2000, 32);
  EXPECT_EQ(L1(TcpEvent::kWriteRequests), 3u);
  EXPECT_EQ(L2(TccEvent::kWrites), 3u);
  EXPECT_EQ(MemoryWrites(), 0u);
  model_->EndDispatch();
  EXPECT_EQ(MemoryWrites(), 2u);
  EXPECT_EQ(L2(TccEvent::kMemoryWrites64) + L2(TccEvent::kSecondWrites64), 1u)
      << "of the other line one half was written";
  EXPECT_EQ(L2(TccEvent::kMemoryReads) + L2(TccEvent::kSecondReads), 0u);
}

TEST_F(Caches, AtomicsAreL2s) {
  Touch(Kind::kRead, 0x1000, 64);
  Touch(Kind::kAtomic, 0x1000, 4);
  Touch(Kind::kAtomic, 0x1000, 4, 0, true);
  Touch(Kind::kRead, 0x1000, 64);
  EXPECT_EQ(L1(TcpEvent::kAtomicsWithoutReturn), 1u);
  EXPECT_EQ(L1(TcpEvent::kAtomicsWithReturn), 1u);
  EXPECT_EQ(L2(TccEvent::kAtomics), 2u);
  EXPECT_EQ(L1(TcpEvent::kReadRequests), 2u) << "the compute unit's own line is out of date";
}

TEST_F(Caches, EachDispatchBeginsWithoutLines) {
  Touch(Kind::kRead, 0x1000, 64);
  model_->EndDispatch();
  model_->BeginDispatch();
  Touch(Kind::kRead, 0x1000, 64);
  EXPECT_EQ(L2(TccEvent::kMisses), 2u);
}

TEST_F(Caches, TheLinesThatWereNotUsedForLongestMakeRoom) {
  constexpr uint64_t kL1Lines = 256;
  for (uint64_t i = 0; i <= kL1Lines; ++i) Touch(Kind::kRead, i * 64, 64);
  Touch(Kind::kRead, kL1Lines * 64, 64);
  EXPECT_EQ(L1(TcpEvent::kReadRequests), kL1Lines + 1);
  Touch(Kind::kRead, 0, 64);
  EXPECT_EQ(L1(TcpEvent::kReadRequests), kL1Lines + 2) << "the first had to go";
  EXPECT_EQ(L2(TccEvent::kMisses), kL1Lines + 1) << "L2 still has it";
}

TEST_F(Caches, ADispatchThatBeganUncountedIsNot) {
  model_->EndDispatch();
  Touch(Kind::kRead, 0x1000, 64);
  EXPECT_EQ(L2(TccEvent::kRequests), 0u);
}

}  // namespace
}  // namespace vgpu
