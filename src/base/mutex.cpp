// SPDX-License-Identifier: MIT
#include "base/mutex.h"

#include "base/log.h"

namespace rtl {
namespace {

#ifdef NDEBUG
void NoteTaken(Rank) {}
void NoteReleased(Rank) {}
#else
// One bit for each rank that this thread holds: ranks are below 64.
[[gnu::tls_model("initial-exec")]] constinit thread_local uint64_t ranks_held = 0;

uint64_t Bit(Rank rank) { return uint64_t{1} << static_cast<uint32_t>(rank); }

void NoteTaken(Rank rank) {
  if (ranks_held >= Bit(rank)) {
    BrokenInvariant("a lock of rank %u was taken under one of at least that rank",
                    static_cast<unsigned>(rank));
  }
  ranks_held |= Bit(rank);
}

void NoteReleased(Rank rank) { ranks_held &= ~Bit(rank); }
#endif

}  // namespace

void Mutex::Lock() {
  NoteTaken(rank_);
  // Fails only if a mutex is not initialised, or is recursive, which cannot be the case here.
  (void)pthread_mutex_lock(&mutex_);
}

void Mutex::Unlock() {
  (void)pthread_mutex_unlock(&mutex_);  // cannot fail either
  NoteReleased(rank_);
}

bool Mutex::TryLock() {
  if (pthread_mutex_trylock(&mutex_) != 0) return false;
  NoteTaken(rank_);
  return true;
}

}  // namespace rtl
