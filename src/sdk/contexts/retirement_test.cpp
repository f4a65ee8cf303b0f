// SPDX-License-Identifier: MIT
#include "sdk/contexts/retirement.h"

#include <gtest/gtest.h>
#include <rocprofiler-sdk/buffer_tracing.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "sdk/calls/api_calls.h"
#include "sdk/contexts/callback_thread.h"

namespace rtl::sdk {
namespace {

using RetirementRecord = rocprofiler_buffer_tracing_correlation_id_retirement_record_t;
constexpr uint32_t kRetirementKind = ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT;
using Ids = std::vector<uint64_t>;

class RetirementTest : public testing::Test {
 protected:
  void TearDown() override { (void)buffer_.Destroy(); }  // it may not be open

  Context* Ask() {
    static CallbackThread* const thread = [] {
      auto* const made = new CallbackThread;  // its thread is never joined
      EXPECT_TRUE(made->Start().ok());
      return made;
    }();
    Context* const context = contexts_->Create(0);
    Buffer::Options options = {};
    options.context = context->id;
    options.size = 4096;
    options.watermark = 4096;
    options.lossless = true;
    options.callback = Take;
    options.data = &ids_;
    EXPECT_TRUE(buffer_.Open(options, thread));
    context->buffers[kRetirementKind].buffer = &buffer_;
    context->buffers[kRetirementKind].operations.AddAll();
    retirement_->Open();
    (void)context->Start();
    return context;
  }
  static void Take(rocprofiler_context_id_t, rocprofiler_buffer_id_t,
                   rocprofiler_record_header_t** headers, size_t count, void* ids, uint64_t) {
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(headers[i]->kind, kRetirementKind);
      const auto& record = *static_cast<const RetirementRecord*>(headers[i]->payload);
      EXPECT_EQ(record.size, sizeof(RetirementRecord));
      EXPECT_NE(record.timestamp, 0u);
      static_cast<Ids*>(ids)->push_back(record.internal_correlation_id);
    }
  }
  const Ids& Retired() {
    EXPECT_EQ(buffer_.Flush(), ROCPROFILER_STATUS_SUCCESS);
    return ids_;
  }

  std::unique_ptr<Contexts> contexts_ = std::make_unique<Contexts>();
  Ids ids_;
  Buffer buffer_;
  std::unique_ptr<Retirement> retirement_ = std::make_unique<Retirement>(contexts_.get());
};

TEST_F(RetirementTest, ReportsAnIdAfterItsLastRelease) {
  Ask();
  retirement_->Begin(7);
  retirement_->Begin(7 + 256);  // of the same bucket
  retirement_->Hold(7, 2);
  retirement_->Release(7, 1);
  retirement_->Release(7, 1);
  EXPECT_EQ(Retired(), Ids{});
  retirement_->Release(7 + 256, 1);
  EXPECT_EQ(Retired(), Ids{7 + 256});
  retirement_->Release(7, 1);
  EXPECT_EQ(Retired(), (Ids{7 + 256, 7}));
}

TEST_F(RetirementTest, IgnoresUnknownIds) {
  Ask();
  retirement_->Hold(5, 1);
  retirement_->Release(5, 1);
  retirement_->Hold(0, 1);
  retirement_->Release(0, 1);
  retirement_->Begin(6);
  retirement_->Release(6, 1);
  retirement_->Release(6, 1);
  EXPECT_EQ(Retired(), Ids{6}) << "once";
}

TEST_F(RetirementTest, ReportsToContextsThatWereStartedAtTheBeginning) {
  Context* const context = Ask();
  retirement_->Begin(1);
  (void)context->Stop();
  retirement_->Begin(2);
  retirement_->Release(1, 1);
  retirement_->Release(2, 1);
  EXPECT_EQ(Retired(), Ids{1});
}

TEST_F(RetirementTest, DoesNothingWithoutASubscription) {
  retirement_->Open();
  EXPECT_FALSE(retirement_->asked());
  retirement_->Begin(1);
  retirement_->Hold(1, 1);
  retirement_->Release(1, 2);
}

void Ignore(rocprofiler_callback_tracing_record_t, rocprofiler_user_data_t*, void*) {}

TEST_F(RetirementTest, KeepsACallsIdUntilTheCallHasReturned) {
  Context* const context = Ask();
  CallbackService& service = context->callbacks[ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API];
  service.callback = Ignore;
  service.operations.AddAll();
  ApiCalls calls(contexts_.get(), retirement_.get());
  calls.Open();
  const ApiFunction function = {ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API,
                                ROCPROFILER_BUFFER_TRACING_HSA_CORE_API, 3};
  ApiCalls::Call outer, inner;
  calls.Begin(&outer, function, nullptr);
  calls.Begin(&inner, function, nullptr);
  retirement_->Hold(inner.correlation, 1);  // a kernel
  calls.End(&inner);
  EXPECT_EQ(Retired(), Ids{});
  calls.End(&outer);
  EXPECT_EQ(Retired(), Ids{outer.correlation});
  retirement_->Release(inner.correlation, 1);
  EXPECT_EQ(Retired(), (Ids{outer.correlation, inner.correlation}));
}

TEST_F(RetirementTest, RetiresEachIdOnceWithManyThreads) {
  Ask();
  constexpr uint64_t kThreads = 4, kIds = 5000;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 1; i <= kIds; ++i) {
        const uint64_t id = t * kIds + i;
        retirement_->Begin(id);
        retirement_->Hold(id, 1);
        retirement_->Release(id, 1);
        retirement_->Release(id, 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Ids& retired = Retired();
  EXPECT_EQ(retired.size(), kThreads * kIds);
  EXPECT_EQ(std::set(retired.begin(), retired.end()).size(), kThreads * kIds);
}

}  // namespace
}  // namespace rtl::sdk
