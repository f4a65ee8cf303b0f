// SPDX-License-Identifier: MIT
// py-spy names threads by their pthread handles. Its two outermost frames say whose they are:
// `process 572:"python3 train.py"` and `thread (635): MainThread`, with the kernel's thread id where
// it knows it, else with the handle.
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
    if (!event.has_start) return Status::Ok();
    Thread& thread = threads_[{event.pid, event.tid}];
    if (event.phase == "B") {
      SampledFrame frame;
      frame.function = event.name;
      frame.file = event.Arg("filename");
      frame.line = static_cast<uint32_t>(AnyNumber(event.Arg("line")));
      frame.start = event.start;
      if (frame.file.empty()) Describe(frame.function, &thread);
      thread.open.push_back(std::move(frame));
    } else if (event.phase == "E" && !thread.open.empty()) {
      SampledFrame frame = std::move(thread.open.back());
      thread.open.pop_back();
      if (frame.file.empty()) return Status::Ok();
      frame.end = event.start;
      frame.pid = static_cast<uint32_t>(AnyNumber(event.pid));
      frame.tid = thread.tid;
      frame.handle = AnyNumber(event.tid);
      frame.is_main = thread.is_main;
      frame.command = thread.command;
      take_(frame);
    }
    return Status::Ok();
  }

 private:
  struct Thread {
    uint32_t tid = 0;
    bool is_main = true;
    std::string command;
    std::vector<SampledFrame> open;
  };

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
};

}  // namespace

Status ReadPySpy(const std::string& path, const std::function<void(const SampledFrame&)>& take) {
  PySpy reader(take);
  return ReadChromeJson(path, &reader);
}

}  // namespace rtl::import
