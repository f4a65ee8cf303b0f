// SPDX-License-Identifier: MIT
#include "capture/hip/open_call.h"

#include <pthread.h>
#include <sys/mman.h>

#include <new>

#include "base/mutex.h"
#include "base/thread_state.h"

namespace rtl::capture {
namespace {

constexpr size_t kBlocksPerMapping = 16;

// Never destroyed: threads may end at any time.
constinit Mutex g_mutex{Rank::kThreadCalls};
constinit ThreadCalls* g_free = nullptr;  // under g_mutex
constinit ThreadCalls* g_made = nullptr;  // under g_mutex
constinit bool g_key_made = false;        // under g_mutex
constinit uint32_t g_blocks = 0;          // under g_mutex
constinit pthread_key_t g_exit_key = 0;

bool Refill() {
  void* const memory = mmap(nullptr, kBlocksPerMapping * sizeof(ThreadCalls),
                            PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  auto* const blocks = static_cast<ThreadCalls*>(memory);
  for (size_t i = kBlocksPerMapping; i-- > 0;) {
    blocks[i].index = g_blocks + static_cast<uint32_t>(i);
    blocks[i].next_free = g_free;
    g_free = &blocks[i];
    blocks[i].next_made = g_made;
    g_made = &blocks[i];
  }
  g_blocks += kBlocksPerMapping;
  return true;
}

}  // namespace

ThreadCalls* OpenCall::MakeFirst() {
  MutexLock lock(g_mutex);
  if (!g_key_made) g_key_made = pthread_key_create(&g_exit_key, &OpenCall::OnThreadExit) == 0;
  if (!g_key_made || (g_free == nullptr && !Refill())) return nullptr;
  ThreadCalls* const calls = g_free;
  // Without this notice of the thread's end the block could never be reused.
  if (pthread_setspecific(g_exit_key, calls) != 0) return nullptr;
  g_free = calls->next_free;
  calls->correlation = calls->ancestor = calls->recorded = 0;
  calls->open = calls->told = false;
  calls->thread = ThreadId::Current();
  calls_ = calls;
  return calls;
}

void OpenCall::OnForkInChild() {
  // another thread of the parent may have held the mutex during the fork
  new (&g_mutex) Mutex(Rank::kThreadCalls);
  if (calls_ == nullptr) return;
  calls_->thread = ThreadId::Current();
  calls_->recorded = 0;
  calls_->tell = calls_->told = calls_->plain = false;
}

int32_t OpenCall::CountInside(const void* tool) {
  int32_t count = 0;
  MutexLock lock(g_mutex);
  for (const ThreadCalls* calls = g_made; calls != nullptr; calls = calls->next_made)
    count += calls->tool.load(std::memory_order_acquire) == tool ? 1 : 0;
  return count;
}

void OpenCall::OnThreadExit(void* data) {
  auto* const calls = static_cast<ThreadCalls*>(data);
  // a call of a later destructor gets a block again, and this function then runs again
  calls_ = nullptr;
  calls->tool.store(nullptr, std::memory_order_release);  // a callback of a tool may end its thread
  MutexLock lock(g_mutex);
  calls->next_free = g_free;
  g_free = calls;
}

}  // namespace rtl::capture
