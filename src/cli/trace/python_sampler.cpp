// SPDX-License-Identifier: MIT
#include "cli/trace/python_sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "base/clock.h"
#include "cli/base/launch.h"
#include "cli/base/program_loader.h"
#include "import/py_spy.h"
#include "trace/write/host_frames.h"

extern char** environ;

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kBetweenLooksAtPython = std::chrono::milliseconds(30);
constexpr auto kMostWait = std::chrono::seconds(30);
constexpr int kDeepestTree = 64;
constexpr size_t kMostRuns = 256;  // processes of py-spy at the same time
// A program that embeds Python maps Python's library at its start, or much later. So it is checked
// at each of the first looks, and then at every kLooksBetween-th.
constexpr uint32_t kEagerLooks = 10, kLooksBetween = 32;
// Starts of py-spy for one process: the interpreter may need time to be ready.
constexpr uint32_t kMostTries = 50;
constexpr char kInstall[] = "--python needs py-spy: pip install py-spy";

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The name of a process's executable, "python3.9". Empty: it cannot be read.
std::string ProgramOf(pid_t process) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/" + std::to_string(process) + "/exe", error);
  return error ? "" : program.filename().string();
}

bool IsPython(const std::string& program) { return program.starts_with("python"); }

// Before version 3.11 Python does not know the kernel's ids of its threads. A program named
// "python" may be of any version.
bool IsWithoutThreadIds(const std::string& program) {
  constexpr std::string_view kPython3 = "python3.";
  constexpr int kWithIds = 11;
  if (!IsPython(program)) return false;
  int minor = 0;
  if (program.starts_with(kPython3)) {
    (void)std::from_chars(program.data() + kPython3.size(), program.data() + program.size(), minor);
  }
  return minor < kWithIds;
}

// The name of the Python library in the process, without "lib". Empty: it has none.
std::string MappedPython(pid_t process) {
  const std::string maps = ReadFile("/proc/" + std::to_string(process) + "/maps");
  constexpr std::string_view kLibrary = "/libpython3.";
  const size_t at = maps.find(kLibrary);
  if (at == std::string::npos) return "";
  const size_t begin = at + kLibrary.find("python");
  return maps.substr(begin, maps.find_first_of(" \n", begin) - begin);
}

std::vector<pid_t> ChildrenOf(pid_t process) {
  std::vector<pid_t> children;
  std::error_code error;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (fs::directory_iterator task(tasks, error), end; !error && task != end;
       task.increment(error)) {
    std::istringstream list(ReadFile(task->path().string() + "/children"));
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

// Starts a program whose output goes to a file. It gets its own process group, because signals of
// the terminal are meant for the traced program.
pid_t Spawn(const std::vector<std::string>& words, const std::string& log) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, words[0].c_str(), &files, &attributes, Pointers(words).data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return failed == 0 ? child : 0;
}

// The line in which py-spy reports its error, without its prefix.
std::string ErrorIn(const std::string& log) {
  std::istringstream lines(ReadFile(log));
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Error: ")) return line.substr(7);
    if (!line.empty()) last = line;
  }
  return last;
}

bool IsRefusal(const std::string& why) {
  return why.find("ermission") != std::string::npos ||
         why.find("not permitted") != std::string::npos;
}

// The path relative to `folder`, or to the folder of installed packages.
std::string Shortened(const std::string& file, const std::string& folder) {
  if (file.starts_with(folder)) return file.substr(folder.size());
  for (const std::string_view packages : {"/site-packages/", "/dist-packages/"}) {
    const size_t at = file.rfind(packages);
    if (at != std::string::npos) return file.substr(at + packages.size());
  }
  const size_t python = file.rfind("/lib/python");
  const size_t slash = python == std::string::npos ? python : file.find('/', python + 5);
  return slash == std::string::npos ? file : file.substr(slash + 1);
}

}  // namespace

Status PythonSampler::Find(const std::string& program) {
  // A virtual environment has both Python and py-spy in one folder.
  const std::string path = FindProgram(program);
  const size_t slash = path.rfind('/');
  if (slash != std::string::npos) {
    const std::string beside = path.substr(0, slash + 1) + "py-spy";
    if (access(beside.c_str(), X_OK) == 0) py_spy_ = beside;
  }
  if (py_spy_.empty()) py_spy_ = FindProgram("py-spy");
  if (py_spy_.empty()) return Status::Error("%s", kInstall);
  RTL_TRY(folder_.Make("rtl-python", "samples of Python"));
  const std::string log = folder_.path() + "/version";
  const uint64_t began = BootTimeNs();
  const pid_t child = Spawn({py_spy_, "--version"}, log);
  int status = 0;
  if (child == 0 || waitpid(child, &status, 0) != child || status != 0) {
    return Status::Error("%s cannot be started; %s", py_spy_.c_str(), kInstall);
  }
  start_ns_ = BootTimeNs() - began;
  version_ = ReadFile(log);
  version_ = version_.substr(0, version_.find('\n'));
  return Status::Ok();
}

void PythonSampler::Start(pid_t program) {
  if (thread_.Start([this, program] { Watch(program); }) != 0)
    failed_ = "no thread could be started";
}

void PythonSampler::Watch(pid_t program) {
  for (auto wait = std::chrono::milliseconds(0); thread_.Pause(wait);
       wait = kBetweenLooksAtPython) {
    std::erase_if(running_, [&](Run& run) { return Reap(&run, false); });
    if (refused_.empty()) LookAt(program);
  }
}

// The name of the executable or of the mapped library that is Python. Empty: the process has no
// Python.
std::string PythonSampler::PythonOf(pid_t process) {
  std::string program = ProgramOf(process);
  if (IsPython(program)) return program;
  Embedding& known = embeddings_[process];
  const bool is_time = known.looks < kEagerLooks || known.looks % kLooksBetween == 0;
  ++known.looks;
  if (known.python.empty() && is_time) known.python = MappedPython(process);
  return known.python;
}

void PythonSampler::LookAt(pid_t process) {
  struct Entry {
    pid_t process;
    bool covered;  // sampled by the py-spy of an ancestor
    int depth;
  };
  std::vector<Entry> rest = {{process, false, 0}};
  while (!rest.empty()) {
    Entry entry = rest.back();
    rest.pop_back();
    if (!entry.covered && sampled_.contains(entry.process)) {
      entry.covered = true;
    } else if (!entry.covered && !PythonOf(entry.process).empty()) {
      Sample(entry.process);
      entry.covered = true;
    }
    if (entry.covered) {
      if (!IsWithoutThreadIds(PythonOf(entry.process))) continue;
      handles_.LookAt(entry.process, BootTimeNs());
    }
    if (entry.depth >= kDeepestTree) continue;
    for (const pid_t child : ChildrenOf(entry.process))
      rest.push_back({child, entry.covered, entry.depth + 1});
  }
}

void PythonSampler::Sample(pid_t process) {
  if (running_.size() >= kMostRuns || ++tries_[process] > kMostTries) return;
  Run run;
  run.python = process;
  const std::string stem = folder_.path() + "/python-" + std::to_string(next_file_++);
  run.file = stem + ".json";
  run.log = stem + ".log";
  run.began = BootTimeNs() + start_ns_;
  run.py_spy = Spawn({py_spy_, "record", "--pid", std::to_string(process), "--subprocesses",
                      "--nonblocking", "--idle", "--threads", "--full-filenames", "--rate",
                      std::to_string(hz_), "--format", "chrometrace", "--output", run.file},
                     run.log);
  if (run.py_spy == 0) return;
  sampled_.insert(process);
  running_.push_back(std::move(run));
}

// True: py-spy has ended. If it came before the interpreter was ready, the next look starts it
// again.
bool PythonSampler::Reap(Run* run, bool wait) {
  int status = 0;
  if (waitpid(run->py_spy, &status, wait ? 0 : WNOHANG) != run->py_spy) return false;
  sampled_.erase(run->python);
  if (access(run->file.c_str(), R_OK) == 0) {
    ended_.push_back(*run);
  } else {
    const std::string why = ErrorIn(run->log);
    (IsRefusal(why) ? refused_ : failed_) = why;
  }
  return true;
}

void PythonSampler::Stop() {
  thread_.Stop();
  // py-spy ends when its process has ended, but it samples children too, and these may live on. So
  // they are signalled after a time.
  const auto limit = std::chrono::steady_clock::now() + kMostWait;
  for (int signals = 0; !running_.empty(); ++signals) {
    const bool is_late = std::chrono::steady_clock::now() >= limit;
    for (const Run& run : running_) {
      if (is_late || signals == 20) (void)kill(run.py_spy, is_late ? SIGKILL : SIGINT);
    }
    std::erase_if(running_, [&](Run& run) { return Reap(&run, is_late); });
    if (!running_.empty()) usleep(10'000);
  }
}

// The thread's id. A thread that ended before its handle was read gets a number that no thread has.
uint32_t PythonSampler::ThreadOf(const import::SampledFrame& frame, uint64_t began,
                                 std::map<std::pair<uint32_t, uint64_t>, uint32_t>* others) const {
  if (frame.tid != 0) return frame.tid;
  const uint64_t middle = began + static_cast<uint64_t>(frame.start + frame.end) / 2;
  const uint32_t known = handles_.ThreadOf(static_cast<pid_t>(frame.pid), frame.handle, middle);
  if (known != 0) return known;
  if (frame.is_main) return frame.pid;
  constexpr uint32_t kFirstOther = 1u << 30;
  const auto next = kFirstOther + static_cast<uint32_t>(others->size());
  return others->try_emplace({frame.pid, frame.handle}, next).first->second;
}

Status PythonSampler::AddTo(const std::string& database,
                            std::vector<std::string>* sentences) const {
  if (!refused_.empty()) {
    sentences->push_back(
        "Python stacks are not sampled: py-spy may not read the program's memory (" + refused_ +
        "); allow it with sysctl kernel.yama.ptrace_scope=0, in a container with"
        " --cap-add=SYS_PTRACE, or as root");
    return Status::Ok();
  }
  if (ended_.empty()) {
    sentences->push_back(failed_.empty() ? "Python stacks are not sampled: no Python process ran"
                                         : "Python stacks are not sampled: " + failed_);
    return Status::Ok();
  }
  store::HostFrameWriter writer;
  RTL_TRY(writer.Open(database, std::to_string(hz_) + " Hz, " + version_));
  std::error_code ignored;  // if this fails, paths are not shortened
  const std::string folder = fs::current_path(ignored).string() + "/";
  Status status = Status::Ok();
  std::string name;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> others;
  // A stack begins and ends between two samples: on average half an interval before the sample that
  // shows it.
  const uint64_t half = 500'000'000 / hz_;
  for (const Run& run : ended_) {
    const uint64_t began = run.began - half;
    const auto add = [&](const import::SampledFrame& frame) {
      if (!status.ok()) return;
      name =
          Shortened(frame.file, folder) + "(" + std::to_string(frame.line) + "): " + frame.function;
      status = writer.Add({.pid = frame.pid,
                           .tid = ThreadOf(frame, began, &others),
                           .command = frame.command,
                           .name = name,
                           .file = frame.file,
                           .start = began + static_cast<uint64_t>(frame.start),
                           .end = began + static_cast<uint64_t>(frame.end)});
    };
    uint64_t lost = 0;
    const Status read = import::ReadPySpy(run.file, add, &lost);
    if (lost != 0) {
      sentences->push_back("samples of Python: " + std::to_string(lost) +
                           (lost == 1 ? " frame has" : " frames have") +
                           " no begin, no end or no duration, and are left out");
    }
    if (!read.ok())
      sentences->push_back(std::string("samples of Python are lost: ") + read.message());
  }
  RTL_TRY(status);
  return writer.Commit();
}

}  // namespace rtl::cli
