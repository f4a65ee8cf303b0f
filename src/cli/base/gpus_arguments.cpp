// SPDX-License-Identifier: MIT
#include "cli/base/gpus_arguments.h"

#include <charconv>

namespace rtl::cli {
namespace {

constexpr uint32_t kMostGpus = 8;
constexpr char kVgpu[] = "--vgpu{*}";  // the value in braces stands for no number
constexpr char kBare[] = "*";

bool ParseCount(const std::string& text, uint32_t* count) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *count);
  return error == std::errc() && rest == end && *count != 0 && *count <= kMostGpus;
}

}  // namespace

void GpusArguments::AddTo(CLI::App* verb, const char* text) { verb->add_flag(kVgpu, text_, text); }

bool GpusArguments::is_bare() const { return text_ == kBare; }

std::string GpusArguments::Take(bool* on_vgpu, std::optional<uint32_t>* gpus) const {
  if (text_.empty()) return "";
  *on_vgpu = true;
  if (is_bare()) return "";
  uint32_t count = 0;
  if (!ParseCount(text_, &count)) {
    return "--vgpu takes 1 to " + std::to_string(kMostGpus) + " GPUs, not " + text_;
  }
  *gpus = count;
  return "";
}

}  // namespace rtl::cli
