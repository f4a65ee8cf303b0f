// SPDX-License-Identifier: MIT
#include "cli/trace/thread_handles.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <future>

namespace rtl::cli {
namespace {

// A thread that waits, on a stack that is given: its handle depends on that.
class Waiting {
 public:
  Waiting(void* stack, size_t bytes) {
    pthread_attr_t attributes;
    EXPECT_EQ(pthread_attr_init(&attributes), 0);
    EXPECT_EQ(pthread_attr_setstack(&attributes, stack, bytes), 0);
    EXPECT_EQ(pthread_create(&handle_, &attributes, Run, this), 0);
    pthread_attr_destroy(&attributes);
    id_ = id_promise_.get_future().get();
  }
  ~Waiting() {
    end_.set_value();
    pthread_join(handle_, nullptr);
  }
  uint64_t handle() const { return handle_; }
  uint32_t id() const { return id_; }

 private:
  static void* Run(void* self) {
    auto& waiting = *static_cast<Waiting*>(self);
    waiting.id_promise_.set_value(static_cast<uint32_t>(gettid()));
    waiting.end_.get_future().get();
    return nullptr;
  }

  std::promise<uint32_t> id_promise_;
  std::promise<void> end_;
  pthread_t handle_ = 0;
  uint32_t id_ = 0;
};

class ThreadHandlesTest : public testing::Test {
 protected:
  static constexpr size_t kStack = 1 << 20;
  void SetUp() override {
    stacks_ = static_cast<char*>(
        mmap(nullptr, 2 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(stacks_, MAP_FAILED);
  }
  void TearDown() override { munmap(stacks_, 2 * kStack); }

  char* stacks_ = nullptr;
  ThreadHandles handles_;
};

TEST_F(ThreadHandlesTest, EachThreadOfAProcessIsFoundByItsHandle) {
  const Waiting one(stacks_, kStack), other(stacks_ + kStack, kStack);
  handles_.LookAt(getpid(), 10);
  EXPECT_EQ(handles_.ThreadOf(getpid(), pthread_self(), 10), static_cast<uint32_t>(gettid()));
  EXPECT_EQ(handles_.ThreadOf(getpid(), one.handle(), 10), one.id());
  EXPECT_EQ(handles_.ThreadOf(getpid(), other.handle(), 10), other.id());
  EXPECT_EQ(handles_.ThreadOf(getpid(), 4096, 10), 0u);
  EXPECT_EQ(handles_.ThreadOf(1, one.handle(), 10), 0u);
}

TEST_F(ThreadHandlesTest, ALaterThreadMayHaveTheSameHandle) {
  uint64_t handle = 0;
  uint32_t first = 0;
  {
    const Waiting one(stacks_, kStack);
    handle = one.handle();
    first = one.id();
    handles_.LookAt(getpid(), 10);
    handles_.LookAt(getpid(), 20);
  }
  handles_.LookAt(getpid(), 30);
  const Waiting later(stacks_, kStack);
  ASSERT_EQ(later.handle(), handle);
  handles_.LookAt(getpid(), 40);
  EXPECT_EQ(handles_.ThreadOf(getpid(), handle, 5), first);
  EXPECT_EQ(handles_.ThreadOf(getpid(), handle, 25), first);
  EXPECT_EQ(handles_.ThreadOf(getpid(), handle, 36), later.id());
  EXPECT_EQ(handles_.ThreadOf(getpid(), handle, 90), later.id());
}

}  // namespace
}  // namespace rtl::cli
