// SPDX-License-Identifier: MIT
#include "export/compressor.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <climits>

namespace rtl::exporting {
namespace {

// Speed matters more than the last tenth of the size, because a compressed export spends most of
// its time here.
constexpr int kGzipLevel = 1;
constexpr int kZstdLevel = 3;
constexpr int kGzipWindow = 15 + 16;  // 16: write a gzip header
constexpr int kGzipMemory = 8;
constexpr size_t kChunkBytes = 64 * 1024;

class Gzip final : public Compressor {
 public:
  Status Open() {
    const int code = deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, kGzipWindow, kGzipMemory,
                                  Z_DEFAULT_STRATEGY);
    open_ = code == Z_OK;
    return open_ ? Status::Ok() : Status::Error("gzip could not be set up (zlib code %d)", code);
  }
  ~Gzip() override {
    if (open_) (void)deflateEnd(&stream_);  // its result only says that the stream was not finished
  }

  Status Compress(std::string_view bytes, bool last, std::string* out) override {
    do {
      const size_t part = std::min<size_t>(bytes.size(), UINT_MAX);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = static_cast<uInt>(part);
      bytes.remove_prefix(part);
      RTL_TRY(Drain(last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH, out));
    } while (!bytes.empty());
    return Status::Ok();
  }

 private:
  Status Drain(int flush, std::string* out) {
    char chunk[kChunkBytes];
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(chunk);
      stream_.avail_out = sizeof(chunk);
      const int code = deflate(&stream_, flush);
      if (code == Z_STREAM_ERROR) return Status::Error("gzip failed");
      out->append(chunk, sizeof(chunk) - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return Status::Ok();
  }

  z_stream stream_ = {};
  bool open_ = false;
};

class Zstd final : public Compressor {
 public:
  Status Open() {
    context_ = ZSTD_createCCtx();
    if (context_ == nullptr) return Status::Error("zstd: out of memory");
    const size_t code = ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, kZstdLevel);
    return Check(code);
  }
  ~Zstd() override { (void)ZSTD_freeCCtx(context_); }  // always 0

  Status Compress(std::string_view bytes, bool last, std::string* out) override {
    ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
    const ZSTD_EndDirective directive = last ? ZSTD_e_end : ZSTD_e_continue;
    char chunk[kChunkBytes];
    while (true) {
      ZSTD_outBuffer ready = {chunk, sizeof(chunk), 0};
      const size_t left = ZSTD_compressStream2(context_, &ready, &in, directive);
      RTL_TRY(Check(left));
      out->append(chunk, ready.pos);
      if (last ? left == 0 : in.pos == in.size) return Status::Ok();
    }
  }

 private:
  static Status Check(size_t code) {
    if (ZSTD_isError(code)) return Status::Error("zstd: %s", ZSTD_getErrorName(code));
    return Status::Ok();
  }

  ZSTD_CCtx* context_ = nullptr;
};

template <typename T>
Status Make(std::unique_ptr<Compressor>* out) {
  auto compressor = std::make_unique<T>();
  RTL_TRY(compressor->Open());
  *out = std::move(compressor);
  return Status::Ok();
}

}  // namespace

Status MakeCompressor(const std::string& path, std::unique_ptr<Compressor>* out) {
  if (path.ends_with(".gz")) return Make<Gzip>(out);
  if (path.ends_with(".zst")) return Make<Zstd>(out);
  return Status::Ok();
}

}  // namespace rtl::exporting
