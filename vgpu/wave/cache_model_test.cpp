// SPDX-License-Identifier: MIT
#include "vgpu/wave/cache_model.h"

#include <gtest/gtest.h>

#include <memory>

namespace vgpu {
namespace {

using Kind = CacheModel::Kind;

class Caches : public ::testing::Test {
 protected:
  Caches() { model_->BeginDispatch(); }

  // One instruction of compute unit `unit` that touches `bytes` bytes from `address` on.
  void Touch(Kind kind, uint64_t address, uint64_t bytes, uint32_t unit = 0, bool returns = false) {
    auto sectors = std::make_unique<SectorSet>();
    sectors->BeginLane(0);
    sectors->Add(reinterpret_cast<const uint8_t*>(address), bytes);
    model_->Access(0, unit, kind, returns, *sectors);
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
  std::unique_ptr<CacheModel> model_ = std::make_unique<CacheModel>(counters_.get(), 0x906);
};

SectorSet LanesFrom(uint64_t address, uint64_t bytes, uint64_t apart) {
  SectorSet sectors;
  sectors.Clear();
  for (int lane = 0; lane < 64; ++lane) {
    sectors.BeginLane(lane);
    sectors.Add(reinterpret_cast<const uint8_t*>(address + apart * static_cast<uint64_t>(lane)),
                bytes);
  }
  return sectors;
}

TEST_F(Caches, LanesOfOneSectorAreOneRequest) {
  const SectorSet sectors = LanesFrom(0x1000, 4, 4);
  EXPECT_EQ(sectors.end() - sectors.begin(), 4) << "256 bytes";
  for (const SectorSet::Sector& sector : sectors) EXPECT_EQ(sector.bytes, ~uint64_t{0});
}

TEST_F(Caches, FourLanesAreLookedUpTogether) {
  EXPECT_EQ(LanesFrom(0x1000, 8, 8).lookups(), 16u);
  EXPECT_EQ(LanesFrom(0x1000, 8, 8).lanes(), 64u);
  EXPECT_EQ(LanesFrom(0x1000, 4, 64).lookups(), 64u) << "each in a sector of its own";
  EXPECT_EQ(LanesFrom(0x1030, 8, 8).lookups(), 16u + 8) << "every other four cross a boundary";
}

// What MI200, MI300A and MI300X count of a kernel that copies 64 doubles a wave.
class CopyOf64Doubles : public ::testing::TestWithParam<int> {};

TEST_P(CopyOf64Doubles, CountsAsHardwareDoes) {
  const auto counters = std::make_unique<HwCounters>();
  CacheModel caches(counters.get(), GetParam());
  caches.BeginDispatch();
  caches.Access(0, 0, Kind::kRead, false, LanesFrom(0x10000, 8, 8));
  caches.Access(0, 0, Kind::kWrite, false, LanesFrom(0x90000, 8, 8));
  caches.EndDispatch();
  const auto l1 = [&](TcpEvent event) {
    return counters->tcp[0][0][static_cast<int>(event)].load();
  };
  const auto l2 = [&](TccEvent event) {
    uint64_t sum = 0;
    for (const auto& channel : counters->tcc) sum += channel[static_cast<int>(event)];
    return sum;
  };
  const bool mi300 = GetParam() == 0x942;
  EXPECT_EQ(l1(TcpEvent::kLanes), 128u);
  EXPECT_EQ(l1(TcpEvent::kCacheAccesses), 32u);
  EXPECT_EQ(l1(TcpEvent::kReadRequests), mi300 ? 4u : 8u);
  EXPECT_EQ(l1(TcpEvent::kWriteRequests), 8u);
  EXPECT_EQ(l2(TccEvent::kReads), 4u);
  EXPECT_EQ(l2(TccEvent::kWrites), 8u);
  EXPECT_EQ(l2(TccEvent::kMisses), 8u) << "each line once";
  EXPECT_EQ(l2(TccEvent::kHits), 4u) << "the second half of each line that is written";
  EXPECT_EQ(l2(TccEvent::kMemoryReads), mi300 ? 4u : 8u);
  EXPECT_EQ(l2(TccEvent::kWideReads), mi300 ? 4u : 0u);
  EXPECT_EQ(l2(TccEvent::kMemoryWrites), 8u);
  EXPECT_EQ(l2(TccEvent::kMemoryWrites64), 8u);
  EXPECT_EQ(l2(TccEvent::kWriteBacks), 4u);
}
INSTANTIATE_TEST_SUITE_P(Gpus, CopyOf64Doubles, ::testing::Values(0x90a, 0x942));

// Workgroups go round the chiplets, so each chiplet sees blocks at equal distances.
TEST_F(Caches, BlocksAtEqualDistancesFindRoomInAllOfL2) {
  const auto counters = std::make_unique<HwCounters>();
  CacheModel caches(counters.get(), 0x942);
  caches.BeginDispatch();
  for (uint64_t group = 0; group < 1024; ++group) {
    for (uint64_t wave = 0; wave < 4; ++wave) {
      const SectorSet sectors = LanesFrom(group * 8 * 2048 + wave * 512, 8, 8);
      caches.Access(0, 0, Kind::kWrite, false, sectors);
    }
  }
  uint64_t evictions = 0;
  for (const auto& channel : counters->tcc)
    evictions += channel[static_cast<int>(TccEvent::kEvictions)];
  EXPECT_EQ(evictions, 0u) << "2 MB of 4";
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
