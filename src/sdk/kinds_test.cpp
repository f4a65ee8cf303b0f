// SPDX-License-Identifier: MIT
#include "sdk/kinds.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <memory>
#include <string>

#include "sdk/contexts/buffer.h"

namespace rtl::sdk {
namespace {

void Nothing(rocprofiler_callback_tracing_record_t, rocprofiler_user_data_t*, void*) {}

std::string Reported(Contexts* contexts) {
  testing::internal::CaptureStderr();
  ReportUnproduced(*contexts);
  return testing::internal::GetCapturedStderr();
}

TEST(Unproduced, ReportsKindsThatAreNeverProducedOnceAndOnlyWithRtlLog) {
  const auto contexts = std::make_unique<Contexts>();
  Buffer buffer;
  Context* const context = contexts->Create(0);
  context->callbacks[ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API].callback = Nothing;
  setenv("RTL_LOG", "1", 1);
  EXPECT_EQ(Reported(contexts.get()), "") << "all kinds are produced";
  context->callbacks[ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API].callback = Nothing;
  context->buffers[ROCPROFILER_BUFFER_TRACING_ROCJPEG_API].buffer = &buffer;
  context->buffers[ROCPROFILER_BUFFER_TRACING_KFD_QUEUE].buffer = &buffer;
  EXPECT_EQ(
      Reported(contexts.get()),
      "rtl: tools subscribe to kinds of event that this library does not produce: ROCJPEG_API, "
      "KFD_QUEUE\n");
  setenv("RTL_LOG", "0", 1);
  EXPECT_EQ(Reported(contexts.get()), "");
  unsetenv("RTL_LOG");
  EXPECT_EQ(Reported(contexts.get()), "");
}

TEST(Unproduced, HasRoomForEveryKindInItsLine) {
  const auto contexts = std::make_unique<Contexts>();
  Buffer buffer;
  Context* const context = contexts->Create(0);
  for (CallbackService& service : context->callbacks) service.callback = Nothing;
  for (BufferService& service : context->buffers) service.buffer = &buffer;
  setenv("RTL_LOG", "1", 1);
  const std::string line = Reported(contexts.get());
  unsetenv("RTL_LOG");
  EXPECT_NE(line.find(": ROCDECODE_API, ROCJPEG_API, HIP_STREAM"), std::string::npos) << line;
  EXPECT_NE(line.find("KFD_EVENT_DROPPED_EVENTS, KFD_PAGE_MIGRATE, KFD_PAGE_FAULT, KFD_QUEUE\n"),
            std::string::npos)
      << line;
}

}  // namespace
}  // namespace rtl::sdk
