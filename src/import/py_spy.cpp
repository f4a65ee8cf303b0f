// SPDX-License-Identifier: MIT
// py-spy identifies threads by their pthread handles. The two outermost frames name the process and
// the thread: `process 572:"python3 train.py"` and `thread (635): MainThread`. The number is the
// thread id of the system's kernel if py-spy knows it, else the handle.
#include "import/py_spy.h"

#include <map>
#include <utility>
#include <vector>

#include "import/chrome_json.h"
#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

class PySpy : public ChromeReader {
 public:
  explicit PySpy(const std::function<void(const SampledFrame&)>& take) : take_(take) {}

  Status TakeFact(const std::string&, const std::string&) override { return Status::Ok(); }

  Status TakeEvent(const ChromeEvent& event) override {
    const bool is_begin = event.phase == "B";
    if (!is_begin && event.phase != "E") return Status::Ok();
    Thread& thread = threads_[{event.pid, event.tid}];
    // An event without a time still takes its place in the order of events.
    const int64_t time = event.has_start ? event.start : -1;
    if (is_begin) {
      Begin(event, time, &thread);
    } else if (thread.open.empty()) {
      ++ends_;
    } else {
      End(event, time, &thread);
    }
    return Status::Ok();
  }

  uint64_t lost() const {
    uint64_t lost = ends_ + untimed_;
    for (const auto& [id, thread] : threads_) {
      for (const SampledFrame& frame : thread.open) lost += frame.file.empty() ? 0 : 1;
    }
    return lost;
  }

 private:
  struct Thread {
    uint32_t tid = 0;
    bool is_main = true;
    std::string command;
    std::vector<SampledFrame> open;
  };

  static void Begin(const ChromeEvent& event, int64_t time, Thread* thread) {
    SampledFrame frame;
    frame.function = event.name;
    frame.file = event.Arg("filename");
    frame.line = static_cast<uint32_t>(AnyNumber(event.Arg("line")));
    frame.start = time;
    if (frame.file.empty()) Describe(frame.function, thread);
    thread->open.push_back(std::move(frame));
  }

  void End(const ChromeEvent& event, int64_t time, Thread* thread) {
    SampledFrame frame = std::move(thread->open.back());
    thread->open.pop_back();
    if (frame.file.empty()) return;
    frame.end = time;
    if (frame.start < 0 || frame.end <= frame.start || frame.end > kLatestSample) {
      ++untimed_;
      return;
    }
    frame.pid = static_cast<uint32_t>(AnyNumber(event.pid));
    frame.tid = thread->tid;
    frame.handle = AnyNumber(event.tid);
    frame.is_main = thread->is_main;
    frame.command = thread->command;
    take_(frame);
  }

  static void Describe(const std::string& name, Thread* thread) {
    constexpr std::string_view kThread = "thread (", kProcess = "process ";
    if (name.starts_with(kThread)) {
      const std::string_view id = std::string_view(name).substr(kThread.size());
      thread->tid = id.starts_with("0x") ? 0 : static_cast<uint32_t>(AnyNumber(id));
      const size_t own_name = id.find("): ");
      thread->is_main = own_name == std::string_view::npos || id.ends_with("): MainThread");
    } else if (name.starts_with(kProcess)) {
      const size_t open = name.find('"'), close = name.rfind('"');
      if (open < close) thread->command = name.substr(open + 1, close - open - 1);
    }
  }

  const std::function<void(const SampledFrame&)>& take_;
  std::map<std::pair<std::string, std::string>, Thread> threads_;
  uint64_t ends_ = 0;  // ends without a begin
  uint64_t untimed_ = 0;
};

}  // namespace

Status ReadPySpy(const std::string& path, const std::function<void(const SampledFrame&)>& take,
                 uint64_t* lost) {
  PySpy reader(take);
  const Status read = ReadChromeJson(path, &reader);
  *lost = reader.lost();
  return read;
}

}  // namespace rtl::import
