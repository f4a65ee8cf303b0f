// SPDX-License-Identifier: MIT
#include "analysis/hot.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "trace/write/choice.h"

namespace rtl::analysis {
namespace {

using query::TraceReader;

constexpr char kNoKernel[] = "(kernel not in the trace)";

// The place of a sample in the code of a kernel.
using Place = std::pair<int64_t, uint64_t>;  // code object, offset
struct KernelSamples {
  std::map<Place, HotCount> places;
  std::set<std::pair<int64_t, uint64_t>> launches;  // process and dispatch
};

class HotFinder {
 public:
  explicit HotFinder(TraceReader& trace)
      : trace_(trace), places_([this](int64_t content, std::string* bytes) {
          return trace_.tables().CodeBytes(content, bytes);
        }) {}

  Status Run(const std::string& pattern, HotReport* out);

 private:
  Status Collect(const store::NamePattern* wanted, HotReport* out);
  Status Describe(const std::string& name, const KernelSamples& samples, HotKernel* out);
  Status Find(const Place& place, HotInstruction* out, std::string* symbol);

  TraceReader& trace_;
  symbols::CodePlaces places_;
  std::unordered_map<int64_t, query::CodeObjectRow> code_objects_;
  std::unordered_map<int64_t, std::string> names_;  // names of kernels
  std::map<std::string, KernelSamples> kernels_;
};

Status HotFinder::Collect(const store::NamePattern* wanted, HotReport* out) {
  query::SampleCursor samples;
  RTL_TRY(trace_.Samples(&samples));
  return samples.Each([&](const query::SampleRow& row) {
    const auto name = names_.find(row.kernel);
    const bool known = name != names_.end();
    const std::string& text = known ? name->second : kNoKernel;
    if (wanted != nullptr && !wanted->IsIn(text)) return;
    if (!known) ++out->without_kernel;
    const HotCount one = {1, static_cast<uint64_t>(std::popcount(row.exec_mask))};
    out->count.Add(one);
    KernelSamples& kernel = kernels_[text];
    kernel.places[{row.code_object, row.offset}].Add(one);
    if (known) kernel.launches.insert({row.process, row.dispatch});
  });
}

Status HotFinder::Find(const Place& place, HotInstruction* out, std::string* symbol) {
  out->code_object = place.first;
  out->address = place.second;
  const auto object = code_objects_.find(place.first);
  if (object == code_objects_.end()) return Status::Ok();
  out->address = object->second.AddressOf(place.second);
  const symbols::CodePlace* found = nullptr;
  RTL_TRY(places_.At(object->second.content, out->address, &found));
  out->text = found->instruction;
  out->frames = found->frames;
  *symbol = found->symbol;
  return Status::Ok();
}

Status HotFinder::Describe(const std::string& name, const KernelSamples& samples, HotKernel* out) {
  out->name = name;
  out->launches = samples.launches.size();
  std::map<std::tuple<std::string, uint32_t, std::string>, HotLine> lines;
  for (const auto& [place, count] : samples.places) {
    HotInstruction instruction;
    std::string symbol;
    RTL_TRY(Find(place, &instruction, &symbol));
    instruction.count = count;
    symbols::SourceFrame frame;
    if (!instruction.frames.empty()) frame = instruction.frames[0];
    if (frame.function.empty()) frame.function = symbol;
    out->has_lines = out->has_lines || frame.line != 0;
    HotLine& line = lines[{frame.file, frame.line, frame.function}];
    line.file = frame.file;
    line.line = frame.line;
    line.function = frame.function;
    line.count.Add(count);
    out->count.Add(count);
    line.instructions.push_back(std::move(instruction));
  }
  for (auto& [key, line] : lines) out->lines.push_back(std::move(line));
  std::stable_sort(out->lines.begin(), out->lines.end(), [](const HotLine& a, const HotLine& b) {
    return a.count.samples > b.count.samples;
  });
  return Status::Ok();
}

Status HotFinder::Run(const std::string& pattern, HotReport* out) {
  store::NamePattern wanted;
  if (const std::string why = pattern.empty() ? "" : wanted.Compile(pattern); !why.empty())
    return Status::Error("%.100s is not a regular expression: %s", pattern.c_str(), why.c_str());
  std::vector<query::CodeObjectRow> objects;
  RTL_TRY(trace_.tables().CodeObjects(&objects));
  for (query::CodeObjectRow& object : objects) code_objects_.emplace(object.id, object);
  std::vector<query::KernelInfo> kernels;
  RTL_TRY(trace_.tables().Kernels(&kernels));
  for (const query::KernelInfo& kernel : kernels) {
    RTL_TRY(trace_.Text(kernel.name, &names_[kernel.id]));
  }
  RTL_TRY(Collect(pattern.empty() ? nullptr : &wanted, out));
  for (const auto& [name, samples] : kernels_) {
    out->kernels.emplace_back();
    RTL_TRY(Describe(name, samples, &out->kernels.back()));
  }
  std::stable_sort(
      out->kernels.begin(), out->kernels.end(),
      [](const HotKernel& a, const HotKernel& b) { return a.count.samples > b.count.samples; });
  out->problems = places_.problems();
  return Status::Ok();
}

}  // namespace

Status FindHot(TraceReader& trace, const std::string& pattern, HotReport* out) {
  return HotFinder(trace).Run(pattern, out);
}

}  // namespace rtl::analysis
