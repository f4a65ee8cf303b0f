// SPDX-License-Identifier: MIT
#include "cli/trace/recovery.h"

#include <fmt/format.h>

#include "cli/base/table.h"
#include "trace/write/claim.h"

namespace rtl::cli {
namespace {

std::string CommandFor(const std::string& spool) {
  return "rtl collect --spool " + Quoted(spool) + " --output FILE.db";
}

}  // namespace

std::string Quoted(const std::string& word) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  if (word != Printable(word)) {
    std::string escaped = "$'";
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '\'' || c == '\\')
        escaped += std::string("\\") + c;
      else if (byte >= 0x20 && byte < 0x7F)
        escaped += c;
      else
        escaped += fmt::format("\\x{:02x}", byte);
    }
    return escaped + "'";
  }
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string RecoverySentence(const std::string& spool) {
  return "the records are in " + spool +
         "; this makes the database of them, also on another disk: " + CommandFor(spool);
}

std::vector<std::string> LeftSentences(const std::string& database) {
  constexpr size_t kMost = 3;
  std::vector<std::string> sentences;
  const std::vector<std::string> left = store::LeftBeside(database);
  for (size_t i = 0; i < left.size() && i < kMost; ++i) {
    sentences.push_back("an earlier run was killed and left its records in " + left[i] +
                        "; this makes the database of them: " + CommandFor(left[i]));
  }
  if (left.size() > kMost) {
    sentences.push_back(std::to_string(left.size() - kMost) + " more such runs: " + database +
                        ".spool-*");
  }
  return sentences;
}

}  // namespace rtl::cli
