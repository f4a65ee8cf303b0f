// SPDX-License-Identifier: MIT
#include "analysis/host_lines.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "analysis/text.h"

namespace rtl::analysis {
namespace {

using Thread = std::pair<int64_t, uint32_t>;  // rtl_process.id, tid

bool Has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// Python's own files and installed packages.
bool IsLibrary(std::string_view file) {
  return Has(file, "/lib/python") || Has(file, "/lib64/python") || Has(file, "/site-packages/") ||
         Has(file, "/dist-packages/") || file.starts_with("<frozen");
}

bool WaitsForOthers(std::string_view file) {
  if (!IsLibrary(file)) return false;
  for (const char* part :
       {"/multiprocessing/", "/queue.py", "/selectors.py", "/threading.py", "/subprocess.py",
        "/concurrent/futures/", "/socket.py", "/torch/utils/data/"}) {
    if (Has(file, part)) return true;
  }
  return false;
}

std::string BaseName(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

// A frame as the trace has it: the parts of its name "data.py(88): load_batch", and its path.
struct Frame {
  std::string function, file;
  uint32_t line = 0;
  bool is_library = false, waits = false;
};

// A time in which a thread's innermost frames stayed the same.
struct Piece {
  uint64_t start = 0, end = 0;
  uint32_t line = 0;       // index of the innermost frame in the program's own files
  uint32_t innermost = 0;  // index of the innermost frame
};

class Stacks {
 public:
  Status Read(query::TraceReader& trace) {
    RTL_TRY(trace.SampledFrames([&](const query::SampledFrameRow& row) { Add(row); }));
    Close(UINT64_MAX);
    frames_.resize(names_.size());
    for (const auto& [key, index] : names_) {
      std::string_view name;
      RTL_TRY(trace.Text(key.first, &name));
      Frame& frame = frames_[index];
      ReadName(name, &frame);
      RTL_TRY(trace.Text(key.second, &frame.file));
      frame.is_library = IsLibrary(frame.file);
      frame.waits = WaitsForOthers(frame.file);
    }
    for (auto& [thread, pieces] : pieces_) ChooseLines(&pieces);
    return Status::Ok();
  }

  bool empty() const { return pieces_.empty(); }
  const Frame& frame(uint32_t index) const { return frames_[index]; }
  uint32_t PidOf(int64_t process) const { return pids_.at(process); }

  // Calls visit(piece, ns) for each piece of the thread's time between `start` and `end`.
  template <typename Visit>
  void Each(const Thread& thread, uint64_t start, uint64_t end, const Visit& visit) const {
    const auto known = pieces_.find(thread);
    if (known == pieces_.end()) return;
    const std::vector<Piece>& pieces = known->second;
    auto piece = std::partition_point(pieces.begin(), pieces.end(),
                                      [&](const Piece& each) { return each.end <= start; });
    for (; piece != pieces.end() && piece->start < end; ++piece) {
      visit(*piece, std::min(piece->end, end) - std::max(piece->start, start));
    }
  }

  template <typename Visit>
  void EachThread(const Visit& visit) const {
    for (const auto& [thread, pieces] : pieces_) visit(thread);
  }

 private:
  struct Open {
    uint64_t end;
    uint32_t frame;
  };

  // Reads "data.py(88): load_batch".
  static void ReadName(std::string_view name, Frame* frame) {
    const size_t close = name.find("): ");
    const size_t open = close == std::string_view::npos ? close : name.rfind('(', close);
    if (open == std::string_view::npos) {
      frame->function = std::string(name);
      return;
    }
    frame->function = std::string(name.substr(close + 3));
    // On failure: 0.
    (void)std::from_chars(name.data() + open + 1, name.data() + close, frame->line);
  }

  // Frames of a thread come in the order of their starts, outer frames first.
  void Add(const query::SampledFrameRow& row) {
    const Thread thread = {row.process, row.tid};
    pids_[row.process] = row.pid;
    if (thread != thread_) {
      Close(UINT64_MAX);
      thread_ = thread;
    }
    Close(row.start);
    Emit(row.start);
    const auto [name, is_new] =
        names_.try_emplace({row.name, row.file}, static_cast<uint32_t>(names_.size()));
    open_.push_back({row.end, name->second});
  }

  // Ends the frames that end at `time` or earlier.
  void Close(uint64_t time) {
    while (!open_.empty() && open_.back().end <= time) {
      Emit(open_.back().end);
      open_.pop_back();
    }
  }

  // Assigns the time since the last change of the stack to the stack that is open.
  void Emit(uint64_t time) {
    if (!open_.empty() && time > since_) {
      std::vector<uint32_t> stack;
      for (const Open& each : open_) stack.push_back(each.frame);
      stacks_.push_back(std::move(stack));
      pieces_[thread_].push_back(
          {std::max(since_, begin_), time, static_cast<uint32_t>(stacks_.size() - 1), 0});
    }
    since_ = time;
  }

  bool AreOneLine(uint32_t one, uint32_t other) const {
    return frames_[one].line == frames_[other].line && frames_[one].file == frames_[other].file;
  }

  // Replaces the index of a stack, which Piece::line holds until now, by the index of a frame. A
  // comprehension or a lambda has a frame of its own on a line of the enclosing function; the
  // enclosing function is named.
  void ChooseLines(std::vector<Piece>* pieces) {
    for (Piece& piece : *pieces) {
      const std::vector<uint32_t>& stack = stacks_[piece.line];
      piece.innermost = piece.line = stack.back();
      bool is_found = false;
      for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
        if (frames_[*frame].is_library) continue;
        if (is_found && !AreOneLine(*frame, piece.line)) break;
        piece.line = *frame;
        is_found = true;
      }
      if (AreOneLine(piece.innermost, piece.line)) piece.innermost = piece.line;
    }
  }

  std::map<std::pair<int64_t, int64_t>, uint32_t> names_;  // name and file
  std::vector<Frame> frames_;
  std::vector<std::vector<uint32_t>> stacks_;
  std::map<Thread, std::vector<Piece>> pieces_;
  std::map<int64_t, uint32_t> pids_;  // pid by rtl_process.id
  Thread thread_ = {};
  std::vector<Open> open_;
  uint64_t since_ = 0, begin_ = 0;
};

std::string TextOf(const Frame& frame) {
  return frame.function + ", " + BaseName(frame.file) + ":" + std::to_string(frame.line);
}

// Sums one GPU's idle time by line of Python.
class Sums {
 public:
  explicit Sums(const Stacks& stacks) : stacks_(stacks) {}

  void Add(const IdlePart& gap) {
    const Thread thread = {gap.process, gap.tid};
    lines_.idle += gap.end - gap.start;
    stacks_.Each(thread, gap.start, gap.end, [&](const Piece& piece, uint64_t ns) {
      lines_.sampled += ns;
      Sum& sum = sums_[piece.line];
      sum.total += ns;
      sum.process = thread.first;
      sum.inside[piece.innermost] += ns;
      if (!stacks_.frame(piece.innermost).waits) return;
      sum.waited += ns;
      const uint64_t from = std::max(piece.start, gap.start), to = std::min(piece.end, gap.end);
      stacks_.EachThread([&](const Thread& other) {
        if (other == thread) return;
        stacks_.Each(other, from, to, [&](const Piece& theirs, uint64_t part) {
          if (!stacks_.frame(theirs.innermost).waits) sum.others[{other, theirs.line}] += part;
        });
      });
    });
  }

  HostLines Finish() {
    for (const auto& [index, sum] : sums_) {
      const Frame& frame = stacks_.frame(index);
      HostLine line;
      line.function = frame.function;
      line.file = frame.file;
      line.line = frame.line;
      line.total = sum.total;
      line.waits = 2 * sum.waited > sum.total;
      if (const auto most = Most(sum.inside); most->first != index && 2 * most->second > sum.total)
        line.inside = TextOf(stacks_.frame(most->first));
      if (line.waits && !sum.others.empty()) {
        const auto most = Most(sum.others);
        const Thread& thread = most->first.first;
        line.other_pid = stacks_.PidOf(thread.first);
        line.other_tid = thread.second;
        line.is_same_process = sum.process == thread.first;
        line.other = TextOf(stacks_.frame(most->first.second));
        line.other_total = most->second;
      }
      lines_.lines.push_back(std::move(line));
    }
    std::sort(lines_.lines.begin(), lines_.lines.end(), [](const HostLine& a, const HostLine& b) {
      return a.total != b.total ? a.total > b.total : a.Text() < b.Text();
    });
    return std::move(lines_);
  }

 private:
  struct Sum {
    uint64_t total = 0, waited = 0;
    int64_t process = 0;
    std::map<uint32_t, uint64_t> inside;                     // time by innermost frame
    std::map<std::pair<Thread, uint32_t>, uint64_t> others;  // time by thread and line
  };

  template <typename Map>
  static typename Map::const_iterator Most(const Map& map) {
    return std::max_element(map.begin(), map.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
  }

  const Stacks& stacks_;
  HostLines lines_;
  std::map<uint32_t, Sum> sums_;
};

}  // namespace

std::string HostLine::Text() const {
  return function + ", " + BaseName(file) + ":" + std::to_string(line);
}

std::string HostLine::Other() const {
  const std::string who = is_same_process ? "thread " + std::to_string(other_tid)
                                          : "process " + std::to_string(other_pid);
  return who + ": " + other;
}

std::string HostLines::Sentence() const {
  constexpr size_t kMost = 3;
  constexpr uint64_t kLeastPart = 20;  // a line with less than a twentieth is not named
  std::string text;
  for (size_t i = 0; i < std::min(kMost, lines.size()); ++i) {
    const HostLine& line = lines[i];
    if (line.total * kLeastPart < idle) break;
    text += (text.empty() ? "Lines: " : "; ") + line.Text() + " (" +
            Percent(static_cast<double>(line.total) / static_cast<double>(idle));
    if (!line.other.empty()) text += ", meanwhile " + line.Other();
    text += ")";
  }
  return text.empty() ? text : text + ".";
}

Status FindHostLines(query::TraceReader& trace, std::map<int32_t, HostLines>* out) {
  out->clear();
  Stacks stacks;
  RTL_TRY(stacks.Read(trace));
  if (stacks.empty()) return Status::Ok();
  std::map<int32_t, Sums> sums;
  IdleAnalysis unused;
  RTL_TRY(AnalyzeIdleTime(trace, &unused, [&](const IdlePart& gap) {
    if (gap.cause == IdleCause::kHostCode) sums.try_emplace(gap.gpu, stacks).first->second.Add(gap);
  }));
  for (auto& [gpu, sum] : sums) out->emplace(gpu, sum.Finish());
  return Status::Ok();
}

}  // namespace rtl::analysis
