// SPDX-License-Identifier: MIT
#include "vgpu/mem/svm_ranges.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <initializer_list>
#include <string>

#include "vgpu/mem/address_space.h"

namespace vgpu {
namespace {

using Kind = SvmChange::Kind;

constexpr uint64_t kSvmPage = 4096;
constexpr uint64_t kSvmBase = 0x7f0000000000;  // never touched, only mapped

class SvmRangesTest : public testing::Test {
 protected:
  // Pages of kSvmBase.
  int Set(uint64_t first, uint64_t pages, std::initializer_list<SvmChange> changes) {
    return ranges_.Set(kSvmBase + first * kSvmPage, pages * kSvmPage,
                       {changes.begin(), changes.size()});
  }
  SvmSummary Get(uint64_t first, uint64_t pages) const {
    return ranges_.Get(kSvmBase + first * kSvmPage, pages * kSvmPage);
  }
  // Which of the first eight pages GPU `gpu` sees, as "..##....".
  static std::string Seen(int gpu) {
    std::string seen;
    for (uint64_t page = 0; page < 8; ++page) {
      uint8_t* const at = Translate(gpu, kSvmBase + page * kSvmPage, 1);
      if (at != nullptr) {
        EXPECT_EQ(reinterpret_cast<uint64_t>(at), kSvmBase + page * kSvmPage);
      }
      seen += at != nullptr ? '#' : '.';
    }
    return seen;
  }
  void TearDown() override {
    for (int gpu = 0; gpu < kMaxGpus; ++gpu) (void)UnmapRange(gpu, kSvmBase, uint64_t{1} << 40);
  }

  SvmRanges ranges_;
};

TEST_F(SvmRangesTest, AGpuSeesWhatItHasAccessToAtTheHostsOwnAddress) {
  EXPECT_EQ(Set(2, 4, {{Kind::kAccess, 0}}), 0);
  EXPECT_EQ(Seen(0), "..####..");
  EXPECT_EQ(Seen(1), "........");
  EXPECT_EQ(Set(4, 4, {{Kind::kInPlace, 1}}), 0);
  EXPECT_EQ(Seen(0), "..####..");
  EXPECT_EQ(Seen(1), "....####");
}

TEST_F(SvmRangesTest, AccessIsTakenAwayFromPartOfARange) {
  EXPECT_EQ(Set(0, 8, {{Kind::kAccess, 0}}), 0);
  EXPECT_EQ(Set(3, 2, {{Kind::kNoAccess, 0}}), 0);
  EXPECT_EQ(Seen(0), "###..###");
  EXPECT_EQ(Set(0, 8, {{Kind::kInPlace, 0}}), 0);
  EXPECT_EQ(Seen(0), "########");
  EXPECT_EQ(Get(0, 8).all.access, 0u);
  EXPECT_EQ(Get(0, 8).all.in_place, 1u);
}

TEST_F(SvmRangesTest, PagesWithoutAttributesHaveTheDefaults) {
  const SvmSummary summary = Get(0, 8);
  EXPECT_EQ(summary.all, SvmAttributes{});
  EXPECT_EQ(summary.all.preferred, SvmAttributes::kUndefined);
  EXPECT_EQ(summary.all.flags, SvmAttributes::kHostAccess | SvmAttributes::kCoherent);
}

TEST_F(SvmRangesTest, SumsUpTheAttributesOfAllPages) {
  EXPECT_EQ(Set(0, 4, {{Kind::kPreferred, 7}, {Kind::kPrefetch, 7}, {Kind::kSetFlags, 8}}), 0);
  EXPECT_EQ(Set(4, 4, {{Kind::kPreferred, 9}, {Kind::kPrefetch, 7}, {Kind::kClearFlags, 2}}), 0);
  EXPECT_EQ(Set(7, 1, {{Kind::kGranularity, 3}}), 0);
  EXPECT_EQ(Get(0, 4).all.preferred, 7u);
  const SvmSummary summary = Get(0, 8);
  EXPECT_EQ(summary.all.preferred, SvmAttributes::kUndefined);
  EXPECT_EQ(summary.all.prefetch, 7u);
  EXPECT_EQ(summary.all.flags, 1u);
  EXPECT_EQ(summary.flags_of_any, 11u);
  EXPECT_EQ(summary.all.granularity, 3u);
  EXPECT_EQ(Get(4, 3).all.granularity, 9u);
}

TEST_F(SvmRangesTest, ForgetsWhatTheApplicationUnmapped) {
  EXPECT_EQ(Set(0, 8, {{Kind::kAccess, 0}, {Kind::kPreferred, 7}}), 0);
  ranges_.Forget(kSvmBase + 2 * kSvmPage, 3 * kSvmPage);
  EXPECT_EQ(Seen(0), "##...###");
  EXPECT_EQ(Get(2, 3).all, SvmAttributes{});
  EXPECT_EQ(Get(5, 3).all.preferred, 7u);
}

TEST_F(SvmRangesTest, FailsWhereSomethingElseIsMapped) {
  ASSERT_TRUE(MapRange(0, kSvmBase + 2 * kSvmPage, kSvmPage, reinterpret_cast<uint8_t*>(kSvmPage)));
  EXPECT_EQ(Set(0, 8, {{Kind::kAccess, 0}}), -EADDRINUSE);
  EXPECT_EQ(Set(4, 4, {{Kind::kAccess, 0}}), 0);
}

// With retry of page faults, pages without attributes are seen as far as the process has memory
// there: at kSvmBase it has none.
TEST_F(SvmRangesTest, WithRetryAGpuHasAccessUntilItIsRemoved) {
  ranges_.SetRetry(true);
  EXPECT_EQ(Get(0, 8).all.access, (1u << kMaxGpus) - 1);
  EXPECT_EQ(Set(0, 8, {{Kind::kPreferred, SvmAttributes::kHost}}), 0);
  EXPECT_EQ(Seen(0), "########");
  EXPECT_EQ(Set(2, 3, {{Kind::kNoAccess, 0}}), 0);
  EXPECT_EQ(Seen(0), "##...###");
  EXPECT_EQ(Seen(1), "########");
  EXPECT_EQ(Get(2, 3).all.access, (1u << kMaxGpus) - 2);
  EXPECT_EQ(Set(3, 1, {{Kind::kInPlace, 0}}), 0);
  EXPECT_EQ(Seen(0), "##.#.###");
  ranges_.SetRetry(false);
}

// The pages of this test itself: access that was removed hides them, and unmapping forgets that.
TEST_F(SvmRangesTest, WithRetryRemovedAccessHidesTheProcessesMemory) {
  alignas(kSvmPage) static uint8_t page[kSvmPage];
  const auto va = reinterpret_cast<uint64_t>(page);
  const SvmChange none{Kind::kNoAccess, 0};
  ranges_.SetRetry(true);
  EXPECT_EQ(Translate(0, va, 1), page);
  EXPECT_EQ(ranges_.Set(va, kSvmPage, {&none, 1}), 0);
  EXPECT_EQ(Translate(0, va, 1), nullptr);
  EXPECT_EQ(Translate(1, va, 1), page);
  ranges_.Forget(va, kSvmPage);
  EXPECT_EQ(Translate(0, va, 1), page);
  (void)UnmapRange(1, va, kSvmPage);
  ranges_.SetRetry(false);
}

}  // namespace
}  // namespace vgpu
