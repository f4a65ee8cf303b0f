// SPDX-License-Identifier: MIT
#include "sdk/contexts.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace rtl::sdk {
namespace {

using When = Context::When;
constexpr uint64_t kSecond = 1'000'000'000;

TEST(Context, KnowsWhenItWasStarted) {
  const auto context = std::make_unique<Context>();
  EXPECT_EQ(context->WasActive(5 * kSecond), When::kOutside);
  EXPECT_TRUE(context->Start(10 * kSecond));
  EXPECT_FALSE(context->Start(11 * kSecond));
  EXPECT_EQ(context->WasActive(9 * kSecond), When::kOutside);
  EXPECT_EQ(context->WasActive(10 * kSecond), When::kInside);
  EXPECT_TRUE(context->Stop(20 * kSecond));
  EXPECT_FALSE(context->Stop(21 * kSecond));
  EXPECT_EQ(context->WasActive(15 * kSecond), When::kInside) << "a kernel may end after the stop";
  EXPECT_EQ(context->WasActive(20 * kSecond), When::kOutside);
  EXPECT_TRUE(context->Start(30 * kSecond));
  EXPECT_EQ(context->WasActive(25 * kSecond), When::kOutside);
  EXPECT_EQ(context->WasActive(15 * kSecond), When::kInside);
}

TEST(Context, SaysWhenItHasForgotten) {
  const auto context = std::make_unique<Context>();
  for (uint64_t i = 1; i <= Context::kWindows + 1; ++i) {
    context->Start(2 * i * kSecond);
    context->Stop((2 * i + 1) * kSecond);
  }
  EXPECT_EQ(context->WasActive(2 * kSecond), When::kForgotten);
  EXPECT_EQ(context->WasActive(4 * kSecond), When::kInside);
  EXPECT_EQ(context->WasActive(5 * kSecond), When::kOutside);
}

TEST(Context, IsNotActiveAfterItWasClosed) {
  const auto context = std::make_unique<Context>();
  context->Start(1 * kSecond);
  context->Close(2 * kSecond);
  EXPECT_FALSE(context->active());
  EXPECT_TRUE(context->closed());
}

TEST(Context, MayBeStartedAndStoppedByManyThreads) {
  const auto context = std::make_unique<Context>();
  std::atomic<int> started{0}, stopped{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (uint64_t i = 1; i <= 1000; ++i) {
        if (context->Start(i * kSecond)) ++started;
        (void)context->WasActive(i * kSecond);
        if (context->Stop(i * kSecond + 1)) ++stopped;
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

TEST(Contexts, AreLimited) {
  const auto contexts = std::make_unique<Contexts>();
  for (uint32_t i = 0; i < Contexts::kMost; ++i) EXPECT_NE(contexts->Create(0), nullptr);
  EXPECT_EQ(contexts->Create(0), nullptr);
}

}  // namespace
}  // namespace rtl::sdk
