// SPDX-License-Identifier: MIT
#include "fleet/session.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace rtl::fleet {
namespace {

constexpr size_t kLongestHead = 32;  // "error 18446744073709551615\n"

Status NoAnswer() {
  return Status::Error(
      "the session of --engine does not answer; only a program that has one passes it");
}

Status SendAll(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return NoAnswer();
    text.remove_prefix(static_cast<size_t>(sent));
  }
  return Status::Ok();
}

// Receives at most `most` bytes and appends them.
Status Receive(int socket, size_t most, const std::atomic<bool>* cancel, std::string* out) {
  constexpr int kLookMs = 100;
  pollfd waits{socket, POLLIN, 0};
  while (poll(&waits, 1, kLookMs) <= 0) {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) {
      return Status::Error("interrupted");
    }
  }
  const size_t before = out->size();
  out->resize(before + most);
  ssize_t got = 0;
  do {
    got = recv(socket, out->data() + before, most, 0);
  } while (got < 0 && errno == EINTR);
  out->resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return got > 0 ? Status::Ok() : NoAnswer();
}

}  // namespace

Status AskSession(int socket, const std::string& question, const std::atomic<bool>* cancel,
                  std::string* rows) {
  RTL_TRY(SendAll(socket, question));
  std::string head;
  while (!head.ends_with('\n')) {
    if (head.size() > kLongestHead) return NoAnswer();
    RTL_TRY(Receive(socket, 1, cancel, &head));
  }
  const size_t space = head.find(' ');
  size_t length = 0;
  if (space == std::string::npos ||
      std::from_chars(head.data() + space + 1, head.data() + head.size(), length).ec !=
          std::errc()) {
    return NoAnswer();
  }
  rows->clear();
  while (rows->size() < length) {
    constexpr size_t kPart = 1 << 20;
    RTL_TRY(Receive(socket, std::min(kPart, length - rows->size()), cancel, rows));
  }
  return head.starts_with("rows ") ? Status::Ok() : Status::Error("%s", rows->c_str());
}

}  // namespace rtl::fleet
