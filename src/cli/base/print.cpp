// SPDX-License-Identifier: MIT
#include "cli/base/print.h"

#include <errno.h>
#include <fmt/format.h>

namespace rtl::cli {

int WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    text.remove_prefix(static_cast<size_t>(wrote));
  }
  return 0;
}

int PrintResult(std::string_view text) {
  const int error = WriteAll(STDOUT_FILENO, text);
  if (error == 0 || error == EPIPE) return 0;
  return Fail(Status::ErrnoError(error, "standard output: writing failed"));
}

void PrintAside(std::string_view text) {
  (void)WriteAll(STDERR_FILENO, text);  // if this fails, there is no other way to report it
}

std::string SelectionLine(const query::SelectionRequest& request) {
  return request.empty() ? "" : "only " + Printable(request.AsText()) + "\n";
}

std::string Joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::string Listed(const std::vector<std::string>& words, const char* last) {
  if (words.size() < 2) return Joined(words);
  return Joined({words.begin(), words.end() - 1}, ", ") + " " + last + " " + words.back();
}

void PrintNote(const std::string& text) { PrintAside("rtl: " + Printable(text) + "\n"); }

int Fail(const Status& status) {
  PrintNote(status.message());
  return kExitFailed;
}

}  // namespace rtl::cli
