// SPDX-License-Identifier: MIT
#include "analysis/completeness.h"

#include <charconv>
#include <string_view>

#include "analysis/text.h"
#include "model/losses.h"

namespace rtl::analysis {
namespace {

uint64_t ToNumber(std::string_view text) {
  uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() ? value : 0;
}

uint64_t NumberAt(const query::Metadata& metadata, const std::string& tag) {
  const auto found = metadata.find(tag);
  return found == metadata.end() ? 0 : ToNumber(found->second);
}

LossLine MakeLine(const std::string& name, uint64_t events) {
  bool left_out = false;
  for (size_t i = 0; i < kLossCount; ++i) {
    const Loss loss = static_cast<Loss>(i);
    if (IsLeftOut(loss) && name == LossName(loss)) left_out = true;
  }
  const char* const text = FindLossText(name);
  return {name, text == nullptr ? name : text, events, left_out};
}

// All tags "loss.<name>.<kind>", also those whose name this version does not know.
std::vector<LossLine> ReadLosses(const query::Metadata& metadata, const std::string& kind) {
  constexpr std::string_view kPrefix = "loss.";
  const std::string suffix = "." + kind;
  std::vector<LossLine> losses;
  for (auto tag = metadata.lower_bound(kPrefix); tag != metadata.end(); ++tag) {
    const std::string_view key = tag->first;
    if (!key.starts_with(kPrefix)) break;
    if (!key.ends_with(suffix)) continue;
    const uint64_t events = ToNumber(tag->second);
    if (events == 0) continue;
    const size_t length = key.size() - kPrefix.size() - suffix.size();
    const std::string name(key.substr(kPrefix.size(), length));
    losses.push_back(MakeLine(name, events));
  }
  return losses;
}

uint64_t Sum(const std::vector<LossLine>& losses, bool left_out) {
  uint64_t sum = 0;
  for (const LossLine& loss : losses) sum += loss.left_out == left_out ? loss.events : 0;
  return sum;
}

// " (kBatch: 20, kHasSignal: 3)": the losses, or with `skip` the events left out on purpose. Empty
// if there are none.
std::string Causes(const std::vector<LossLine>& losses, bool left_out) {
  std::string text;
  for (const LossLine& loss : losses) {
    if (loss.left_out != left_out) continue;
    text += (text.empty() ? " (" : ", ") + loss.name + ": " + Grouped(loss.events);
  }
  return text.empty() ? text : text + ")";
}

}  // namespace

uint64_t KindCompleteness::left_out() const { return Sum(losses, true); }

uint64_t KindCompleteness::lost() const { return Sum(losses, false); }

double KindCompleteness::coverage() const {
  if (submitted == 0) return 100;
  return 100.0 * static_cast<double>(recorded) / static_cast<double>(submitted);
}

std::vector<KindCompleteness> ReadCompleteness(const query::Metadata& metadata) {
  std::vector<KindCompleteness> completeness;
  for (size_t i = 0; i < kEventKindCount; ++i) {
    KindCompleteness each;
    each.kind = EventKindName(static_cast<EventKind>(i));
    each.submitted = NumberAt(metadata, "submitted." + each.kind);
    each.recorded = NumberAt(metadata, "recorded." + each.kind);
    each.losses = ReadLosses(metadata, each.kind);
    if (const std::string* source = query::SourceOf(metadata); source != nullptr) {
      each.source = *source;
      each.submitted = each.recorded;
    }
    const auto not_counted = metadata.find("not_counted." + each.kind);
    if (not_counted != metadata.end()) each.not_counted = not_counted->second;
    completeness.push_back(std::move(each));
  }
  return completeness;
}

std::string CompletenessLine(const KindCompleteness& each) {
  if (!each.counted()) {
    return each.kind + ": " + Grouped(each.recorded) + " recorded by " + each.source +
           "; how many it lost is not known";
  }
  const char* const counted = each.kind.ends_with("_calls") ? " seen, " : " submitted, ";
  std::string line =
      each.kind + ": " + Grouped(each.submitted) + counted + Grouped(each.recorded) + " recorded, ";
  if (each.left_out() != 0) {
    line += Grouped(each.left_out()) + " left out on purpose" + Causes(each.losses, true) + ", ";
  }
  line += Grouped(each.lost()) + " lost" + Causes(each.losses, false);
  if (!each.balanced()) line += "; these numbers do not add up";
  if (!each.not_counted.empty()) line += "; " + each.not_counted;
  return line;
}

}  // namespace rtl::analysis
