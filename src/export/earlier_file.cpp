// SPDX-License-Identifier: MIT
#include "export/earlier_file.h"

#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <memory>
#include <string_view>

#include "trace/read/error.h"
#include "trace/write/earlier_trace.h"

namespace rtl::exporting {
namespace {

constexpr size_t kHeadBytes = 64 << 10;
constexpr size_t kPackedBytes = 256 << 10;  // at least one block of zstd

// The beginning of the file, decompressed if gzip has compressed it.
std::string PlainHead(const std::string& path) {
  std::string head(kPackedBytes, '\0');
  const gzFile file = gzopen(path.c_str(), "rbe");
  if (file == nullptr) return "";
  const int got = gzread(file, head.data(), static_cast<unsigned>(head.size()));
  (void)gzclose(file);  // cannot fail, because nothing was written
  head.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return head;
}

std::string UnpackZstd(const std::string& packed) {
  std::string head(kHeadBytes, '\0');
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
  ZSTD_outBuffer out = {head.data(), head.size(), 0};
  while (in.pos < in.size && out.pos < out.size) {
    if (ZSTD_isError(ZSTD_decompressStream(stream.get(), &out, &in)) != 0) break;
  }
  head.resize(out.pos);
  return head;
}

std::string Head(const std::string& path) {
  std::string head = PlainHead(path);
  return head.starts_with("\x28\xb5\x2f\xfd") ? UnpackZstd(head) : head;
}

// True for a Perfetto trace, which is a sequence of packets: a tag, a length, and that many bytes.
bool IsPerfetto(std::string_view head) {
  constexpr size_t kLooked = 3;
  size_t at = 0;
  for (size_t packet = 0; packet < kLooked && at < head.size(); ++packet) {
    if (head[at++] != '\x0a') return false;
    uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at == head.size() || shift > 28) return false;
      const auto byte = static_cast<uint8_t>(head[at++]);
      length |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) break;
    }
    at += length;
  }
  return at > 0 && (at <= head.size() || head.size() >= kHeadBytes);
}

// True if the first line is a text that ends in a number.
bool IsFolded(std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\n'));
  const size_t space = line.rfind(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 == line.size()) return false;
  return line.find_first_not_of("0123456789", space + 1) == std::string_view::npos;
}

bool IsOfKind(FileKind kind, const std::string& path) {
  switch (kind) {
    case FileKind::kTrace:
      return store::IsTrace(path);
    case FileKind::kRpd:
      return store::HoldsOperations(path);
    case FileKind::kPerfetto:
      return IsPerfetto(Head(path));
    case FileKind::kChrome:
      return Head(path).starts_with("{\"schemaVersion\":1,\"displayTimeUnit\"");
    case FileKind::kPage:
      return Head(path).find("<title>rtl report</title>") != std::string::npos;
    case FileKind::kFolded:
      return IsFolded(Head(path));
    case FileKind::kSpeedscope:
      return Head(path).starts_with("{\"$schema\":\"https://www.speedscope.app/");
    case FileKind::kManifest:
      return Head(path).starts_with("{\n  \"manifest_version\"");
  }
  return false;
}

const char* Name(FileKind kind) {
  switch (kind) {
    case FileKind::kTrace:
      return "trace";
    case FileKind::kRpd:
      return "database of RPD";
    case FileKind::kPerfetto:
    case FileKind::kChrome:
      return "timeline of this kind";
    case FileKind::kPage:
      return "page of rtl report";
    case FileKind::kFolded:
    case FileKind::kSpeedscope:
      return "file of stacks of this kind";
    case FileKind::kManifest:
      return "manifest";
  }
  return "";
}

}  // namespace

Status CheckReplaceable(FileKind kind, const std::string& path) {
  struct stat info;
  if (path == "-" || stat(path.c_str(), &info) != 0) return Status::Ok();
  if (!S_ISREG(info.st_mode) || info.st_size == 0 || IsOfKind(kind, path)) return Status::Ok();
  return query::FileError(path,
                          std::string("exists and is no ") + Name(kind) + "; --force replaces it");
}

}  // namespace rtl::exporting
