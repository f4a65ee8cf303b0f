// SPDX-License-Identifier: MIT
// selection_arguments.h: --kernel, --range, --from, --to, --rank and --gpu, as they are typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "query/selection.h"

namespace rtl::cli {

class SelectionArguments {
 public:
  // `to`: the names of --to, which of rtl convert names a format.
  void AddTo(CLI::App* verb, const char* to = "--to,--until");
  bool empty() const { return selection_.empty(); }
  // What is wrong with them; empty: nothing, and `out` has them.
  std::string Take(query::SelectionRequest* out, const char* to = "--to");

 private:
  query::SelectionRequest selection_;
  std::string from_;
  std::string to_;
};

}  // namespace rtl::cli
