// SPDX-License-Identifier: MIT
// Records that are read while a HIP with the streaming form writes them.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/thread_state.h"
#include "capture/clr/clr_live.h"
#include "tests/support/memory_sink.h"

extern "C" {
struct dim3 {
  uint32_t x, y, z;
};
int hipPeekAtLastError();
int hipMalloc(void** memory, size_t bytes);
int hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t bytes,
                    void* stream);
int hipGraphLaunch(void* graph, void* stream);
int hipDeviceSynchronize();
}

namespace rtl::capture {
namespace {

// One HIP in a process, and one profiler: the test is one story.
TEST(ClrLive, TakesEachCallAndEachOperationOnceWhenItIsComplete) {
  static support::MemorySink sink;
  static ClrRecords records;
  static ClrLive live;
  ClrLibrary library;
  std::atomic<uint64_t> submitted{0};
  ASSERT_TRUE(library.Find().ok());
  ASSERT_EQ(library.form(), ClrForm::kStreaming);
  ASSERT_TRUE(records.Open({&sink, &submitted, nullptr, &library}).ok());
  uint64_t first = 0;
  ASSERT_EQ(library.Enable(&first), 0);
  const ClrClockSample before = SampleClrClocks();
  (void)hipPeekAtLastError();
  records.BeginClock(before, SampleClrClocks(), ThreadId::Current());
  ASSERT_TRUE(live.Open(&library, &records, first).ok());

  live.Look(false);
  EXPECT_EQ(sink.calls().size(), 0u) << "the test call";
  void* memory = nullptr;
  (void)hipMalloc(&memory, 1);
  for (int i = 0; i < 40; ++i)  // more than a slab
    (void)hipLaunchKernel("_Z3addPfS_", {1, 1, 1}, {64, 1, 1}, nullptr, 0, nullptr);
  live.Look(false);
  EXPECT_EQ(sink.calls().size(), 41u);
  EXPECT_EQ(sink.dispatch_count(), 0u) << "no kernel has ended";
  (void)hipGraphLaunch(reinterpret_cast<void*>(uintptr_t{5}), nullptr);  // kernels and barriers
  (void)hipDeviceSynchronize();
  live.Look(false);
  live.Look(false);
  EXPECT_EQ(sink.calls().size(), 43u);
  EXPECT_EQ(sink.dispatch_count(), 43u);
  EXPECT_EQ(submitted, 43u);
  live.Look(true);
  records.CloseLive(live.open());
  EXPECT_EQ(sink.calls().size(), 43u);
  EXPECT_EQ(sink.dispatch_count(), 43u);
  EXPECT_EQ(sink.lost(EventKind::kHipCall), 0u);
  EXPECT_EQ(sink.lost(EventKind::kKernel), 0u);
}

}  // namespace
}  // namespace rtl::capture
