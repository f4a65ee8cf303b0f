// SPDX-License-Identifier: MIT
#include "inject/target.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/clock.h"
#include "inject/borrowed_thread.h"

namespace rtl::inject {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSystemCall("\x0f\x05", 2);
// mov $15, %rax; syscall
constexpr std::string_view kSignalReturn("\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05", 9);
constexpr uint64_t kMostStack = uint64_t{1} << 20;
constexpr int kLooks = 20;  // at a process without memory, which may be about to end
constexpr uint64_t kLookNs = 5'000'000;
// Functions of the C library that may hold the allocator's locks.
const std::vector<std::string_view> kAllocator = {
    "malloc",          "free",          "calloc",         "realloc",
    "memalign",        "aligned_alloc", "posix_memalign", "valloc",
    "pvalloc",         "malloc_trim",   "mallopt",        "mallinfo",
    "mallinfo2",       "malloc_info",   "malloc_stats",   "malloc_usable_size",
    "__libc_malloc",   "__libc_free",   "__libc_calloc",  "__libc_realloc",
    "__libc_memalign", "cfree",         "__malloc_hook",  "reallocarray"};
// Functions that hold locks of the C library's threads.
const std::vector<std::string_view> kThreads = {"fork", "_Fork", "vfork", "pthread_create", "exit"};

std::map<std::string, std::string> ReadStatus(const std::string& path) {
  std::map<std::string, std::string> words;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    const size_t text = line.find_first_not_of(" \t", colon + 1);
    if (colon != std::string::npos && text != std::string::npos)
      words[line.substr(0, colon)] = line.substr(text);
  }
  return words;
}

std::string NameOf(const std::string& process) {
  std::ifstream file(process + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

bool IsLoader(std::string_view name) {
  return name.starts_with("ld-linux") || (name.starts_with("ld-2.") && name.ends_with(".so"));
}

bool IsCLibrary(std::string_view name) {
  for (const std::string_view part : {"libc", "libpthread", "libdl"}) {
    if (name.starts_with(std::string(part) + ".so.")) return true;
    if (name.starts_with(std::string(part) + "-2.")) return true;  // names before glibc 2.34
  }
  return false;
}

template <typename T>
void Append(const std::vector<T>& more, std::vector<T>* all) {
  all->insert(all->end(), more.begin(), more.end());
}

uint64_t Number(const std::string& text) {
  uint64_t number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The system call in which a thread waits, with its first arguments (/proc/PID/task/TID/syscall).
struct Waiting {
  int64_t call = 0;
  uint64_t arguments[4] = {};
};

// Whether an interruption changes the call's result. These calls return after part of the data, or
// leave a connection neither made nor refused, and the program would see that as the result.
bool LosesByInterruption(const Waiting& waiting) {
  constexpr int64_t kCalls[] = {SYS_write,    SYS_writev,   SYS_pwrite64,  SYS_pwritev,
                                SYS_pwritev2, SYS_sendto,   SYS_sendmsg,   SYS_sendmmsg,
                                SYS_sendfile, SYS_splice,   SYS_tee,       SYS_vmsplice,
                                SYS_connect,  SYS_recvmmsg, SYS_fallocate, SYS_copy_file_range};
  if (waiting.call == SYS_recvfrom) return (waiting.arguments[3] & MSG_WAITALL) != 0;
  if (waiting.call == SYS_recvmsg) return (waiting.arguments[2] & MSG_WAITALL) != 0;
  return std::find(std::begin(kCalls), std::end(kCalls), waiting.call) != std::end(kCalls);
}

// Whether the kernel continues the call after an interruption, for the rest of its time limit.
bool GoesOn(int64_t call) {
  constexpr int64_t kCalls[] = {SYS_futex,    SYS_poll,  SYS_ppoll,        SYS_select,
                                SYS_pselect6, SYS_wait4, SYS_nanosleep,    SYS_clock_nanosleep,
                                SYS_waitid,   SYS_pause, SYS_rt_sigsuspend};
  return std::find(std::begin(kCalls), std::end(kCalls), call) != std::end(kCalls);
}

// Whether a thread in this call is certainly not inside the C library's allocator or the loader.
bool IsOfNoLibrary(int64_t call) {
  constexpr int64_t kCalls[] = {
      SYS_pause,           SYS_poll,         SYS_ppoll,       SYS_select,    SYS_pselect6,
      SYS_epoll_wait,      SYS_wait4,        SYS_epoll_pwait, SYS_nanosleep, SYS_waitid,
      SYS_clock_nanosleep, SYS_recvfrom,     SYS_recvmsg,     SYS_accept,    SYS_accept4,
      SYS_rt_sigtimedwait, SYS_rt_sigsuspend};
  return std::find(std::begin(kCalls), std::end(kCalls), call) != std::end(kCalls);
}

}  // namespace

Status Target::Open(uint32_t pid) {
  pid_ = pid;
  process_ = "/proc/" + std::to_string(pid);
  image_ = ReadImage();
  RTL_TRY(CheckState());
  RTL_TRY(CheckNamespaces());
  RTL_TRY(ReadLibraries(pid, &libraries_, &stacks_));
  return FindFunctions();
}

// Addresses that each executed program gets anew: AT_RANDOM, AT_SYSINFO_EHDR, AT_ENTRY.
std::string Target::ReadImage() const {
  std::ifstream file(process_ + "/auxv", std::ios::binary);
  std::string words;
  char part[512];
  while (file.read(part, sizeof part) || file.gcount() > 0)
    words.append(part, static_cast<size_t>(file.gcount()));
  return words;
}

bool Target::IsSameProgram() const { return ReadImage() == image_; }

bool Target::HasEnded() const {
  for (int look = 0; seen_ && look < kLooks && ReadImage().empty(); ++look) {
    std::map<std::string, std::string> status = ReadStatus(process_ + "/status");
    const std::string& state = status["State"];
    const bool dead = state.starts_with('Z') || state.starts_with('X');
    if (status.size() == 1 || (dead && Number(status["Threads"]) < 2)) return true;
    Nap(kLookNs);
  }
  return false;
}

Status Target::CheckState() {
  std::map<std::string, std::string> status = ReadStatus(process_ + "/status");
  if (status.empty()) return Status::Error("there is no such process");
  seen_ = true;
  if (pid_ == static_cast<uint32_t>(getpid())) return Status::Error("it is this program itself");
  if (Number(status["Tgid"]) != pid_)
    return Status::Error("it is a thread of process %s", status["Tgid"].c_str());
  const std::string& state = status["State"];
  if (state.starts_with('Z') || state.starts_with('X')) {
    if (Number(status["Threads"]) < 2) return Status::Error("it has ended");
    return Status::Error(
        "its first thread has ended, and Linux shows the memory of such a process to nobody; start "
        "it with RTL_ATTACH=1 and the tracer");
  }
  if (const uint64_t tracer = Number(status["TracerPid"]); tracer != 0) {
    return Status::Error("process %llu (%s) traces it already, as a debugger does; end that first",
                         static_cast<unsigned long long>(tracer),
                         NameOf("/proc/" + std::to_string(tracer)).c_str());
  }
  if (state.starts_with('T') || state.starts_with('t'))
    return Status::Error("it is stopped; let it go on first: kill -CONT %u", pid_);
  if (const uint64_t user = Number(status["Uid"]); user != geteuid()) {
    return Status::Error("it runs as the user with number %llu; run rtl as that user",
                         static_cast<unsigned long long>(user));
  }
  has_filters_ = Number(status["Seccomp"]) != 0;
  if (Number(status["Seccomp"]) == 1)
    return Status::Error("it is in seccomp's strict mode, in which no library can be loaded");
  if (status["x86_Thread_features"].find("shstk") != std::string::npos)
    return Status::Error(
        "its threads have shadow stacks, which know no borrowed code; start it "
        "with RTL_ATTACH=1 and the tracer");
  std::ifstream program(process_ + "/exe", std::ios::binary);
  char head[EI_NIDENT] = {};
  if (!program.read(head, sizeof head)) {
    if (errno == EACCES || errno == EPERM) return WhyRefused(EPERM);
    return Status::Error("it runs no program of its own");
  }
  if (head[EI_CLASS] == ELFCLASS32) return Status::Error("it is a 32-bit program");
  return Status::Ok();
}

Status Target::CheckNamespaces() const {
  const struct {
    const char* file;
    const char* name;
  } spaces[] = {{"user", "user"}, {"pid", "process"}};
  for (const auto& space : spaces) {
    std::error_code error, mine_error;
    const fs::path theirs = fs::read_symlink(process_ + "/ns/" + space.file, error);
    const fs::path mine = fs::read_symlink(std::string("/proc/self/ns/") + space.file, mine_error);
    if (error) return WhyRefused(error.value());
    if (!mine_error && theirs != mine) {
      return Status::Error(
          "it runs in another %s namespace, as in a container; run rtl there, as `docker exec` "
          "does",
          space.name);
    }
  }
  return Status::Ok();
}

Status Target::CheckSees(const std::string& path) const {
  struct stat theirs, mine;
  if (stat((process_ + "/root" + path).c_str(), &theirs) == 0 && stat(path.c_str(), &mine) == 0 &&
      theirs.st_dev == mine.st_dev && theirs.st_ino == mine.st_ino)
    return Status::Ok();
  return Status::Error(
      "it has another view of the file system, as in a container, and does not see %s; run rtl "
      "there, or use paths that both have",
      path.c_str());
}

Status Target::WhyRefused(int error) const {
  if (error == ESRCH) return Status::Error("it has ended");
  if (error != EPERM && error != EACCES) return Status::ErrnoError(error, "it cannot be traced");
  std::ifstream file("/proc/sys/kernel/yama/ptrace_scope");
  int scope = 0;
  file >> scope;
  if (scope == 3) {
    return Status::Error(
        "this machine lets no process trace another (kernel.yama.ptrace_scope is 3, until the next "
        "boot)");
  }
  struct stat owner;
  const bool readable = stat((process_ + "/maps").c_str(), &owner) == 0;
  if (readable && owner.st_uid != geteuid()) {
    return Status::Error(
        "it does not let others look into it (PR_SET_DUMPABLE, or a program that cannot be read); "
        "grant CAP_SYS_PTRACE to rtl, or run it as root");
  }
  if (scope > 0) {
    return Status::Error(
        "kernel.yama.ptrace_scope is %d: grant CAP_SYS_PTRACE to rtl, or run it as root, or allow "
        "it with: sysctl kernel.yama.ptrace_scope=0",
        scope);
  }
  return Status::Error(
      "the system does not let this process trace it: grant CAP_SYS_PTRACE (in a container: "
      "--cap-add SYS_PTRACE)");
}

Status Target::FindFunctions() {
  bool runtime = false;
  for (const LoadedLibrary& library : libraries_) {
    if (library.name().starts_with("ld-musl") || library.name().starts_with("libc.musl")) {
      return Status::Error(
          "its C library is musl, into which no library is loaded from outside; start it with "
          "RTL_ATTACH=1 and the tracer");
    }
    runtime = runtime || library.name().starts_with("libhsa-runtime64");
  }
  if (Function("dlopen") == 0 || Function("pthread_create") == 0)
    return Status::Error("it is linked statically, or its C library is not known");
  if (!runtime) return Status::Error("it has used no GPU yet: no HSA runtime is loaded in it");
  for (const LoadedLibrary& library : libraries_) {
    if (IsLoader(library.name())) {
      Append(library.code(), &loader_);
      continue;
    }
    if (IsCLibrary(library.name())) {
      Append(library.Around(kAllocator), &allocator_);
      for (const std::string_view name : kThreads) Append(library.Only(name), &busy_);
      if (system_call_ == 0) system_call_ = library.FindBytes(kSystemCall);
      if (signal_return_ == 0) signal_return_ = library.FindBytes(kSignalReturn);
      continue;
    }
    // A library with an allocator of its own: threads inside that library may hold its locks.
    if (library.Find("malloc") != 0 && library.Find("free") != 0) Append(library.code(), &busy_);
  }
  if (system_call_ == 0) return Status::Error("its C library is not known");
  return Status::Ok();
}

uint64_t Target::Function(std::string_view name) const {
  for (const LoadedLibrary& library : libraries_) {
    if (!IsCLibrary(library.name())) continue;
    if (const uint64_t address = library.Find(name); address != 0) return address;
  }
  return 0;
}

std::vector<uint32_t> Target::Threads() const {
  std::vector<uint32_t> going_on, waiting, running;
  std::error_code error;
  for (fs::directory_iterator at(process_ + "/task", error), end; !error && at != end;
       at.increment(error)) {
    const auto thread = static_cast<uint32_t>(Number(at->path().filename()));
    std::ifstream file(at->path() / "syscall");
    std::string call;
    file >> call;
    std::map<std::string, std::string> status = ReadStatus(at->path() / "status");
    const std::string& state = status["State"];
    if (state.starts_with('D') || state.starts_with('Z') || status["Name"].starts_with("rtl-"))
      continue;
    if (call.empty() || call == "running") {
      running.push_back(thread);
      continue;
    }
    Waiting in;
    in.call = strtoll(call.c_str(), nullptr, 10);
    for (uint64_t& argument : in.arguments) file >> std::hex >> argument;
    if (LosesByInterruption(in)) continue;
    (GoesOn(in.call) ? going_on : waiting).push_back(thread);
  }
  Append(waiting, &going_on);
  Append(running, &going_on);
  return going_on;
}

// Whether the instruction before the address is a call: e8 and four bytes, or ff and a second byte
// that says call.
bool Target::IsReturnAddress(uint64_t address) const {
  uint8_t before[7] = {};
  if (address < sizeof before || !ReadMemory(pid_, address - sizeof before, before, sizeof before))
    return true;
  if (before[2] == 0xe8) return true;
  for (int at = 0; at < 6; ++at) {
    if (before[at] == 0xff && (before[at + 1] & 0x38) == 0x10) return true;
  }
  return false;
}

// Whether the call waits for something that the allocator and the loader never wait for. They read
// regular files, not pipes, terminals or sockets.
bool Target::WaitsForOthers(int64_t call, uint64_t argument) const {
  if (IsOfNoLibrary(call)) return true;
  if (call != SYS_read && call != SYS_readv) return false;
  struct stat info;
  const std::string file = process_ + "/fd/" + std::to_string(static_cast<uint32_t>(argument));
  return stat(file.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode) &&
         !S_ISBLK(info.st_mode);
}

bool Target::MayHoldLocks(uint64_t code, uint64_t stack, int64_t call, uint64_t argument) const {
  // A return address that a finished call of the allocator or the loader has left on the stack
  // looks like one of a call that still runs. So if the thread is in a system call that neither of
  // them makes, their addresses are ignored. Inside the loader only a library's initialiser makes
  // such a call; then the new thread waits for the loader's lock, not the borrowed thread.
  const bool may_allocate = !WaitsForOthers(call, argument);
  const auto is_busy = [&](uint64_t address) {
    return AnyHas(busy_, address) ||
           (may_allocate && (AnyHas(allocator_, address) || AnyHas(loader_, address)));
  };
  if (is_busy(code)) return true;
  const auto range = std::find_if(stacks_.begin(), stacks_.end(),
                                  [&](const Range& each) { return each.Has(stack); });
  if (range == stacks_.end() || range->end - stack > kMostStack) return true;
  std::vector<uint64_t> words((range->end - (stack & ~uint64_t{7})) / 8);
  if (!ReadMemory(pid_, stack & ~uint64_t{7}, words.data(), words.size() * 8)) return true;
  return std::any_of(words.begin(), words.end(), [&](uint64_t word) {
    if (word == signal_return_ && word != 0) return true;
    return is_busy(word) && IsReturnAddress(word);
  });
}

}  // namespace rtl::inject
