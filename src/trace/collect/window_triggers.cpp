// SPDX-License-Identifier: MIT
#include "trace/collect/window_triggers.h"

#include "model/records.h"
#include "trace/schema/strings.h"

namespace rtl::store {
namespace {

Status Compile(const std::string& text, NamePattern* out) {
  const std::string why = out->Compile(text);
  return why.empty()
             ? Status::Ok()
             : Status::Error("%.100s is not a regular expression: %s", text.c_str(), why.c_str());
}

}  // namespace

Status WindowTriggers::Make(const std::string& mark, const std::vector<RangeTrigger>& ranges,
                            std::unique_ptr<WindowTriggers>* out) {
  auto made = std::make_unique<WindowTriggers>();
  if (!mark.empty()) RTL_TRY(Compile(mark, &made->mark_.emplace()));
  for (const RangeTrigger& range : ranges) {
    made->ranges_.emplace_back().ns = range.ns;
    RTL_TRY(Compile(range.name, &made->ranges_.back().name));
  }
  *out = std::move(made);
  return Status::Ok();
}

std::optional<std::string> WindowTriggers::Judge(const Open& range, uint64_t end) const {
  const uint64_t took = end > range.start ? end - range.start : 0;
  for (const Range& each : ranges_) {
    if (took <= each.ns || !each.name.IsIn(range.text)) continue;
    return "range \"" + range.text + "\" took " + std::to_string(took / 1000) + " us";
  }
  return std::nullopt;
}

void WindowTriggers::End(uint32_t process) {
  std::erase_if(stacks_, [&](const auto& stack) { return stack.first.first == process; });
  std::erase_if(started_, [&](const auto& range) { return range.first.first == process; });
}

std::optional<std::string> WindowTriggers::Look(uint32_t process, const spool::RecordView& record) {
  const RecordType type = record.head->type;
  if (type == RecordType::kMark) {
    const std::string text = CleanText(record.text);
    if (!mark_.has_value() || !mark_->IsIn(text)) return std::nullopt;
    return "mark \"" + text + "\"";
  }
  if (ranges_.empty()) return std::nullopt;
  if (type == RecordType::kRangePush || type == RecordType::kRangeStart) {
    const auto& begin = record.As<RangeBeginRecord>();
    Open open = {begin.time, CleanText(record.text)};
    if (type == RecordType::kRangePush) {
      stacks_[{process, record.head->thread}].push_back(std::move(open));
    } else {
      started_[{process, begin.range}] = std::move(open);
    }
    return std::nullopt;
  }
  if (type != RecordType::kRangePop && type != RecordType::kRangeStop) return std::nullopt;
  const auto& end = record.As<RangeEndRecord>();
  if (type == RecordType::kRangeStop) {
    const auto found = started_.extract({process, end.range});
    return found.empty() ? std::nullopt : Judge(found.mapped(), end.time);
  }
  const auto stack = stacks_.find({process, record.head->thread});
  if (stack == stacks_.end()) return std::nullopt;
  const Open open = std::move(stack->second.back());
  stack->second.pop_back();
  if (stack->second.empty()) stacks_.erase(stack);
  return Judge(open, end.time);
}

}  // namespace rtl::store
