// SPDX-License-Identifier: MIT
// gpus_arguments.h: the options --vgpu and --vgpu=N.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace rtl::cli {

class GpusArguments {
 public:
  void AddTo(CLI::App* verb, const char* text);
  // True for --vgpu without a number.
  bool is_bare() const;
  // Returns the error, or an empty string; then both hold the given values.
  std::string Take(bool* on_vgpu, std::optional<uint32_t>* gpus) const;

 private:
  std::string text_;  // kBare, or the number as text; empty: not given
};

}  // namespace rtl::cli
