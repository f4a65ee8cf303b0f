// SPDX-License-Identifier: MIT
#include "sdk/contexts/contexts.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace rtl::sdk {
namespace {

TEST(Context, IsStartedAndStoppedOnce) {
  const auto context = std::make_unique<Context>();
  EXPECT_FALSE(context->active());
  EXPECT_TRUE(context->Start());
  EXPECT_FALSE(context->Start());
  EXPECT_TRUE(context->active());
  EXPECT_TRUE(context->Stop());
  EXPECT_FALSE(context->Stop());
  EXPECT_FALSE(context->active());
}

struct Asked {
  uint32_t kind = 0;
  int32_t operation = 0;
  uint64_t thread = 0, correlation = 0;
  int answer = 0;
};

int OnRequest(rocprofiler_thread_id_t thread, rocprofiler_context_id_t,
              rocprofiler_external_correlation_id_request_kind_t kind,
              rocprofiler_tracing_operation_t operation, uint64_t correlation,
              rocprofiler_user_data_t* value, void* data) {
  auto* const asked = static_cast<Asked*>(data);
  asked->kind = kind;
  asked->operation = operation;
  asked->thread = thread;
  asked->correlation = correlation;
  value->value = 500;
  return asked->answer;
}

TEST(Context, RequestsTheExternalIdAndFallsBackToThePushedOne) {
  const auto context = std::make_unique<Context>();
  constexpr uint32_t kThread = 77;
  EXPECT_EQ(context->ExternalOf(11, 1, kThread, 42), 0u);
  EXPECT_TRUE(context->external.Push(kThread, 6));
  EXPECT_EQ(context->ExternalOf(11, 1, kThread, 42), 6u);
  Asked asked;
  context->request = {OnRequest, &asked, 1u << 11};
  EXPECT_TRUE(context->Requests(11));
  EXPECT_FALSE(context->Requests(10));
  EXPECT_EQ(context->ExternalOf(11, 1, kThread, 42), 500u);
  EXPECT_EQ(asked.kind, 11u);
  EXPECT_EQ(asked.operation, 1);
  EXPECT_EQ(asked.thread, kThread);
  EXPECT_EQ(asked.correlation, 42u);
  asked.answer = 1;
  EXPECT_EQ(context->ExternalOf(11, 1, kThread, 42), 6u);
  EXPECT_EQ(context->ExternalOf(10, 1, kThread, 42), 6u) << "it does not subscribe to that kind";
}

struct ToldOnce {
  std::vector<rocprofiler_callback_tracing_record_t> records;
};

void OnTold(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
            void* data) {
  EXPECT_TRUE(ReentryGuard::Active());
  static_cast<ToldOnce*>(data)->records.push_back(record);
  user_data->value = 11;
}

TEST(Context, CallsTheFunctionOfTheEventsKindUntilItIsClosed) {
  const auto context = std::make_unique<Context>();
  context->id.handle = 7;
  ToldOnce told;
  context->callbacks[ROCPROFILER_CALLBACK_TRACING_HIP_STREAM] = {OnTold, &told, {}};
  int payload = 0;
  rocprofiler_user_data_t data = {};
  rocprofiler_callback_tracing_record_t event = {.context_id = {99},
                                                 .thread_id = 1,
                                                 .correlation_id = {2, {.value = 3}, 4},
                                                 .kind = ROCPROFILER_CALLBACK_TRACING_HIP_STREAM,
                                                 .operation = 5,
                                                 .phase = ROCPROFILER_CALLBACK_PHASE_EXIT,
                                                 .payload = &payload};
  context->Tell(&event, &data);
  EXPECT_FALSE(ReentryGuard::Active());
  EXPECT_EQ(data.value, 11u);
  ASSERT_EQ(told.records.size(), 1u);
  EXPECT_EQ(told.records[0].context_id.handle, 7u) << "its own, not the event's";
  EXPECT_EQ(told.records[0].thread_id, 1u);
  EXPECT_EQ(told.records[0].correlation_id.internal, 2u);
  EXPECT_EQ(told.records[0].correlation_id.external.value, 3u);
  EXPECT_EQ(told.records[0].correlation_id.ancestor, 4u);
  EXPECT_EQ(told.records[0].operation, 5);
  EXPECT_EQ(told.records[0].phase, ROCPROFILER_CALLBACK_PHASE_EXIT);
  EXPECT_EQ(told.records[0].payload, &payload);
  context->Close();
  context->Tell(&event, &data);
  EXPECT_EQ(told.records.size(), 1u);
  EXPECT_EQ(context->inside(), 0);
}

TEST(Context, CountsTheThreadsThatAreInsideItsFunctions) {
  const auto context = std::make_unique<Context>();
  const auto other = std::make_unique<Context>();
  std::atomic<bool> leave{false};
  std::atomic<int> inside{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      const ToolCall call(*context);
      EXPECT_TRUE(call.allowed());
      ++inside;
      while (!leave) std::this_thread::yield();
    });
  }
  while (inside != 3) std::this_thread::yield();
  EXPECT_EQ(context->inside(), 3);
  EXPECT_EQ(other->inside(), 0);
  context->Close();
  EXPECT_EQ(context->inside(), 3) << "they are still in there";
  {
    const ToolCall late(*context);
    EXPECT_FALSE(late.allowed());
  }
  leave = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(context->inside(), 0);
}

// A thread that finds the function empty may free the data that the function uses.
TEST(Context, AFunctionIsNotEnteredOnceItIsClosedAndEmpty) {
  for (int round = 0; round < 50; ++round) {
    const auto context = std::make_unique<Context>();
    std::atomic<bool> gone{false}, stop{false};
    std::atomic<uint64_t> entered{0};
    std::thread caller([&] {
      while (!stop) {
        const ToolCall call(*context);
        if (!call.allowed()) continue;
        EXPECT_FALSE(gone);
        ++entered;
        EXPECT_FALSE(gone);
      }
    });
    while (entered < 100) std::this_thread::yield();
    context->Close();
    while (context->inside() != 0) std::this_thread::yield();
    gone = true;
    for (int i = 0; i < 100; ++i) std::this_thread::yield();
    stop = true;
    caller.join();
  }
}

TEST(Context, IsNotActiveAfterItWasClosed) {
  const auto context = std::make_unique<Context>();
  (void)context->Start();
  context->Close();
  EXPECT_FALSE(context->active());
  EXPECT_TRUE(context->closed());
}

TEST(Context, CanBeStartedAndStoppedByManyThreads) {
  const auto context = std::make_unique<Context>();
  std::atomic<int> started{0}, stopped{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (uint64_t i = 1; i <= 1000; ++i) {
        if (context->Start()) ++started;
        if (context->Stop()) ++stopped;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(started, stopped) << "every start is ended once";
  EXPECT_FALSE(context->active());
}

TEST(Contexts, AreFoundByTheirOwnHandlesOnly) {
  const auto contexts = std::make_unique<Contexts>();
  Context* const first = contexts->Create(3);
  Context* const second = contexts->Create(4);
  EXPECT_EQ(contexts->Find(first->id), first);
  EXPECT_EQ(contexts->Find(second->id), second);
  EXPECT_EQ(second->client, 4u);
  EXPECT_EQ(contexts->Find({second->id.handle + 1}), nullptr);
  EXPECT_EQ(contexts->Find({0}), nullptr);
  EXPECT_EQ(contexts->Find({1}), nullptr);
}

TEST(Contexts, AreBitsByTheirSubscriptions) {
  const auto contexts = std::make_unique<Contexts>();
  Buffer buffer;
  for (int i = 0; i < 3; ++i) (void)contexts->Create(0);
  EXPECT_EQ(contexts->WithCallback(5), 0u);
  EXPECT_EQ(contexts->WithBuffer(5), 0u);
  contexts->at(0).callbacks[5] = {OnTold, nullptr, {}};
  contexts->at(2).callbacks[5] = {OnTold, nullptr, {}};
  contexts->at(1).buffers[5] = {&buffer, {}};
  EXPECT_EQ(contexts->WithCallback(5), 0b101u) << "started or not";
  EXPECT_EQ(contexts->WithBuffer(5), 0b010u);
  EXPECT_EQ(contexts->WithCallback(6), 0u);
  contexts->at(1).buffers[5].operations.Add(3);
  EXPECT_TRUE(contexts->at(1).buffers[5].Asks(3));
  EXPECT_FALSE(contexts->at(1).buffers[5].Asks(4));
  contexts->at(2).callbacks[5].operations.AddAll();
  EXPECT_TRUE(contexts->at(2).callbacks[5].Asks(4));
  contexts->at(2).callbacks[5].callback = nullptr;
  EXPECT_FALSE(contexts->at(2).callbacks[5].Asks(4));
}

TEST(Contexts, AreLimited) {
  const auto contexts = std::make_unique<Contexts>();
  for (uint32_t i = 0; i < Contexts::kMost; ++i) EXPECT_NE(contexts->Create(0), nullptr);
  EXPECT_EQ(contexts->Create(0), nullptr);
}

}  // namespace
}  // namespace rtl::sdk
