// SPDX-License-Identifier: MIT
#include "analysis/ledger.h"

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

std::string TextOfLoss(const std::string& name) {
  for (size_t i = 0; i < kLossCount; ++i) {
    const Loss loss = static_cast<Loss>(i);
    if (name == LossName(loss)) return LossText(loss);
  }
  return name;
}

// All tags "loss.<name>.<kind>", whether or not this version knows the name.
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
    losses.push_back({name, TextOfLoss(name), events});
  }
  return losses;
}

}  // namespace

uint64_t KindLedger::lost() const {
  uint64_t sum = 0;
  for (const LossLine& loss : losses) sum += loss.events;
  return sum;
}

std::vector<KindLedger> ReadLedger(const query::Metadata& metadata) {
  std::vector<KindLedger> ledgers;
  for (size_t i = 0; i < kEventKindCount; ++i) {
    KindLedger ledger;
    ledger.kind = EventKindName(static_cast<EventKind>(i));
    ledger.seen = NumberAt(metadata, "seen." + ledger.kind);
    ledger.recorded = NumberAt(metadata, "recorded." + ledger.kind);
    ledger.losses = ReadLosses(metadata, ledger.kind);
    ledgers.push_back(std::move(ledger));
  }
  return ledgers;
}

std::string HonestyLine(const KindLedger& ledger) {
  std::string line = ledger.kind + ": " + Grouped(ledger.seen) + " submitted, " +
                     Grouped(ledger.recorded) + " recorded, " + Grouped(ledger.lost()) + " lost";
  const char* separator = " (";
  for (const LossLine& loss : ledger.losses) {
    line += separator + loss.name + ": " + Grouped(loss.events);
    separator = ", ";
  }
  if (!ledger.losses.empty()) line += ")";
  if (!ledger.balanced()) line += "; these numbers do not add up";
  return line;
}

}  // namespace rtl::analysis
