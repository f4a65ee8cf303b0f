// SPDX-License-Identifier: MIT
// selection_arguments.h: the options --kernel, --range, --from, --to, --rank and --gpu.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "trace/read/selection.h"

namespace rtl::cli {

class SelectionArguments {
 public:
  // `to`: the names of --to, which is a format in rtl convert.
  void AddTo(CLI::App* verb, const char* to = "--to,--until");
  bool empty() const { return selection_.empty(); }
  // Returns the error, or fills in `out` and returns an empty string.
  std::string Take(query::SelectionRequest* out, const char* to = "--to");

 private:
  query::SelectionRequest selection_;
  std::string from_;
  std::string to_;
};

}  // namespace rtl::cli
