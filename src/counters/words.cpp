// SPDX-License-Identifier: MIT
#include "counters/words.h"

#include "counters/counter_set.h"

namespace rtl::counters {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

bool ReadEvent(std::string_view text, Word* out) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  constexpr uint32_t kMostEvents = 1024;  // the GPU's registers have 10 bits for an event
  if (!ReadDigits(text.substr(colon + 1), &out->event)) return false;
  out->block = text.substr(0, colon);
  return out->event < kMostEvents && IsCounterName(out->block) &&
         out->block.size() < sizeof CounterEvent::block;
}

// Cuts ":device=N" off the text. False: N is no number.
bool RemoveDevice(std::string_view* text, int32_t* device) {
  constexpr std::string_view kDevice = ":device=";
  const size_t at = text->find(kDevice);
  if (at == std::string_view::npos) return true;
  // It may be far more than GPUs exist; then the counter is never read.
  uint32_t number = 0;
  if (!ReadDigits(text->substr(at + kDevice.size()), &number)) return false;
  *device = static_cast<int32_t>(number);
  *text = Trimmed(text->substr(0, at));
  return true;
}

}  // namespace

bool ReadDigits(std::string_view text, uint32_t* out) {
  if (text.empty() || text.size() > 9) return false;
  uint32_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + static_cast<uint32_t>(c - '0');
  }
  *out = value;
  return true;
}

bool IsCounterName(std::string_view text) {
  if (text.empty() || text.size() > 63 || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text) {
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
      return false;
  }
  return true;
}

std::string_view NextWord(std::string_view* rest) {
  std::string_view word;
  while (word.empty() && !rest->empty()) {
    size_t at = 0;
    int depth = 0;
    for (; at < rest->size(); ++at) {
      const char c = (*rest)[at];
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c == '\n' || (c == ',' && depth <= 0)) break;
    }
    word = Trimmed(rest->substr(0, at));
    rest->remove_prefix(at < rest->size() ? at + 1 : at);
  }
  return word;
}

std::string_view NextGroup(std::string_view* rest) {
  std::string_view group;
  while (group.empty() && !rest->empty()) {
    const size_t end = rest->find(';');
    group = Trimmed(rest->substr(0, end));
    rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  }
  return group;
}

Status ReadWord(std::string_view text, Word* out) {
  *out = {};
  const auto wrong = [&](const char* why) {
    return Status::Error("%.*s: %s", static_cast<int>(text.size() < 80 ? text.size() : 80),
                         text.data(), why);
  };
  if (!RemoveDevice(&text, &out->device))
    return wrong("a GPU is chosen by its number from 0, as in :device=0");
  const size_t equals = text.find('=');
  const std::string_view name = Trimmed(text.substr(0, equals));
  if (equals == std::string_view::npos) {
    if (ReadEvent(text, out)) return Status::Ok();
    out->block = {};
    out->name = name;
    return IsCounterName(name) ? Status::Ok()
                               : wrong("neither the name of a counter nor BLOCK:EVENT (SQ:4)");
  }
  if (!IsCounterName(name)) return wrong("a name has letters, digits and _, at most 63");
  const std::string_view what = Trimmed(text.substr(equals + 1));
  if (what.empty()) return wrong("BLOCK:EVENT or an expression is missing behind the =");
  out->name = name;
  if (what.find('(') == std::string_view::npos && what.find(':') != std::string_view::npos)
    return ReadEvent(what, out) ? Status::Ok() : wrong("BLOCK:EVENT has a number (SQ:4)");
  out->expression = what;
  return Status::Ok();
}

}  // namespace rtl::counters
