// SPDX-License-Identifier: MIT
#include "base/thread_names.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iterator>

#include "base/clock.h"
#include "base/files_apart.h"
#include "base/own_thread.h"
#include "base/thread_state.h"
#include "base/unique_fd.h"

namespace rtl {
namespace {

constexpr uint32_t kNobody = 0;
constexpr uint32_t kClaimed = UINT32_MAX;  // a thread has claimed the entry and is writing its name
constexpr size_t kTries = 64;              // most entries that a thread tries to find a free one
constexpr uint64_t kFirstLookNs = 50'000'000;

struct Name {
  char text[ThreadNames::kBytes] = {};
  bool operator==(const Name& other) const { return memcmp(text, other.text, sizeof text) == 0; }
};

struct alignas(64) Entry {
  std::atomic<uint32_t> thread{kNobody};
  std::atomic<bool> ended{false};
  bool is_compared = false;  // used by Visit, like `reported`
  Name first, last;          // written by the thread itself
  Name reported;             // last name that was reported or left out
};

constinit Entry g_entries[ThreadNames::kMost];
constinit std::atomic<uint32_t> g_next{0};  // where to begin the search for a free entry
// number of claimed entries plus threads that have ended
constinit std::atomic<uint32_t> g_changes{0};
constinit std::atomic<bool> g_visiting{false};
constinit pthread_key_t g_key = 0;
constinit bool g_has_key = false;

// Used by Visit only.
constinit uint32_t g_seen_changes = 0;
constinit uint64_t g_interval = 0;
constinit uint64_t g_next_look = 0;
// the last check has passed the entries below this index
constinit size_t g_looked = ThreadNames::kMost;

size_t Used() {
  return std::min<size_t>(g_next.load(std::memory_order_relaxed), std::size(g_entries));
}

Name OwnName() {
  Name name;
  (void)prctl(PR_GET_NAME, name.text, 0, 0, 0);  // cannot fail
  return name;
}

void OnThreadExit(void* data) {
  Entry& entry = *static_cast<Entry*>(data);
  // the entry belongs to a thread of the parent
  if (entry.thread.load(std::memory_order_relaxed) != ThreadId::Current()) return;
  entry.last = OwnName();
  entry.ended.store(true, std::memory_order_release);
  g_changes.fetch_add(1, std::memory_order_relaxed);
}

void Note(uint32_t thread) {
  for (size_t i = 0; i < kTries; ++i) {
    const uint32_t place = g_next.fetch_add(1, std::memory_order_relaxed);
    Entry& entry = g_entries[place % ThreadNames::kMost];
    uint32_t nobody = kNobody;
    if (!entry.thread.compare_exchange_strong(nobody, kClaimed, std::memory_order_acquire,
                                              std::memory_order_relaxed))
      continue;
    entry.first = OwnName();
    entry.ended.store(false, std::memory_order_relaxed);
    entry.thread.store(thread, std::memory_order_release);
    g_changes.fetch_add(1, std::memory_order_relaxed);
    // The first keys of a process need no allocation. If this key is not one of them, the name at
    // the end of the thread is missed.
    constexpr pthread_key_t kKeysInThread = 32;
    if (g_has_key && g_key < kKeysInThread) (void)pthread_setspecific(g_key, &entry);
    return;
  }
}

// The name that exec gave the process: the last part of the program's path.
Name NameOfProgram() {
  Name name;
  const auto* path = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (path == nullptr) return name;
  const char* const slash = strrchr(path, '/');
  strncpy(name.text, slash == nullptr ? path : slash + 1, sizeof name.text - 1);
  return name;
}

enum class Found : uint8_t { kName, kNoThread, kNothing };

Found ReadName(uint32_t thread, Name* name) {
  char path[48];
  snprintf(path, sizeof path, "/proc/self/task/%u/comm", thread);
  Found found = Found::kNothing;
  FilesApart([&] {
    const UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC));
    if (!fd.valid()) {
      if (errno == ENOENT) found = Found::kNoThread;
      return;
    }
    const ssize_t bytes = read(fd.get(), name->text, sizeof name->text);
    if (bytes <= 0) return;
    name->text[bytes - 1] = '\0';  // removes the line's end
    found = Found::kName;
  });
  return found;
}

class Visitor {
 public:
  Visitor(ThreadNames::Report report, void* data) : report_(report), data_(data) {}

  // `look`: read the name again.
  void Visit(Entry& entry, bool look) {
    const uint32_t thread = entry.thread.load(std::memory_order_acquire);
    if (thread == kNobody || thread == kClaimed) return;
    bool gone = entry.ended.load(std::memory_order_acquire);
    if (gone) {
      gone = Compare(entry, thread, entry.last);
    } else {
      if (!entry.is_compared) (void)Compare(entry, thread, entry.first);
      Name now;
      const Found found = look ? ReadName(thread, &now) : Found::kNothing;
      if (found == Found::kName) (void)Compare(entry, thread, now);
      gone = found == Found::kNoThread;
    }
    if (!gone) return;
    entry.is_compared = false;
    entry.thread.store(kNobody, std::memory_order_release);
  }

  bool has_reported_all() const { return has_reported_all_; }

 private:
  bool Compare(Entry& entry, uint32_t thread, const Name& name) {
    const bool own = strncmp(name.text, kOwnThreads, sizeof kOwnThreads - 1) == 0;
    const bool is_new = !(name == (entry.is_compared ? entry.reported : program_));
    if (is_new && !own && !report_(data_, thread, name.text)) {
      has_reported_all_ = false;
      return false;
    }
    entry.reported = name;
    entry.is_compared = true;
    return true;
  }

  const Name program_ = NameOfProgram();
  const ThreadNames::Report report_;
  void* const data_;
  bool has_reported_all_ = true;
};

void VisitEach(bool all, ThreadNames::Report report, void* data) {
  const size_t used = Used();
  const uint64_t now = BootTimeNs();
  if (now >= g_next_look) {
    g_looked = 0;
    g_interval *= 2;
    g_next_look = now + g_interval;
  }
  const uint32_t changes = g_changes.load(std::memory_order_relaxed);
  const size_t from = g_looked;
  const size_t until = std::min(used, from + ThreadNames::kReads);
  if (!all && from >= until && changes == g_seen_changes) return;
  Visitor visitor(report, data);
  for (size_t i = 0; i < used; ++i) visitor.Visit(g_entries[i], all || (i >= from && i < until));
  g_looked = std::max(from, until);
  // if a report was refused, there is another check soon
  g_seen_changes = visitor.has_reported_all() ? changes : changes - 1;
}

}  // namespace

void ThreadNames::Watch() {
  if (!g_has_key) g_has_key = pthread_key_create(&g_key, OnThreadExit) == 0;
  const size_t used = Used();
  for (size_t i = 0; i < used; ++i) g_entries[i].is_compared = false;
  g_interval = kFirstLookNs;
  g_next_look = BootTimeNs() + g_interval;
  g_seen_changes = g_changes.load(std::memory_order_relaxed) - 1;
  ThreadId::ReportFirst(Note);
  const uint32_t self = ThreadId::Current();
  for (size_t i = 0; i < used; ++i) {
    if (g_entries[i].thread.load(std::memory_order_relaxed) == self) return;
  }
  Note(self);
}

void ThreadNames::OnForkInChild() {
  const size_t used = Used();
  for (size_t i = 0; i < used; ++i) {
    g_entries[i].is_compared = false;
    g_entries[i].thread.store(kNobody, std::memory_order_relaxed);
  }
  g_visiting.store(false, std::memory_order_relaxed);
}

void ThreadNames::Visit(bool all, Report report, void* data) {
  if (g_visiting.exchange(true, std::memory_order_acquire)) return;
  const int error_number = errno;  // the application's
  VisitEach(all, report, data);
  errno = error_number;
  g_visiting.store(false, std::memory_order_release);
}

}  // namespace rtl
