// SPDX-License-Identifier: MIT
#include "inject/inject.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <memory>

#include "base/clock.h"
#include "base/own_thread.h"
#include "base/text.h"
#include "inject/borrowed_thread.h"
#include "inject/filters.h"
#include "inject/stub.h"
#include "inject/target.h"

namespace rtl::inject {
namespace {

// How long to look for a thread that may be borrowed.
constexpr uint64_t kPatienceNs = 10'000'000'000;
constexpr uint64_t kStopNs = 500'000'000;
constexpr uint64_t kCreateNs = 2'000'000'000;
constexpr uint64_t kLoadNs = 60'000'000'000;
constexpr uint64_t kPauseNs = 1'000'000;
// How many programs the process may execute before the attempt is given up.
constexpr int kMostPrograms = 3;
constexpr size_t kStackBytes = 128 * 1024;
constexpr size_t kCodeBytes = 4096;

constexpr size_t Pages(size_t bytes) { return (bytes + 4095) & ~size_t{4095}; }

// Borrows threads until one has made the new thread.
class Visit {
 public:
  explicit Visit(const Target& target) : target_(target) {}

  Status Make(const std::string& library, const std::string& function,
              const LateTraceRequest& request, uint64_t* block);

 private:
  Status Borrow(uint32_t number, BorrowedThread* thread, bool* other);
  Status MapMemory(BorrowedThread* thread);
  Status WriteBlock(const std::string& library, const std::string& function,
                    const LateTraceRequest& request);
  Status MakeThread(BorrowedThread* thread);
  void GiveMemoryBack(BorrowedThread* thread);

  const Target& target_;
  const Stub stub_ = TheStub();
  const size_t bytes_ = kStackBytes + Pages(sizeof(Block));
  uint64_t memory_ = 0, code_ = 0;
  uint64_t block_ = 0;
  bool in_use_ = false;  // code of ours may run there, on this memory
};

// *other: this thread may not be borrowed now, so try another one.
Status Visit::Borrow(uint32_t number, BorrowedThread* thread, bool* other) {
  *other = false;
  if (const Status stopped = thread->Stop(target_.pid(), number, kStopNs); !stopped.ok()) {
    if (thread->thread() == 0 && (errno == EPERM || errno == EACCES))
      return target_.WhyRefused(errno);
    *other = true;
    return stopped;
  }
  if (!target_.IsSameProgram()) return Status::Error("it has executed another program; try again");
  if (target_.has_filters()) RTL_TRY(CheckFilters(static_cast<int>(number)));
  const user_regs_struct& registers = thread->registers();
  *other = target_.MayHoldLocks(registers.rip, registers.rsp,
                                static_cast<int64_t>(registers.orig_rax), registers.rdi);
  if (!*other) return Status::Ok();
  return Status::Error(
      "each of its threads is inside the allocator or the loader, sends data, or handles a signal; "
      "try again");
}

Status Visit::MapMemory(BorrowedThread* thread) {
  const auto map = [&](size_t bytes, int access, uint64_t* out) {
    int64_t answer = 0;
    RTL_TRY(thread->Call(
        target_.SystemCall(), SYS_mmap,
        {0, bytes, static_cast<uint64_t>(access), MAP_PRIVATE | MAP_ANONYMOUS, ~uint64_t{0}, 0},
        &answer));
    if (answer < 0 && answer > -4096) {
      return Status::ErrnoError(static_cast<int>(-answer), "it gets no memory%s",
                                access == (PROT_READ | PROT_EXEC) ? " for code" : "");
    }
    *out = static_cast<uint64_t>(answer);
    return Status::Ok();
  };
  memory_ = code_ = 0;
  RTL_TRY(map(bytes_, PROT_READ | PROT_WRITE, &memory_));
  RTL_TRY(map(kCodeBytes, PROT_READ | PROT_EXEC, &code_));
  block_ = memory_ + kStackBytes;
  return Status::Ok();
}

Status Visit::WriteBlock(const std::string& library, const std::string& function,
                         const LateTraceRequest& request) {
  const auto block = std::make_unique<Block>();
  const struct {
    const char* name;
    uint64_t* place;
  } functions[] = {{"pthread_create", &block->pthread_create},
                   {"pthread_detach", &block->pthread_detach},
                   {"usleep", &block->usleep},
                   {"dlopen", &block->dlopen},
                   {"dlsym", &block->dlsym},
                   {"dlerror", &block->dlerror},
                   {"munmap", &block->munmap}};
  for (const auto& each : functions) {
    *each.place = target_.Function(each.name);
    if (*each.place == 0) return Status::Error("its C library has no %s", each.name);
  }
  block->memory = memory_;
  block->memory_bytes = bytes_;
  block->code = code_;
  block->code_bytes = kCodeBytes;
  block->main = code_ + stub_.main;
  if (!CopyText(block->library, sizeof block->library, library.c_str()))
    return Status::Error("the path of %.100s… is too long", library.c_str());
  CopyText(block->function, sizeof block->function, function.c_str());
  memcpy(static_cast<void*>(&block->request), &request, sizeof request);
  if (!WriteCode(target_.pid(), code_, stub_.code, stub_.bytes) ||
      !WriteMemory(target_.pid(), block_, block.get(), sizeof *block))
    return Status::ErrnoError(errno, "its memory cannot be written");
  return Status::Ok();
}

Status Visit::MakeThread(BorrowedThread* thread) {
  in_use_ = true;
  RTL_TRY(thread->Run(code_ + stub_.begin, block_, block_));
  const uint64_t start = BootTimeNs();
  uint32_t done = 0;
  do {
    Nap(20'000);
    if (!ReadMemory(target_.pid(), block_ + offsetof(Block, has_created), &done, sizeof done))
      return Status::Error("it has ended");
  } while (done == 0 && BootTimeNs() - start < kCreateNs);
  RTL_TRY(thread->Interrupt(kCreateNs));
  uint64_t where = 0;
  RTL_TRY(thread->Where(&where));
  const Range spin = {code_ + stub_.spin, code_ + stub_.end_of_spin};
  if (done == 0 || !spin.Has(where)) return Status::Error("it does not get to make a thread");
  uint32_t answer = 0;
  if (!ReadMemory(target_.pid(), block_ + offsetof(Block, created), &answer, sizeof answer))
    return Status::Error("it has ended");
  if (answer == 0) return Status::Ok();
  in_use_ = false;
  return Status::ErrnoError(static_cast<int>(answer), "it cannot make a thread");
}

// After a failure.
void Visit::GiveMemoryBack(BorrowedThread* thread) {
  if (in_use_) return;
  const std::pair<uint64_t, size_t> mappings[] = {{memory_, bytes_}, {code_, kCodeBytes}};
  for (const auto& [address, bytes] : mappings) {
    int64_t answer = 0;
    // A failure leaves the mapping; the reason of the first failure is the one to report.
    if (address != 0)
      (void)thread->Call(target_.SystemCall(), SYS_munmap, {address, bytes}, &answer);
  }
}

Status Visit::Make(const std::string& library, const std::string& function,
                   const LateTraceRequest& request, uint64_t* block) {
  const uint64_t begin = BootTimeNs();
  Status last = Status::Error("it has no thread that can be stopped without harm; try again");
  do {
    for (const uint32_t number : target_.Threads()) {
      BorrowedThread thread;
      bool other = false;
      last = Borrow(number, &thread, &other);
      if (other) continue;
      if (last.ok()) last = MapMemory(&thread);
      if (last.ok()) last = WriteBlock(library, function, request);
      if (last.ok()) last = MakeThread(&thread);
      if (!last.ok()) GiveMemoryBack(&thread);
      thread.GiveBack();
      if (last.ok()) *block = block_;
      return last;
    }
    Nap(kPauseNs);
  } while (BootTimeNs() - begin < kPatienceNs && target_.IsSameProgram());
  return last;
}

}  // namespace

Status Injection::Start(uint32_t pid, const std::string& library, const std::string& function,
                        const LateTraceRequest& request) {
  Status made = Status::Ok();
  for (int program = 0; program < kMostPrograms; ++program) {
    Target target;
    Status fits = target.Open(pid);
    if (fits.ok()) fits = target.CheckSees(library);
    if (fits.ok() && request.spool[0] != '\0') fits = target.CheckSees(request.spool);
    if (!fits.ok()) return target.HasEnded() ? Status::Error("it has ended") : fits;
    Visit visit(target);
    // A signal here must not interrupt the visit, which would leave the thread borrowed.
    const SignalsBlocked blocked;
    made = visit.Make(library, function, request, &block_);
    if (made.ok() || target.IsSameProgram()) break;
  }
  RTL_TRY(made);
  pid_ = pid;
  tracer_ = request.tracer;
  tracer_start_ = request.tracer_start;
  const uint32_t go = Block::kLoad;
  if (!WriteMemory(pid_, block_ + offsetof(Block, go), &go, sizeof go))
    return Status::Error("it has ended");
  return Await();
}

Status Injection::Await() {
  using State = LateTraceRequest::State;
  for (const uint64_t start = BootTimeNs(); BootTimeNs() - start < kLoadNs; Nap(kPauseNs)) {
    const auto block = std::make_unique<Block>();
    if (!ReadMemory(pid_, block_, block.get(), sizeof *block)) return Status::Error("it has ended");
    if (block->not_loaded != 0) {
      block->error[sizeof block->error - 1] = '\0';
      return Status::Error("the tracer cannot be loaded into it: %s", block->error);
    }
    const State state = block->request.state.load(std::memory_order_acquire);
    if (state == State::kOpen) return Status::Ok();
    if (state == State::kAsked) continue;
    idle_ = state == State::kIdle;
    block->request.why[sizeof block->request.why - 1] = '\0';
    return Status::Error("%s", block->request.why);
  }
  return Status::Error("its loader does not get to load the tracer");
}

// Checks that the block is still at its address. The process may have executed another program, or
// its thread may have waited too long and given the memory back.
bool Injection::IsThere() const {
  const auto block = std::make_unique<Block>();
  return block_ != 0 && ReadMemory(pid_, block_, block.get(), sizeof *block) &&
         block->memory + kStackBytes == block_ &&
         block->request.version == LateTraceRequest::kVersion && block->request.tracer == tracer_ &&
         block->request.tracer_start == tracer_start_;
}

void Injection::Leave() {
  if (!IsThere()) return;
  const uint32_t leave = 1;
  (void)WriteMemory(pid_, block_ + offsetof(Block, request) + offsetof(LateTraceRequest, leave),
                    &leave, sizeof leave);
}

bool Injection::HasLeft() const {
  const auto block = std::make_unique<Block>();
  return IsThere() && ReadMemory(pid_, block_, block.get(), sizeof *block) &&
         block->request.state.load(std::memory_order_acquire) == LateTraceRequest::State::kLeft;
}

bool Injection::AwaitLeft(uint64_t limit_ns) {
  Leave();
  for (const uint64_t start = BootTimeNs(); BootTimeNs() - start < limit_ns; Nap(kPauseNs)) {
    if (HasLeft()) return true;
    if (!IsThere()) return false;
  }
  return false;
}

void Injection::End() {
  Leave();
  const uint32_t go = Block::kEnd;
  if (IsThere()) (void)WriteMemory(pid_, block_ + offsetof(Block, go), &go, sizeof go);
  block_ = 0;
}

}  // namespace rtl::inject
