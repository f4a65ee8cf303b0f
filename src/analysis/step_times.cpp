// SPDX-License-Identifier: MIT
#include "analysis/step_times.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>

namespace rtl::analysis {
namespace {

constexpr uint8_t kServer = 0, kTorch = 1, kNumbered = 2, kWord = 3;
constexpr std::string_view kWords[] = {"step", "iteration", "iter"};
// Needed to take a word without a number for a step, and to call a step slow.
constexpr size_t kFewestSteps = 3;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The number after `word`; nothing where the text has no such word.
std::optional<uint64_t> NumberAfter(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  uint64_t number = 0;
  size_t digit = at + word.size();
  if (digit >= text.size() || !IsDigit(text[digit])) return std::nullopt;
  for (; digit < text.size() && IsDigit(text[digit]) && number < 1'000'000'000; ++digit)
    number = number * 10 + static_cast<uint64_t>(text[digit] - '0');
  return number;
}

std::optional<StepName> ServerStep(std::string_view name) {
  if (name.starts_with("step[")) {
    if (name.starts_with("step[DECODE")) return StepName{StepKind::kDecode, kServer};
    if (name.starts_with("step[EXTEND") || name.starts_with("step[PREFILL"))
      return StepName{StepKind::kPrefill, kServer};
    if (name.starts_with("step[MIXED")) return StepName{StepKind::kMixed, kServer};
    return StepName{StepKind::kPlain, kServer};
  }
  if (!name.starts_with("execute_")) return std::nullopt;
  const std::optional<uint64_t> prefills = NumberAfter(name, "context_");
  const std::optional<uint64_t> decodes = NumberAfter(name, "generation_");
  if (!prefills || !decodes) return std::nullopt;
  if (*prefills > 0 && *decodes > 0) return StepName{StepKind::kMixed, kServer};
  return StepName{*prefills > 0 ? StepKind::kPrefill : StepKind::kDecode, kServer};
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

struct Step {
  uint64_t start = 0, end = 0;
  int64_t name = 0;  // id of the range's name; zero: the step was found by repetition
  StepKind kind = StepKind::kPlain;
};

// A kernel, and when it was launched.
struct Launched {
  int64_t process = 0, name = 0;
  uint64_t launched = 0;  // start of the launching call; without a call the time of submission
  uint64_t start = 0, end = 0;
  int32_t gpu = 0;
};

struct OfStep {
  uint64_t busy = 0, gaps = 0, kernels = 0, launches = 0;
};

class StepFinder {
 public:
  explicit StepFinder(query::TraceReader& trace) : trace_(trace) {}

  Status Run(std::vector<StepGroup>* out) {
    RTL_TRY(ReadRanges());
    RTL_TRY(ReadKernels());
    std::vector<query::Process> processes;
    RTL_TRY(trace_.tables().Processes(&processes));
    for (const query::Process& process : processes) RTL_TRY(FindOf(process, out));
    std::sort(out->begin(), out->end(), [](const StepGroup& a, const StepGroup& b) {
      if (a.total != b.total) return a.total > b.total;
      return a.process != b.process ? a.process < b.process : a.kind < b.kind;
    });
    return Status::Ok();
  }

 private:
  struct Ranges {
    uint8_t rank = UINT8_MAX;
    std::vector<Step> steps;
  };

  Status ReadRanges() {
    query::MarkerCursor cursor;
    RTL_TRY(trace_.MarkersByStart(&cursor));
    std::unordered_map<int64_t, std::optional<StepName>> names;
    return cursor.Each([&](const query::MarkerRow& row) {
      if (row.is_mark || row.end <= row.start) return Status::Ok();
      const auto [known, is_new] = names.try_emplace(row.name);
      if (is_new) {
        std::string_view text;
        RTL_TRY(trace_.Text(row.name, &text));
        known->second = StepNameOf(text);
      }
      if (!known->second) return Status::Ok();
      Ranges& ranges = ranges_[row.process];
      if (known->second->rank > ranges.rank) return Status::Ok();
      if (known->second->rank < ranges.rank) ranges = {known->second->rank, {}};
      std::vector<Step>& steps = ranges.steps;
      if (!steps.empty() && row.start < steps.back().end) {
        // SGLang marks a step twice, and only the inner range has the kind of the step.
        if (steps.back().kind == StepKind::kPlain) steps.back().kind = known->second->kind;
        return Status::Ok();
      }
      steps.push_back({row.start, row.end, row.name, known->second->kind});
      return Status::Ok();
    });
  }

  // All kernels that have a call, by start. If the trace has no calls, all kernels.
  Status ReadKernels() {
    query::LaunchCursor launches;
    RTL_TRY(trace_.Launches(&launches));
    RTL_TRY(launches.Each([this](const query::LaunchRow& launch) {
      kernels_.push_back(
          {launch.process, launch.name, launch.call_start, launch.start, launch.end, launch.gpu});
    }));
    has_calls_ = !kernels_.empty();
    if (!has_calls_) {
      query::KernelSpanCursor spans;
      RTL_TRY(trace_.SpansByStart(&spans));
      RTL_TRY(spans.Each([this](const query::KernelSpan& span) {
        const uint64_t submitted = span.submit != 0 ? span.submit : span.start;
        kernels_.push_back({span.process, span.name, submitted, span.start, span.end, span.gpu});
      }));
    }
    std::sort(kernels_.begin(), kernels_.end(), [](const Launched& a, const Launched& b) {
      if (a.process != b.process) return a.process < b.process;
      return a.start != b.start ? a.start < b.start : a.launched < b.launched;
    });
    return Status::Ok();
  }

  Status FindOf(const query::Process& process, std::vector<StepGroup>* out) {
    const auto [begin, end] = std::equal_range(
        kernels_.begin(), kernels_.end(), Launched{.process = process.id},
        [](const Launched& a, const Launched& b) { return a.process < b.process; });
    const std::span<const Launched> kernels(begin, end);
    std::vector<Step> steps;
    const auto ranges = ranges_.find(process.id);
    if (ranges != ranges_.end()) steps = std::move(ranges->second.steps);
    const bool is_word = ranges != ranges_.end() && ranges->second.rank == kWord;
    if (is_word && steps.size() < kFewestSteps) steps.clear();
    const bool by_repetition = steps.empty();
    if (by_repetition) steps = Repetitions(kernels);
    if (steps.empty()) return Status::Ok();
    // A step found by repetition has the kernels that start in it; a step that is a range has the
    // kernels that were launched in it.
    std::vector<int64_t> step_of(kernels.size(), -1);
    for (size_t i = 0; i < kernels.size(); ++i)
      step_of[i] = StepAt(steps, by_repetition ? kernels[i].start : kernels[i].launched);
    std::vector<OfStep> facts = Measure(kernels, step_of, steps.size());
    for (const StepKind kind :
         {StepKind::kPlain, StepKind::kPrefill, StepKind::kDecode, StepKind::kMixed}) {
      std::vector<size_t> members;
      for (size_t i = 0; i < steps.size(); ++i)
        if (steps[i].kind == kind) members.push_back(i);
      if (members.empty()) continue;
      StepGroup group;
      group.process = process.id;
      group.pid = process.pid;
      group.rank = process.rank;
      group.kind = kind;
      if (!by_repetition) RTL_TRY(trace_.Text(steps[members[0]].name, &group.name));
      Add(steps, members, facts, &group);
      RTL_TRY(FindSlow(steps, members, kernels, step_of, &group));
      out->push_back(std::move(group));
    }
    return Status::Ok();
  }

  static int64_t StepAt(const std::vector<Step>& steps, uint64_t time) {
    const auto next =
        std::upper_bound(steps.begin(), steps.end(), time,
                         [](uint64_t moment, const Step& step) { return moment < step.start; });
    if (next == steps.begin() || time >= std::prev(next)->end) return -1;
    return std::prev(next) - steps.begin();
  }

  // Finds steps as repetitions in the kernels of the busiest GPU. Empty: the kernels do not repeat.
  static std::vector<Step> Repetitions(std::span<const Launched> kernels) {
    std::map<int32_t, uint64_t> time;
    for (const Launched& each : kernels) time[each.gpu] += each.end - each.start;
    if (time.empty()) return {};
    const int32_t gpu =
        std::max_element(time.begin(), time.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
    std::vector<int64_t> names;
    std::vector<uint64_t> starts;
    for (const Launched& each : kernels) {
      if (each.gpu != gpu) continue;
      names.push_back(each.name);
      starts.push_back(each.start);
    }
    std::vector<Step> steps;
    const std::vector<size_t> begins = FindRepetition(names);
    for (size_t i = 0; i + 1 < begins.size(); ++i) {
      const uint64_t start = starts[begins[i]], end = starts[begins[i + 1]];
      if (end > start) steps.push_back({start, end});
    }
    return steps;
  }

  // `kernels`: those of one process, by start.
  std::vector<OfStep> Measure(std::span<const Launched> kernels,
                              const std::vector<int64_t>& step_of, size_t steps) const {
    std::vector<OfStep> facts(steps);
    struct Gpu {
      int64_t step = -1;
      uint64_t until = 0;
      uint64_t launched = UINT64_MAX;  // when the previous kernel was launched
    };
    std::map<int32_t, Gpu> gpus;
    for (size_t i = 0; i < kernels.size(); ++i) {
      const Launched& kernel = kernels[i];
      Gpu& gpu = gpus[kernel.gpu];
      const int64_t step = step_of[i];
      const bool is_new_launch = kernel.launched != gpu.launched;
      if (step >= 0) {
        OfStep& fact = facts[static_cast<size_t>(step)];
        ++fact.kernels;
        if (is_new_launch) ++fact.launches;
        if (kernel.end > gpu.until) fact.busy += kernel.end - std::max(kernel.start, gpu.until);
        const bool was_late = is_new_launch && gpu.step == step && kernel.start > gpu.until &&
                              kernel.launched >= gpu.until;
        if (was_late && kernel.start - gpu.until <= kLongestLaunchGap)
          fact.gaps += kernel.start - gpu.until;
      }
      gpu.step = step;
      gpu.until = std::max(gpu.until, kernel.end);
      gpu.launched = kernel.launched;
    }
    return facts;
  }

  void Add(const std::vector<Step>& steps, const std::vector<size_t>& members,
           const std::vector<OfStep>& facts, StepGroup* group) const {
    std::vector<uint64_t> times;
    double squares = 0;
    for (const size_t i : members) {
      times.push_back(steps[i].end - steps[i].start);
      group->total += times.back();
      group->kernels += facts[i].kernels;
      group->launches += has_calls_ ? facts[i].launches : 0;
      group->gpu_busy += facts[i].busy;
      group->launch_gaps += facts[i].gaps;
    }
    group->steps = members.size();
    const double average = static_cast<double>(group->total) / static_cast<double>(times.size());
    for (const uint64_t time : times)
      squares += (static_cast<double>(time) - average) * (static_cast<double>(time) - average);
    if (average > 0) {
      group->variation = std::sqrt(squares / static_cast<double>(times.size())) / average;
    }
    std::sort(times.begin(), times.end());
    group->min = times.front();
    group->max = times.back();
    group->median = times[(times.size() - 1) / 2];
  }

  // The first step that is longer than the median by 20 %, and by four times the usual deviation
  // from it.
  static std::optional<size_t> FirstSlow(const std::vector<Step>& steps,
                                         const std::vector<size_t>& members, uint64_t median) {
    if (members.size() < kFewestSteps) return std::nullopt;
    std::vector<uint64_t> distances;
    const auto time = [&](size_t i) { return steps[i].end - steps[i].start; };
    for (const size_t i : members)
      distances.push_back(time(i) > median ? time(i) - median : median - time(i));
    std::sort(distances.begin(), distances.end());
    const uint64_t usual = distances[(distances.size() - 1) / 2];
    for (size_t k = 0; k < members.size(); ++k) {
      const uint64_t took = time(members[k]);
      if (took > median + median / 5 && took - median > 4 * usual) return k;
    }
    return std::nullopt;
  }

  Status FindSlow(const std::vector<Step>& steps, const std::vector<size_t>& members,
                  std::span<const Launched> kernels, const std::vector<int64_t>& step_of,
                  StepGroup* group) {
    const std::optional<size_t> place = FirstSlow(steps, members, group->median);
    if (!place) return Status::Ok();
    const size_t index = members[*place];
    SlowStep& slow = group->slow.emplace();
    slow.number = *place + 1;
    slow.at = steps[index].start;
    slow.time = steps[index].end - steps[index].start;
    if (steps[index].name != 0) RTL_TRY(trace_.Text(steps[index].name, &slow.name));
    struct Sums {
      uint64_t here = 0, elsewhere = 0;
    };
    std::unordered_map<int64_t, Sums> by_name;
    for (size_t i = 0; i < kernels.size(); ++i) {
      if (step_of[i] < 0 || steps[static_cast<size_t>(step_of[i])].kind != group->kind) continue;
      Sums& sums = by_name[kernels[i].name];
      const bool is_here = static_cast<size_t>(step_of[i]) == index;
      (is_here ? sums.here : sums.elsewhere) += kernels[i].end - kernels[i].start;
    }
    uint64_t most = 0;
    int64_t name = 0;
    for (const auto& [kernel, sums] : by_name) {
      const uint64_t usual = sums.elsewhere / (members.size() - 1);
      if (sums.here < usual || sums.here - usual <= most) continue;
      most = sums.here - usual;
      name = kernel;
      slow.kernel_time = sums.here;
      slow.kernel_usual = usual;
    }
    // A kernel explains a slow step if its growth is at least a quarter of the step's.
    if (most * 4 < slow.time - group->median) return Status::Ok();
    return trace_.Text(name, &slow.kernel);
  }

  query::TraceReader& trace_;
  std::unordered_map<int64_t, Ranges> ranges_;  // by process
  std::vector<Launched> kernels_;               // by process and start
  bool has_calls_ = false;
};

}  // namespace

const char* StepKindName(StepKind kind) {
  constexpr const char* kNames[] = {"step", "prefill", "decode", "prefill and decode"};
  return kNames[static_cast<size_t>(kind)];
}

std::optional<StepName> StepNameOf(std::string_view range) {
  if (const auto server = ServerStep(range)) return server;
  if (NumberAfter(range, "ProfilerStep#")) return StepName{StepKind::kPlain, kTorch};
  const std::string lower = Lower(range);
  for (const std::string_view word : kWords) {
    const size_t at = lower.find(word);
    if (at == std::string::npos) continue;
    // The word stands alone or ends a longer one: "train_step" matches, "stepper" does not.
    size_t next = at + word.size();
    while (next < lower.size() &&
           std::string_view(" _#:=-/").find(lower[next]) != std::string::npos)
      ++next;
    if (next == lower.size()) return StepName{StepKind::kPlain, kWord};
    if (IsDigit(lower[next])) return StepName{StepKind::kPlain, kNumbered};
  }
  return std::nullopt;
}

Status FindSteps(query::TraceReader& trace, std::vector<StepGroup>* out) {
  out->clear();
  return StepFinder(trace).Run(out);
}

namespace {

constexpr size_t kFewest = 3;  // repetitions needed
// Share of equal pieces needed, where a piece is the sequence between two places of the element.
constexpr double kLeastAlike = 0.75;
constexpr uint64_t kBase = 0x9e3779b97f4a7c15;  // odd

// Hashes any piece of the sequence in constant time.
class HashedSequence {
 public:
  explicit HashedSequence(const std::vector<int64_t>& sequence)
      : sums_(sequence.size() + 1), powers_(sequence.size() + 1, 1) {
    for (size_t i = 0; i < sequence.size(); ++i) {
      const uint64_t mixed = (static_cast<uint64_t>(sequence[i]) + 1) * kBase;
      sums_[i + 1] = sums_[i] * kBase + (mixed ^ mixed >> 29);
      powers_[i + 1] = powers_[i] * kBase;
    }
  }
  uint64_t Hash(size_t begin, size_t end) const {
    return sums_[end] - sums_[begin] * powers_[end - begin];
  }

 private:
  std::vector<uint64_t> sums_, powers_;
};

struct Candidate {
  double alike = 0;  // the share of equal pieces
  size_t places = 0;
  size_t first = 0;
  int64_t element = 0;
};

bool IsBetter(const Candidate& a, const Candidate& b) {
  if (a.alike != b.alike) return a.alike > b.alike;
  // The element with fewer places: it marks a step, not a layer inside a step.
  return a.places != b.places ? a.places < b.places : a.first < b.first;
}

}  // namespace

std::vector<size_t> FindRepetition(const std::vector<int64_t>& sequence) {
  std::unordered_map<int64_t, std::vector<size_t>> places;
  for (size_t i = 0; i < sequence.size(); ++i) places[sequence[i]].push_back(i);
  const HashedSequence pieces(sequence);
  Candidate best;
  for (const auto& [element, at] : places) {
    if (at.size() <= kFewest) continue;
    std::unordered_map<uint64_t, size_t> counts;
    size_t most = 0, covered = 0;
    for (size_t i = 0; i + 1 < at.size(); ++i) {
      const size_t count = ++counts[pieces.Hash(at[i], at[i + 1])];
      if (count <= most) continue;
      most = count;
      covered = at[i + 1] - at[i];
    }
    const Candidate found = {static_cast<double>(most) / static_cast<double>(at.size() - 1),
                             at.size(), at.front(), element};
    const bool repeats = most >= kFewest && covered >= 2 && found.alike >= kLeastAlike;
    // The places span at least half of the sequence, so this is not a loop in one part of it.
    const bool is_all = (at.back() - at.front()) * 2 >= sequence.size();
    if (repeats && is_all && (best.places == 0 || IsBetter(found, best))) best = found;
  }
  return best.places == 0 ? std::vector<size_t>() : places[best.element];
}

}  // namespace rtl::analysis
