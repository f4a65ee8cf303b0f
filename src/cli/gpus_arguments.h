// SPDX-License-Identifier: MIT
// gpus_arguments.h: --vgpu and --vgpu=N, as they are typed.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace rtl::cli {

class GpusArguments {
 public:
  void AddTo(CLI::App* verb, const char* text);
  // There, and without a number.
  bool is_bare() const;
  // What is wrong with it; empty: nothing, and both have what was said, if it was.
  std::string Take(bool* on_vgpu, std::optional<uint32_t>* gpus) const;

 private:
  std::string text_;  // kBare, or as it was typed; empty: not there
};

}  // namespace rtl::cli
