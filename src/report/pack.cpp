// SPDX-License-Identifier: MIT
#include "report/pack.h"

#include <zlib.h>

#include <algorithm>

namespace rtl::report {
namespace {

constexpr int kLevel = 6;

void Number(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

// Packs a member of the runs of one slice, or of those of several.
template <typename Value>
void PackMember(const std::vector<Run>& runs, bool single, Value Run::*member, std::string* out) {
  for (const Run& run : runs) {
    if ((run.count == 1) == single) Number(run.*member, out);
  }
}

void PackLinks(const std::vector<Run>& runs, std::string* out) {
  const bool any =
      std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.track != 0; });
  Number(any ? 1 : 0, out);
  if (!any) return;
  PackMember(runs, true, &Run::track, out);
  PackMember(runs, true, &Run::more, out);
}

}  // namespace

void PackRow(const std::vector<Run>& runs, uint64_t begin, uint64_t gap, std::string* out) {
  Number(runs.size(), out);
  uint64_t at = begin;
  for (const Run& run : runs) {
    Number(run.start - at, out);
    at = run.end;
  }
  for (const Run& run : runs) Number(run.end - run.start, out);
  for (const Run& run : runs) Number(uint64_t{run.what} * 2 + (run.count > 1 ? 1 : 0), out);
  PackMember(runs, true, &Run::extra, out);
  PackMember(runs, false, &Run::count, out);
  PackMember(runs, false, &Run::extra, out);
  PackLinks(runs, out);
  std::vector<RunGroup> groups;
  if (runs.size() > kMostUngrouped) groups = GroupRuns(runs, gap);
  Number(groups.size(), out);
  for (const RunGroup& group : groups) {
    Number(group.runs, out);
    Number(group.what, out);
  }
}

Status Deflate(std::string_view bytes, std::string* out) {
  uLongf size = compressBound(bytes.size());
  out->resize(size);
  const int failed = compress2(reinterpret_cast<Bytef*>(out->data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kLevel);
  if (failed != Z_OK) return Status::Error("the page's rows cannot be compressed: zlib %d", failed);
  out->resize(size);
  return Status::Ok();
}

std::string Base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    const auto at = [&](size_t k) {
      return k < left ? static_cast<unsigned char>(bytes[i + k]) : 0u;
    };
    const uint32_t three = at(0) << 16 | at(1) << 8 | at(2);
    text += kDigits[three >> 18];
    text += kDigits[three >> 12 & 63];
    text += left > 1 ? kDigits[three >> 6 & 63] : '=';
    text += left > 2 ? kDigits[three & 63] : '=';
  }
  return text;
}

}  // namespace rtl::report
