// SPDX-License-Identifier: MIT
#include "trace/schema/strings.h"

#include <algorithm>

#include "trace/schema/tables.h"

namespace rtl::store {
namespace {

// Length of the valid UTF-8 sequence at the beginning of `text`; zero when there is none.
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if (lead == 0xe0 && byte(1) < 0xa0) return 0;  // overlong encoding
  if (lead == 0xed && byte(1) > 0x9f) return 0;  // surrogates
  if (lead == 0xf0 && byte(1) < 0x90) return 0;  // overlong encoding
  if (lead == 0xf4 && byte(1) > 0x8f) return 0;  // beyond U+10FFFF
  return length;
}

bool IsClean(std::string_view text) {
  for (const char c : text) {
    if (c == '\0' || static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

}  // namespace

std::string CleanText(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    if (length == 0) {
      clean.push_back('?');
      text.remove_prefix(1);
    } else {
      clean.append(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return clean;
}

Status Strings::Prepare(const Database& database) {
  RTL_TRY(find_.Prepare(database, "SELECT id FROM rocpd_string WHERE string = ?"));
  return insert_.Prepare(database, InsertSql(kStringTableDescription));
}

Status Strings::Load(const Database& database) {
  Query rows(database.handle(), "SELECT id, string FROM rocpd_string");
  while (rows.Next()) {
    const int64_t id = rows.Int(0);
    if (!rows.IsNull(1)) ids_.emplace(rows.Text(1), id);
    last_ = std::max(last_, id);
  }
  return rows.is_complete() ? Status::Ok() : database.Failure();
}

// Finds or makes the id of a text that is in neither map.
Status Strings::Make(std::string_view text, Ids* ids, int64_t* id) {
  bool found = false;
  if (forgotten_) RTL_TRY(find_.Find(text, &found, id));
  if (!found) {
    *id = last_ + 1;
    RTL_TRY(insert_.Insert(*id, text));
    last_ = *id;
  }
  ids->emplace(text, *id);
  return Status::Ok();
}

Status Strings::Intern(std::string_view text, Keep keep, int64_t* id) {
  if (!IsClean(text)) {
    const std::string clean = CleanText(text);
    if (clean != text) return Intern(clean, keep, id);
  }
  if (const auto known = ids_.find(text); known != ids_.end()) {
    *id = known->second;
    return Status::Ok();
  }
  if (const auto once = once_.find(text); once != once_.end()) {
    *id = once->second;
    if (keep == Keep::kAlways) ids_.emplace(text, *id);
    return Status::Ok();
  }
  if (keep == Keep::kAlways) return Make(text, &ids_, id);
  if (once_.size() >= kMaxOnce) {
    once_.clear();
    forgotten_ = true;
  }
  return Make(text, &once_, id);
}

}  // namespace rtl::store
