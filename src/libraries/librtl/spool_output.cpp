// SPDX-License-Identifier: MIT
#include "libraries/librtl/spool_output.h"

#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

#include "base/clock.h"
#include "base/environment.h"
#include "base/files_apart.h"
#include "base/log.h"
#include "base/text.h"
#include "capture/roctx/omitted_ranges.h"
#include "capture/roctx/pause.h"
#include "libraries/librtl/tool_path.h"

namespace rtl {
namespace {

constexpr uint64_t kWaitSliceNs = 20'000'000;  // between two checks that the helper is alive
// The helper must not get these variables, because it would trace itself.
constexpr const char* kNotForTheHelper[] = {"LD_PRELOAD", "HSA_TOOLS_LIB", "RTL_SPOOL",
                                            "RTL_OUTPUT", nullptr};

Status MakeAbsolute(const char* path, char* out, size_t size) {
  if (path[0] == '/') {
    if (CopyText(out, size, path)) return Status::Ok();
    return Status::Error("the path of the database is too long");
  }
  if (getcwd(out, size) == nullptr) return Status::ErrnoError(errno, "no current directory");
  const size_t used = strlen(out);
  const bool root = used == 1;
  const int added = snprintf(out + used, size - used, "%s%s", root ? "" : "/", path);
  if (added < 0 || static_cast<size_t>(added) >= size - used)
    return Status::Error("the path of the database is too long");
  return Status::Ok();
}

Status MakeParents(const char* path) {
  char parent[PATH_MAX];
  CopyText(parent, sizeof parent, path);
  for (char* slash = strchr(parent + 1, '/'); slash != nullptr; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(parent, 0777) != 0 && errno != EEXIST)
      return Status::ErrnoError(errno, "cannot create the directory %.160s", parent);
    *slash = '/';
  }
  return Status::Ok();
}

int IsRuntime(dl_phdr_info* info, size_t, void*) {
  if (info->dlpi_name == nullptr) return 0;
  const char* const slash = strrchr(info->dlpi_name, '/');
  const char* const name = slash == nullptr ? info->dlpi_name : slash + 1;
  // Python wheels rename the library, but its name still begins so.
  return strncmp(name, "libhsa-runtime64", strlen("libhsa-runtime64")) == 0 ? 1 : 0;
}

bool TracerIsNamed() {
  const char* const tools = EnvironmentValue("HSA_TOOLS_LIB");
  return tools != nullptr && strstr(tools, "librtl.so") != nullptr;
}

}  // namespace

Status SpoolOutput::Open(const Config& config) {
  if (of_parent_) {
    // Threads that this process does not have may hold the parent's locks.
    new (&mutex_) Mutex(Rank::kOutput);
    new (&writer_) spool::Writer;
    helper_ = {};
    database_[0] = '\0';
    of_parent_ = false;
  }
  exit_wait_ns_ = config.exit_wait_ns;
  launched_ = config.spool[0] != '\0' && !config.leaves;
  lost_name_ = launched_ && config.mode != Mode::kClr && !TracerIsNamed();
  if (config.leaves) {
    why_closed_ = OpenWriter(config, config.spool, false);
    return why_closed_;
  }
  if (config.spool[0] != '\0') return OpenWriter(config, config.spool, true);
  Status opened = Status::Ok();
  FilesApart([&] { opened = OpenBeside(config); });  // takes locks on files, which may take long
  if (!opened.ok()) database_[0] = '\0';
  return opened;
}

// Opens the spool that already serves the database, or makes a new one.
Status SpoolOutput::OpenBeside(const Config& config) {
  RTL_TRY(NameDatabase(config));
  const spool::OutputLock lock(database_);
  {
    UniqueFd hold;
    if (spool::FindOpenSpool(database_, directory_, sizeof directory_, &helper_, &hold) &&
        OpenWriter(config, directory_, true).ok()) {
      return Status::Ok();
    }
  }
  RTL_TRY(MakeSpool());
  const Status opened = OpenWriter(config, directory_, false);
  if (!opened.ok()) {
    (void)rmdir(directory_);  // Open has left no file in it
    return opened;
  }
  StartCollector(config);
  return Status::Ok();
}

spool::WriterOptions SpoolOutput::Options(const Config& config, const char* directory,
                                          bool tell_reader) const {
  spool::WriterOptions options;
  options.directory = directory;
  options.tell_reader = tell_reader;
  options.limit_bytes = config.spool_limit_bytes;
  options.room_wait_ns = config.room_wait_ns;
  CopyText(options.process.mode, sizeof options.process.mode, ModeName(config.mode));
  CopyText(options.process.loaded_by, sizeof options.process.loaded_by, "roctx");
  CopyText(options.process.version, sizeof options.process.version, RTL_VERSION);
  return options;
}

// `tell_reader`: another process collects the spool, and must learn of this process even if there
// is no room for its files.
Status SpoolOutput::OpenWriter(const Config& config, const char* directory, bool tell_reader) {
  const Status opened = writer_.Open(Options(config, directory, tell_reader));
  if (!opened.ok()) {
    if (!writer_.counts_only()) return opened;
    Warn("process %d is not traced, and its events are counted only: %s",
         static_cast<int>(getpid()), opened.message());
  }
  if (config.attach && writer_.is_open()) {
    writer_.control()->window.store(spool::AttachWindow::kClosed, std::memory_order_release);
  }
  return Status::Ok();
}

void SpoolOutput::SayRefused(const Config& config, const char* why) {
  if (spool::ControlPage* control = writer_.control(); control != nullptr) {
    CopyText(control->refusal, sizeof control->refusal, why);
  } else if (config.spool[0] != '\0' && !writer_.counts_only()) {
    // if it fails, the message is on stderr only
    (void)writer_.Refuse(Options(config, config.spool, true), why);
  }
}

Status SpoolOutput::NameDatabase(const Config& config) {
  char host[64] = {};
  if (gethostname(host, sizeof host - 1) != 0) CopyText(host, sizeof host, "localhost");
  char name[PATH_MAX];
  if (!ExpandPattern(config.output, static_cast<uint32_t>(getpid()), host, name, sizeof name))
    return Status::Error("the path of the database is too long");
  RTL_TRY(MakeAbsolute(name, database_, sizeof database_));
  return MakeParents(database_);
}

// Makes the directory of the spool beside the database.
Status SpoolOutput::MakeSpool() {
  struct stat info;
  if (stat(database_, &info) == 0 && !S_ISREG(info.st_mode))
    return Status::Error("%.160s is not a regular file, a database cannot be written there",
                         database_);
  const int used = snprintf(directory_, sizeof directory_, "%s%s", database_, spool::kSpoolPattern);
  if (used < 0 || static_cast<size_t>(used) >= sizeof directory_)
    return Status::Error("the path of the database is too long");
  if (mkdtemp(directory_) == nullptr)
    return Status::ErrnoError(errno, "cannot create a spool beside %.160s", database_);
  return Status::Ok();
}

void SpoolOutput::StartCollector(const Config& config) {
  char tool[PATH_MAX];
  Status status = FindTool(config.tool, tool, sizeof tool);
  if (status.ok()) {
    char pid[16];
    snprintf(pid, sizeof pid, "%d", static_cast<int>(getpid()));
    const char* const attachable = config.attach ? "--attachable" : nullptr;
    const char* const arguments[] = {"rtl",     "collect", "--spool", directory_, "--output",
                                     database_, "--pid",   pid,       attachable, nullptr};
    const EnvironmentCopy environment(kNotForTheHelper);
    status = StartHelper(tool, arguments, environment.entries(), &helper_);
  }
  if (status.ok()) {
    // If the announcement fails, the spool serves only this process, and later processes start
    // collectors of their own.
    (void)spool::AnnounceCollector(directory_, helper_);
    return;
  }
  Warn(
      "no collector: %s; the trace stays in %s, make the database with: rtl collect --spool %s "
      "--output %s",
      status.message(), directory_, directory_, database_);
  database_[0] = '\0';
}

capture::SubmittedSlots SpoolOutput::submitted_slots() {
  spool::ControlPage* control = writer_.control();
  if (control == nullptr) return {};
  return {control->queue_submitted, spool::kQueueSlots};
}

capture::CaptureCounters SpoolOutput::counters() {
  spool::ControlPage* control = writer_.control();
  capture::CaptureCounters counters;
  counters.hip_calls_submitted = writer_.SubmittedCounter(EventKind::kHipCall);
  counters.compiler_calls_submitted = writer_.SubmittedCounter(EventKind::kCompilerCall);
  if (control == nullptr) return counters;
  counters.signals_created = &control->signals_created;
  counters.signals_destroyed = &control->signals_destroyed;
  counters.queues_created = &control->queues_created;
  counters.queues_destroyed = &control->queues_destroyed;
  counters.other_packets = &control->other_packets;
  counters.looked = &control->looked;
  counters.call_cells = control->submitted.cells();
  return counters;
}

void SpoolOutput::SayEvents(EventSet events) {
  spool::ControlPage* const control = writer_.control();
  if (control != nullptr) control->events.store(events.bits(), std::memory_order_relaxed);
}

// Writes the description into the control page. The collector copies it when the process has
// finished, or is gone.
void SpoolOutput::Describe(const Facts& facts) {
  spool::ProcessInfo& process = *writer_.process();
  CopyText(process.loaded_by, sizeof process.loaded_by, facts.loaded_by);
  CopyText(process.runtime, sizeof process.runtime, facts.runtime);
  CopyText(process.mode, sizeof process.mode, facts.mode);
  CopyText(process.mode_reason, sizeof process.mode_reason, facts.mode_reason);
}

void SpoolOutput::Maintain() {
  // If Finish holds the lock, there is nothing left to maintain.
  if (!mutex_.TryLock()) return;
  writer_.Maintain();
  if (writer_.is_open()) FollowAttachment();
  capture::OmittedRanges::Follow(&writer_);
  mutex_.Unlock();
}

// Starts and stops the recording when a launcher attaches and detaches.
void SpoolOutput::FollowAttachment() {
  using spool::AttachWindow;
  spool::ControlPage& control = *writer_.control();
  const AttachWindow now = control.window.load(std::memory_order_relaxed);
  const AttachWindow wanted = control.window_wanted.load(std::memory_order_acquire);
  if (now == AttachWindow::kNone || wanted == now) return;
  if (wanted == AttachWindow::kOpen) {
    capture::Pause::End(capture::Pause::kAllThreads);
  } else if (wanted == AttachWindow::kClosed) {
    // Pausing all threads always succeeds.
    (void)capture::Pause::Begin(capture::Pause::kAllThreads);
  } else {
    return;
  }
  // records the parts of open ranges that belong to this window
  capture::OmittedRanges::Follow(&writer_);
  control.window.store(wanted, std::memory_order_release);
}

void SpoolOutput::Finish() {
  const MutexLock lock(mutex_);
  SayUnhooked();
  capture::OmittedRanges::Follow(&writer_);
  if (launched_) return writer_.NoteEnd();
  writer_.Finish();
  if (database_[0] != '\0' && writer_.is_open()) WaitForCollector();
}

// Warns that calls or markers opened the trace, but the runtime below them has not loaded the
// tracer.
void SpoolOutput::SayUnhooked() {
  if (!writer_.is_open()) return;
  spool::ControlPage& page = *writer_.control();
  const bool hooked = page.process.runtime[0] != '\0';
  if (!lost_name_ || hooked || page.refusal[0] != '\0') return;
  if (dl_iterate_phdr(IsRuntime, nullptr) == 0) return;
  CopyText(page.refusal, sizeof page.refusal,
           "HSA_TOOLS_LIB is missing or replaced in its environment (env -i, sudo or a script), so "
           "its HSA runtime did not load the tracer");
}

bool SpoolOutput::AwaitCollected(uint64_t limit_ns) {
  return !writer_.is_open() || writer_.WaitCollected(limit_ns) || writer_.Abandoned();
}

// Waits until the database is complete, for at most `exit_wait_ns_`.
void SpoolOutput::WaitForCollector() {
  const uint64_t deadline = BootTimeNs() + exit_wait_ns_;
  const auto& state = writer_.control()->collector_state;
  while (BootTimeNs() < deadline) {
    if (writer_.WaitCollected(kWaitSliceNs)) return;
    const bool left = state.load(std::memory_order_relaxed) == spool::CollectorState::kAbandoned;
    if (left || !spool::Alive(helper_)) {
      if (writer_.WaitCollected(0)) return;
      // A file with this name may not be a trace; then it is not replaced.
      const bool taken = access(database_, F_OK) == 0;
      Warn(
          "the collector ended too early; make the database with: rtl collect --spool %s "
          "--output %s",
          directory_, taken ? "FILE.db" : database_);
      return;
    }
  }
  Warn("%s is still being written", database_);
}

}  // namespace rtl
